import { type Kysely, sql } from 'kysely'

/** One-use links with which the owner of a new account chooses the first password. One a user: a new link replaces the earlier one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table invitations (
    user_id int primary key references users(id) on delete cascade, hash text not null unique, created_at int8 not null,
    expires_at int8 not null)`.execute(db)
}
