import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onTick, untilTick } from './half-second-tick.ts'

const NOON = Date.UTC(2026, 5, 1, 4)

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
})

test('the next tick is the next half second; a tick that has just fired does not fire again', () => {
  expect(untilTick(NOON)).toBe(500)
  expect(untilTick(NOON + 120)).toBe(380)
  expect(untilTick(NOON + 499)).toBe(501)
})

test('[OBS-01] all listeners of one clock are called at the same moment, whenever they subscribed', () => {
  const calls: [who: string, at: number, real: number][] = []
  // The server's clock is 1,230 ms ahead of ours.
  const server = () => Date.now() + 1230
  const stops = [onTick(server, (at) => calls.push(['a', at, Date.now()]))]
  vi.advanceTimersByTime(140)
  stops.push(onTick(server, (at) => calls.push(['b', at, Date.now()])))
  vi.advanceTimersByTime(900)
  for (const stop of stops) stop()
  vi.advanceTimersByTime(2000)
  expect(calls).toEqual([
    ['a', NOON + 1500, NOON + 270],
    ['b', NOON + 1500, NOON + 270],
    ['a', NOON + 2000, NOON + 770],
    ['b', NOON + 2000, NOON + 770],
  ])
})
