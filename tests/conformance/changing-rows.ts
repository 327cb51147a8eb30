import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { type Dimension, MEASURES, type Measure, type PartAnswer } from '#domain/query.ts'
import type { EventStore, FailedPart, StoreQuery } from '#storage/events/port.ts'
import { checkPeriods } from './analysis-parts.ts'
import { groupBy, keyOf, NaiveStore, timeOf } from './naive-store.ts'
import { deviceKey, NOON, numbered, storedEvent, userKey } from './random-events.ts'
import { anyQuery } from './random-queries.ts'

const HOUR = 3_600_000
const ALL_MEASURES = Object.keys(MEASURES) as Measure[]
const LISTS = [
  ['device', 'attacks'],
  ['user', 'events'],
  ['device', 'last'],
] as const
const FIELDS: readonly Dimension[] = ['version', 'model', 'province', 'type', 'hour']

/** Whatever an adapter remembers of earlier questions: each answer is that of the rows that are there now. `open` gives an empty store. */
export function changingRowsSuite(name: string, open: () => Promise<EventStore>): void {
  test(`event store: ${name}: counts match the rows while rows are appended (also late ones) and deleted`, {
    timeout: 60_000,
  }, async () => {
    const store = await open()
    let events = numbered(fc.sample(storedEvent, { numRuns: 500, seed: 23 }))
    // Few questions, asked again and again; wide ones among them.
    const wide = { from: NOON - 70 * HOUR - 1234, to: NOON + 37 * HOUR + 77 }
    const queries = fc
      .sample(anyQuery, { numRuns: 4, seed: 5 })
      .flatMap((query): StoreQuery[] => [query, { ...query, filters: query.filters.slice(0, 1), span: wide }])
    const coming = events.splice(250)
    const byOccurrence = coming.sort((a, b) => b.occurredAt - a.occurredAt)
    await store.load(events)
    for (let round = 0; round < 5; round++) {
      for (const query of queries) await check(query, events)
      if (round === 2) {
        await store.erase({ kind: 'device', subject: deviceKey(3), scope: { apps: 'all' } })
        await store.erase({ kind: 'user', subject: userKey(2), scope: { apps: [1, 2] } })
        const isErased = ({ device, user, app }: StoredEvent) =>
          device === deviceKey(3) || (user === userKey(2) && (app === 1 || app === 2))
        events = events.filter((event) => !isErased(event))
      } else if (round === 3) {
        await store.retain(NOON - 20 * HOUR, 0)
        events = events.filter(({ receivedAt }) => receivedAt >= NOON - 20 * HOUR)
      }
      const added = byOccurrence.splice(0, 60)
      await store.load(added)
      events = [...events, ...added]
    }
    await store.close()

    async function check(query: StoreQuery, stored: readonly StoredEvent[]): Promise<void> {
      const naive = new NaiveStore([...stored])
      const rows = naive.rows(query)
      const parts = {
        total: { kind: 'total', measures: ALL_MEASURES, and: [] },
        days: { kind: 'series', measures: ALL_MEASURES, bucket: 'day', and: [] },
        hours: { kind: 'series', measures: ['attacks', 'devices', 'users'], bucket: 'hour', and: [] },
        ...Object.fromEntries(
          FIELDS.flatMap((by) => [
            [`${by} a`, { kind: 'top', by, measures: ['events', 'devices', 'attackedUsers'], limit: 3, and: [] }],
            [`${by} b`, { kind: 'top', by, measures: ['users'], limit: 200, and: [] }],
          ]),
        ),
        ...Object.fromEntries(
          LISTS.map(([entity, sort]) => [
            `${entity} ${sort}`,
            { kind: 'entities', entity, sort, limit: 200, offset: 0, and: [] },
          ]),
        ),
      } as Parameters<EventStore['answers']>[1]
      const answers = await store.answers(query, parts)
      const { total, days, hours } = answers
      if (total?.kind !== 'total' || days?.kind !== 'series' || hours?.kind !== 'series') throw new Error('no answer')
      // First times outlive retention, so no device becomes new because of it; the model only has the rows.
      const known: Measure[] = ALL_MEASURES.filter((measure) => measure !== 'newDevices' && measure !== 'newUsers')
      const counted = (measures: Measure[], some: StoredEvent[]) =>
        naive.measures(query, some, measures, [], query.span)
      expect(total.row).toMatchObject(counted(known, rows))
      for (const { points } of [days, hours])
        for (const [index, { start, row }] of points.entries()) {
          const span = {
            from: Math.max(start, query.span.from),
            to: Math.min(points[index + 1]?.start ?? query.span.to, query.span.to),
          }
          const measures = Object.keys(row).filter((one) => known.includes(one as Measure)) as Measure[]
          expect(row).toMatchObject(naive.measures(query, naive.rows({ ...query, span }), measures, [], span))
        }
      for (const [entity, sort] of LISTS) checkList(answers[`${entity} ${sort}`], entity, sort, query, rows)
      if (query.span === wide) await checkPeriods(store, query, rows)
      for (const by of FIELDS) {
        const groups = groupBy(rows, (row) => keyOf(row, by, query))
        for (const part of ['a', 'b']) {
          const answer = answers[`${by} ${part}`]
          if (answer?.kind !== 'top') throw new Error(answer?.kind)
          for (const { key, row } of answer.groups)
            expect(row).toEqual(counted(Object.keys(row) as Measure[], groups.get(key) ?? []))
          const users = [...groups.values()].filter((some) => some.some(({ user }) => user !== null))
          expect(answer.groupCount).toBe(part === 'a' ? groups.size : users.length)
          if (part === 'a') {
            const listed = answer.groups.reduce((sum, { row }) => sum + (row.events ?? 0), 0)
            expect(listed + (answer.others.events ?? 0)).toBe(rows.length)
          }
        }
      }
    }
  })
}

/** All devices or users that have rows, the highest first. */
function checkList(
  answer: PartAnswer | FailedPart | undefined,
  entity: 'device' | 'user',
  sort: 'attacks' | 'events' | 'last',
  query: StoreQuery,
  rows: StoredEvent[],
): void {
  if (answer?.kind !== 'entities') throw new Error(answer?.kind)
  const groups = groupBy(
    rows.filter((row) => row[entity] !== null),
    (row) => row[entity] as string,
  )
  expect(answer.total).toBe(groups.size)
  expect(new Set(answer.rows.map(({ key }) => key))).toEqual(new Set(groups.keys()))
  const numbers = answer.rows.map((row) => (sort === 'last' ? row.lastAt : row[sort]))
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
  for (const row of answer.rows) {
    const own = groups.get(row.key) ?? []
    const times = own.map((one) => timeOf(one, query))
    const attacks = own.filter(({ type }) => type === 2).length
    expect(row).toMatchObject({ attacks, events: own.length, firstAt: Math.min(...times), lastAt: Math.max(...times) })
  }
}
