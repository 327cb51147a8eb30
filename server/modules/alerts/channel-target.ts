import type { Selectable } from 'kysely'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { isSealed, openText, sealText } from '../../platform/secrets.ts'
import { mailAddresses } from './send-mail.ts'

export type ChannelRow = Selectable<AlertTables['alert_channels']>
type Secret = (name: string) => Buffer
const KEY = 'alerts.channel-target'

/** The target as it is stored: a webhook address often contains a secret of the receiving service, so it is encrypted. */
export function sealTarget(secret: Secret, target: string): string {
  return sealText(secret(KEY), target)
}

export function openTarget(secret: Secret, { target }: Pick<ChannelRow, 'target'>): string {
  return openText(secret(KEY), target)
}

/** What users other than the owner see of a target: scheme and host of a webhook, first letter and domain of a mail address. */
export function maskTarget(kind: ChannelRow['kind'], target: string): string {
  if (kind === 'mail')
    return (mailAddresses(target) ?? [])
      .map((address) => `${address.slice(0, 1)}•••${address.slice(address.lastIndexOf('@'))}`)
      .join(', ')
  return URL.canParse(target) ? `${new URL(target).origin}/•••` : '•••'
}

/** Encrypts targets that a version without encryption has stored. Runs at each start of the console; does nothing afterwards. */
export async function sealStoredTargets(meta: MetaStore, secret: Secret): Promise<void> {
  const rows = await meta.db.selectFrom('alert_channels').select(['id', 'target']).execute()
  for (const { id, target } of rows)
    if (!isSealed(target))
      await meta.db
        .updateTable('alert_channels')
        .set({ target: sealTarget(secret, target) })
        .where('id', '=', id)
        .where('target', '=', target)
        .execute()
}
