import { type Kysely, sql } from 'kysely'

/** Share links and mails of reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table report_shares (
    id text primary key, job_id text not null references jobs(id) on delete cascade,
    user_id int not null references users(id) on delete cascade, hash text not null unique, password_hash text not null default '',
    wrong_passwords int not null default 0, opens int not null default 0, created_at int8 not null, expires_at int8 not null,
    last_opened_at int8, revoked_at int8)`)
  await run('create index report_shares_job on report_shares (job_id, created_at)')
  await run(`create table report_mails (
    id text primary key, job_id text not null references jobs(id) on delete cascade,
    user_id int not null references users(id) on delete cascade, addresses text[] not null, language text not null, state text not null,
    attempts int not null default 0, answer text not null default '', created_at int8 not null, next_at int8, sent_at int8)`)
  await run('create index report_mails_job on report_mails (job_id, created_at)')
  await run(`create index report_mails_due on report_mails (next_at) where state = 'waiting'`)
}
