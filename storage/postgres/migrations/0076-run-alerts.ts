import { type Kysely, sql } from 'kysely'

/** Whether a market's connector had a good trial; alerts that a run of monitoring raised name its task. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('alter table monitor_markets add column tried boolean not null default true')
  await run('alter table alerts add column task_id text')
}

/** The version before does not know rules about copies: they go with their alerts. */
export async function down(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`delete from alert_rules where time_window = 'run'`)
  await run('alter table alerts drop column task_id')
  await run('alter table monitor_markets drop column tried')
}
