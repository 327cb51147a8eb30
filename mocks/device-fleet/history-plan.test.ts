import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HistoryPart, makePlan, phaseOf } from './history-plan.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ORDER = ['hours', 'day', 'coarse', 'days']
const NOW = Date.UTC(2026, 10, 21, 13, 20)

/** What is sent of the moments: 'whole', or 'coarse' and 'rest' together. */
function covered(pending: readonly HistoryPart[], ...densities: HistoryPart[2][]): number {
  const spans = pending.filter(([, , density]) => densities.includes(density)).sort((a, b) => a[0] - b[0])
  for (let index = 1; index < spans.length; index++)
    expect((spans[index] as HistoryPart)[0]).toBeGreaterThanOrEqual((spans[index - 1] as HistoryPart)[1])
  return spans.reduce((sum, [from, to]) => sum + to - from, 0)
}

test('a first start covers fourteen days without a gap: the newest two days whole, those before thinly, then the rest of them', () => {
  const { pending, coveredTo } = makePlan(undefined, NOW, 14)
  expect(coveredTo).toBe(NOW)
  expect(covered(pending, 'whole', 'coarse')).toBe(14 * DAY)
  expect(covered(pending, 'whole', 'rest')).toBe(14 * DAY)
  const phases = pending.map((part) => phaseOf(part, NOW))
  expect([...new Set(phases)]).toEqual(['hours', 'day', 'coarse', 'days'])
  expect(phases).toEqual([...phases].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)))
  expect(pending[0]?.[1]).toBe(NOW)
  for (const phase of new Set(phases)) {
    const starts = pending.filter((part) => phaseOf(part, NOW) === phase).map(([from]) => from)
    expect(starts).toEqual([...starts].sort((a, b) => b - a))
  }
})

test('a restart keeps what was left and adds the time in between, never a moment twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 9 * 24 * 60 }), (done, minutes) => {
      const first = makePlan(undefined, NOW, 7)
      first.pending.splice(0, done)
      const later = NOW + minutes * 60_000
      const { pending } = makePlan(first, later, 7)
      covered(pending, 'whole', 'coarse')
      covered(pending, 'whole', 'rest')
      const fresh = pending.filter(([from]) => from >= Math.max(NOW, later - 7 * DAY))
      expect(covered(fresh, 'whole')).toBe(Math.min(minutes * 60_000, 7 * DAY))
    }),
  )
})
