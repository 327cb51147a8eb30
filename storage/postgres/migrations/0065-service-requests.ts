import { type Kysely, sql } from 'kysely'

/** Requests to the service side, their conversations and files, and the mails about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table service_requests (
    id int generated always as identity primary key, subject text not null, kind text not null, urgency text not null,
    state text not null, application_id int references applications(id) on delete set null,
    task_id text references detection_tasks(id) on delete set null,
    author_id int references users(id) on delete set null, author text not null, handler text not null default '',
    language text not null, version int not null default 1, created_at int8 not null, updated_at int8 not null,
    reply_due int8 not null, solve_due int8 not null, first_reply_at int8, waiting_since int8, solved_at int8, closed_at int8)`)
  await run('create index service_requests_updated on service_requests (updated_at desc, id desc)')
  await run('create index service_requests_author on service_requests (author_id)')
  await run(`create table service_entries (
    id int8 generated always as identity primary key, request_id int not null references service_requests(id) on delete cascade,
    at int8 not null, by_user int references users(id) on delete set null, author text not null, side text not null,
    text text not null, move text, state text not null, urgency text)`)
  await run('create index service_entries_request on service_entries (request_id, id)')
  await run(`create table service_attachments (
    id text primary key, request_id int references service_requests(id) on delete cascade,
    entry_id int8 references service_entries(id) on delete cascade, by_user int references users(id) on delete set null,
    name text not null, size int8 not null, digest text not null, sha256 text, created_at int8 not null)`)
  await run('create index service_attachments_request on service_attachments (request_id)')
  await run(`create table service_mails (
    id text primary key, request_id int not null references service_requests(id) on delete cascade, addresses text[] not null,
    subject text not null, text text not null, state text not null, attempts int not null default 0, next_at int8,
    answer text not null default '', created_at int8 not null, sent_at int8)`)
  await run("create index service_mails_waiting on service_mails (next_at) where state = 'waiting'")
  await run('create index service_mails_request on service_mails (request_id, created_at)')
}

/** The version before knows none of these tables; it loses no row of its own. */
export async function down(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('drop table service_mails')
  await run('drop table service_attachments')
  await run('drop table service_entries')
  await run('drop table service_requests')
}
