import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SeriesAnswer } from '#domain/query.ts'
import { autoBucket, BUCKETS } from '#domain/time-range.ts'
import { axisLabels, slotLabel } from './slot-label.ts'
import { bucketStarts, isPartial, layOut, peakSlot, spanOfSlots } from './time-series.ts'

const ZONE = 'Asia/Shanghai'
const HOUR = BUCKETS.hour
const now = Date.UTC(2026, 10, 21, 6, 32)
const span = { from: now - 24 * HOUR, to: now }
const spans = fc
  .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 60_000, max: 185 * 86_400_000 }))
  .map(([from, length]) => ({ from, to: from + length }))

test('[STAT-05] slots cover the span without gaps and every event is in one', () => {
  fc.assert(
    fc.property(spans, fc.array(fc.nat(1), { maxLength: 20 }), (one, weights) => {
      const bucket = autoBucket(one)
      const starts = bucketStarts(one, bucket, ZONE)
      expect(starts[0]).toBeLessThanOrEqual(one.from)
      expect(starts.at(-1)).toBeLessThan(one.to)
      expect((starts.at(-1) as number) + BUCKETS[bucket]).toBeGreaterThanOrEqual(one.to)
      const answer: SeriesAnswer = {
        kind: 'series',
        bucket,
        points: weights.map((n, i) => ({
          start: starts[(i * 7) % starts.length] as number,
          key: `k${i % 3}`,
          row: { attacks: n },
        })),
      }
      const series = layOut(answer, 'attacks', one, null, ZONE)
      const sum = (list: number[]) => list.reduce((a, b) => a + b, 0)
      expect(sum(series.totals)).toBe(sum(weights))
      expect(sum([...series.stacks.values()].map(sum))).toBe(sum(weights))
    }),
    { numRuns: 60 },
  )
})

test('24 hours have 25 slots of which the ends are partial; the earlier period falls on the same hours', () => {
  const points = [{ start: Date.UTC(2026, 10, 21, 2), key: 'high', row: { attacks: 1170 } }]
  const previous = [{ start: Date.UTC(2026, 10, 20, 2), row: { attacks: 739 } }]
  const series = layOut(
    { kind: 'series', bucket: 'hour', points, previous },
    'attacks',
    span,
    { from: span.from - 24 * HOUR, to: span.from },
    ZONE,
  )
  expect(series.starts).toHaveLength(25)
  expect([isPartial(series, 0), isPartial(series, 1), isPartial(series, 24)]).toEqual([true, false, true])
  const peak = peakSlot(series)
  expect([series.totals[peak], series.previous?.[peak]]).toEqual([1170, 739])
  expect(slotLabel(series, peak, ZONE)).toBe('11-21 10:00')
  expect(spanOfSlots(series, peak + 1, peak)).toEqual({
    from: points[0]?.start,
    to: (points[0]?.start as number) + 2 * HOUR,
  })
  expect(spanOfSlots(series, 0, 24)).toEqual(span)
})

test('axis words stand on round times and name the day at midnight', () => {
  const series = layOut({ kind: 'series', bucket: 'hour', points: [] }, 'attacks', span, null, ZONE)
  const labels = axisLabels(series, ZONE, 9)
  expect(labels.filter(Boolean).map((label) => label?.text)).toEqual([
    '15:00',
    '18:00',
    '21:00',
    '11-21',
    '03:00',
    '06:00',
    '09:00',
    '12:00',
  ])
  expect(peakSlot(series)).toBe(-1)
  fc.assert(
    fc.property(spans, fc.integer({ min: 3, max: 12 }), (one, count) => {
      const laid = layOut({ kind: 'series', bucket: autoBucket(one), points: [] }, 'attacks', one, null, ZONE)
      expect(axisLabels(laid, ZONE, count).filter(Boolean).length).toBeLessThanOrEqual(count + 3)
    }),
    { numRuns: 60 },
  )
})
