import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import PgBoss from 'pg-boss'
import type { DatabaseAddress, MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { LIVE_STATES } from '../modules/jobs/job-rows.ts'

const EXPORTS = 'export'
const RETENTION = 'retention'
const CONCURRENCY = 2

export type JobQueue = { stop(): Promise<void> }
export type JobQueueOptions = {
  meta: MetaStore
  database: DatabaseAddress
  runExport(id: string, signal: AbortSignal): Promise<void>
  retain(): Promise<void>
  zone: string
}

/**
 * Hands waiting work to workers: pg-boss says whose turn it is, the `jobs` table says what is still to be done. Whatever waits or was
 * left running by a process that died is queued again at start; a lock held while a job runs keeps two processes from running it twice.
 */
export async function startJobQueue({ meta, database, runExport, retain, zone }: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({ ...bossAddress(database), schema: 'pgboss', max: 3, application_name: 'appwarden-jobs' })
  boss.on('error', (error) => console.error('job queue:', error.message))
  await boss.start()
  await boss.createQueue(EXPORTS, { name: EXPORTS, policy: 'short', retryLimit: 0, expireInHours: 23 })
  await boss.createQueue(RETENTION, {
    name: RETENTION,
    policy: 'short',
    retryLimit: 3,
    retryDelay: 60,
    expireInHours: 3,
  })
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  const track = (work: Promise<void>): Promise<void> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  const workers: string[] = []
  for (let worker = 0; worker < CONCURRENCY; worker++)
    workers.push(
      await boss.work<{ id: string }>(EXPORTS, { pollingIntervalSeconds: 2 }, async ([job]) => {
        if (job) await track(exclusively(meta, job.data.id, () => runExport(job.data.id, stopping.signal)))
      }),
    )
  await boss.work(RETENTION, { pollingIntervalSeconds: 30 }, () => track(retain()))
  await boss.schedule(RETENTION, '17 3 * * *', {}, { tz: zone })
  await boss.send(RETENTION, {}, { singletonKey: 'start' })

  const queue = async (id: string) => {
    await boss.send(EXPORTS, { id }, { singletonKey: id })
    for (const worker of workers) boss.notifyWorker(worker)
  }
  const unlisten = await meta.listen(CHANNELS.job, (payload) => {
    const { id } = payload as { id: string }
    void queueIfWaiting(meta, id, queue).catch((error: Error) => console.error('job queue:', error.message))
  })
  for (const { id } of await meta.db.selectFrom('jobs').select('id').where('state', 'in', LIVE_STATES).execute())
    await queue(id)

  return {
    async stop() {
      unlisten()
      stopping.abort()
      await Promise.race([Promise.allSettled(running), sleep(5000)])
      await boss.stop({ graceful: false, close: true })
    },
  }
}

async function queueIfWaiting(meta: MetaStore, id: string, queue: (id: string) => Promise<void>): Promise<void> {
  const row = await meta.db.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirst()
  if (row?.state === 'waiting') await queue(id)
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
