import { describe, expect, test } from 'vitest'
import type { PositionRange, StreamFrame, WallFrame, WallSnapshot } from '#contracts/live/messages.ts'
import type { Missed } from './connection-store.ts'
import { createPositionCheck } from './position-check.ts'
import { createTopicChannel, type TopicMessage } from './topic-channel.ts'
import { emptyView } from './wall-view.ts'

const range = (journal: string, from: number, to: number): PositionRange => ({ journal, from, to })
const NOON = 1_800_000_000_000

function wallMessage(
  type: 'frame' | 'snapshot',
  positions: PositionRange[],
  attacksToday: number,
  at = NOON,
): WallFrame | WallSnapshot {
  const { counters, tops } = emptyView('live', at)
  const common = {
    topic: 't',
    sequence: 1,
    positions,
    at,
    counters: { ...counters, attacksToday },
    minutes: [],
    noPlace: 0,
    arcs: [],
    arcsOf: 0,
    feed: [],
  }
  return type === 'frame'
    ? { type, ...common }
    : { type, ...common, tops, provinces: [], cities: [], countries: [], hour: [], day: [] }
}

describe('positions of several journals', () => {
  test('[RT-01] go on without a gap in each; a journal that joins begins anywhere', () => {
    const check = createPositionCheck()
    check.restart([range('a', 0, 10), range('b', 0, 5)])
    expect(check.follows([range('a', 10, 20), range('b', 5, 5)])).toBe(true)
    expect(check.follows([range('b', 5, 9)])).toBe(true)
    expect(check.follows([range('a', 20, 30), range('c', 700, 800)])).toBe(true)
    expect(check.follows([range('a', 30, 40), range('c', 801, 900)])).toBe(false)
    expect(check.follows([range('a', 29, 40)])).toBe(false)
    check.restart([range('a', 50, 50)])
    expect(check.follows([range('a', 50, 60)])).toBe(true)
  })
})

describe('[OBS-01] a topic of the connection', () => {
  function channel() {
    const clock = { at: 0 }
    const asked: string[] = []
    const missed: Missed[] = []
    const got: TopicMessage[] = []
    const one = createTopicChannel(
      { kind: 'wall', filters: [] },
      { now: () => clock.at, requestSnapshot: (id) => asked.push(id), onMissed: (what) => missed.push(what) },
    )
    one.handlers.add({ onMessage: (message) => got.push(message) })
    one.answered({ topic: 't', mode: 'frames' })
    return { one, clock, asked, missed, got }
  }

  test('nothing is shown before the snapshot; a gap requests a new one and reports what was missed', () => {
    const { one, asked, missed, got } = channel()
    one.receive(wallMessage('frame', [range('a', 0, 5)], 1))
    expect(got).toEqual([])
    one.receive(wallMessage('snapshot', [range('a', 5, 5)], 10))
    one.receive(wallMessage('frame', [range('a', 5, 8)], 12))
    expect(got).toHaveLength(2)
    one.receive(wallMessage('frame', [range('a', 9, 12)], 15, NOON + 2000))
    expect(got).toHaveLength(2)
    expect(asked).toEqual(['t'])
    one.receive(wallMessage('frame', [range('a', 12, 15)], 16, NOON + 2200))
    expect(asked).toEqual(['t'])
    one.receive(wallMessage('snapshot', [range('a', 15, 15)], 17, NOON + 2400))
    expect(missed).toEqual([{ from: NOON, to: NOON + 2400, attacks: 5 }])
    one.receive(wallMessage('frame', [range('a', 15, 16)], 18))
    expect(got.map((message) => message.type)).toEqual(['snapshot', 'frame', 'snapshot', 'frame'])
  })

  test('a snapshot that does not come is asked for again', () => {
    const { one, clock, asked } = channel()
    one.watch()
    expect(asked).toEqual([])
    clock.at = 6000
    one.watch()
    one.watch()
    expect(asked).toEqual(['t'])
  })

  test('a snapshot without a gap before it misses nothing; over midnight the count is unknown', () => {
    const { one, missed } = channel()
    one.receive(wallMessage('snapshot', [range('a', 5, 5)], 10))
    one.receive(wallMessage('snapshot', [range('a', 9, 9)], 30, NOON + 9000))
    expect(missed).toEqual([])
    one.lost()
    one.receive(wallMessage('snapshot', [range('a', 20, 20)], 4, NOON + 20_000))
    expect(missed).toEqual([{ from: NOON + 9000, to: NOON + 20_000, attacks: null }])
  })

  test('a stream restarts with its newest rows', () => {
    const { one, got, asked } = channel()
    const frame = (from: number, to: number): StreamFrame => ({
      type: 'stream',
      topic: 't',
      sequence: 1,
      positions: [range('a', from, to)],
      at: NOON,
      rows: [],
      rowsOf: 0,
      minuteCount: 0,
    })
    one.receive(frame(5, 5))
    one.receive(frame(5, 9))
    one.receive(frame(10, 12))
    expect(asked).toEqual(['t'])
    one.receive(frame(12, 12))
    one.receive(frame(12, 13))
    expect(got).toHaveLength(4)
  })
})
