import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePlan } from './history-plan.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 21, 13, 20)

test('a first start covers the days without a gap, newest first', () => {
  const { pending, coveredTo } = makePlan(undefined, NOW, 7)
  expect(coveredTo).toBe(NOW)
  expect(pending[0]?.[1]).toBe(NOW)
  for (let index = 1; index < pending.length; index++) expect(pending[index]?.[1]).toBe(pending[index - 1]?.[0])
  expect(pending.at(-1)?.[0]).toBe(NOW - 7 * 24 * HOUR)
})

test('a restart keeps what was left and adds the time in between, never a moment twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 9 * 24 * 60 }), (done, minutes) => {
      const first = makePlan(undefined, NOW, 7)
      first.pending.splice(0, done)
      const later = NOW + minutes * 60_000
      const { pending } = makePlan(first, later, 7)
      const spans = [...pending].sort((a, b) => a[0] - b[0])
      for (let index = 1; index < spans.length; index++)
        expect((spans[index] as [number, number])[0]).toBeGreaterThanOrEqual((spans[index - 1] as [number, number])[1])
      const fresh = spans.filter(([from]) => from >= Math.max(NOW, later - 7 * 24 * HOUR))
      expect(fresh.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(Math.min(minutes * 60_000, 7 * 24 * HOUR))
    }),
  )
})
