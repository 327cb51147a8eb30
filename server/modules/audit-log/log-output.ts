import type { Selectable } from 'kysely'
import type { LogOutput } from '#contracts/http/audit-log.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { openText, sealText } from '../../platform/secrets.ts'

export type OutputRow = Selectable<Database['log_outputs']>
/** `ca`: PEM of an authority that is trusted beside the system's, '' for none. */
export type OutputTarget = { host: string; port: number; ca: string } | { url: string }
type Secret = (name: string) => Buffer
const KEY = 'logs.output-target'

/** As it is stored: a webhook's address often contains a secret of the receiving service, so it is encrypted. */
export function sealOutputTarget(secret: Secret, target: OutputTarget): string {
  return sealText(secret(KEY), JSON.stringify(target))
}

export function openOutputTarget(secret: Secret, { target }: Pick<OutputRow, 'target'>): OutputTarget {
  return JSON.parse(openText(secret(KEY), target)) as OutputTarget
}

/** The key that signs a webhook's messages: derived, so it is never stored. */
export function outputSecret(secret: Secret, id: string): string {
  return `aw_wh_${secret(`logs.webhook.${id}`).toString('base64url')}`
}

/** `last`: id of the newest entry. A caller who may not change outputs does not see the path of a webhook. */
export function toLogOutput(secret: Secret, row: OutputRow, last: number, mayChange: boolean): LogOutput {
  const target = openOutputTarget(secret, row)
  const { id, kind, name, enabled, position, last_sent_at, error, next_at } = row
  return {
    id,
    kind,
    name,
    target:
      'url' in target
        ? mayChange
          ? target.url
          : `${new URL(target.url).origin}/•••`
        : `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`,
    has_ca: 'ca' in target && target.ca !== '',
    enabled,
    position,
    waiting: Math.max(0, last - position),
    last_sent_at,
    error,
    next_at,
  }
}
