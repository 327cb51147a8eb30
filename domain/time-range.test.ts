import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  absoluteRange,
  autoBucket,
  BUCKETS,
  comparedSpan,
  isRangeText,
  MAX_RANGE_MS,
  resolveRange,
  startOfDay,
} from './time-range.ts'

const NOON = Date.UTC(2026, 10, 21, 4, 0) // 12:00 in Shanghai
const HOUR = 3_600_000

test('today begins at midnight of the platform zone, not of UTC', () => {
  expect(resolveRange('today', NOON)).toEqual({ from: Date.UTC(2026, 10, 20, 16), to: NOON })
  expect(resolveRange('today', Date.UTC(2026, 10, 20, 15, 59)).from).toBe(Date.UTC(2026, 10, 19, 16))
  expect(resolveRange('yesterday', NOON)).toEqual({ from: Date.UTC(2026, 10, 19, 16), to: Date.UTC(2026, 10, 20, 16) })
})

test('midnight holds over a change of daylight saving', () => {
  // Berlin left summer time on 2026-10-25 at 03:00.
  expect(startOfDay(Date.UTC(2026, 9, 25, 22), 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 24, 22))
  expect(startOfDay(Date.UTC(2026, 9, 26, 12), 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 23))
})

test('relative ranges end now, absolute ones say themselves', () => {
  expect(resolveRange('-24h', NOON)).toEqual({ from: NOON - 24 * HOUR, to: NOON })
  const span = { from: NOON - HOUR, to: NOON }
  expect(resolveRange(absoluteRange(span), 0)).toEqual(span)
})

test('what is not a range is refused', () => {
  for (const text of [
    '',
    '24h',
    '-0h',
    '-9999d',
    '-1w',
    '1~2',
    `${NOON}~${NOON}`,
    `${NOON}~${NOON - 1}`,
    'TODAY',
    '-1h;drop',
  ])
    expect(isRangeText(text), text).toBe(false)
  expect(() => resolveRange('nonsense', NOON)).toThrow(RangeError)
})

test('a compared span has the same length and lies before', () => {
  const span = resolveRange('-24h', NOON)
  expect(comparedSpan(span, 'previous')).toEqual({ from: NOON - 48 * HOUR, to: NOON - 24 * HOUR })
  expect(comparedSpan(span, 'week')).toEqual({ from: span.from - 168 * HOUR, to: span.to - 168 * HOUR })
  // Today until now is compared with yesterday until the same time of day.
  const today = resolveRange('today', NOON)
  expect(comparedSpan(today, 'previous', 'today')).toEqual({ from: today.from - 24 * HOUR, to: NOON - 24 * HOUR })
})

test('the automatic bucket never gives more than 150 bars up to 150 days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Math.min(MAX_RANGE_MS, 150 * 24 * HOUR) }), (length) => {
      const bucket = autoBucket({ from: NOON - length, to: NOON })
      return length / BUCKETS[bucket] <= 150
    }),
  )
})
