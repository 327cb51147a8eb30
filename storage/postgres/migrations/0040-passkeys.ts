import { type Kysely, sql } from 'kysely'

/** Passkeys (WebAuthn), challenges that wait for their answer, and since when an account has a second factor of either kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table passkeys (
    id text primary key, user_id int not null references users(id) on delete cascade, host text not null, name text not null,
    public_key text not null, counter int8 not null, transports text[] not null, created_at int8 not null, last_used_at int8)`.execute(
    db,
  )
  await sql`create index passkeys_user_id on passkeys (user_id)`.execute(db)
  await sql`create table passkey_challenges (
    owner text primary key, challenge text not null, expires_at int8 not null)`.execute(db)
  await sql`create view second_factors as
    select user_id, min(enabled_at) as enabled_at from (
      select user_id, confirmed_at as enabled_at from one_time_secrets where confirmed_at is not null
      union all select user_id, created_at from passkeys) as factors
    group by user_id`.execute(db)
}
