import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Measure } from '#domain/query.ts'
import type { AggregateCacheLimits } from '#storage/events/cache/aggregate-cache.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { changingRowsSuite } from './changing-rows.ts'
import { eventStoreSuite } from './event-store.ts'
import { NaiveStore } from './naive-store.ts'
import { deviceKey, NOON, numbered, storedEvent, userKey } from './random-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-store-'))
let opened = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const open = (partials?: AggregateCacheLimits) => () =>
  openDuckStore({ folder: join(folder, String(++opened)), now: () => Date.now(), ...(partials && { partials }) })

eventStoreSuite('DuckDB', open())
changingRowsSuite('DuckDB', open())
changingRowsSuite('DuckDB, remembering little', open({ bytes: 30_000, added: 50 }))

const HOUR = 3_600_000
const query: StoreQuery = {
  span: { from: NOON - 80 * HOUR, to: NOON + 40 * HOUR },
  basis: 'occurred',
  filters: [],
  scope: { apps: 'all' },
  zone: 'Asia/Shanghai',
}

test('device profiles, sessions, scores and failure groups are identical with and without the aggregate cache', async () => {
  const stores = await Promise.all([open()(), open({ bytes: 0, added: 0 })()])
  const events = numbered(fc.sample(storedEvent, { numRuns: 600, seed: 3 }))
  const baselines = [{ app: 1, version: '1.0', packageName: '', signers: [], hashes: {}, channels: ['huawei'] }]
  const pirated = [{ app: 2, certificates: ['ab'.repeat(32)] }]
  for (let round = 0; round < 6; round++) {
    for (const store of stores) await store.load(events.slice(round * 100, (round + 1) * 100))
    if (round === 3)
      for (const store of stores) await store.erase({ kind: 'device', subject: deviceKey(1), scope: { apps: 'all' } })
    for (const _twice of [1, 2])
      for (const shift of [0, 11 * HOUR]) {
        const span = { from: query.span.from + shift, to: query.span.to + shift - 30 * HOUR }
        const [a, b] = await Promise.all(
          stores.map(async (store) => {
            const failures: StoreQuery = { ...query, span, filters: [{ field: 'type', op: 'is', values: ['crash'] }] }
            return {
              scores: await store.scores({ ...query, span, baselines, pirated }, { from: 20, limit: 9, offset: 0 }),
              groups: await store.exceptionGroups(failures, []),
              devices: await Promise.all(
                [0, 1, 5].map(async (index) => {
                  const filters: StoreQuery['filters'] = [{ field: 'device', op: 'is', values: [deviceKey(index)] }]
                  const own: StoreQuery = { ...query, span, filters }
                  return [
                    await store.profile(own),
                    await store.hits({ ...query, span, baselines, pirated }, deviceKey(index)),
                    await store.sessions(own, { attacked: false, limit: 5, offset: 0 }),
                  ]
                }),
              ),
            }
          }),
        )
        expect(a).toEqual(b)
        expect(a?.devices[0]?.[0]).toBeDefined()
      }
  }
  for (const store of stores) await store.close()
}, 60_000)

test('[STAT-02] new devices are counted by their earliest time, for short and long spans', async () => {
  const store = await open()()
  const people = 600
  const base = fc.sample(storedEvent, { numRuns: people * 4, seed: 11 })
  // A crowd over three days, each of them a few times and in no order of time.
  const events = numbered(
    base.map((event, index) => ({
      ...event,
      device: deviceKey(index % people),
      user: index % 3 === 0 ? null : userKey((index * 7) % 400),
      occurredAt: NOON - 36 * HOUR + ((index * 7_919_993) % (72 * HOUR)),
    })),
  )
  for (let from = 0; from < events.length; from += 500) await store.load(events.slice(from, from + 500))
  const naive = new NaiveStore(events)
  const measures: Measure[] = ['newDevices', 'newUsers']
  let [few, many] = [0, 0]
  for (const hours of [0.25, 5, 72])
    for (const from of [-36, -20])
      for (const filters of [[], [{ field: 'app', op: 'is', values: ['1', '3'] }]] as StoreQuery['filters'][]) {
        const span = { from: NOON + from * HOUR, to: NOON + (from + hours) * HOUR }
        const bucket = hours > 24 ? 'day' : 'hour'
        const asked: StoreQuery = { ...query, span, filters }
        const answers = await store.answers(asked, {
          total: { kind: 'total', measures, and: [] },
          byTime: { kind: 'series', measures, bucket, and: [] },
          ofRisks: { kind: 'series', measures, bucket, and: [{ field: 'type', op: 'is', values: ['risk'] }] },
        })
        const { total, byTime, ofRisks } = answers
        if (total?.kind !== 'total' || byTime?.kind !== 'series' || ofRisks?.kind !== 'series') throw new Error('none')
        expect(total.row).toEqual(naive.measures(asked, naive.rows(asked), measures, [], span))
        const found = total.row.newDevices ?? 0
        if (found > 0 && found < people / 20) few++
        if (found > people / 2) many++
        for (const [{ points }, type] of [
          [byTime, undefined],
          [ofRisks, 2],
        ] as const)
          for (const [index, { start, row }] of points.entries()) {
            const hour = {
              from: Math.max(start, span.from),
              to: Math.min(points[index + 1]?.start ?? span.to, span.to),
            }
            const rows = naive.rows({ ...asked, span: hour }).filter((one) => type === undefined || one.type === type)
            expect(row).toEqual(naive.measures(asked, rows, measures, [], hour))
          }
      }
  expect(few).toBeGreaterThan(1)
  expect(many).toBeGreaterThan(1)
  await store.close()
}, 60_000)

test('a part with an SQL error does not fail the other parts of the request', async () => {
  const store = await open()()
  const [event] = fc.sample(storedEvent, { numRuns: 1, seed: 3 })
  if (!event) throw new Error('no event')
  const torn = { ...event, receivedAt: NOON, occurredAt: NOON, platform: 3, extra: 'torn{' }
  await store.load(numbered([torn, { ...torn, extra: '' }]))
  const answers = await store.answers(query, {
    before: { kind: 'total', measures: ['events', 'devices'], and: [] },
    torn: { kind: 'top', by: 'page', measures: ['events'], limit: 5, and: [] },
    after: { kind: 'heat', measures: ['events'], and: [] },
  })
  expect(answers['torn']).toEqual({ kind: 'failed', error: 'server.internal', params: {} })
  expect(answers['before']).toMatchObject({ kind: 'total', row: { events: 2, devices: 1 } })
  expect(answers['after']).toMatchObject({ kind: 'heat', cells: [{ row: { events: 2 } }] })
  await store.close()
})
