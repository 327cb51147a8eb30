import { type Kysely, sql } from 'kysely'

/** One-time codes (RFC 6238), recovery codes, and sign-ins that wait for one of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table one_time_secrets (
    user_id int primary key references users(id) on delete cascade, secret text not null default '', confirmed_at int8,
    pending text not null default '', pending_at int8, last_step int8 not null default 0)`.execute(db)
  await sql`create table recovery_codes (
    user_id int not null references users(id) on delete cascade, hash text not null, used_at int8, primary key (user_id, hash))`.execute(
    db,
  )
  await sql`create table sign_in_steps (
    id text primary key, user_id int not null references users(id) on delete cascade, address text not null, expires_at int8 not null,
    tries int not null default 0)`.execute(db)
}
