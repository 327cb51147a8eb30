import { type Kysely, sql } from 'kysely'

/** Certificates of pirated copies: each question about abnormal returns reads them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create index monitor_copies_pirated on monitor_copies (task_id, certificate)
      where certificate <> '' and coalesce(manual_verdict, verdict) in ('re-signed', 'repackaged', 'clone')`)
    .execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index monitor_copies_pirated').execute(db)
}
