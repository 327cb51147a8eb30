import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openDuckStore } from '#storage/events/open-duck-store.ts'
import type { PartialLimits } from '#storage/events/partials.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { changingRowsSuite } from './changing-rows.ts'
import { eventStoreSuite } from './event-store.ts'
import { deviceKey, NOON, numbered, storedEvent } from './random-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-store-'))
let opened = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const open = (partials?: PartialLimits) => () =>
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

test('devices, their sessions, scores and groups of failures are the same with what is remembered and without', async () => {
  const stores = await Promise.all([open()(), open({ bytes: 0, added: 0 })()])
  const events = numbered(fc.sample(storedEvent, { numRuns: 600, seed: 3 }))
  const baselines = [{ app: 1, version: '1.0', packageName: '', signers: [], hashes: {}, channels: ['huawei'] }]
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
              scores: await store.scores({ ...query, span, baselines }, { from: 20, limit: 9, offset: 0 }),
              groups: await store.exceptionGroups(failures, []),
              devices: await Promise.all(
                [0, 1, 5].map(async (index) => {
                  const filters: StoreQuery['filters'] = [{ field: 'device', op: 'is', values: [deviceKey(index)] }]
                  const own: StoreQuery = { ...query, span, filters }
                  return [
                    await store.profile(own),
                    await store.hits({ ...query, span, baselines }, deviceKey(index)),
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

test('a part that the database cannot answer does not take the other parts along', async () => {
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
