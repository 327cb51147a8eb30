import { expect } from 'vitest'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { COUNT_MEASURES, type Dimension, type Filter } from '#domain/query.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { groupBy, keyOf, type NaiveStore, timeOf } from './naive-store.ts'

/** Parts that statistics pages ask, against the model by hand; a piece of the suite of the event store. */
const ADDITIVE = [...COUNT_MEASURES]

/** Every cell of a heat map holds what its two filters find. */
export async function checkHeat(
  store: EventStore,
  naive: NaiveStore,
  query: StoreQuery,
  rows: StoredEvent[],
): Promise<void> {
  const answer = await store.answer(query, { kind: 'heat', measures: ADDITIVE, and: [] })
  if (answer.kind !== 'heat') throw new Error(answer.kind)
  const cells = groupBy(rows, (row) => `${keyOf(row, 'weekday', query)} ${keyOf(row, 'hour', query)}`)
  expect(new Set(answer.cells.map(({ weekday, hour }) => `${weekday} ${hour}`))).toEqual(new Set(cells.keys()))
  for (const { weekday, hour, row } of answer.cells) {
    const here = cells.get(`${weekday} ${hour}`) ?? []
    expect(row).toEqual(naive.measures(query, here, ADDITIVE, [], query.span))
    if (hour % 9 > 0) continue
    const these: Filter[] = [
      { field: 'weekday', op: 'is', values: [String(weekday)] },
      { field: 'hour', op: 'is', values: [String(hour)] },
    ]
    expect(await store.count({ ...query, filters: [...query.filters, ...these] })).toBe(here.length)
  }
}

/** The values that moved most, those that came or went among them. */
export async function checkChange(
  store: EventStore,
  naive: NaiveStore,
  query: StoreQuery,
  rows: StoredEvent[],
  by: Dimension,
): Promise<void> {
  const answer = await store.answer(query, { kind: 'change', by, measure: 'attacks', limit: 4, and: [] })
  if (answer.kind !== 'change') throw new Error(answer.kind)
  const attacks = (some: StoredEvent[]) => some.filter(({ type }) => type === 2)
  const now = groupBy(attacks(rows), (row) => keyOf(row, by, query))
  const before = groupBy(attacks(query.compared ? naive.rows(query, [], query.compared) : []), (row) =>
    keyOf(row, by, query),
  )
  const moves = [...new Set([...now.keys(), ...before.keys()])].map((key) => ({
    key,
    now: now.get(key)?.length ?? 0,
    before: before.get(key)?.length ?? 0,
  }))
  const size = (one: { now: number; before: number }) => Math.abs(one.now - one.before)
  expect(answer.groupCount).toBe(moves.length)
  expect(answer.groups.map(size)).toEqual(
    moves
      .map(size)
      .sort((a, b) => b - a)
      .slice(0, 4),
  )
  for (const group of answer.groups) expect(moves).toContainEqual(group)
  expect(answer.now).toBe(attacks(rows).length)
  expect(answer.before).toBe(moves.reduce((all, one) => all + one.before, 0))
}

/** Periods of each device, cut where the gap is too long. */
export async function checkPeriods(store: EventStore, query: StoreQuery, rows: StoredEvent[]): Promise<void> {
  const gapMinutes = 45
  const expected: { device: string; from: number; to: number; rows: StoredEvent[] }[] = []
  for (const [device, own] of groupBy(rows, (row) => row.device)) {
    for (const row of [...own].sort((a, b) => timeOf(a, query) - timeOf(b, query))) {
      const at = timeOf(row, query)
      const last = expected.at(-1)
      if (last?.device === device && at - last.to <= gapMinutes * 60_000) {
        last.to = at
        last.rows.push(row)
      } else expected.push({ device, from: at, to: at, rows: [row] })
    }
  }
  for (const sort of ['last', 'events', 'length'] as const) {
    const answer = await store.answer(query, { kind: 'periods', gapMinutes, sort, limit: 200, offset: 0, and: [] })
    if (answer.kind !== 'periods') throw new Error(answer.kind)
    expect(answer.total).toBe(expected.length)
    const order = answer.rows.map((row) => ({ last: row.to, events: row.events, length: row.to - row.from })[sort])
    expect(order).toEqual([...order].sort((a, b) => b - a))
    if (expected.length > 200) continue
    for (const period of expected) {
      const ofType = (type: number) => period.rows.filter((row) => row.type === type).length
      const top = Math.max(...period.rows.map(({ level }) => level))
      expect(answer.rows).toContainEqual({
        device: period.device,
        from: period.from,
        to: period.to,
        events: period.rows.length,
        attacks: ofType(2),
        crashes: ofType(3),
        anrs: ofType(4),
        exceptions: ofType(5),
        level: ['', 'info', 'low', 'medium', 'high', 'critical'][top],
      })
    }
  }
  const past = await store.answer(query, {
    kind: 'periods',
    gapMinutes,
    sort: 'last',
    limit: 1,
    offset: 100_000,
    and: [],
  })
  expect(past).toEqual({ kind: 'periods', rows: [], total: expected.length })
}
