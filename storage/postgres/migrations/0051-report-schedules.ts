import { type Kysely, sql } from 'kysely'

/** Reports by the clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table report_schedules (
    id text primary key, user_id int not null references users(id) on delete cascade, name text not null, cron text not null,
    zone text not null, what jsonb not null, addresses text[] not null, enabled boolean not null, pause text, next_at int8,
    results jsonb not null default '[]', created_at int8 not null)`)
  await run('create index report_schedules_due on report_schedules (next_at) where enabled')
}
