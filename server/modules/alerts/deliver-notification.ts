import { setTimeout as sleep } from 'node:timers/promises'
import { postJson } from '../../platform/outgoing/post-json.ts'
import { webhookSignature } from '../../platform/outgoing/webhook-signature.ts'
import { type AlertEvent, type AlertSubject, lineOf, type NameOfKey, pathOf, webhookBody } from './alert-message.ts'
import { type ChannelRow, openTarget } from './channel-target.ts'
import { mailAddresses, readMailServer, sendMail } from './send-mail.ts'

/** `answer` of a private target never shows more than whether it took the message. */
export type NotificationResult = { sent: boolean; status: number | null; answer: string }
export type NotificationDeps = {
  /** A key of the installation by name. */
  secret(name: string): Buffer
  /** Whether internal webhook targets are allowed (setting). */
  internal(): boolean
  smtpUrl: string | undefined
  /** Current names of applications, places and sites. */
  names(): Promise<NameOfKey>
  now(): number
  /** A certificate authority trusted in addition to the system's. */
  ca?: string
  /** Milliseconds after which every failure of a private target is answered; tests shorten it. */
  privateFailureMs?: number
}

const TIMEOUT_MS = 10_000
/**
 * A private target that refuses, closes, does not answer or answers with anything but 2xx gives the same result after the same time, so
 * that a channel cannot be used to find open ports. The request itself ends a little earlier.
 */
const PRIVATE_FAILURE_MS = 5000
const PRIVATE_FAILURE = 'no valid answer from a private address'
const REQUEST_SHARE = 0.9

/** The key that signs a webhook's messages: derived, so it is never stored; a rotation increments `turn`. */
export function webhookSecret(secret: NotificationDeps['secret'], channel: Pick<ChannelRow, 'id' | 'turn'>): string {
  return `aw_wh_${secret(`alerts.webhook.${channel.id}.${channel.turn}`).toString('base64url')}`
}

/** Sends one message to a channel's target and returns the result; never throws because of the target. */
export async function deliverNotification(
  deps: NotificationDeps,
  channel: ChannelRow,
  message: { event: AlertEvent; delivery: string } & AlertSubject,
): Promise<NotificationResult> {
  const { event, delivery, ...subject } = message
  const nameOf = await deps.names()
  const target = openTarget(deps.secret, channel)
  if (channel.kind === 'webhook') {
    const at = deps.now()
    const body = JSON.stringify(webhookBody(event, delivery, at, subject, nameOf))
    const internal = deps.internal()
    const failureMs = deps.privateFailureMs ?? PRIVATE_FAILURE_MS
    const failsAt = performance.now() + failureMs
    const posted = await postJson({
      url: target,
      body,
      internal,
      timeoutMs: internal ? failureMs * REQUEST_SHARE : TIMEOUT_MS,
      headers: {
        'user-agent': 'AppWarden',
        'x-aw-event': event,
        'x-aw-delivery': delivery,
        'x-aw-signature': webhookSignature(webhookSecret(deps.secret, channel), Math.floor(at / 1000), body),
      },
    })
    const sent = posted.status !== null && posted.status >= 200 && posted.status < 300
    if (!posted.internal) return { sent, status: posted.status, answer: posted.answer }
    if (sent) return { sent, status: posted.status, answer: '' }
    await sleep(Math.max(0, failsAt - performance.now()))
    return { sent: false, status: null, answer: PRIVATE_FAILURE }
  }
  if (!deps.smtpUrl) return { sent: false, status: null, answer: 'mail is not configured (APPWARDEN_SMTP_URL)' }
  try {
    const zh = lineOf(event, subject, nameOf, 'zh')
    const en = lineOf(event, subject, nameOf, 'en')
    const answer = await sendMail(
      readMailServer(deps.smtpUrl),
      {
        to: mailAddresses(target) ?? [],
        subject: `[AppWarden] ${zh}`,
        text: `${zh}\n${en}\n\n${pathOf(subject)}\n`,
        id: delivery,
      },
      deps.ca,
    )
    return { sent: true, status: null, answer: answer.slice(0, 500) }
  } catch (error) {
    return { sent: false, status: null, answer: (error as Error).message.slice(0, 500) }
  }
}
