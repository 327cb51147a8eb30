import { type Kysely, sql } from 'kysely'

/** Cases of investigations and what was put into them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table cases (
    id text primary key, title text not null, state text not null, owner_id int not null references users(id), version int not null,
    created_at int8 not null, updated_at int8 not null, closed_at int8)`)
  await run(`create index cases_updated on cases (updated_at)`)
  await run(`create table case_entries (
    id text primary key, case_id text not null references cases(id) on delete cascade, kind text not null, apps int[] not null,
    subject text not null, device text, person text, body jsonb not null, note text not null, author text not null, at int8 not null,
    hash text not null, row_count int not null)`)
  await run(`create index case_entries_case on case_entries (case_id, at)`)
  await run(`create index case_entries_subject on case_entries (subject)`)
  await run(`create index case_entries_device on case_entries (device)`)
  await run(`create index case_entries_person on case_entries (person)`)
}
