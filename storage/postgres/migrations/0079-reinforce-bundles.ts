import { type Kysely, sql } from 'kysely'

/** Tasks of bundles (AAB): the column of kinds takes them as it is. */
export async function up(): Promise<void> {}

/** The version before knows no tasks of bundles: they go, their results are application files. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`delete from reinforce_tasks where kind = 'aab'`).execute(db)
}
