import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARC_SAMPLE, type TopList, type WallFrame, type WallSnapshot } from '#contracts/live/messages.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import { startOfDay } from '#domain/time-range.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import type { WallSeed } from '#storage/events/port.ts'
import type { PositionedEntry } from '#storage/journal/port.ts'
import { arbitraryEvent, hashKey, type MemoryJournal, madeEvent, memoryJournal } from '#tests/support/made-events.ts'
import { type Aggregator, createAggregator, type ScopedTopic } from './aggregator.ts'
import { createEntryDecoder, type DecodedEntry } from './decoded-entry.ts'

const ZONE = 'Asia/Shanghai'
const NOON = Date.UTC(2026, 5, 1, 4)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WALL: ScopedTopic = { kind: 'wall', filters: [], scope: { apps: 'all' }, personal: false, id: 't' }

function seededRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
type Clock = { at: number }
function wall(clock: Clock, topic = WALL): Aggregator {
  return createAggregator(topic, {
    now: () => clock.at,
    random: seededRandom(),
    zone: ZONE,
  })
}
/** Feeds everything the journal holds, as the follower does. */
async function feedAll(aggregator: Aggregator, journal: MemoryJournal, clock: Clock, kept?: number): Promise<void> {
  const decode = createEntryDecoder(journal, kept)
  for (const placed of journal.entries()) aggregator.apply(await decode(placed, clock.at))
}
/** A batch as the follower hands it on. */
function decodeEntry(journal: string, placed: PositionedEntry, durableAt: number): DecodedEntry {
  return createEntryDecoder(memoryJournal(journal))(placed, durableAt) as DecodedEntry
}
const snapshotOf = (aggregator: Aggregator) => {
  aggregator.frame()
  return aggregator.snapshot() as WallSnapshot
}

/** What the store would answer for these events at `now`: the plainest possible count. */
function naiveSeed(events: readonly StoredEvent[], now: number, positions = {}): WallSeed {
  const today = startOfDay(now, ZONE)
  const yesterday = startOfDay(today - 1, ZONE)
  const day = events.filter((e) => e.receivedAt >= today)
  const attacks = day.filter((e) => e.type === 2)
  const live = (e: StoredEvent) => (e.flags & EVENT_FLAGS.imported) === 0
  const count = (key: (row: ReturnType<typeof eventRow>) => string) => {
    const counts = new Map<string, number>()
    for (const e of attacks) counts.set(key(eventRow(e)), (counts.get(key(eventRow(e))) ?? 0) + 1)
    return [...counts]
  }
  const minutes = new Map<number, [number, number, number, number, number, number]>()
  for (const e of events.filter((e) => e.type === 2 && e.receivedAt > now - 24 * HOUR)) {
    const start = Math.floor(e.receivedAt / MINUTE) * MINUTE
    const bar = minutes.get(start) ?? [start, 0, 0, 0, 0, 0]
    bar[6 - e.level] = (bar[6 - e.level] as number) + 1
    minutes.set(start, bar)
  }
  const online = new Map<string, number>()
  for (const e of events.filter(live))
    if (e.receivedAt > now - 5 * MINUTE) online.set(e.device, Math.max(e.receivedAt, online.get(e.device) ?? 0))
  return {
    positions,
    eventsToday: day.length,
    attacksToday: attacks.length,
    blockedToday: attacks.filter((e) => e.action >= 3).length,
    attacksYesterday: events.filter((e) => e.type === 2 && e.receivedAt >= yesterday && e.receivedAt < now - 24 * HOUR)
      .length,
    levels: Object.fromEntries(
      Object.entries(LEVELS).map(([key, { code }]) => [key, attacks.filter((e) => e.level === code).length]),
    ) as WallSeed['levels'],
    noPlace: attacks.filter((e) => e.placeSource === 0).length,
    counts: {
      risk: count((row) => row.risk),
      province: count((row) => row.province),
      city: count((row) => row.city),
      country: count((row) => row.country),
      app: count((row) => row.app),
      device: count((row) => row.device),
      version: count((row) => row.version),
      site: count((row) => row.site || '0'),
    },
    attackedUsers: [...new Set(attacks.flatMap((e) => (e.user ? [e.user] : [])))],
    online: [...online],
    minutes: [...minutes.values()].sort((x, y) => x[0] - y[0]),
    feed: events
      .filter((e) => live(e) && e.type === 2)
      .slice(-20)
      .reverse()
      .map(eventRow),
  }
}
function naiveTop(counts: [string, number][]): TopList {
  const sorted = counts.toSorted((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1))
  return {
    rows: sorted.slice(0, 8),
    groupCount: counts.length,
    others: sorted.slice(8).reduce((sum, row) => sum + row[1], 0),
  }
}
const sorted = (rows: readonly (readonly [string | number, ...number[]])[]) =>
  [...rows].sort((x, y) => (x[0] < y[0] ? -1 : 1))

/** Compares a snapshot with the plain count of the events that were accepted. */
function expectCounts(snapshot: WallSnapshot, events: readonly StoredEvent[], now: number): void {
  const want = naiveSeed(events, now)
  const { counters } = snapshot
  expect(counters).toMatchObject({
    eventsToday: want.eventsToday,
    attacksToday: want.attacksToday,
    blockedToday: want.blockedToday,
    levels: want.levels,
    attackedUsers: want.attackedUsers.length,
    onlineDevices: want.online.length,
    attacksYesterday: want.attacksYesterday,
  })
  expect(counters.since).toBeUndefined()
  expect(snapshot.noPlace).toBe(want.noPlace)
  const known = (rows: [string, number][]) => rows.filter(([key]) => key !== '')
  for (const by of ['province', 'city', 'country'] as const)
    expect(snapshot.tops[by]).toEqual(naiveTop(known(want.counts[by])))
  for (const by of ['risk', 'app', 'device', 'version', 'site'] as const)
    expect(snapshot.tops[by]).toEqual(naiveTop(want.counts[by]))
  expect(sorted(snapshot.provinces)).toEqual(sorted(known(want.counts.province)))
  expect(sorted(snapshot.cities)).toEqual(sorted(known(want.counts.city)))
  expect(sorted(snapshot.countries)).toEqual(sorted(known(want.counts.country)))
  const from = Math.floor(now / MINUTE) * MINUTE - 59 * MINUTE
  expect(snapshot.hour).toEqual(want.minutes.filter(([start]) => start >= from))
}

describe('[OBS-01] frames of a wall', () => {
  test('counters, lists and bars equal a naive count for any mix of imported, pending, repeated, re-read and seeded events', async () => {
    const event = arbitraryEvent(NOON - 20 * HOUR, NOON - MINUTE)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(event, { maxLength: 12 }), { maxLength: 8 }),
        fc.nat(),
        fc.infiniteStream(fc.nat(2)),
        fc.constantFrom(0, 15, 1000),
        async (batches, split, fates, kept) => {
          const clock = { at: NOON }
          const journal = memoryJournal()
          const counted: StoredEvent[] = []
          const seededUpTo = batches.length ? split % (batches.length + 1) : 0
          const waiting: {
            position: number
            accepted: number[]
            duplicates: number[]
            quarantined: { index: number; reason: 'too_old' }[]
          }[] = []
          let seed = naiveSeed([], NOON, { [journal.name]: 0 })
          const decide = () => {
            for (const decision of waiting.splice(0)) {
              journal.append({ kind: 'verdicts', at: NOON, ...decision })
              // A restarted store repeats its pending decisions.
              journal.append({ kind: 'verdicts', at: NOON, ...decision })
            }
          }
          for (const [number, events] of batches.entries()) {
            if (number === seededUpTo) seed = naiveSeed(counted, NOON, { [journal.name]: journal.durable() })
            const { position } = journal.appendEvents(events, NOON)
            const decision = {
              position,
              accepted: [] as number[],
              duplicates: [] as number[],
              quarantined: [] as { index: number; reason: 'too_old' }[],
            }
            for (const [index, one] of events.entries()) {
              if ((one.flags & EVENT_FLAGS.pending) === 0) counted.push(one)
              else {
                const fate = fates.next().value as number
                if (fate === 0) {
                  decision.accepted.push(index)
                  counted.push(one)
                } else if (fate === 1) decision.duplicates.push(index)
                else decision.quarantined.push({ index, reason: 'too_old' })
              }
            }
            waiting.push(decision)
            // The store's position covers the events of its decisions, and its decisions reach the journal after that position.
            if (number % 3 === 2) decide()
          }
          if (seededUpTo >= batches.length) seed = naiveSeed(counted, NOON, { [journal.name]: journal.durable() })
          decide()
          const aggregator = wall(clock)
          aggregator.seed(seed, NOON)
          await feedAll(aggregator, journal, clock, kept)
          await feedAll(aggregator, journal, clock, kept)
          expect(aggregator.broken()).toBe(false)
          expectCounts(snapshotOf(aggregator), counted, NOON)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('only what passes filters and scope is counted', async () => {
    const clock = { at: NOON }
    const journal = memoryJournal()
    const events = fc.sample(arbitraryEvent(NOON - HOUR, NOON - 1), 300).map((e) => ({ ...e, flags: 0 }))
    journal.appendEvents(events, NOON)
    const topic: ScopedTopic = {
      ...WALL,
      filters: [{ field: 'level', op: 'is', values: ['high', 'critical'] }],
      scope: { apps: [1, 2] },
    }
    const aggregator = wall(clock, topic)
    aggregator.seed(naiveSeed([], NOON, { j1: 0 }), NOON)
    await feedAll(aggregator, journal, clock)
    expectCounts(
      snapshotOf(aggregator),
      events.filter((e) => e.level >= 4 && e.app <= 2),
      NOON,
    )
  })

  test("at midnight today's counters reset, yesterday's count grows minute by minute and the time line continues", () => {
    const midnight = startOfDay(NOON, ZONE) + 24 * HOUR
    const clock = { at: midnight - 10 * MINUTE }
    const all: StoredEvent[] = []
    const aggregator = wall(clock)
    const journal = memoryJournal()
    for (let i = 1; i <= 600; i++)
      all.push(madeEvent({ receivedAt: midnight - 10 * MINUTE - i * 140_000, device: hashKey(i % 7) }))
    aggregator.seed(naiveSeed(all, clock.at, { j1: 0 }), clock.at)
    for (let minute = -10; minute < 90; minute++) {
      clock.at = midnight + minute * MINUTE + 30_000
      const event = madeEvent({ receivedAt: clock.at, device: hashKey(minute + 50) })
      all.push(event)
      aggregator.apply(decodeEntry('j1', journal.appendEvents([event], clock.at), clock.at))
      clock.at = midnight + (minute + 1) * MINUTE
      const snapshot = snapshotOf(aggregator)
      // Whole minutes: at the full minute the window of yesterday ends with it.
      expectCounts(snapshot, all, clock.at)
    }
    expect(snapshotOf(aggregator).counters.attacksToday).toBe(90)
  })

  test('an event of a day that has not begun by our clock waits for it', async () => {
    const midnight = startOfDay(NOON, ZONE) + 24 * HOUR
    const clock = { at: midnight - 500 }
    const aggregator = wall(clock)
    aggregator.seed(naiveSeed([], clock.at, { j1: 0 }), clock.at)
    const journal = memoryJournal()
    journal.appendEvents([madeEvent({ receivedAt: midnight + 200 })], clock.at)
    await feedAll(aggregator, journal, clock)
    expect(snapshotOf(aggregator).counters.attacksToday).toBe(0)
    clock.at = midnight + 300
    expect(snapshotOf(aggregator).counters.attacksToday).toBe(1)
  })

  test('devices leave after five minutes, seconds move on', () => {
    const clock = { at: NOON }
    const aggregator = wall(clock)
    aggregator.seed(naiveSeed([], NOON, { j1: 0 }), NOON)
    const journal = memoryJournal()
    for (let i = 0; i < 40; i++) {
      clock.at = NOON + i * 10_000
      aggregator.apply(
        decodeEntry(
          'j1',
          journal.appendEvents([madeEvent({ receivedAt: clock.at, device: hashKey(i) })], clock.at),
          clock.at,
        ),
      )
    }
    const { counters } = snapshotOf(aggregator)
    expect(counters.onlineDevices).toBe(31)
    expect(counters.seconds).toHaveLength(60)
    expect(counters.seconds.reduce((sum, n) => sum + n)).toBe(6)
    expect(counters.seconds[59]).toBe(1)
    clock.at += 301_000
    expect(snapshotOf(aggregator).counters).toMatchObject({ onlineDevices: 0, seconds: Array(60).fill(0) })
  })

  test('draws a bounded fair sample, feeds the newest lines, never an import', async () => {
    const clock = { at: NOON }
    const aggregator = wall(clock)
    aggregator.startAt({ j1: 0 })
    const journal = memoryJournal()
    const drawn = Array.from({ length: 500 }, () => madeEvent({ receivedAt: NOON, extra: '{"session_id":"s"}' }))
    const imported = Array.from({ length: 50 }, () => madeEvent({ receivedAt: NOON, flags: EVENT_FLAGS.imported }))
    const nowhere = madeEvent({ receivedAt: NOON, lon: null, lat: null, placeSource: 0 })
    journal.appendEvents([...drawn, ...imported, nowhere], NOON)
    await feedAll(aggregator, journal, clock)
    const frame = aggregator.frame() as WallFrame
    expect(frame.arcs).toHaveLength(ARC_SAMPLE)
    expect(frame.arcsOf).toBe(500)
    expect(new Set(frame.arcs.map((arc) => arc[0])).size).toBe(ARC_SAMPLE)
    expect(frame.arcs.some((arc) => Number(arc[0].slice(-12)) > Number(drawn[250]?.id.slice(-12)))).toBe(true)
    expect(frame.feed.map((row) => row.id)).toEqual([nowhere, ...drawn.slice(-19).reverse()].map((e) => e.id))
    expect(frame.feed.every((row) => row.address === '' && Object.keys(row.extra).length === 0)).toBe(true)
    expect(frame.counters.attacksToday).toBe(551)
    expect(frame.noPlace).toBe(1)
    expect(frame.minutes).toEqual([[NOON, 0, 551, 0, 0, 0]])
    const next = aggregator.frame() as WallFrame
    expect(next).toMatchObject({ arcs: [], arcsOf: 0, feed: [], minutes: [], sequence: 2 })
    const snapshot = aggregator.snapshot() as WallSnapshot
    expect(snapshot.arcs).toHaveLength(260)
    expect(snapshot.arcsOf).toBe(500)
    expect(snapshot.feed).toHaveLength(20)
  })

  test('frames cover the journal without a gap, over two journals, and stamp their hops', () => {
    const clock = { at: NOON }
    const aggregator = wall(clock)
    const [one, two] = [memoryJournal('one'), memoryJournal('two')]
    aggregator.startAt({ one: 0, two: 0 })
    const ends: Record<string, number> = { one: 0, two: 0 }
    for (let i = 0; i < 6; i++) {
      const journal = i % 2 ? one : two
      aggregator.apply(
        decodeEntry(journal.name, journal.appendEvents([madeEvent({ receivedAt: NOON - 5 })], NOON), NOON - 2),
      )
      const frame = aggregator.frame() as WallFrame
      expect(frame.positions.map((p) => p.journal).sort()).toEqual(['one', 'two'])
      for (const { journal: name, from, to } of frame.positions) {
        expect(from).toBe(ends[name])
        ends[name] = to
      }
      expect(frame.hops).toEqual({ received: NOON - 5, durable: NOON - 2, framed: NOON })
    }
    expect(ends).toEqual({ one: one.durable(), two: two.durable() })
    const snapshot = aggregator.snapshot() as WallSnapshot
    expect(snapshot.positions).toEqual(expect.arrayContaining([{ journal: 'one', from: ends['one'], to: ends['one'] }]))
  })

  test('without the store unknown tiles are empty and the counters say since when', () => {
    const clock = { at: NOON }
    const aggregator = wall(clock)
    aggregator.startAt({ j1: 0 })
    const { counters } = snapshotOf(aggregator)
    expect(counters).toMatchObject({ onlineDevices: null, attackedUsers: null, attacksYesterday: null, since: NOON })
    clock.at = startOfDay(NOON, ZONE) + 24 * HOUR
    expect(snapshotOf(aggregator).counters.since).toBeUndefined()
  })

  test('a missing entry or batch asks for a new seed', async () => {
    const clock = { at: NOON }
    const journal = memoryJournal()
    const placed = [1, 2, 3].map(() => journal.appendEvents([madeEvent()], NOON))
    const gap = wall(clock)
    gap.startAt({ j1: 0 })
    gap.apply(decodeEntry('j1', placed[0]!, NOON))
    expect(gap.broken()).toBe(false)
    gap.apply(decodeEntry('j1', placed[2]!, NOON))
    expect(gap.broken()).toBe(true)

    // A batch that is gone from the journal before its decision is read.
    const gone = wall(clock)
    gone.startAt({ j1: 0 })
    const short = memoryJournal()
    const { position } = short.appendEvents([madeEvent({ flags: EVENT_FLAGS.pending })], NOON)
    const decision = short.append({
      kind: 'verdicts',
      at: NOON,
      position,
      accepted: [0],
      duplicates: [],
      quarantined: [],
    })
    const lost = memoryJournal()
    gone.apply(decodeEntry('j1', short.entries()[0]!, NOON))
    lost.append({ kind: 'verdicts', at: NOON, position: 0, accepted: [], duplicates: [], quarantined: [] })
    gone.apply(await createEntryDecoder(lost)(decision, NOON))
    expect(gone.broken()).toBe(true)
  })
})

describe('a wall whose clock is moved', () => {
  test('online devices are those of the last minutes again once it is seeded, also where the store has later ones', () => {
    const clock = { at: NOON - HOUR }
    const aggregator = wall(clock)
    const before = madeEvent({ receivedAt: NOON, device: hashKey(1) })
    aggregator.seed(naiveSeed([before], clock.at), clock.at)
    const journal = memoryJournal('j1')
    const event = madeEvent({ receivedAt: clock.at, device: hashKey(2) })
    journal.append({ kind: 'batch', at: clock.at, events: [toTuple(event)] })
    aggregator.apply(decodeEntry('j1', journal.entries()[0] as PositionedEntry, clock.at))
    expect(snapshotOf(aggregator).counters.onlineDevices).toBe(2)
    clock.at += 6 * MINUTE
    expect(snapshotOf(aggregator).counters.onlineDevices).toBe(0)
  })

  test.each([
    ['set back by an hour', -HOUR, true],
    ['set forward by an hour', HOUR, true],
    ['corrected by two seconds', -2000, false],
  ])('a wall whose clock is %s gets a new snapshot only if its frames broke', async (_, by, isBroken) => {
    const clock = { at: NOON }
    const aggregator = wall(clock)
    aggregator.seed(naiveSeed([], NOON), NOON)
    aggregator.frame()
    clock.at += by
    aggregator.frame()
    expect(aggregator.broken()).toBe(isBroken)
  })
})
