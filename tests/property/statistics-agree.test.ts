import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventById, statistics } from '#contracts/http/statistics.ts'
import type { AnswerOf, EventRow, Filter, Measure, Measures, PartAnswer, PartInput, Query } from '#domain/query.ts'
import { absoluteRange } from '#domain/time-range.ts'
import type { Api } from '#tests/support/api.ts'
import { SPAN_MS, type StatisticsBed, statisticsBed } from './statistics-bed.ts'

/** Whatever a screen shows as a number, the rows that its link opens are that many: over HTTP, as the console asks. */
let bed: StatisticsBed
let api: Api
beforeAll(async () => {
  bed = await statisticsBed(2500, 11)
  api = await bed.api(['events.read', 'personal.reveal'])
})
afterAll(() => bed.close())

const MEASURES = [
  'events',
  'attacks',
  'blocked',
  'observed',
  'starts',
  'crashes',
  'devices',
  'users',
  'attackedDevices',
  'attackedUsers',
] as const satisfies readonly Measure[]
const GROUPED = [
  'app',
  'type',
  'risk',
  'level',
  'action',
  'platform',
  'country',
  'province',
  'version',
  'site',
] as const

const filter = (fields: readonly (typeof GROUPED)[number][]): fc.Arbitrary<Filter> =>
  fc.constantFrom(...fields).chain((field) =>
    fc.record({
      field: fc.constant(field),
      op: fc.constantFrom('is' as const, 'not' as const),
      values: fc.uniqueArray(fc.constantFrom(...VALUES[field]), { minLength: 1, maxLength: 3 }),
    }),
  )
const VALUES: Record<(typeof GROUPED)[number], string[]> = {
  app: ['1', '2', '3', '9'],
  type: ['start', 'risk', 'crash', 'web', 'anr'],
  risk: ['', 'root', 'hook', 'emulator', 'mitm', 'custom'],
  level: ['', 'critical', 'high', 'low', 'info'],
  action: ['none', 'report', 'block', 'exit'],
  platform: ['', 'android', 'ios', 'web'],
  country: ['', 'CN', 'US'],
  province: ['', '330000', '440000'],
  version: ['', '1.0.0', '2.0.0', "1' or 1=1"],
  site: ['', '1', '2'],
}

const query = fc.record({
  from: fc.integer({ min: 0, max: SPAN_MS }),
  length: fc.integer({ min: 60_000, max: SPAN_MS }),
  timeBasis: fc.constantFrom('occurred' as const, 'received' as const),
  filters: fc.array(filter(GROUPED), { maxLength: 3 }),
})

async function ask(asked: Query, parts: Record<string, PartInput>): Promise<Record<string, PartAnswer>> {
  const answer = await api(statistics, { body: { query: asked, parts } })
  for (const part of Object.values(answer.parts)) if (part.kind === 'error') throw new Error(part.codemsg)
  return answer.parts as Record<string, PartAnswer>
}

async function allRows(asked: Query): Promise<EventRow[]> {
  const rows: EventRow[] = []
  for (let cursor: string | undefined; ; ) {
    const { page } = (await ask(asked, { page: { kind: 'rows', limit: 200, ...(cursor ? { cursor } : {}) } })) as {
      page: AnswerOf<'rows'>
    }
    rows.push(...page.rows)
    if (!page.nextCursor) return rows
    cursor = page.nextCursor
  }
}

function measure(rows: readonly EventRow[]): Measures {
  const attacks = rows.filter((row) => row.type === 'risk')
  const blocked = attacks.filter((row) => row.action === 'exit' || row.action === 'block').length
  const distinct = (list: readonly EventRow[], field: 'device' | 'user') =>
    new Set(list.map((row) => row[field]).filter(Boolean)).size
  return {
    events: rows.length,
    attacks: attacks.length,
    blocked,
    observed: attacks.length - blocked,
    starts: rows.filter((row) => row.type === 'start').length,
    crashes: rows.filter((row) => row.type === 'crash').length,
    devices: distinct(rows, 'device'),
    users: distinct(rows, 'user'),
    attackedDevices: distinct(attacks, 'device'),
    attackedUsers: distinct(attacks, 'user'),
  }
}

test('[STAT-02] totals, bars, top lists and entities agree with the rows behind them', async () => {
  const start = bed.app.deps.now() - SPAN_MS
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom(...GROUPED), async ({ from, length, timeBasis, filters }, by) => {
      const span = { from: start + from, to: start + from + length }
      const asked: Query = { range: absoluteRange(span), timeBasis, filters, compare: 'none' }
      const rows = await allRows(asked)
      const time = (row: EventRow) => (timeBasis === 'occurred' ? row.occurredAt : row.receivedAt)
      for (const row of rows) expect(time(row) >= span.from && time(row) < span.to).toBe(true)
      expect(rows.map(time)).toEqual(rows.map(time).sort((a, b) => b - a))
      expect(new Set(rows.map((row) => `${row.app} ${row.id}`)).size).toBe(rows.length)

      const answers = (await ask(asked, {
        total: { kind: 'total', measures: [...MEASURES] },
        series: { kind: 'series', measures: ['events', 'attacks'], bucket: 'hour' },
        top: { kind: 'top', by, measures: ['events', 'attacks', 'devices'], limit: 3 },
        devices: { kind: 'entities', entity: 'device', limit: 200 },
      })) as {
        total: AnswerOf<'total'>
        series: AnswerOf<'series'>
        top: AnswerOf<'top'>
        devices: AnswerOf<'entities'>
      }

      expect(answers.total.row).toEqual(measure(rows))
      const sum = (values: (number | undefined)[]) => values.reduce<number>((all, one) => all + (one ?? 0), 0)
      expect(sum(answers.series.points.map((point) => point.row.events))).toBe(rows.length)
      expect(sum(answers.series.points.map((point) => point.row.attacks))).toBe(measure(rows).attacks)
      const { groups, groupCount, others } = answers.top
      expect(sum(groups.map((group) => group.row.events)) + (others.events ?? 0)).toBe(rows.length)
      expect(groupCount).toBe(new Set(rows.map((row) => keyOf(row, by))).size)
      for (const group of groups) {
        const inside = rows.filter((row) => keyOf(row, by) === group.key)
        expect(group.row).toMatchObject({ events: inside.length, devices: measure(inside).devices })
      }
      expect(answers.devices.total).toBe(measure(rows).devices)
      for (const device of answers.devices.rows) {
        const own = rows.filter((row) => row.device === device.key)
        expect(device).toMatchObject({ events: own.length, attacks: measure(own).attacks })
        expect(device.lastAt).toBe(Math.max(...own.map(time)))
      }
    }),
    { numRuns: 25, seed: 5 },
  )
})

/** Keys of groups are the values of rows; no site is the key '0', as in live frames. */
function keyOf(row: EventRow, by: (typeof GROUPED)[number]): string {
  return by === 'site' && row.site === '' ? '0' : row[by]
}

test('[STAT-02] opening a group as a filter returns exactly its number of rows', async () => {
  for (const by of GROUPED) {
    const asked: Query = { range: '-7d', timeBasis: 'received', filters: [], compare: 'none' }
    const { top } = (await ask(asked, { top: { kind: 'top', by, measures: ['events'], limit: 200 } })) as {
      top: AnswerOf<'top'>
    }
    for (const { key, row } of top.groups) {
      const filters: Filter[] = [{ field: by, op: 'is', values: [key] }]
      const answer = (await ask({ ...asked, filters }, { total: { kind: 'total', measures: ['events'] } })) as {
        total: AnswerOf<'total'>
      }
      expect(answer.total.row.events, `${by}=${key}`).toBe(row.events)
    }
  }
})

test('[STAT-02] every row can be opened by its id, and unknown ids return nothing', async () => {
  const row = (await allRows({ range: '-7d', timeBasis: 'received', filters: [], compare: 'none' }))[17] as EventRow
  const { data, stored } = await api(eventById, { query: { appid: row.app, id: row.id } })
  expect(data).toEqual(row)
  expect(stored).toBe(true)
  await expect(api(eventById, { query: { appid: '999', id: row.id } })).rejects.toThrow('404')
  await expect(api(eventById, { query: { appid: row.app, id: "x' or 1=1" } })).rejects.toThrow('404')
})
