import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import PgBoss from 'pg-boss'
import type { DatabaseAddress, MetaStore } from '#storage/postgres/database.ts'

const RETENTION = 'retention'
const PATIENCE_MS = 5000

export type JobQueue = { stop(): Promise<void> }

/** Work that lies in rows: pg-boss says whose turn it is, the rows say what is still to be done. */
export type WorkQueue = {
  name: string
  workers: number
  /** Told with {id} when a row changed. */
  channel: string
  /** Rows that wait, or were left running by a process that died. */
  open(): Promise<{ id: string; priority?: number }[]>
  /** The row as it stands; `ended` where it is gone too. */
  find(id: string): Promise<{ waiting: boolean; ended: boolean; priority?: number }>
  /** `stop` is aborted once the row says that nobody wants it any more, `quit` when this process ends. */
  run(id: string, signals: { stop: AbortSignal; quit: AbortSignal }): Promise<void>
}

export type JobQueueOptions = {
  meta: MetaStore
  database: DatabaseAddress
  queues: readonly WorkQueue[]
  retain(): Promise<void>
  zone: string
}

/**
 * Hands waiting work to workers. Whatever waits or was left running by a process that died is queued again at start; a lock held while
 * a row is worked on keeps two processes from doing it twice.
 */
export async function startJobQueue({ meta, database, queues, retain, zone }: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({ ...bossAddress(database), schema: 'pgboss', max: 3, application_name: 'appwarden-jobs' })
  boss.on('error', (error) => console.error('job queue:', error.message))
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
  const unlisten: (() => void)[] = []
  // One after the other: two queues that are made at once lock the tables of pg-boss crosswise.
  for (const queue of queues) unlisten.push(await serve(boss, meta, queue, quit.signal, track))

  return {
    async stop() {
      for (const end of unlisten) end()
      quit.abort()
      await Promise.race([Promise.allSettled(running), sleep(PATIENCE_MS)])
      await boss.stop({ graceful: false, close: true })
    },
  }
}

/** Workers of one queue, and what brings rows to them. Answers what ends the bringing. */
async function serve(
  boss: PgBoss,
  meta: MetaStore,
  queue: WorkQueue,
  quit: AbortSignal,
  track: (work: Promise<void>) => Promise<void>,
): Promise<() => void> {
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
        if (job) await track(work(job.data.id))
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
  const end = await meta.listen(queue.channel, (payload) => {
    void look((payload as { id: string }).id).catch((error: Error) => console.error('job queue:', error.message))
  })
  for (const { id, priority } of await queue.open()) await send(id, priority)
  return end
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

/** The fields of a pg address that pg-boss names alike. */
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
