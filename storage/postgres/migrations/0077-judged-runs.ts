import { type Kysely, sql } from 'kysely'

/** When the alert rules were judged for a run; runs that ended before this column were judged at their end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('alter table monitor_runs add column judged_at bigint')
  await run('update monitor_runs set judged_at = ended_at')
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table monitor_runs drop column judged_at').execute(db)
}
