import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PIRATED_VERDICTS } from '#contracts/http/monitoring/tasks.ts'
import type { RunMeasure } from '#domain/alerts.ts'
import type { Span } from '#domain/time-range.ts'
import type { Database } from '#storage/postgres/schema.ts'

/**
 * A run of channel monitoring that ended by itself. A stopped one has no end, and one whose judging failed is not judged: the next one that is
 * judged counts what it found.
 */
export interface EndedRun {
  readonly task: string
  readonly application: number
  readonly run: number
  /** The last run of the task that was judged before; 0 without one. */
  readonly before: number
  /** From the begin of the first run after `before` to the end of this one. */
  readonly from: number
  readonly end: number
}

const isPirated = sql`coalesce(copy.manual_verdict, copy.verdict) = any(${[...PIRATED_VERDICTS]})`

/** The run, if it has ended and was not judged. */
export async function runToJudge(db: Kysely<Database>, task: string, run: number): Promise<EndedRun | undefined> {
  const one = sql<boolean>`one.task_id = ${task} and one.run = ${run} and one.ended_at is not null and one.judged_at is null`
  return (await runsWhere(db, one, 1))[0]
}

/** Judged runs that ended in a span, the newest first and at most 10,000; `applications` null: of all. */
export async function judgedRuns(
  db: Kysely<Database>,
  { from, to }: Span,
  applications: readonly number[] | null,
): Promise<EndedRun[]> {
  const seen = applications === null ? sql`true` : sql`task.application_id = any(${[...applications]})`
  return runsWhere(
    db,
    sql<boolean>`one.ended_at > ${from} and one.ended_at <= ${to} and one.judged_at is not null and ${seen}`,
    10_000,
  )
}

async function runsWhere(db: Kysely<Database>, which: RawBuilder<boolean>, most: number): Promise<EndedRun[]> {
  const { rows } = await sql<EndedRun>`
    select one.task_id as task, task.application_id as application, one.run, before.run as before, one.ended_at as end,
      (select min(started_at) from monitor_runs part where part.task_id = one.task_id and part.run > before.run and part.run <= one.run) as from
    from monitor_runs one join monitor_tasks task on task.id = one.task_id,
      lateral (select coalesce(max(run), 0) as run from monitor_runs earlier
        where earlier.task_id = one.task_id and earlier.run < one.run and earlier.judged_at is not null) before
    where ${which}
    order by one.ended_at desc, one.task_id limit ${most}`.execute(db)
  return rows
}

/**
 * What each of these runs found, in their order: pirated copies that no run before it had, or copies that it found on offer again after they were
 * removed.
 */
export async function countInRuns(
  db: Kysely<Database>,
  measure: RunMeasure,
  runs: readonly Pick<EndedRun, 'task' | 'run' | 'before'>[],
): Promise<number[]> {
  const wanted = sql`unnest(${runs.map(({ task }) => task)}::text[], ${runs.map(({ before }) => before)}::int[],
    ${runs.map(({ run }) => run)}::int[]) with ordinality as wanted(task_id, before, run, at)`
  const { rows } =
    measure === 'pirated_new'
      ? await sql<{ count: number }>`
          select count(copy.id)::int as count from ${wanted} left join monitor_copies copy
            on copy.task_id = wanted.task_id and copy.first_run > wanted.before and copy.first_run <= wanted.run and ${isPirated}
          group by wanted.at order by wanted.at`.execute(db)
      : await sql<{ count: number }>`
          select count(distinct request.copy_id)::int as count from ${wanted}
            left join (monitor_takedowns request join monitor_takedown_steps step
              on step.takedown_id = request.id and step.state = 'returned')
            on request.task_id = wanted.task_id and step.run > wanted.before and step.run <= wanted.run
          group by wanted.at order by wanted.at`.execute(db)
  return rows.map(({ count }) => count)
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
