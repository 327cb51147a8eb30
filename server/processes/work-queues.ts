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

/** Exports, reports and deletions: rows of `jobs`. */
export function jobsQueue(meta: MetaStore, run: WorkQueue['run'], now: () => number): WorkQueue {
  const { db } = meta
  /** Counts the start; false where the job was started too often and now has failed. */
  async function mayStart(id: string): Promise<boolean> {
    const row = await db
      .updateTable('jobs')
      .set((eb) => ({ starts: eb('starts', '+', 1) }))
      .where('id', '=', id)
      .where('state', 'in', LIVE_STATES)
      .returning(['starts', 'kind'])
      .executeTakeFirst()
    if (!row) return false
    if (row.starts <= MAX_STARTS || row.kind === 'erase') return true
    await changeJob(meta, id, LIVE_STATES, { state: 'failed', note: 'job.interrupted', ended_at: now() })
    return false
  }
  return {
    name: 'export',
    workers: EXPORT_WORKERS,
    channel: CHANNELS.job,
    open: () => db.selectFrom('jobs').select('id').where('state', 'in', LIVE_STATES).execute(),
    async find(id) {
      const row = await db.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirst()
      return { waiting: row?.state === 'waiting', ended: row?.state !== 'waiting' && row?.state !== 'running' }
    },
    async run(id, signals) {
      if (!(await mayStart(id))) return
      await run(id, signals)
      // A process that stops in order does not count against the job.
      if (signals.quit.aborted)
        await db
          .updateTable('jobs')
          .set((eb) => ({ starts: eb('starts', '-', 1) }))
          .where('id', '=', id)
          .where('starts', '>', 0)
          .execute()
    },
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
    async run(id, signals) {
      const row = await db
        .updateTable('maintenance_runs')
        .set((eb) => ({ starts: eb('starts', '+', 1) }))
        .where('id', '=', id)
        .returning('starts')
        .executeTakeFirst()
      if (row && row.starts > MAX_STARTS) {
        await changeRun(meta, id, LIVE_RUNS, { state: 'failed', error: 'interrupted several times', ended_at: now() })
        return
      }
      await run(id, signals)
    },
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
    async run(id, signals) {
      const row = await db
        .updateTable('script_files')
        .set((eb) => ({ starts: eb('starts', '+', 1) }))
        .where('id', '=', id)
        .returning('starts')
        .executeTakeFirst()
      if (row && row.starts > MAX_STARTS) {
        await changeScript(meta, id, LIVE_SCRIPTS, { state: 'failed', note: 'job.interrupted', ended_at: now() })
        return
      }
      await run(id, signals)
    },
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
    async run(id, signals) {
      const row = await db
        .updateTable('reinforce_tasks')
        .set((eb) => ({ starts: eb('starts', '+', 1) }))
        .where('id', '=', id)
        .returning('starts')
        .executeTakeFirst()
      if (row && row.starts > MAX_STARTS) {
        await changeReinforcement(meta, id, LIVE_TASKS, {
          ...{ state: 'failed', note: 'job.interrupted', ended_at: now() },
        })
        return
      }
      await run(id, signals)
      // A process that stops in order does not count against the task.
      if (signals.quit.aborted)
        await db
          .updateTable('reinforce_tasks')
          .set((eb) => ({ starts: eb('starts', '-', 1) }))
          .where('id', '=', id)
          .where('starts', '>', 0)
          .execute()
    },
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
    async run(id, signals) {
      const row = await db
        .updateTable('monitor_tasks')
        .set((eb) => ({ starts: eb('starts', '+', 1) }))
        .where('id', '=', id)
        .returning('starts')
        .executeTakeFirst()
      if (row && row.starts > MAX_STARTS) {
        await changeTask(meta, id, ['monitoring'], { state: 'failed', note: 'job.interrupted', ended_at: now() })
        return
      }
      await run(id, signals)
      // A process that stops in order does not count against the task.
      if (signals.quit.aborted)
        await db
          .updateTable('monitor_tasks')
          .set((eb) => ({ starts: eb('starts', '-', 1) }))
          .where('id', '=', id)
          .where('starts', '>', 0)
          .execute()
    },
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
