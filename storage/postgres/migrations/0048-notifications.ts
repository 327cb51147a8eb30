import { type Kysely, sql } from 'kysely'

/** Notifications of accounts, and what each account chose of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table notifications (
    id int8 primary key generated always as identity, user_id int not null references users(id) on delete cascade, kind text not null,
    key text not null, state text not null, title jsonb not null, note jsonb not null, path text not null, created_at int8 not null,
    read_at int8)`)
  await run('create unique index notifications_key on notifications (user_id, key)')
  await run('create index notifications_list on notifications (user_id, id desc)')
  await run(`create table notification_settings (
    user_id int primary key references users(id) on delete cascade, muted text[] not null, mailed text[] not null,
    digest_minute int, zone text not null, language text not null, digest_until int8 not null, sent_at int8,
    error text not null default '')`)
}
