import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Part, PartSchema } from '#domain/query.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { NOON, numbered, storedEvent } from './random-events.ts'

const HOUR = 3_600_000
const NOW = NOON + 36 * HOUR
const folder = mkdtempSync(join(tmpdir(), 'aw-prepared-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const query: StoreQuery = {
  span: { from: NOW - 72 * HOUR, to: NOW },
  basis: 'occurred',
  filters: [],
  scope: { apps: 'all' },
  zone: 'Asia/Shanghai',
}
const parts: Record<string, Part> = {
  total: PartSchema.parse({ kind: 'total', measures: ['attacks', 'devices', 'users', 'attackedUsers'] }),
  models: PartSchema.parse({ kind: 'top', by: 'model', measures: ['events'], limit: 5 }),
  list: PartSchema.parse({ kind: 'entities', entity: 'device', sort: 'attacks', limit: 20 }),
}
const user = { user: 'analyst' }
const ask = (store: EventStore) => store.answers(query, parts)
const open = (name: string, without = false) =>
  openDuckStore({
    folder: join(folder, name),
    memoryMb: 100,
    threads: 1,
    now: () => NOW,
    quietMs: 0,
    ...(without && { partials: { bytes: 0, added: 0 } }),
  })

test('what users asked is prepared after a start and after rows were deleted, and the answers are those of the rows then', async () => {
  const events = numbered(fc.sample(storedEvent, { numRuns: 500, seed: 7 }))
  let store = await open('prepared')
  await store.load(events.slice(0, 400))
  const before = await ask(store.within(user))
  await store.close()

  store = await open('prepared')
  expect(await store.prepared()).toBe(1)
  expect(await ask(store.within(user))).toEqual(before)
  await store.load(events.slice(400))
  const other = await open('without', true)
  await other.load(events)
  expect(await ask(store.within(user))).toEqual(await ask(other))

  for (const one of [store, other]) await one.retain(NOON - 10 * HOUR, 0)
  expect(await store.prepared()).toBe(2)
  const left = await ask(other)
  expect(left).not.toEqual(before)
  expect(await ask(store.within(user))).toEqual(left)
  await Promise.all([store.close(), other.close()])
})

test('questions of users are answered while others are prepared', async () => {
  const store = await open('prepared')
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(store.within(user))))
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  await store.prepared()
  await store.close()
})
