import { type Kysely, sql } from 'kysely'
import { PIRATED_VERDICTS } from '#contracts/http/monitoring/tasks.ts'
import type { RunMeasure } from '#domain/alerts.ts'
import type { Span } from '#domain/time-range.ts'
import type { Database } from '#storage/postgres/schema.ts'

/** A run of channel monitoring that ended by itself. A stopped one has no end: the next one that ends counts what it found. */
export interface EndedRun {
  readonly task: string
  readonly application: number
  readonly run: number
  /** The last run of the task that ended before; 0 without one. */
  readonly before: number
  /** From the begin of the first run after `before` to the end of this one. */
  readonly from: number
  readonly end: number
}

const isPirated = sql`coalesce(copy.manual_verdict, copy.verdict) = any(${[...PIRATED_VERDICTS]})`

/** Runs that ended in a span, oldest first; `task` and `run` narrow it to one. */
export async function endedRuns(
  db: Kysely<Database>,
  span: Span,
  narrow: { applications: readonly number[] | null } | { task: string; run: number },
): Promise<EndedRun[]> {
  const which =
    'task' in narrow
      ? sql`one.task_id = ${narrow.task} and one.run = ${narrow.run}`
      : narrow.applications === null
        ? sql`true`
        : sql`task.application_id = any(${[...narrow.applications]})`
  const { rows } = await sql<EndedRun>`
    select one.task_id as task, task.application_id as application, one.run, before.run as before, one.ended_at as end,
      (select min(started_at) from monitor_runs part where part.task_id = one.task_id and part.run > before.run and part.run <= one.run) as from
    from monitor_runs one join monitor_tasks task on task.id = one.task_id,
      lateral (select coalesce(max(run), 0) as run from monitor_runs earlier
        where earlier.task_id = one.task_id and earlier.run < one.run and earlier.ended_at is not null) before
    where one.ended_at > ${span.from} and one.ended_at <= ${span.to} and ${which}
    order by one.ended_at, one.task_id limit 10000`.execute(db)
  return rows
}

/** What a run found: pirated copies that no run before it had, or copies that it found on offer again after they were removed. */
export async function countInRun(
  db: Kysely<Database>,
  measure: RunMeasure,
  { task, run, before }: Pick<EndedRun, 'task' | 'run' | 'before'>,
): Promise<number> {
  const { rows } =
    measure === 'pirated_new'
      ? await sql<{ count: number }>`select count(*)::int as count from monitor_copies copy
          where copy.task_id = ${task} and copy.first_run > ${before} and copy.first_run <= ${run} and ${isPirated}`.execute(
          db,
        )
      : await sql<{
          count: number
        }>`select count(distinct request.copy_id)::int as count from monitor_takedown_steps step
          join monitor_takedowns request on request.id = step.takedown_id
          where request.task_id = ${task} and step.state = 'returned' and step.run > ${before} and step.run <= ${run}`.execute(
          db,
        )
  return rows[0]?.count ?? 0
}

/** The same over all runs of an application in a span: every copy once, and those of them that are not known to be gone. */
export async function countInSpan(
  db: Kysely<Database>,
  measure: RunMeasure,
  application: number,
  { from, to }: Span,
): Promise<{ all: number; open: number }> {
  const { rows } =
    measure === 'pirated_new'
      ? await sql<{ all: number; open: number }>`
          select count(*)::int as all, count(*) filter (where copy.gone_run is null)::int as open
          from monitor_copies copy join monitor_tasks task on task.id = copy.task_id
          where task.application_id = ${application} and copy.first_seen >= ${from} and copy.first_seen <= ${to} and ${isPirated}`.execute(
          db,
        )
      : await sql<{ all: number; open: number }>`
          select count(distinct request.copy_id)::int as all,
            count(distinct request.copy_id) filter (where request.state <> 'removed')::int as open
          from monitor_takedown_steps step join monitor_takedowns request on request.id = step.takedown_id
            join monitor_tasks task on task.id = request.task_id
          where task.application_id = ${application} and step.state = 'returned' and step.run is not null
            and step.at >= ${from} and step.at <= ${to}`.execute(db)
  return rows[0] ?? { all: 0, open: 0 }
}
