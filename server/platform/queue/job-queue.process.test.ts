import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { jobsQueue } from '#server/processes/work-queues.ts'
import type { BundledPostgres } from '#storage/postgres/bundled.ts'
import { type DatabaseAddress, type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { aloneInCluster } from './alone-in-cluster.ts'
import { type JobQueue, startJobQueue, type WorkQueue } from './job-queue.ts'

let folder = ''
let postgres: BundledPostgres
let meta: MetaStore
let address: DatabaseAddress
let queue: JobQueue | undefined
/** Rows of a made-up table. */
let rows: Map<string, 'waiting' | 'running' | 'done'>
let ran: string[]
let channel = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aw-queue-'))
  postgres = await startTestPostgres(join(folder, 'postgres'))
  address = postgres.address
  meta = await openDatabase(address, { migrate: true })
})
afterAll(async () => {
  await meta.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await queue?.stop()
  queue = undefined
})

async function start(more: Partial<WorkQueue> = {}, reconcileMs = 600_000): Promise<string> {
  ;[rows, ran] = [new Map(), []]
  const name = `probe${++channel}`
  const work: WorkQueue = {
    name,
    workers: 1,
    channel: name,
    open: async () => [...rows].filter(([, state]) => state !== 'done').map(([id]) => ({ id })),
    find: async (id) => ({ waiting: rows.get(id) === 'waiting', ended: rows.get(id) === 'done' }),
    run: async (id) => {
      ran.push(id)
      rows.set(id, 'done')
    },
    ...more,
  }
  queue = await startJobQueue({
    meta,
    database: address,
    zone: 'UTC',
    retain: async () => {},
    queues: [work],
    reconcileMs,
  })
  return name
}

test('a job that was sent while the LISTEN connection was down runs once the connection is back', async () => {
  const name = await start()
  rows.set('a', 'waiting')
  await meta.notify(name, { id: 'a' })
  await expect.poll(() => ran, { timeout: 20_000 }).toEqual(['a'])
  const cut = await sql<{ pid: number }>`select pg_terminate_backend(pid), pid from pg_stat_activity
    where query ilike 'listen%' and pid <> pg_backend_pid()`.execute(meta.db)
  expect(cut.rows.length).toBeGreaterThan(0)
  rows.set('b', 'waiting')
  await meta.notify(name, { id: 'b' })
  await expect.poll(() => ran, { timeout: 20_000 }).toEqual(['a', 'b'])
})

test('reconciliation finds a row whose notification was lost and one that a dead worker left running', async () => {
  await start({}, 300)
  rows.set('silent', 'waiting')
  rows.set('left', 'running')
  await expect.poll(() => [...ran].sort(), { timeout: 20_000 }).toEqual(['left', 'silent'])
})

test('a job whose status could not be written is run again, and one that runs here is not started twice', async () => {
  let end: () => void = () => {}
  const started: string[] = []
  await start(
    {
      run: async (id) => {
        started.push(id)
        if (id === 'slow') await new Promise<void>((resolve) => (end = resolve))
        else if (started.filter((one) => one === id).length === 1) {
          rows.set(id, 'running')
          throw new Error('the status could not be written')
        }
        rows.set(id, 'done')
      },
    },
    300,
  )
  rows.set('broken', 'waiting')
  await expect.poll(() => rows.get('broken'), { timeout: 20_000 }).toBe('done')
  expect(started).toEqual(['broken', 'broken'])
  rows.set('slow', 'waiting')
  await expect.poll(() => started.includes('slow'), { timeout: 20_000 }).toBe(true)
  rows.set('slow', 'running')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  end()
  await expect.poll(() => rows.get('slow'), { timeout: 20_000 }).toBe('done')
  expect(started.filter((id) => id === 'slow')).toEqual(['slow'])
})

test('a job that ends its worker each time fails with a reason after five starts; a deletion is tried on', async () => {
  await sql`insert into roles (key, zh, en, built_in, sees_all, auth) values ('r', '', '', true, true, '{}')`.execute(
    meta.db,
  )
  const user = await meta.db
    .insertInto('users')
    .values({
      username: 'a@b.cn',
      password_hash: '',
      password_history: [],
      role: 'r',
      super: true,
      must_change_password: false,
      first_password_until: null,
      expires_at: null,
      disabled: false,
      active_session: null,
      created_at: 0,
      last_login_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const kind of ['export', 'erase'])
    await meta.db
      .insertInto('jobs')
      .values({
        id: kind,
        user_id: user.id,
        kind,
        title: 't',
        state: 'running',
        progress: null,
        note: '',
        rows: 0,
        bytes: 0,
        input: '{}',
        file: null,
        file_name: null,
        created_at: 0,
        started_at: 0,
        ended_at: null,
      })
      .execute()
  const calls: string[] = []
  // The worker ends without an outcome, as a killed process does.
  const { run } = jobsQueue(
    meta,
    async (id) => void calls.push(id),
    () => 1,
  )
  const signals = { stop: new AbortController().signal, quit: new AbortController().signal }
  for (let n = 0; n < 8; n++) for (const id of ['export', 'erase']) await run(id, signals)
  expect([calls.filter((id) => id === 'export').length, calls.filter((id) => id === 'erase').length]).toEqual([5, 8])
  const row = await meta.db.selectFrom('jobs').selectAll().where('id', '=', 'export').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ state: 'failed', note: 'job.interrupted', ended_at: 1, starts: 6 })
  // A second notification of a job that has ended starts nothing, and a process that stops in order counts no start.
  await run('export', signals)
  expect(calls.filter((id) => id === 'export')).toHaveLength(5)
  const startsOf = async (id: string) =>
    (await meta.db.selectFrom('jobs').select('starts').where('id', '=', id).executeTakeFirstOrThrow()).starts
  expect([await startsOf('export'), await startsOf('erase')]).toEqual([6, 8])
  await run('erase', { ...signals, quit: AbortSignal.abort() })
  expect([calls.filter((id) => id === 'erase').length, await startsOf('erase')]).toEqual([9, 8])
})

test('more works that hold a lock of the cluster than the pool has connections all get one for their own work', async () => {
  const small = await openDatabase(address, { migrate: false, connections: 6 })
  try {
    const done: number[] = []
    const works = Array.from({ length: 20 }, (_, n) =>
      aloneInCluster(small, `probe ${n}`, async () => {
        await sql`select pg_sleep(0.01)`.execute(small.db)
        done.push(n)
      }),
    )
    const failing = aloneInCluster(small, 'failing', () => Promise.reject(new Error('refused')))
    await expect(failing).rejects.toThrow('refused')
    expect(await Promise.all(works)).toEqual(works.map(() => true))
    expect(done.toSorted((a, b) => a - b)).toEqual(works.map((_, n) => n))
  } finally {
    await small.close()
  }
}, 20_000)
