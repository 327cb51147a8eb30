import { expect, test } from 'vitest'
import { noticeDays } from './notice-days.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000

test('a display token is marked in the 30 days before its expiry, with the days that are left, the running one included', () => {
  for (const [left, days] of [
    [365 * DAY, undefined],
    [30 * DAY + 1, undefined],
    [30 * DAY, 30],
    [29 * DAY + 1, 30],
    [29 * DAY, 29],
    [DAY, 1],
    [1, 1],
    [0, undefined],
    [-DAY, undefined],
  ] as const)
    expect(noticeDays(NOW + left, NOW), `${left} ms`).toBe(days)
})
