import { sql } from 'kysely'
import { NOTIFICATION_DAYS, type StoredNotice } from '#domain/notifications.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const KEPT_MS = NOTIFICATION_DAYS * 86_400_000

/**
 * Gives a notice to every enabled channel whose owner is among `users` and that sends its kind; once for each channel and `key`. The
 * jobs process delivers it like an alert (server/modules/alerts/deliver.ts). Deliveries older than NOTIFICATION_DAYS go.
 */
export async function enqueueNotice(
  { db }: MetaStore,
  users: readonly number[],
  notice: StoredNotice,
  key: string,
  now: number,
): Promise<void> {
  const made = await sql`insert into alert_deliveries
      (id, channel_id, event, state, attempts, next_at, answer, created_at, notice, notice_key)
    select gen_random_uuid()::text, id, 'notice', 'waiting', 0, ${now}::int8, '', ${now}::int8, ${JSON.stringify(notice)}::jsonb, ${key}
      from alert_channels
      where owner_id = any(${sql.val([...users])}::int[]) and ${notice.kind} = any(notices) and enabled and deleted_at is null
    on conflict (channel_id, notice_key) do nothing`.execute(db)
  if ((made.numAffectedRows ?? 0n) > 0n)
    await sql`delete from alert_deliveries where notice is not null and created_at < ${now - KEPT_MS}::int8`.execute(db)
}
