import { type Kysely, sql } from 'kysely'

/** The run in which a copy was found to be gone from every market, and copies by their file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('alter table monitor_copies add column gone_run int')
  await run('create index monitor_copies_file on monitor_copies (sha256)')
  // Those that are gone already were counted by the runs that found it.
  await run(`update monitor_copies copy set gone_run = task.run from monitor_tasks task
    where task.id = copy.task_id and task.state <> 'monitoring' and not exists (
      select 1 from monitor_listings one where one.task_id = copy.task_id and one.sha256 = copy.sha256
        and (one.last_run = task.run or not exists (
          select 1 from monitor_asks ask where ask.task_id = one.task_id and ask.market = one.market
            and ask.run = task.run and ask.state = 'asked')))`)
}

/** The version before counts what is gone from the listings. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index monitor_copies_file').execute(db)
  await sql.raw('alter table monitor_copies drop column gone_run').execute(db)
}
