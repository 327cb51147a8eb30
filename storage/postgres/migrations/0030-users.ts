import { type Kysely, sql } from 'kysely'

/** What account management keeps of an account (USER-01). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`alter table users
    add column customer_type text not null default 'standard',
    add column remarks text not null default '',
    add column application_quota int,
    add column created_by int references users(id) on delete set null`)
}
