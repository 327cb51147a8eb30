import { type Kysely, sql } from 'kysely'

/** Signature files of reinforcement: uploads that are not checked yet, and key stores with their passwords, all encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table signature_uploads (
    id text primary key, by_user int not null references users(id) on delete cascade, name text not null, format text not null,
    size int not null, sealed text not null, tries int not null default 0, created_at int8 not null)`)
  await run(`create table signature_files (
    id text primary key, application_id int references applications(id) on delete cascade,
    owner_id int references users(id) on delete set null, name text not null, file_name text not null, format text not null,
    size int not null, alias text not null, sealed text not null, certificates jsonb not null, sha256 text not null,
    not_before int8 not null, not_after int8 not null, checked_at int8 not null, created_at int8 not null)`)
  await run('create index signature_files_newest on signature_files (created_at desc, id)')
}

/** The version before knows no signature files: owners still have theirs. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['signature_files', 'signature_uploads']) await sql.raw(`drop table ${table}`).execute(db)
}
