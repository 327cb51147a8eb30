import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MinuteBar } from '#contracts/live/messages.ts'
import { labelEdges, labelsThatFit, peaksOf, projectionOf, usualLimit } from './time-limits.ts'

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

test('[OBS-01] each run above the limit is named once, at its highest bar', () => {
  expect(peaksOf(bars(1, 12, 30, 11, 1, 1, 1, 1, 20), 10)).toEqual([
    { index: 2, total: 30 },
    { index: 8, total: 20 },
  ])
  expect(peaksOf(bars(30, 40), null)).toEqual([])
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 80 }), fc.nat(40), (totals, limit) => {
      for (const { index, total } of peaksOf(bars(...totals), limit)) {
        expect(total).toBe(totals[index])
        expect(total).toBeGreaterThan(limit)
      }
    }),
  )
})

const label = (index: number, text: string, hasShape = false) => ({ index, text, hasShape })

test('[OBS-01] of two numbers that would overlap the first stays, at 60 bars and at 144', () => {
  const peaks = [label(10, '4,140'), label(14, '3,120'), label(30, '2,990')]
  expect(labelsThatFit(peaks, 60, 1200)).toEqual(peaks)
  // The same bars on a day of ten minutes each are closer together.
  expect(labelsThatFit(peaks, 144, 1200)).toEqual([peaks[0], peaks[2]])
  // The shape of an alert makes a number wider.
  const alerted = [label(10, '4,140', true), label(14, '3,120', true)]
  expect(labelsThatFit(alerted, 60, 1080)).toEqual(alerted.slice(0, 1))
  // Right of nine tenths a number ends at its bar, and reaches further to the left.
  const atEnd = [label(57, '≈ 1,250'), label(53, '980')]
  expect(labelsThatFit(atEnd, 60, 1200)).toEqual(atEnd.slice(0, 1))
})

test('[OBS-01] no two numbers of the time line overlap, however many bars and however narrow', () => {
  const any = fc.record({
    index: fc.nat(143),
    text: fc.nat(1e7).map((count) => count.toLocaleString('en')),
    hasShape: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(any, { maxLength: 40 }),
      fc.integer({ min: 144, max: 400 }),
      fc.nat(4000),
      (all, slots, width) => {
        const edges = labelsThatFit(all, slots, width).map((one) => labelEdges(one, slots, width))
        edges.sort(([a], [b]) => a - b)
        for (const [i, [left]] of edges.entries())
          if (i > 0) expect(left).toBeGreaterThanOrEqual(edges[i - 1]?.[1] ?? 0)
        expect(edges.length).toBe(all.length === 0 ? 0 : Math.max(1, edges.length))
      },
    ),
  )
})

test('[OBS-01] the running minute is projected from a fifth of it on, and never once it is over', () => {
  const bar: MinuteBar = [0, 0, 0, 20, 0, 0]
  expect(projectionOf(bar, MINUTE, 6000)).toBeNull()
  expect(projectionOf(bar, MINUTE, 30_000)).toBe(40)
  expect(projectionOf(bar, MINUTE, 60_000)).toBeNull()
})
