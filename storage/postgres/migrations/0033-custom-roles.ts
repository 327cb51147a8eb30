import { type Kysely, sql } from 'kysely'

/** Who made a custom role and when; `rev` refuses a change that was made from an older state. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table roles
    add column created_by int references users(id) on delete set null,
    add column created_at int8 not null default 0,
    add column updated_at int8 not null default 0,
    add column rev int not null default 1`.execute(db)
}
