import { type Kysely, sql } from 'kysely'

/** Rules that an installation brings itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table detection_own_rules (
    id text primary key, name text not null, level text not null, expression text not null, threat text not null,
    advice text not null, enabled boolean not null, rev int not null, by_user int references users(id) on delete set null,
    updated_at int8 not null)`)
    .execute(db)
}
