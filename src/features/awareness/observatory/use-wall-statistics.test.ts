import { expect, test } from 'vitest'
import { dayPath } from './day-line.tsx'
import { hoursOf } from './use-wall-statistics.ts'

const HOUR = 3_600_000
const answer = (counts: Record<number, number>) => ({
  points: Object.entries(counts).map(([hour, attacks]) => ({ start: Number(hour) * HOUR, row: { attacks } })),
})

test('[OBS-01] a day line holds the hours that are over, missing ones as 0, and nothing before the store answered', () => {
  expect(hoursOf(answer({ 0: 3, 2: 5, 3: 1 }), 0, 3, 'attacks')).toEqual([3, 0, 5])
  expect(hoursOf(null, 0, 3, 'attacks')).toEqual([])
  expect(hoursOf(answer({}), 0, 3, 'attacks')).toEqual([])
})

test('[OBS-01] an hour ends where it ends on an axis of 24, higher counts are higher', () => {
  expect(dayPath([0, 10], 10)).toBe('M4.2 39.0L8.3 4.0')
  expect(dayPath(Array(24).fill(10), 10)).toMatch(/L100\.0 4\.0$/)
})
