import { type Kysely, sql } from 'kysely'

/** Channels also carry alerts of environment monitoring: a delivery is about one of the two kinds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`alter table alert_deliveries alter column alert_id drop not null`)
  await run(`alter table alert_deliveries
    add column environment_alert text references environment_alerts(id) on delete cascade,
    add constraint alert_deliveries_subject check (num_nonnulls(alert_id, environment_alert) = 1),
    add constraint alert_deliveries_environment unique (channel_id, environment_alert, event)`)
}
