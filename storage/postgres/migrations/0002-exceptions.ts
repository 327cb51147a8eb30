import { type Kysely, sql } from 'kysely'

/** What fingerprints stand for, how their groups are dealt with, and the files that give names back to shrunk builds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table exception_fingerprints (
    application_id int not null references applications(id) on delete cascade, fingerprint text not null, kind text not null,
    group_id text not null, type text not null, culprit text not null, version text not null, platform text not null,
    obfuscated boolean not null, symbols text, looked_at int8 not null, primary key (application_id, fingerprint))`)
  await run(`create index exception_fingerprints_group on exception_fingerprints (group_id)`)
  await run(`create table exception_groups (
    application_id int not null references applications(id) on delete cascade, group_id text not null, state text not null,
    resolved_version text, resolved_at int8, ignored_until int8, assignee int references users(id) on delete set null,
    rev int not null, updated_at int8 not null, primary key (application_id, group_id))`)
  await run(`create table exception_history (
    id int8 generated always as identity primary key, application_id int not null references applications(id) on delete cascade,
    group_id text not null, at int8 not null, by_user int references users(id) on delete set null, what text not null, detail text not null)`)
  await run(`create index exception_history_group on exception_history (application_id, group_id, id)`)
  await run(`create table symbol_files (
    id text primary key, application_id int not null references applications(id) on delete cascade, version text not null,
    kind text not null, name text not null, file text not null, index_file text, size int8 not null, entries int8 not null,
    by_user int references users(id) on delete set null, created_at int8 not null)`)
  await run(`create unique index symbol_files_build on symbol_files (application_id, version, kind, name)`)
}
