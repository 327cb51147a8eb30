import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MinuteBar } from '#contracts/live/messages.ts'
import { peaksOf, projectionOf, usualLimit } from './time-limits.ts'

const MINUTE = 60_000
const bars = (...totals: number[]): MinuteBar[] => totals.map((total, i) => [i * MINUTE, 0, 0, total, 0, 0])

test('[OBS-01] the limit of the time line lies above what is usual, whatever one burst does', () => {
  const quiet = Array.from({ length: 58 }, (_, i) => 60 + (i % 5))
  const limit = usualLimit(bars(...quiet)) as number
  expect(limit).toBeGreaterThan(Math.max(...quiet))
  expect(limit).toBeLessThan(120)
  // The burst itself does not lift the line over its own head.
  expect(usualLimit(bars(...quiet, 700, 800))).toBeLessThan(120)
})

test('[OBS-01] too few bars have no limit, and a quiet hour none that a handful of attacks breaks', () => {
  expect(usualLimit(bars(5, 9, 3))).toBeNull()
  expect(usualLimit(bars(...Array(40).fill(0)))).toBeNull()
  expect(usualLimit(bars(...Array(20).fill(1)))).toBe(10)
})

test('[OBS-01] each run above the limit is named once, at its highest bar; of two that touch, the higher', () => {
  expect(peaksOf(bars(1, 12, 30, 11, 1, 1, 1, 1, 20), 10)).toEqual([
    { index: 2, total: 30 },
    { index: 8, total: 20 },
  ])
  expect(peaksOf(bars(30, 1, 40, 1, 1), 10)).toEqual([{ index: 2, total: 40 }])
  expect(peaksOf(bars(30, 40), null)).toEqual([])
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 80 }), fc.nat(40), (totals, limit) => {
      const peaks = peaksOf(bars(...totals), limit)
      for (const { index, total } of peaks) {
        expect(total).toBe(totals[index])
        expect(total).toBeGreaterThan(limit)
      }
      for (const [i, peak] of peaks.entries())
        if (i > 0) expect(peak.index - (peaks[i - 1]?.index ?? 0)).toBeGreaterThanOrEqual(4)
    }),
  )
})

test('[OBS-01] the running minute is projected from a fifth of it on, and never once it is over', () => {
  const bar: MinuteBar = [0, 0, 0, 20, 0, 0]
  expect(projectionOf(bar, MINUTE, 6000)).toBeNull()
  expect(projectionOf(bar, MINUTE, 30_000)).toBe(40)
  expect(projectionOf(bar, MINUTE, 60_000)).toBeNull()
})
