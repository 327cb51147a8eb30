import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import PgBoss from 'pg-boss'
import { log } from '#runtime/log.ts'
import type { DatabaseAddress, MetaStore } from '#storage/postgres/database.ts'
import { repeat } from './repeat.ts'

const RETENTION = 'retention'
const PATIENCE_MS = 5000
const RECONCILE_MS = 60_000

export type JobQueue = { stop(): Promise<void> }

/** Work described by rows of a table: pg-boss decides the order, the rows say what is still to be done. */
export type WorkQueue = {
  name: string
  workers: number
  /** Notified with {id} when a row changed. */
  channel: string
  /** Rows that are waiting or running; a row that no process works on was left by one that died. */
  open(): Promise<{ id: string; priority?: number }[]>
  /** The current state of a row; `ended` also where it is gone. */
  find(id: string): Promise<{ waiting: boolean; ended: boolean; priority?: number }>
  /**
   * Works on the row from its beginning. `stop` is aborted once the row was cancelled, `quit` when this process ends. A rejection (a status
   * that could not be written) leaves the row as it is: the next reconciliation runs it again.
   */
  run(id: string, signals: { stop: AbortSignal; quit: AbortSignal }): Promise<void>
}

export type JobQueueOptions = {
  meta: MetaStore
  database: DatabaseAddress
  queues: readonly WorkQueue[]
  retain(): Promise<void>
  zone: string
  /** Milliseconds between two reconciliations of rows and queues. */
  reconcileMs?: number
}

/**
 * Hands waiting work to workers. Notifications bring new rows at once. They are lost while the LISTEN connection is down, so rows and
 * queues are also compared at start, at each reconnect and every minute: rows that wait, or are marked running although no process works on
 * them, are queued again. A lock held while a row is worked on keeps two processes from doing it twice.
 */
export async function startJobQueue({
  meta,
  database,
  queues,
  retain,
  zone,
  reconcileMs = RECONCILE_MS,
}: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({ ...bossAddress(database), schema: 'pgboss', max: 3, application_name: 'appwarden-jobs' })
  boss.on('error', (err) => log.error({ err }, 'job queue: database error'))
  await boss.start()
  await boss.createQueue(RETENTION, {
    name: RETENTION,
    policy: 'short',
    retryLimit: 3,
    retryDelay: 60,
    expireInHours: 3,
  })
  const quit = new AbortController()
  const running = new Set<Promise<void>>()
  const track = (work: Promise<void>): Promise<void> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  await boss.work(RETENTION, { pollingIntervalSeconds: 30 }, () => track(retain()))
  await boss.schedule(RETENTION, '17 3 * * *', {}, { tz: zone })
  await boss.send(RETENTION, {}, { singletonKey: 'start' })
  const served: Served[] = []
  // One after the other: two queues that are created at the same time lock the tables of pg-boss crosswise.
  for (const queue of queues) served.push(await serve(boss, meta, queue, quit.signal, track))
  const reconciliation = repeat('job queue: reconciliation', reconcileMs, async () => {
    for (const { reconcile } of served) await reconcile()
  })

  return {
    async stop() {
      for (const { unlisten } of served) unlisten()
      quit.abort()
      await reconciliation.stop()
      await Promise.race([Promise.allSettled(running), sleep(PATIENCE_MS)])
      await boss.stop({ graceful: false, close: true })
    },
  }
}

type Served = {
  unlisten(): void
  /** Queues every open row that this process does not work on, and stops work on rows that have ended. */
  reconcile(): Promise<void>
}

/** Starts the workers of one queue and the notifications that bring rows to them. */
async function serve(
  boss: PgBoss,
  meta: MetaStore,
  queue: WorkQueue,
  quit: AbortSignal,
  track: (work: Promise<void>) => Promise<void>,
): Promise<Served> {
  const { name } = queue
  await boss.createQueue(name, { name, policy: 'short', retryLimit: 0, expireInHours: 23 })
  const stops = new Map<string, AbortController>()
  const workers: string[] = []
  const work = async (id: string) => {
    const stop = new AbortController()
    stops.set(id, stop)
    await exclusively(meta, id, () => queue.run(id, { stop: stop.signal, quit })).finally(() => {
      if (stops.get(id) === stop) stops.delete(id)
    })
  }
  for (let worker = 0; worker < queue.workers; worker++)
    workers.push(
      await boss.work<{ id: string }>(name, { pollingIntervalSeconds: 2 }, async ([job]) => {
        if (job)
          await track(work(job.data.id)).catch((err: Error) =>
            log.error({ err, queue: name, job: job.data.id }, 'job queue: job failed'),
          )
      }),
    )
  const send = async (id: string, priority = 0) => {
    await boss.send(name, { id }, { singletonKey: id, priority })
    for (const worker of workers) boss.notifyWorker(worker)
  }
  const look = async (id: string) => {
    const { waiting, ended, priority } = await queue.find(id)
    if (waiting) await send(id, priority)
    else if (ended) stops.get(id)?.abort()
  }
  const reconcile = async () => {
    for (const id of [...stops.keys()]) await look(id)
    for (const { id, priority } of await queue.open()) if (!stops.has(id)) await send(id, priority)
  }
  const unlisten = await meta.listen(
    queue.channel,
    (payload) => void look((payload as { id: string }).id).catch(failedLook),
    () => void reconcile().catch(failedLook),
  )
  await reconcile()
  return { unlisten, reconcile }

  // Not lost: the next reconciliation reads the rows again.
  function failedLook(err: Error): void {
    log.warn({ err, queue: name }, 'job queue: cannot read or queue a row, the next reconciliation tries again')
  }
}

/** Runs the work while one connection holds the job's lock; a lock ends with its connection, so a killed process leaves none behind. */
async function exclusively(meta: MetaStore, id: string, work: () => Promise<void>): Promise<void> {
  await meta.db.connection().execute(async (connection) => {
    const taken = await sql<{ ok: boolean }>`select pg_try_advisory_lock(hashtextextended(${id}, 0)) as ok`.execute(
      connection,
    )
    if (!taken.rows[0]?.ok) return
    try {
      await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${id}, 0))`.execute(connection)
    }
  })
}

/** The fields of a pg address that pg-boss accepts under the same names. */
function bossAddress({
  host,
  port,
  user,
  password,
  database,
  connectionString,
}: DatabaseAddress): PgBoss.DatabaseOptions {
  const fields = { host, port, user, password, database, connectionString }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
