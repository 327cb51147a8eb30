import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EventRow } from '#domain/query.ts'
import { createReplay } from './replay.ts'
import type { ReplayPart } from './replay-part.ts'
import type { FetchWindow } from './replay-window.ts'

const FROM = Date.UTC(2026, 5, 1, 4)
const MINUTE = 60_000
const TO = FROM + 60 * MINUTE

/** A past hour: one attack a second with a place, one in four blocked; every tenth second one more without a place. */
const attacks = Array.from({ length: 3600 }, (_, i): EventRow[] => {
  const receivedAt = FROM + i * 1000 + 500
  const one = {
    id: `e${i}`,
    receivedAt,
    type: 'risk',
    level: 'high',
    risk: 'root',
    app: '1',
    device: `d${i % 50}`,
    user: '',
    version: '1',
    province: '330000',
    city: '',
    country: 'CN',
    site: '',
    placeSource: 'address',
    lon: 120,
    lat: 30,
  } as EventRow
  return i % 10
    ? [one]
    : [one, { ...one, id: `n${i}`, level: 'low', lon: null, lat: null, placeSource: 'none', country: '', province: '' }]
}).flat()
function answer(from: number, to: number, every = 1): ReplayPart {
  const within = attacks.filter((row) => row.receivedAt >= from && row.receivedAt < to)
  const seconds = new Map<number, ReplayPart['seconds'][number]>()
  for (const row of within) {
    const start = Math.floor(row.receivedAt / 1000) * 1000
    const second = seconds.get(start) ?? [start, 0, 0, 0, 0, 0, 0]
    second[row.level === 'high' ? 2 : 4]++
    if (start % 4000 === 0 && row.level === 'high') second[6]++
    seconds.set(start, second)
  }
  const placed = within.filter((row) => row.lon !== null)
  return {
    from,
    to,
    seconds: [...seconds.values()],
    sample: placed.filter((_, i) => i % every === 0),
    sampleOf: placed.length,
  }
}
const fetchAll: FetchWindow = async (from, to) => answer(from, to)
const settle = () => vi.advanceTimersByTimeAsync(600)

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('[OBS-01] replay of a past window', () => {
  test('counts grow with the playhead, at the chosen speed', async () => {
    const replay = createReplay(fetchAll, { from: FROM, to: TO, speed: 10 })
    replay.open()
    await vi.advanceTimersByTimeAsync(6000)
    const { at, counters, replay: state } = replay.view()
    expect(at - FROM).toBeGreaterThan(50_000)
    expect(at - FROM).toBeLessThanOrEqual(60_000)
    const passed = Math.ceil((at - FROM) / 1000)
    expect(counters.levels.high).toBe(passed)
    expect(counters.attacksToday).toBe(passed + Math.ceil(passed / 10))
    expect(counters).toMatchObject({ onlineDevices: null, attacksYesterday: null })
    expect(state).toMatchObject({ playing: true, speed: 10, loading: false, error: null, barMs: MINUTE })
    expect(state?.bars).toHaveLength(60)
    expect(state?.bars.reduce((sum, bar) => sum + bar[2] + bar[4], 0)).toBe(3960)
    replay.close()
  })

  test('while it plays each arc is emitted once, in order; while it is paused none is', async () => {
    const replay = createReplay(fetchAll, { from: FROM, to: TO, speed: 60 })
    const drawn: string[] = []
    replay.onArcs((arcs) => drawn.push(...arcs.map((arc) => arc[0])))
    replay.open()
    await vi.advanceTimersByTimeAsync(5000)
    replay.pause()
    const { length } = drawn
    expect(length).toBeGreaterThan(240)
    expect(drawn).toEqual(Array.from({ length }, (_, i) => `e${i}`))
    await vi.advanceTimersByTimeAsync(5000)
    expect(drawn).toHaveLength(length)
    expect(replay.liveArcs().length).toBe(Math.min(300, length))
    replay.close()
  })

  test('a jump shows the exact count up to there, forwards and backwards', async () => {
    const replay = createReplay(fetchAll, { from: FROM, to: TO })
    replay.open()
    replay.pause()
    for (const minutes of [45, 10, 59, 0, 60]) {
      replay.seek(FROM + minutes * MINUTE)
      await settle()
      const passed = minutes * 60
      expect(replay.view()).toMatchObject({
        at: FROM + minutes * MINUTE,
        counters: {
          attacksToday: passed + passed / 10,
          levels: { high: passed, low: passed / 10 },
          blockedToday: passed / 4,
        },
        noPlace: passed / 10,
        replay: { counted: { n: passed + passed / 10, of: passed + passed / 10 } },
      })
      if (minutes > 1) {
        expect(replay.view().tops.province.rows).toEqual([['330000', passed]])
        expect(replay.view().feed.length).toBeGreaterThan(0)
        expect(replay.view().counters.seconds.reduce((sum, n) => sum + n, 0)).toBe(66)
      }
    }
    replay.close()
  })

  test('lists counted from a sample say so; distinct users stay unknown', async () => {
    const replay = createReplay(async (from, to) => answer(from, to, 3), { from: FROM, to: TO })
    replay.open()
    replay.pause()
    replay.seek(FROM + 30 * MINUTE)
    await settle()
    const { counters, replay: state } = replay.view()
    expect(counters.attacksToday).toBe(1980)
    expect(state?.counted.of).toBe(1980)
    expect(state?.counted.n).toBeLessThan(1000)
    expect(counters.attackedUsers).toBeNull()
    replay.close()
  })

  test('ends at the end, begins again when played or looped', async () => {
    const replay = createReplay(fetchAll, { from: FROM, to: FROM + MINUTE, speed: 60 })
    replay.open()
    await vi.advanceTimersByTimeAsync(3000)
    expect(replay.view()).toMatchObject({ at: FROM + MINUTE, replay: { playing: false } })
    replay.setLoop(true)
    replay.play()
    await vi.advanceTimersByTimeAsync(1700)
    expect(replay.view().replay).toMatchObject({ playing: true, loop: true })
    expect(replay.view().at).toBeLessThan(FROM + MINUTE)
    replay.close()
  })

  test('waits at a missing part, shows the error, and continues when the part arrives', async () => {
    let broken = true
    const replay = createReplay(
      async (from, to) => {
        if (broken) throw new Error('store down')
        return answer(from, to)
      },
      { from: FROM, to: TO },
    )
    replay.open()
    await settle()
    expect(replay.view()).toMatchObject({
      at: FROM,
      ready: false,
      replay: { loading: true, error: { message: 'store down' } },
    })
    broken = false
    await vi.advanceTimersByTimeAsync(6000)
    expect(replay.view()).toMatchObject({ ready: true, replay: { loading: false, error: null } })
    expect(replay.view().at).toBeGreaterThan(FROM)
    replay.close()
  })

  test('a day is asked for in parts of an hour at most, each once, and keeps rows around the playhead alone', async () => {
    const asked: [number, number][] = []
    const replay = createReplay(
      async (from, to) => {
        asked.push([from, to])
        return answer(from, to)
      },
      { from: FROM, to: FROM + 24 * 60 * MINUTE, speed: 60 },
    )
    replay.open()
    await vi.advanceTimersByTimeAsync(3000)
    expect(asked).toHaveLength(24)
    expect(new Set(asked.map(([from]) => from)).size).toBe(24)
    expect(asked.every(([from, to]) => to - from <= 60 * MINUTE)).toBe(true)
    replay.close()
  })
})
