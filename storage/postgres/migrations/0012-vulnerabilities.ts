import { type Kysely, sql } from 'kysely'

/** Imported entries of the vulnerability library; `entry` is one of engines/vulnlib. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table vulnerabilities (
    number text primary key, entry jsonb not null, by_user int references users(id) on delete set null, added_at int8 not null)`)
    .execute(db)
}
