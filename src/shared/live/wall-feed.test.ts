import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ArcTuple, MinuteBar, WallFrame, WallSnapshot } from '#contracts/live/messages.ts'
import type { EventRow } from '#domain/query.ts'
import { createConnectionStore } from './connection-store.ts'
import { createMinuteCounts } from './minute-counts.ts'
import type { TopicHandlers } from './topic-channel.ts'
import { createWallFeed } from './wall-feed.ts'
import { ARCS_KEPT, emptyView, FEED_KEPT } from './wall-view.ts'

const NOON = Date.UTC(2026, 5, 1, 4)
const MINUTE = 60_000
const arc = (id: string, at = NOON): ArcTuple => [id, 120, 30, 0, 4, 1, at]
const row = (id: string, receivedAt = NOON) => ({ id, receivedAt, type: 'risk', level: 'high' }) as EventRow

function frame(change: Partial<WallFrame> = {}, attacks = 0): WallFrame {
  const { counters } = emptyView('live', NOON)
  return {
    type: 'frame',
    topic: 't',
    sequence: 1,
    positions: [],
    at: NOON,
    counters: { ...counters, attacksToday: attacks, levels: { ...counters.levels, high: attacks } },
    minutes: [],
    noPlace: 0,
    arcs: [],
    arcsOf: 0,
    feed: [],
    ...change,
  }
}
function snapshot(change: Partial<WallSnapshot> = {}, attacks = 0): WallSnapshot {
  const { tops } = emptyView('live', NOON)
  return {
    ...frame({}, attacks),
    type: 'snapshot',
    tops,
    provinces: [],
    cities: [],
    countries: [],
    hour: [],
    day: [],
    ...change,
  }
}
/** The place of the connection: the test is the server. */
function wall() {
  const handlers = new Set<TopicHandlers>()
  const asked = { snapshots: 0 }
  const feed = createWallFeed(
    {
      state: createConnectionStore(),
      subscribe(_topic, handler) {
        handlers.add(handler)
        return () => handlers.delete(handler)
      },
      resync: () => asked.snapshots++,
    },
    [],
    { random: () => 0.5 },
  )
  feed.open()
  const send = (message: WallFrame | WallSnapshot) => {
    for (const handler of handlers) handler.onMessage(message)
  }
  return { feed, send, asked, handlers }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('[OBS-01] the live wall in the browser', () => {
  test('arcs are emitted at once, aggregates at most twice a second', () => {
    const { feed, send } = wall()
    let notified = 0
    const drawn: string[] = []
    feed.subscribe(() => notified++)
    feed.onArcs((arcs) => drawn.push(...arcs.map((one) => one[0])))
    send(snapshot({}, 5))
    for (let i = 0; i < 40; i++) {
      send(frame({ arcs: [arc(`a${i}`)], arcsOf: 1 }, 6 + i))
      vi.advanceTimersByTime(50)
      expect(drawn).toHaveLength(i + 1)
    }
    vi.advanceTimersByTime(500)
    expect(notified).toBeLessThanOrEqual(6)
    expect(notified).toBeGreaterThanOrEqual(4)
    expect(feed.view().counters.attacksToday).toBe(45)
  })

  test('the buffers are bounded, lines come once', () => {
    const { feed, send } = wall()
    send(snapshot({ feed: [row('s')], arcs: [arc('s')], arcsOf: 900 }))
    for (let i = 0; i < 700; i++) send(frame({ arcs: [arc(`a${i}`)], arcsOf: 3, feed: [row(`r${i}`)] }))
    send(snapshot({ feed: [row('r699'), row('r698')], arcs: [arc('s')], arcsOf: 900 }))
    vi.advanceTimersByTime(500)
    const { feed: lines, sample, drawn } = feed.view()
    expect(lines).toHaveLength(FEED_KEPT)
    expect(lines.slice(0, 2).map(({ id }) => id)).toEqual(['r699', 'r698'])
    expect(feed.liveArcs()).toHaveLength(ARCS_KEPT)
    expect(sample).toEqual({ n: 1, of: 900 })
    expect(drawn).toEqual({ n: 700, of: 2100 })
  })

  test('a paused feed keeps its view and counts new attacks by level; catching up plays them, a jump skips them', () => {
    const { feed, send } = wall()
    send(snapshot({}, 10))
    vi.advanceTimersByTime(500)
    const drawn: string[] = []
    feed.onArcs((arcs) => drawn.push(...arcs.map((one) => one[0])))
    feed.pause()
    for (let i = 1; i <= 20; i++) send(frame({ arcs: [arc(`a${i}`)], arcsOf: 1, feed: [row(`r${i}`)] }, 10 + i))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({ mode: 'paused', counters: { attacksToday: 10 }, feed: [] })
    expect(feed.view().paused).toMatchObject({ attacks: 20, counts: { high: 20, critical: 0 }, overflow: false })
    expect(drawn).toEqual([])
    feed.resume('catch-up')
    expect(feed.view().mode).toBe('catching-up')
    vi.advanceTimersByTime(10 * 25)
    expect(drawn).toHaveLength(10)
    send(frame({ arcs: [arc('late')], arcsOf: 1 }, 31))
    vi.advanceTimersByTime(2000)
    expect(drawn).toHaveLength(21)
    expect(drawn.at(-1)).toBe('late')
    expect(feed.view()).toMatchObject({ mode: 'live', counters: { attacksToday: 31 }, paused: null })

    feed.pause()
    for (let i = 0; i < 5; i++) send(frame({ arcs: [arc(`b${i}`)], arcsOf: 1, feed: [row(`b${i}`)] }, 32 + i))
    feed.resume('jump')
    expect(feed.view()).toMatchObject({ mode: 'live', counters: { attacksToday: 36 } })
    expect(feed.view().feed[0]?.id).toBe('b4')
    expect(drawn).toHaveLength(21)
  })

  test('a pause over midnight and beyond the buffer still counts right, and leaves the jump alone', () => {
    const { feed, send, asked } = wall()
    send(snapshot({}, 100))
    vi.advanceTimersByTime(500)
    feed.pause()
    send(frame({}, 110))
    send(frame({}, 3))
    for (let i = 0; i < 1300; i++) send(frame({}, 3 + i))
    vi.advanceTimersByTime(500)
    expect(feed.view().paused).toMatchObject({ attacks: 10 + 3 + 1299, overflow: true })
    feed.resume('catch-up')
    expect(feed.view()).toMatchObject({ mode: 'live', counters: { attacksToday: 1302 } })
    expect(asked.snapshots).toBe(1)
  })

  test('closed it leaves the topic, opened again it comes back', () => {
    const { feed, send, handlers } = wall()
    send(snapshot({}, 1))
    feed.close()
    expect(handlers.size).toBe(0)
    feed.open()
    send(snapshot({}, 2))
    vi.advanceTimersByTime(500)
    expect(feed.view().counters.attacksToday).toBe(2)
  })
})

describe('[OBS-01] totals of the wall while the store has not answered', () => {
  const partial = (attacks: number) => {
    const { counters } = frame({}, attacks)
    return { counters: { ...counters, since: NOON - 90_000 } }
  }

  test('numbers that hold only what arrived since the start are no totals; the bars before are not known', () => {
    const { feed, send } = wall()
    send(snapshot(partial(21)))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({ ready: true, totals: { kind: 'awaited' }, counters: { attacksToday: 0 } })
    expect(feed.view().barsFrom).toBe(NOON - MINUTE)
    send(snapshot({}, 38_407))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({ totals: { kind: 'whole' }, barsFrom: 0, counters: { attacksToday: 38_407 } })
  })

  test('counters of a whole day wait for lists of a whole day', () => {
    const { feed, send } = wall()
    send(snapshot(partial(21)))
    send(frame({}, 5000))
    vi.advanceTimersByTime(500)
    expect(feed.view().totals.kind).toBe('awaited')
    send(frame({ tops: emptyView('live', NOON).tops }, 5001))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({ totals: { kind: 'whole' }, counters: { attacksToday: 5001 } })
  })

  test('after a lost store the last whole numbers stand, as of their time', () => {
    const { feed, send } = wall()
    send(snapshot({}, 900))
    send(snapshot({ ...partial(4), at: NOON + 30_000 }))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({ totals: { kind: 'remembered', at: NOON }, counters: { attacksToday: 900 } })
  })

  test('a pause before the store has answered keeps no partial number: the first whole one is shown', () => {
    const { feed, send } = wall()
    send(snapshot(partial(8)))
    feed.pause()
    send(frame(partial(12)))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({ mode: 'paused', totals: { kind: 'awaited' }, counters: { attacksToday: 0 } })
    send(snapshot({ at: NOON + 5000 }, 3000))
    send(frame({ at: NOON + 6000 }, 3004))
    vi.advanceTimersByTime(500)
    expect(feed.view()).toMatchObject({
      mode: 'paused',
      at: NOON + 5000,
      totals: { kind: 'whole' },
      counters: { attacksToday: 3000 },
      paused: { attacks: 4 },
    })
  })
})

describe('[OBS-01] the time line', () => {
  const bar = (start: number, high: number): MinuteBar => [start, 0, high, 0, 0, 0]
  const sum = (bars: MinuteBar[]) => bars.reduce((all, one) => all + one[2], 0)

  test('absolute bars replace each other and keep the ten-minute bars right', () => {
    const line = createMinuteCounts()
    line.restart([bar(NOON - 59 * MINUTE, 1), bar(NOON, 4)], [bar(NOON - 60 * MINUTE, 7), bar(NOON, 4)])
    expect(line.change([bar(NOON, 6)])).toBe(true)
    expect(line.change([bar(NOON, 6), bar(NOON - 3 * MINUTE, 2)])).toBe(true)
    expect(sum(line.hour(NOON))).toBe(9)
    expect(sum(line.day(NOON))).toBe(7 + 6 + 2)
    expect(line.hour(NOON)).toHaveLength(60)
    expect(line.day(NOON)).toHaveLength(144)
    expect(sum(line.hour(NOON + 2 * MINUTE))).toBe(8)
  })

  test('a minute of long ago whose former count is unknown asks for a snapshot', () => {
    const line = createMinuteCounts()
    line.restart([bar(NOON, 4)], [bar(NOON - 300 * MINUTE, 9), bar(NOON, 4)])
    expect(line.change([bar(NOON - 300 * MINUTE, 3)])).toBe(false)
    expect(sum(line.day(NOON))).toBe(13)
  })
})
