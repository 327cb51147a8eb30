import { type Kysely, sql } from 'kysely'

/** Takedown requests, one for each copy and market, and the steps that each has gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table monitor_takedowns (
    id text primary key, task_id text not null references monitor_tasks(id) on delete cascade,
    copy_id text not null references monitor_copies(id) on delete cascade, market text not null, state text not null,
    created_at int8 not null, changed_at int8 not null, unique (copy_id, market))`)
  await run('create index monitor_takedowns_task on monitor_takedowns (task_id, changed_at desc)')
  await run(`create table monitor_takedown_steps (
    id bigint generated always as identity primary key, takedown_id text not null references monitor_takedowns(id) on delete cascade,
    state text not null, at int8 not null, by_user int references users(id) on delete set null, run int, way text,
    note text not null default '')`)
  await run('create index monitor_takedown_steps_of on monitor_takedown_steps (takedown_id, id)')
}

/** The version before knows letters alone, which are reports. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table monitor_takedown_steps').execute(db)
  await sql.raw('drop table monitor_takedowns').execute(db)
}
