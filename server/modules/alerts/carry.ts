import { createHmac } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Alert } from '#domain/alerts.ts'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'
import { type Posted, postJson } from '../../platform/outgoing/post-json.ts'
import { type AlertEvent, lineOf, type NameOfKey, webhookBody } from './alert-message.ts'
import { mailAddresses, readMailServer, sendMail } from './send-mail.ts'

export type ChannelRow = Selectable<AlertTables['alert_channels']>
export type Carried = Posted & { sent: boolean }
export type CarryDeps = {
  /** Keys of the installation by name. */
  secret(name: string): Buffer
  /** Internal webhook targets are allowed. */
  internal(): boolean
  smtpUrl: string | undefined
  /** Names of applications, places and sites as they are now. */
  names(): Promise<NameOfKey>
  now(): number
  /** Trusted besides the system's certificates. */
  ca?: string
}

const TIMEOUT_MS = 10_000

/** The key that signs a webhook's messages: derived, so that it lies nowhere; a rotation is the next turn. */
export function webhookSecret(secret: CarryDeps['secret'], channel: Pick<ChannelRow, 'id' | 'turn'>): string {
  return `aw_wh_${secret(`alerts.webhook.${channel.id}.${channel.turn}`).toString('base64url')}`
}

/** `t=<seconds>,v1=<hex>`: HMAC-SHA-256 with the channel's secret over `<seconds>.<body>`. */
export function signatureOf(key: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
}

/** Carries one message to where a channel leads; tells what came back and never throws. */
export async function carry(
  deps: CarryDeps,
  channel: ChannelRow,
  message: { event: AlertEvent; delivery: string; alert: Alert | null },
): Promise<Carried> {
  const { event, delivery, alert } = message
  const nameOf = await deps.names()
  if (channel.kind === 'webhook') {
    const at = deps.now()
    const body = JSON.stringify(webhookBody(event, delivery, at, alert, nameOf))
    const posted = await postJson({
      url: channel.target,
      body,
      internal: deps.internal(),
      timeoutMs: TIMEOUT_MS,
      headers: {
        'user-agent': 'AppWarden',
        'x-aw-event': event,
        'x-aw-delivery': delivery,
        'x-aw-signature': signatureOf(webhookSecret(deps.secret, channel), Math.floor(at / 1000), body),
      },
    })
    return { ...posted, sent: posted.status !== null && posted.status >= 200 && posted.status < 300 }
  }
  if (!deps.smtpUrl) return { sent: false, status: null, answer: 'mail is not configured (APPWARDEN_SMTP_URL)' }
  try {
    const zh = lineOf(event, alert, nameOf, 'zh')
    const en = lineOf(event, alert, nameOf, 'en')
    const path = alert ? `/awareness/alerts?alert=${alert.id}` : '/awareness/alerts'
    const answer = await sendMail(
      readMailServer(deps.smtpUrl),
      {
        to: mailAddresses(channel.target) ?? [],
        subject: `[AppWarden] ${zh}`,
        text: `${zh}\n${en}\n\n${path}\n`,
        id: delivery,
      },
      deps.ca,
    )
    return { sent: true, status: null, answer: answer.slice(0, 500) }
  } catch (error) {
    return { sent: false, status: null, answer: (error as Error).message.slice(0, 500) }
  }
}
