import { hostname } from 'node:os'
import type { Checkpoint } from '#contracts/http/audit-log.ts'
import { postJson } from '../../platform/outgoing/post-json.ts'
import { webhookSignature } from '../../platform/outgoing/webhook-signature.ts'
import { type OutputRow, openOutputTarget, outputSecret } from './log-output.ts'
import { sendSyslog, syslogMessage } from './syslog.ts'

/** An entry as it leaves: every field that its hash covers, and the hash. */
export type SentEntry = {
  id: number
  at: number
  account: string
  role: string
  action: string
  target: string
  result: string
  address: string
  detail: string
  /** JSON of AuditChange[], or ''. */
  changes: string
  hash: string
}
export type SendDeps = {
  secret(name: string): Buffer
  /** Whether webhooks may go to addresses of the own network (setting). */
  internal(): boolean
  now(): number
}

const TIMEOUT_MS = 10_000
const TEST_TEXT = 'AppWarden test message'

/** Sends entries and checkpoints to an output, or a test message if there are none. Throws Error with the reason. */
export async function sendLog(
  deps: SendDeps,
  output: OutputRow,
  entries: readonly SentEntry[],
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  const target = openOutputTarget(deps.secret, output)
  const isTest = entries.length + checkpoints.length === 0
  if (!('url' in target)) {
    const host = hostname()
    const messages = [
      ...entries.map((entry) => entryMessage(host, entry)),
      ...checkpoints.map((checkpoint) => checkpointMessage(host, checkpoint)),
      ...(isTest
        ? [syslogMessage(host, { at: deps.now(), severity: 'info', id: 'test', data: {}, text: TEST_TEXT })]
        : []),
    ]
    return sendSyslog(target, messages)
  }
  const at = deps.now()
  const body = JSON.stringify({ kind: isTest ? 'test' : 'audit', at, entries, checkpoints })
  const { status, answer, internal } = await postJson({
    url: target.url,
    body,
    internal: deps.internal(),
    timeoutMs: TIMEOUT_MS,
    headers: {
      'user-agent': 'AppWarden',
      'x-aw-event': isTest ? 'log.test' : 'log.audit',
      'x-aw-delivery': `${output.id}:${entries.at(-1)?.id ?? 0}:${checkpoints.at(-1)?.id ?? 0}`,
      'x-aw-signature': webhookSignature(outputSecret(deps.secret, output.id), Math.floor(at / 1000), body),
    },
  })
  if (status !== null && status >= 200 && status < 300) return
  // What an address of the own network answers would show which ports are open.
  throw new Error(internal ? 'no valid answer from a private address' : `${status ?? ''} ${answer}`.trim())
}

function entryMessage(host: string, { changes, ...entry }: SentEntry): string {
  const { id, account, role, action, target, result, address, detail, hash, at } = entry
  return syslogMessage(host, {
    at,
    severity: result === 'ok' ? 'info' : 'warning',
    id: action,
    data: { id, account, role, action, target, result, address, hash },
    text: [detail, changes].filter((part) => part !== '').join(' '),
  })
}

function checkpointMessage(host: string, { at, id, entry_id, hash, signature }: Checkpoint): string {
  return syslogMessage(host, {
    at,
    severity: 'info',
    id: 'checkpoint',
    data: { id, at, entry: entry_id, hash, signature },
    text: 'signed checkpoint of the audit trail',
  })
}
