import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReaderPool } from '#storage/events/duckdb/reader-pool.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import {
  type CallContext,
  connectEventStore,
  type RemoteEventStore,
} from '#storage/events/serve/connect-event-store.ts'
import { connectLocal } from '#storage/local-socket/connect-local.ts'
import { serveLocal } from '#storage/local-socket/serve-local.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-limits-'))
const socket = join(folder, 's.sock')
let child: ChildProcess
let store: RemoteEventStore
let context: CallContext | undefined

const QUICK: StoreQuery = {
  span: { from: 0, to: 1 },
  basis: 'received',
  filters: [],
  scope: { apps: 'all' },
  zone: 'UTC',
}
const SLOW: StoreQuery = { ...QUICK, filters: [{ field: 'app', op: 'is', values: ['1'] }] }

const as = <T>(user: string, call: () => Promise<T>, signal = new AbortController().signal): Promise<T> => {
  context = { user, signal }
  try {
    return call()
  } finally {
    context = undefined
  }
}
const idle = async () => {
  while ((await store.status()).rows > 0) await sleep(50)
}

beforeAll(async () => {
  child = fork(join(import.meta.dirname, 'slow-store-process.ts'), [JSON.stringify({ folder, socket })], {
    execArgv: ['--import', 'tsx'],
    // As server/programs.ts starts the store process.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  store = connectEventStore(socket, () => context)
  await store.ready(5000)
}, 30_000)
afterAll(async () => {
  await store.close()
  child.disconnect()
  await once(child, 'exit')
  rmSync(folder, { recursive: true, force: true })
})

test('slow queries of four users do not block a fifth user, and each ends with server.query_timeout', {
  timeout: 60_000,
}, async () => {
  const slow = ['a', 'b', 'c', 'd'].flatMap((user) =>
    [1, 2, 3].map(() => as(user, () => store.count(SLOW)).catch((error: { key?: string }) => error.key)),
  )
  while ((await store.status()).rows < 8) await sleep(20)
  const began = performance.now()
  await as('e', () => store.count(QUICK))
  expect(performance.now() - began).toBeLessThan(2000)
  // At most two queries of a user run; the third waits until its time is over.
  expect((await store.status()).rows).toBe(8)
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['server.query_timeout']))
  await idle()
})

test('a query is interrupted in the store when its client cancels it or disconnects', { timeout: 60_000 }, async () => {
  const leaving = new AbortController()
  const query = as('a', () => store.count(SLOW), leaving.signal)
  while ((await store.status()).rows < 1) await sleep(20)
  const began = performance.now()
  leaving.abort(new Error('left'))
  await expect(query).rejects.toThrow('left')
  await idle()
  const other = connectEventStore(socket)
  await other.ready(5000)
  const lost = other.count(SLOW).catch((error: { key?: string }) => error.key)
  while ((await store.status()).rows < 1) await sleep(20)
  await other.close()
  expect(await lost).toBe('server.store_down')
  await idle()
  expect(performance.now() - began).toBeLessThan(3000)
})

test('a user with too many waiting queries is refused, others still get connections', async () => {
  const pool = new ReaderPool([1, 2, 3, 4])
  const queries = Array.from({ length: 66 }, () => pool.borrow('a'))
  await expect(pool.borrow('a')).rejects.toMatchObject({ key: 'server.query_busy' })
  expect([await pool.borrow('b'), await pool.borrow('b')].length).toBe(2)
  const first = await (queries[0] as Promise<number>)
  pool.giveBack(first, 'a')
  expect(await queries[2]).toBe(first)
})

test('a local call that is never answered rejects as unavailable after its time limit', async () => {
  const path = join(folder, 'hung.sock')
  const server = await serveLocal(path, { calls: { hang: () => new Promise(() => {}) } })
  const client = connectLocal(path, { unavailable: () => new Error('unavailable') })
  await client.ready(5000)
  await expect(client.request('hang', [], { timeoutMs: 100 })).rejects.toThrow('unavailable')
  client.close()
  await server.close()
})
