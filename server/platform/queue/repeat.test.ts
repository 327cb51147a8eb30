import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { log } from '#runtime/log.ts'
import { repeat } from './repeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a round that does not end is logged once, and so is each other failure until it changes', async () => {
  const said = vi.spyOn(log, 'error').mockImplementation(() => {})
  let end = () => {}
  const rounds: (() => Promise<unknown>)[] = [
    () => new Promise<void>((done) => (end = done)),
    () => Promise.reject(new Error('away')),
    () => Promise.reject(new Error('away')),
    () => Promise.reject(new Error('full')),
  ]
  const loop = repeat('probe', 1000, () => rounds.shift()?.() ?? Promise.resolve(), 60_000)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(said).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(said.mock.calls).toEqual([['probe: a round has not ended after 60 s']])
  end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(said.mock.calls.slice(1)).toEqual([['probe: away'], ['probe: full']])
  expect(rounds).toEqual([])
  await loop.stop()
})
