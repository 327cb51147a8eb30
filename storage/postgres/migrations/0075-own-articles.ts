import { type Kysely, sql } from 'kysely'

/** Articles of the organisation with their versions and images; `revision` grows with each change of what readers see. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table own_articles (
    id int generated always as identity primary key, version int not null, changed_at int8 not null, author text not null,
    published int, published_at int8, published_by text not null default '')`)
  await run('create index own_articles_changed on own_articles (changed_at desc, id desc)')
  await run(`create table own_article_versions (
    article_id int not null references own_articles(id) on delete cascade, number int not null, at int8 not null,
    by_user int references users(id) on delete set null, author text not null, restored int, content jsonb not null,
    images text[] not null, primary key (article_id, number))`)
  await run(`create table own_article_images (
    id text primary key, sha256 text not null, name text not null, type text not null, width int not null,
    height int not null, bytes int not null, by_user int references users(id) on delete set null, created_at int8 not null)`)
  await run('create table own_article_revision (only_row boolean primary key check (only_row), revision int8 not null)')
  await run('insert into own_article_revision values (true, 0)')
}

/** The version before knows none of these tables; it loses no row of its own. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['own_article_revision', 'own_article_images', 'own_article_versions', 'own_articles'])
    await sql.raw(`drop table ${table}`).execute(db)
}
