import { type Kysely, sql } from 'kysely'

/** Licences that were applied to this installation: the last one is in force, the earlier ones are its history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table licences (
    id int generated always as identity primary key, code text not null, applied_at int8 not null, applied_by text not null)`.execute(
    db,
  )
}
