import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestDue } from './notifications.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('a digest is due once a day, at the time of day of the account', () => {
  const offset = 8 * HOUR
  const minute = 18 * 60
  const at18 = Date.UTC(2026, 10, 24, 10)
  expect(digestDue({ now: at18 - 1, offset, minute, last: at18 - DAY })).toBeUndefined()
  expect(digestDue({ now: at18, offset, minute, last: at18 - DAY })).toBe(at18)
  expect(digestDue({ now: at18 + 5 * HOUR, offset, minute, last: at18 })).toBeUndefined()
})

test('whatever the clock and the zone, the due time is the last one that has come, at its time of day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: -12, max: 14 }),
      fc.integer({ min: 0, max: 1439 }),
      (now, hours, minute) => {
        const offset = hours * HOUR
        const due = digestDue({ now, offset, minute, last: Number.NEGATIVE_INFINITY }) as number
        expect(due).toBeLessThanOrEqual(now)
        expect(due).toBeGreaterThan(now - DAY)
        expect((((due + offset) % DAY) + DAY) % DAY).toBe(minute * 60_000)
        expect(digestDue({ now, offset, minute, last: due })).toBeUndefined()
      },
    ),
  )
})
