import { type Kysely, sql } from 'kysely'

/** Template files of the platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table platform_files (
    id text primary key, use text unique, name text not null, content text not null, bytes int not null,
    uploaded_by int references users(id) on delete set null, uploaded_at int8 not null)`)
}
