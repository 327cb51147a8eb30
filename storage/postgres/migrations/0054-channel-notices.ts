import { type Kysely, sql } from 'kysely'

/** Channels also carry what their owner is notified of: kinds that were chosen, and a third subject of a delivery. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`alter table alert_channels add column notices text[] not null default '{}'`)
  await run(`alter table alert_deliveries
    add column notice jsonb, add column notice_key text,
    drop constraint alert_deliveries_subject,
    add constraint alert_deliveries_subject check (num_nonnulls(alert_id, environment_alert, notice) = 1),
    add constraint alert_deliveries_notice unique (channel_id, notice_key)`)
}

/** Deliveries of notices go: the version before has no place for them. */
export async function down(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('delete from alert_deliveries where notice is not null')
  await run(`alter table alert_deliveries
    drop constraint alert_deliveries_subject,
    add constraint alert_deliveries_subject check (num_nonnulls(alert_id, environment_alert) = 1),
    drop column notice, drop column notice_key`)
  await run('alter table alert_channels drop column notices')
}
