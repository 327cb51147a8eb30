import { type Kysely, sql } from 'kysely'

/** Communication protection: keys of applications, what gateways share (sessions, used numbers), their counts by minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table communication_keys (
    kid int primary key check (kid > 0),
    application_id int not null references applications(id) on delete cascade,
    public_key text not null unique, sealed_private_key text not null,
    created_by int references users(id) on delete set null, created_at int8 not null, expires_at int8 not null,
    replaced_by int references communication_keys(kid), closes_at int8, revoked_at int8, last_seen_at int8)`)
  await run('create index communication_keys_application on communication_keys (application_id, kid desc)')
  await run(`create unique index communication_keys_current on communication_keys (application_id)
    where closes_at is null and revoked_at is null`)
  await run(`create table communication_sessions (
    id text primary key, number int8 not null unique generated always as identity,
    application_id int not null, kid int not null, sealed text not null, sdk text not null,
    created_at int8 not null, expires_at int8 not null)`)
  await run('create index communication_sessions_end on communication_sessions (expires_at)')
  await run('create table communication_hellos (digest text primary key, until int8 not null)')
  await run(`create table communication_used (
    session int8 not null, sequence int8 not null, primary key (session, sequence))`)
  await run(`create table communication_minutes (
    minute int8 not null, application_id int not null, kid int not null, outcome text not null, sdk text not null,
    count int8 not null, micros int8 not null, primary key (minute, application_id, kid, outcome, sdk))`)
  await run(`create table communication_gateways (
    id text primary key, name text not null, address text not null, upstream text not null, version text not null,
    policy text, started_at int8 not null, seen_at int8 not null)`)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['gateways', 'minutes', 'used', 'hellos', 'sessions', 'keys'])
    await sql.raw(`drop table communication_${table}`).execute(db)
}
