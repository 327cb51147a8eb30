import { type Kysely, sql } from 'kysely'

/** When the alert rules were judged for a run (those of before: at their end), and the entries of a channel that people look at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('alter table monitor_runs add column judged_at bigint')
  await run('update monitor_runs set judged_at = ended_at')
  await run(`alter table monitor_asks add column leads jsonb not null default '[]'`)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table monitor_asks drop column leads').execute(db)
  await sql.raw('alter table monitor_runs drop column judged_at').execute(db)
}
