import { type Kysely, sql } from 'kysely'

/** Values before and after of an entry, as the JSON text that the chain covers; '' where an entry changed nothing that has values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_log add column changes text not null default ''`.execute(db)
}
