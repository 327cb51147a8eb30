import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BUCKETS, type Bucket, startOfDay } from '#domain/time-range.ts'
import { bucketing } from './buckets.ts'
import { duckDialect } from './dialect.ts'

const ZONES = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Adelaide', 'UTC']
const DAY = 86_400_000

test('every moment lies in the time bucket of its index, in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.constantFrom(...(Object.keys(BUCKETS) as Bucket[])),
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 1) }),
      fc.nat(10 * DAY),
      (zone, bucket, from, after) => {
        const { start, indexOf } = bucketing(
          bucket,
          { from, to: from + 10 * DAY + 1 },
          zone,
          duckDialect({ find: () => undefined, textOf: () => '', count: () => 0 }),
        )
        const at = from + after
        const index = indexOf(at)
        expect(start(index)).toBeLessThanOrEqual(at)
        expect(start(index + 1)).toBeGreaterThan(at)
        if (bucket === 'day') expect(start(index)).toBe(startOfDay(at, zone))
      },
    ),
    { numRuns: 500 },
  )
})
