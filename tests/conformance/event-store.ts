import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import {
  COUNT_MEASURES,
  DIMENSIONS,
  type Dimension,
  type EntityRow,
  type Filter,
  MEASURES,
  type Measure,
  type Measures,
  type Part,
} from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { checkChange, checkHeat, checkPeriods } from './analysis-parts.ts'
import { groupBy, keyOf, NaiveStore, timeOf } from './naive-store.ts'
import { NOON, numbered, storedEvent } from './random-events.ts'
import { anyQuery } from './random-queries.ts'

const HOUR = 3_600_000
const ADDITIVE = [...COUNT_MEASURES]
const ALL_MEASURES = Object.keys(MEASURES) as Measure[]
const ALL_DIMENSIONS = Object.keys(DIMENSIONS) as Dimension[]
const EVERYTHING: StoreQuery = {
  span: { from: NOON - 100 * HOUR, to: NOON + 100 * HOUR },
  basis: 'received',
  filters: [],
  scope: { apps: 'all' },
  zone: 'Asia/Shanghai',
}

/** Holds for every adapter of the event store's port. `open` gives an empty store; the suite closes it. */
export function eventStoreSuite(name: string, open: () => Promise<EventStore>): void {
  describe(`event store: ${name}`, { timeout: 60_000 }, () => {
    const events = numbered(fc.sample(storedEvent, { numRuns: 600, seed: 11 }))
    const naive = new NaiveStore(events)
    let store: EventStore
    beforeAll(async () => {
      store = await open()
      await store.load(events)
    })
    afterAll(() => store.close())

    test('rows come back complete, newest first', async () => {
      const answer = await store.answer(EVERYTHING, { kind: 'rows', limit: 200, order: 'desc', and: [] })
      if (answer.kind !== 'rows') throw new Error(answer.kind)
      const expected = [...events].sort(byNewest('receivedAt')).slice(0, 200).map(eventRow)
      expect(answer.rows).toEqual(expected)
      const one = events[5] as StoredEvent
      expect(await store.event(one.app, one.id)).toEqual(eventRow(one))
      expect(await store.event(one.app + 1, one.id)).toBeUndefined()
      expect(await store.event(one.app, "' OR 1=1 --")).toBeUndefined()
    })

    test('total, series, top lists and rows equal the naive model for random queries', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, fc.constantFrom(...ALL_DIMENSIONS), async (query, by) => {
          const rows = naive.rows(query)
          await checkTotal(query, rows)
          await checkSeries(query, rows, by)
          await checkTop(query, rows, by)
          await checkPages(query, rows)
          await checkHeat(store, naive, query, rows)
          await checkChange(store, naive, query, rows, by)
          await checkPeriods(store, query, rows)
        }),
        { numRuns: 40, seed: 7 },
      )
    }, 180_000)

    async function checkTotal(query: StoreQuery, rows: StoredEvent[]): Promise<void> {
      const answer = await store.answer(query, { kind: 'total', measures: ALL_MEASURES, and: [] })
      if (answer.kind !== 'total') throw new Error(answer.kind)
      expect(answer.row).toEqual(naive.measures(query, rows, ALL_MEASURES, [], query.span))
      const before = query.compared
      if (before) {
        const earlier = naive.rows(query, [], before)
        expect(answer.previous).toEqual(naive.measures(query, earlier, ALL_MEASURES, [], before))
      } else expect(answer.previous).toBeUndefined()
      expect(await store.count(query)).toBe(rows.length)
    }

    async function checkSeries(query: StoreQuery, rows: StoredEvent[], by: Dimension): Promise<void> {
      for (const bucket of ['hour', 'day'] as const) {
        const plain = await store.answer(query, { kind: 'series', measures: ALL_MEASURES, bucket, and: [] })
        const split = await store.answer(query, { kind: 'series', measures: ADDITIVE, bucket, by, and: [] })
        if (plain.kind !== 'series' || split.kind !== 'series') throw new Error('not a series')
        for (const [index, { start, row }] of plain.points.entries()) {
          const end = plain.points[index + 1]?.start ?? query.span.to
          if (bucket === 'day') expect(start).toBe(startOfDay(start, query.zone))
          const within = { from: Math.max(start, query.span.from), to: Math.min(end, query.span.to) }
          const here = naive.rows({ ...query, span: within })
          expect(row).toEqual(naive.measures(query, here, ALL_MEASURES, [], within))
        }
        expect(plain.points[0]?.start).toBeLessThanOrEqual(query.span.from)
        const total = naive.measures(query, rows, ADDITIVE, [], query.span)
        expect(sum(plain.points.map(({ row }) => row))).toEqual(total)
        expect(sum(split.points.map(({ row }) => row))).toEqual(total)
      }
    }

    async function checkTop(query: StoreQuery, rows: StoredEvent[], by: Dimension): Promise<void> {
      const measures: Measure[] = ['attacks', ...ALL_MEASURES.filter((measure) => measure !== 'attacks')]
      const answer = await store.answer(query, { kind: 'top', by, measures, limit: 3, seen: true, and: [] })
      if (answer.kind !== 'top') throw new Error(answer.kind)
      const keys = new Set(rows.map((row) => keyOf(row, by, query)))
      const groups = new Map([...keys].map((key) => [key, rows.filter((row) => keyOf(row, by, query) === key)]))
      const counts = [...groups.values()].map((some) => some.filter(({ type }) => type === 2).length)
      const positive = counts.filter((count) => count > 0).sort((a, b) => b - a)
      expect(answer.groupCount).toBe(positive.length)
      expect(answer.groups.map(({ row }) => row.attacks)).toEqual(positive.slice(0, 3))
      for (const { key, row, previous, firstAt, lastAt } of answer.groups) {
        const times = (groups.get(key) ?? []).filter(({ type }) => type === 2).map((event) => timeOf(event, query))
        expect([firstAt, lastAt]).toEqual([Math.min(...times), Math.max(...times)])
        expect(row).toEqual(naive.measures(query, groups.get(key) ?? [], measures, [], query.span))
        if (!query.compared) continue
        const earlier = naive.rows(query, [], query.compared).filter((event) => keyOf(event, by, query) === key)
        expect(previous?.attacks).toBe(earlier.filter(({ type }) => type === 2).length)
      }
      const alone = await store.answer(query, { kind: 'top', by, measures: ['attacks'], limit: 3, and: [] })
      if (alone.kind !== 'top') throw new Error(alone.kind)
      expect([alone.groupCount, alone.others.attacks]).toEqual([answer.groupCount, answer.others.attacks])
      expect(sum([...answer.groups.map(({ row }) => row), answer.others])).toEqual(
        naive.measures(query, rows, ADDITIVE, [], query.span),
      )
    }

    async function checkPages(query: StoreQuery, rows: StoredEvent[]): Promise<void> {
      for (const order of ['desc', 'asc'] as const) {
        const ids: string[] = []
        let cursor: string | undefined
        do {
          const page = await store.answer(query, { kind: 'rows', limit: 37, order, and: [], ...(cursor && { cursor }) })
          if (page.kind !== 'rows') throw new Error(page.kind)
          ids.push(...page.rows.map(({ id }) => id))
          cursor = page.nextCursor
        } while (cursor)
        const newest = [...rows].sort(byNewest(query.basis === 'received' ? 'receivedAt' : 'occurredAt'))
        expect(ids).toEqual((order === 'desc' ? newest : newest.reverse()).map(({ id }) => id))
      }
      const streamed: string[] = []
      for await (const block of store.stream(query, new AbortController().signal))
        streamed.push(...block.map(({ id }) => id))
      expect(streamed.length).toBe(rows.length)
      expect(new Set(streamed)).toEqual(new Set(rows.map(({ id }) => id)))
    }

    test('entity lists have one line for each device or user with counts, main risk and newest facts', async () => {
      for (const entity of ['device', 'user'] as const) {
        const seen: string[] = []
        for (let offset = 0; ; offset += 5) {
          const answer = await store.answer(EVERYTHING, {
            kind: 'entities',
            entity,
            sort: 'attacks',
            limit: 5,
            offset,
            and: [],
          })
          if (answer.kind !== 'entities') throw new Error(answer.kind)
          if (answer.rows.length === 0) {
            expect(answer.total).toBe(seen.length)
            break
          }
          for (const row of answer.rows) {
            seen.push(row.key)
            const own = events.filter((event) => event[entity] === row.key).sort(byNewest('receivedAt'))
            const attacks = own.filter(({ type }) => type === 2)
            const others = own
              .map((event) => event[entity === 'device' ? 'user' : 'device'])
              .filter((key) => key !== null)
            const placed = own.find(({ placeSource }) => placeSource > 0)
            const [newest] = own as [StoredEvent]
            const place = placed && eventRow(placed)
            const worst = own.reduce((one, other) => (other.level > one.level ? other : one))
            // Typed, so that a new field must be compared too; the risk is compared below.
            const expected: Omit<EntityRow, 'key' | 'risk'> = {
              attacks: attacks.length,
              events: own.length,
              crashes: own.filter(({ type }) => type === 3).length,
              anrs: own.filter(({ type }) => type === 4).length,
              exceptions: own.filter(({ type }) => type === 5).length,
              counterparts: new Set(others).size,
              level: eventRow(worst).level,
              country: place?.country ?? '',
              province: place?.province ?? '',
              city: place?.city ?? '',
              platform: eventRow(newest).platform,
              model: newest.model,
              version: newest.version,
              app: String(newest.app),
              firstAt: (own.at(-1) as StoredEvent).receivedAt,
              lastAt: newest.receivedAt,
            }
            expect(row).toMatchObject(expected)
            const byRisk = groupBy(attacks, ({ risk }) => risk)
            const most = Math.max(...[...byRisk.values()].map((some) => some.length))
            const main = attacks.filter((event) => eventRow(event).risk === row.risk)
            expect(main.length).toBe(most)
          }
        }
        const all = new Set(events.map((event) => event[entity]).filter((key) => key !== null))
        expect(new Set(seen)).toEqual(all)
      }
    })

    test('the list of new devices and users contains those whose first occurrence lies in the span', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, fc.constantFrom('device' as const, 'user' as const), async (query, entity) => {
          const measure = entity === 'device' ? 'newDevices' : 'newUsers'
          const part: Part = { kind: 'entities', entity, sort: 'events', limit: 200, offset: 0, and: [], fresh: true }
          const answer = await store.answer(query, part)
          if (answer.kind !== 'entities') throw new Error(answer.kind)
          const expected = naive.measures(query, naive.rows(query), [measure], [], query.span)[measure]
          expect([answer.total, answer.rows.length]).toEqual([expected, expected])
        }),
        { numRuns: 40 },
      )
    })

    test('a query returns no rows outside its scope, and an empty scope returns no rows', async () => {
      const query = { ...EVERYTHING, scope: { apps: [2] } }
      const rows = await store.answer(query, {
        kind: 'rows',
        limit: 200,
        order: 'desc',
        and: [{ field: 'app', op: 'not', values: ['2'] }],
      })
      expect(rows).toEqual({ kind: 'rows', rows: [] })
      expect(await store.count({ ...EVERYTHING, scope: { apps: [] } })).toBe(0)
      const seed = await store.seed([], { apps: [] }, NOON, 'Asia/Shanghai')
      expect([seed.eventsToday, seed.feed.length, seed.online.length, seed.minutes.length]).toEqual([0, 0, 0, 0])
    })

    test('hostile filter values and cursors match no rows and cause no SQL error', async () => {
      const hostile = [
        "'",
        "' OR 1=1 --",
        '\\',
        '\0',
        "\0' --",
        '%',
        '; DROP TABLE events',
        '\ud800',
        'UUID',
        '-1',
        '1e3',
        '0x10',
      ]
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...ALL_DIMENSIONS),
          fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary', maxLength: 40 })),
          async (field, value) => {
            const present = events.filter((event) => keyOf(event, field, EVERYTHING) === value).length
            fc.pre(field !== 'site' || value !== '')
            expect(await store.count({ ...EVERYTHING, filters: [{ field, op: 'is', values: [value] }] })).toBe(present)
          },
        ),
        { numRuns: 120 },
      )
      for (const cursor of ['', 'x', '1.2.3', "1.1.00000000000040008000000000000001' --"].slice(1))
        await expect(
          store.answer(EVERYTHING, { kind: 'rows', limit: 1, order: 'desc', cursor, and: [] }),
        ).rejects.toThrow(ProductError)
      expect(await store.count(EVERYTHING)).toBe(events.length)
    })

    test('[EXC-01] failure groups equal the naive model, also with fingerprint aliases', async () => {
      const aliases = [['longtask', '0123456789abcdef'] as const]
      await fc.assert(
        fc.asyncProperty(anyQuery, fc.boolean(), async (query, joined) => {
          const groupOf = ({ group }: StoredEvent) => (joined && aliases.find(([from]) => from === group)?.[1]) || group
          const rows = naive.rows(query)
          const answer = await store.exceptionGroups(query, joined ? aliases : [])
          const expected = groupBy(rows, (event) => `${event.app}/${groupOf(event)}`)
          expect(answer.map((row) => `${row.app}/${row.group}`).sort()).toEqual([...expected.keys()].sort())
          const always = { ...query, filters: query.filters.filter(({ field }) => field === 'type' || field === 'app') }
          const all = naive.rows(always, [], { from: 0, to: Number.MAX_SAFE_INTEGER })
          const time = query.basis === 'received' ? 'receivedAt' : 'occurredAt'
          for (const row of answer) {
            const mine = expected.get(`${row.app}/${row.group}`) as StoredEvent[]
            const ever = all.filter((event) => event.app === row.app && groupOf(event) === row.group)
            expect(row.events).toBe(mine.length)
            expect(row.devices).toBe(new Set(mine.map((event) => event.device)).size)
            expect(row.users).toBe(new Set(mine.flatMap((event) => event.user ?? [])).size)
            expect(row.versions.toSorted()).toEqual([...new Set(mine.map((event) => event.version))].sort())
            expect(row.lastAt).toBe(Math.max(...mine.map((event) => event[time])))
            expect(row.ever.events).toBe(ever.length)
            expect(row.ever.firstAt).toBe(Math.min(...ever.map((event) => event[time])))
          }
        }),
        { numRuns: 30 },
      )
    })

    test('the wall seed counts by arrival since the start of the platform`s day', async () => {
      const filters: Filter[] = [{ field: 'app', op: 'not', values: ['4'] }]
      const seed = await store.seed(filters, { apps: 'all' }, NOON, 'Asia/Shanghai')
      const mine = events.filter(({ app }) => app !== 4)
      const day = startOfDay(NOON, 'Asia/Shanghai')
      const today = mine.filter(({ receivedAt }) => receivedAt >= day)
      const attacks = today.filter(({ type }) => type === 2)
      expect(seed.eventsToday).toBe(today.length)
      expect(seed.attacksToday).toBe(attacks.length)
      expect(seed.blockedToday).toBe(attacks.filter(({ action }) => action >= 3).length)
      expect(seed.noPlace).toBe(attacks.filter(({ placeSource }) => placeSource === 0).length)
      expect(Object.values(seed.levels).reduce((a, b) => a + b)).toBe(attacks.length)
      for (const [by, counts] of Object.entries(seed.counts)) {
        const expected = groupBy(attacks, (event) => keyOf(event, by as Dimension, EVERYTHING))
        expect(new Map(counts)).toEqual(new Map([...expected].map(([key, some]) => [key, some.length])))
      }
      const yesterday = startOfDay(day - 1, 'Asia/Shanghai')
      expect(seed.attacksYesterday).toBe(
        mine.filter(
          ({ type, receivedAt }) => type === 2 && receivedAt >= yesterday && receivedAt < yesterday + NOON - day,
        ).length,
      )
      expect(new Set(seed.attackedUsers)).toEqual(
        new Set(attacks.map(({ user }) => user).filter((user) => user !== null)),
      )
      const live = mine.filter(({ flags }) => (flags & 2) === 0)
      const online = groupBy(
        live.filter(({ receivedAt }) => receivedAt >= NOON - 300_000),
        ({ device }) => device,
      )
      expect(new Map(seed.online)).toEqual(
        new Map([...online].map(([device, some]) => [device, Math.max(...some.map((one) => one.receivedAt))])),
      )
      const bars = mine.filter(({ type, receivedAt }) => type === 2 && receivedAt >= NOON - 24 * HOUR)
      expect(seed.minutes.reduce((all, [, ...counts]) => all + counts.reduce((a, b) => a + b), 0)).toBe(bars.length)
      expect(seed.feed.map(({ id }) => id)).toEqual(
        live
          .filter(({ type }) => type === 2)
          .sort(byNewest('receivedAt'))
          .slice(0, 20)
          .map(({ id }) => id),
      )
    })

    test('replay returns exact counts by second and a bounded, repeatable sample', async () => {
      const span = { from: NOON - 12 * HOUR, to: NOON + 12 * HOUR }
      const answer = await store.replay([], { apps: 'all' }, span, 'Asia/Shanghai', 1)
      const attacks = naive.rows({ ...EVERYTHING, span }, [{ field: 'type', op: 'is', values: ['risk'] }])
      expect(answer.seconds.reduce((all, [, ...row]) => all + row.slice(0, 5).reduce((a, b) => a + b), 0)).toBe(
        attacks.length,
      )
      expect(answer.seconds.reduce((all, row) => all + row[6], 0)).toBe(
        attacks.filter(({ action }) => action >= 3).length,
      )
      expect(answer.sampleOf).toBe(attacks.filter(({ lon }) => lon !== null).length)
      const perSecond = groupBy(answer.sample, ({ receivedAt }) => Math.floor(receivedAt / 1000))
      expect(Math.max(...[...perSecond.values()].map((some) => some.length))).toBe(1)
      expect(await store.replay([], { apps: 'all' }, span, 'Asia/Shanghai', 1)).toEqual(answer)
    })

    test('a series with too many points is refused, not truncated', async () => {
      const span = { from: NOON - 185 * 24 * HOUR, to: NOON }
      await expect(
        store.answer({ ...EVERYTHING, span }, { kind: 'series', measures: ['events'], bucket: 'minute', and: [] }),
      ).rejects.toThrow(ProductError)
    })

    test('day buckets start at the zone`s midnight across a daylight saving change', async () => {
      const zone = 'Europe/Berlin'
      const span = { from: Date.UTC(2026, 2, 26, 23), to: Date.UTC(2026, 2, 31, 22) }
      const answer = await store.answer(
        { ...EVERYTHING, span, zone },
        { kind: 'series', measures: ['events'], bucket: 'day', and: [] },
      )
      if (answer.kind !== 'series') throw new Error(answer.kind)
      expect(answer.points.map(({ start }) => new Date(start).toISOString())).toEqual([
        '2026-03-26T23:00:00.000Z',
        '2026-03-27T23:00:00.000Z',
        '2026-03-28T23:00:00.000Z',
        '2026-03-29T22:00:00.000Z',
        '2026-03-30T22:00:00.000Z',
      ])
    })

    test('retention deletes rows by arrival time and truncates personal data', async () => {
      const own = await open()
      try {
        await own.load(events)
        const before = NOON - 10 * HOUR
        const kept = events.filter(({ receivedAt }) => receivedAt >= before)
        const cut = kept.filter(({ receivedAt }) => receivedAt < NOON)
        expect(await own.retain(before, NOON)).toEqual({ deleted: events.length - kept.length, truncated: cut.length })
        expect(await own.count(EVERYTHING)).toBe(kept.length)
        expect((await own.status()).rows).toBe(kept.length)
        for (const event of kept.slice(0, 60)) {
          const whole = eventRow(event)
          const { detail: _, ...modelled } = whole.extra
          const short = { '': '', '203.0.113.7': '203.0.113.0/24', '2001:db8:1:2::3': '2001:db8:1::/48' }[event.address]
          const expected = event.receivedAt < NOON ? { ...whole, address: short, extra: modelled } : whole
          expect(await own.event(event.app, event.id)).toEqual(expected)
        }
        expect(await own.retain(before, NOON)).toEqual({ deleted: 0, truncated: 0 })
      } finally {
        await own.close()
      }
    })
  })
}

function byNewest(time: 'receivedAt' | 'occurredAt') {
  return (a: StoredEvent, b: StoredEvent) => b[time] - a[time] || (a.id < b.id ? 1 : -1)
}

/** Adds up the additive measures. */
function sum(rows: readonly Measures[]): Measures {
  return Object.fromEntries(
    ADDITIVE.map((measure) => [measure, rows.reduce((all, row) => all + (row[measure] ?? 0), 0)]),
  )
}
