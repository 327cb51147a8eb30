import { type Kysely, sql } from 'kysely'

/** Sensitive words in lists, and the answers of the self-check with their history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table sensitive_groups (
    id text primary key, name text not null unique, name_en text not null, note text not null, enabled bool not null,
    built_in bool not null, rev int not null, by_user int references users(id) on delete set null, updated_at int8 not null)`)
  await run(`create table sensitive_words (
    group_id text not null references sensitive_groups(id) on delete cascade, word text not null,
    by_user int references users(id) on delete set null, added_at int8 not null, primary key (group_id, word))`)
  await run(`create index sensitive_words_word on sensitive_words (word collate "C")`)
  await run(`create table self_check_answers (
    application_id int not null references applications(id) on delete cascade, item text not null,
    value text not null check (value in ('yes', 'no', 'na')), note text not null, rev int not null,
    by_user int references users(id) on delete set null, at int8 not null, primary key (application_id, item))`)
  await run(`create table self_check_history (
    id int8 generated always as identity primary key, application_id int not null references applications(id) on delete cascade,
    item text not null, value text, note text not null, by_user int references users(id) on delete set null, at int8 not null)`)
  await run(`create index self_check_history_item on self_check_history (application_id, item, id)`)
}
