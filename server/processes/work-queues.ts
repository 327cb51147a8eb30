import { sql } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { LIVE } from '../modules/detection/task-rows.ts'
import { changeJob, LIVE_STATES } from '../modules/jobs/job-rows.ts'
import { changeScript, LIVE_MEASURES, LIVE_SCRIPTS } from '../modules/js-protection/script-rows.ts'
import { changeRun, LIVE_RUNS, type RunState } from '../modules/maintenance/run-rows.ts'
import { changeTask } from '../modules/monitoring/monitor-rows.ts'
import { changeTask as changeReinforcement, LIVE_TASKS } from '../modules/reinforce-tasks/reinforce-rows.ts'
import type { WorkQueue } from '../platform/queue/job-queue.ts'

const EXPORT_WORKERS = 2
const PHONE_WORKERS = 2

/** A worker that ended without an outcome (killed, out of memory) is tried again so often; deletions are tried until they are done. */
const MAX_STARTS = 5

/**
 * Runs what is still live, and counts the start in its row: a worker that ends each time without an outcome is given up. A process that
 * stops in order does not count.
 */
function countStarts(
  db: MetaStore['db'],
  table: 'jobs' | 'maintenance_runs' | 'script_files' | 'reinforce_tasks' | 'monitor_tasks',
  live: readonly string[],
  run: WorkQueue['run'],
  giveUp: (id: string) => Promise<unknown>,
): WorkQueue['run'] {
  const isEndless = table === 'jobs' ? sql`kind = 'erase'` : sql`false`
  return async (id, signals) => {
    const { rows } = await sql<{ starts: number; endless: boolean }>`
      update ${sql.table(table)} set starts = starts + 1
      where id = ${id} and state in (${sql.join(live)})
      returning starts, ${isEndless} as endless`.execute(db)
    const [row] = rows
    if (!row) return
    if (row.starts > MAX_STARTS && !row.endless) return void (await giveUp(id))
    await run(id, signals)
    if (signals.quit.aborted)
      await sql`update ${sql.table(table)} set starts = starts - 1 where id = ${id} and starts > 0`.execute(db)
  }
}

/** Exports, reports and deletions: rows of `jobs`. */
export function jobsQueue(meta: MetaStore, run: WorkQueue['run'], now: () => number): WorkQueue {
  const { db } = meta
  return {
    name: 'export',
    workers: EXPORT_WORKERS,
    channel: CHANNELS.job,
    open: () => db.selectFrom('jobs').select('id').where('state', 'in', LIVE_STATES).execute(),
    async find(id) {
      const row = await db.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirst()
      return { waiting: row?.state === 'waiting', ended: row?.state !== 'waiting' && row?.state !== 'running' }
    },
    run: countStarts(db, 'jobs', LIVE_STATES, run, (id) =>
      changeJob(meta, id, LIVE_STATES, { state: 'failed', note: 'job.interrupted', ended_at: now() }),
    ),
  }
}

/** Detections that a worker answers: rows of `detection_tasks`, the highest priority first. */
export function detectionQueue(meta: MetaStore, workers: number, run: WorkQueue['run']): WorkQueue {
  return taskQueue(meta, 'detection', false, workers, run)
}

/** Detections on a phone: they take their time on it, not on this machine. */
export function phoneQueue(meta: MetaStore, run: WorkQueue['run']): WorkQueue {
  return taskQueue(meta, 'detection-phone', true, PHONE_WORKERS, run)
}

/** Checks, repairs and backups, one at a time: a repair never meets a backup. */
export function maintenanceQueue(meta: MetaStore, run: WorkQueue['run'], now: () => number): WorkQueue {
  const { db } = meta
  return {
    name: 'maintenance',
    workers: 1,
    channel: CHANNELS.maintenance,
    open: () => db.selectFrom('maintenance_runs').select('id').where('state', 'in', LIVE_RUNS).execute(),
    async find(id) {
      const row = await db.selectFrom('maintenance_runs').select('state').where('id', '=', id).executeTakeFirst()
      const isLive = row !== undefined && LIVE_RUNS.includes(row.state as RunState)
      return { waiting: row?.state === 'waiting', ended: !isLive }
    },
    run: countStarts(db, 'maintenance_runs', LIVE_RUNS, run, (id) =>
      changeRun(meta, id, LIVE_RUNS, { state: 'failed', error: 'interrupted several times', ended_at: now() }),
    ),
  }
}

/** Scripts that are protected: rows of `script_files`. One at a time: a worker takes as much memory as a scan. */
export function scriptQueue(meta: MetaStore, run: WorkQueue['run'], now: () => number): WorkQueue {
  const { db } = meta
  return {
    name: 'script',
    workers: 1,
    channel: CHANNELS.script,
    open: () => db.selectFrom('script_files').select('id').where('state', 'in', LIVE_SCRIPTS).execute(),
    async find(id) {
      const row = await db.selectFrom('script_files').select('state').where('id', '=', id).executeTakeFirst()
      return { waiting: row?.state === 'waiting', ended: !row || !LIVE_SCRIPTS.includes(row.state) }
    },
    run: countStarts(db, 'script_files', LIVE_SCRIPTS, run, (id) =>
      changeScript(meta, id, LIVE_SCRIPTS, { state: 'failed', note: 'job.interrupted', ended_at: now() }),
    ),
  }
}

/** Packages that are reinforced: one at a time, as a worker takes as much memory as a scan. */
export function reinforceQueue(meta: MetaStore, run: WorkQueue['run'], now: () => number): WorkQueue {
  const { db } = meta
  return {
    name: 'reinforce',
    workers: 1,
    channel: CHANNELS.reinforce,
    open: () => db.selectFrom('reinforce_tasks').select('id').where('state', 'in', LIVE_TASKS).execute(),
    async find(id) {
      const row = await db.selectFrom('reinforce_tasks').select('state').where('id', '=', id).executeTakeFirst()
      return { waiting: row?.state === 'waiting', ended: !row || !LIVE_TASKS.includes(row.state) }
    },
    run: countStarts(db, 'reinforce_tasks', LIVE_TASKS, run, (id) =>
      changeReinforcement(meta, id, LIVE_TASKS, { state: 'failed', note: 'job.interrupted', ended_at: now() }),
    ),
  }
}

/** Monitoring tasks: one at a time, as each asks several markets at once. */
export function monitorQueue(meta: MetaStore, run: WorkQueue['run'], now: () => number): WorkQueue {
  const { db } = meta
  return {
    name: 'monitor',
    workers: 1,
    channel: CHANNELS.monitor,
    open: () => db.selectFrom('monitor_tasks').select('id').where('state', '=', 'monitoring').execute(),
    async find(id) {
      const row = await db
        .selectFrom('monitor_tasks')
        .select(['state', 'started_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      const isLive = row?.state === 'monitoring'
      return { waiting: isLive && row.started_at === null, ended: !isLive }
    },
    run: countStarts(db, 'monitor_tasks', ['monitoring'], run, (id) =>
      changeTask(meta, id, ['monitoring'], { state: 'failed', note: 'job.interrupted', ended_at: now() }),
    ),
  }
}

/** Measuring of uploaded scripts, apart from their protection, so that a run need not wait for it. */
export function measureQueue({ db }: MetaStore, run: WorkQueue['run']): WorkQueue {
  return {
    name: 'script-measure',
    workers: 1,
    channel: CHANNELS.script,
    open: () =>
      db.selectFrom('script_files').select('measure_id as id').where('measure_state', 'in', LIVE_MEASURES).execute(),
    async find(id) {
      const row = await db
        .selectFrom('script_files')
        .select('measure_state')
        .where('measure_id', '=', id)
        .executeTakeFirst()
      return {
        waiting: row?.measure_state === 'waiting',
        ended: row?.measure_state !== 'waiting' && row?.measure_state !== 'running',
      }
    },
    run,
  }
}

function taskQueue(
  { db }: MetaStore,
  name: string,
  onPhone: boolean,
  workers: number,
  run: WorkQueue['run'],
): WorkQueue {
  const kind = sql<boolean>`('dynamic' = any(kinds)) = ${onPhone}`
  return {
    name,
    workers,
    channel: CHANNELS.detection,
    open: () =>
      db.selectFrom('detection_tasks').select(['id', 'priority']).where('state', 'in', LIVE).where(kind).execute(),
    async find(id) {
      const row = await db
        .selectFrom('detection_tasks')
        .select(['state', 'priority'])
        .where('id', '=', id)
        .where(kind)
        .executeTakeFirst()
      const found = { waiting: row?.state === 'waiting', ended: row?.state !== 'waiting' && row?.state !== 'detecting' }
      return row ? { ...found, priority: row.priority } : found
    },
    run,
  }
}
