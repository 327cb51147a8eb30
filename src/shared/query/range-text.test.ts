import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRangeText, MAX_RANGE_MS, resolveRange } from '#domain/time-range.ts'
import {
  parseRangeText,
  rangeLabel,
  reachesNow,
  relativeOfLength,
  shiftRange,
  startOfDate,
  wallTime,
  zoomOut,
} from './range-text.ts'

const ZONE = 'Asia/Shanghai'
const now = Date.UTC(2026, 10, 21, 6, 32) // 14:32 in Shanghai
const at = (month: number, day: number, hour = 0, minute = 0) => wallTime([2026, month, day, hour, minute], ZONE)

test('[STAT-05] typed ranges are read in both languages', () => {
  for (const [typed, range] of [
    ['-3h', '-3h'],
    ['3h', '-3h'],
    ['过去 3 小时', '-3h'],
    ['最近三小时', '-3h'],
    ['近一周', '-7d'],
    ['近半小时', '-30m'],
    ['过去十五分钟', '-15m'],
    ['二十四小时', '-24h'],
    ['Last 2 days', '-2d'],
    ['past hour', '-1h'],
    ['2 weeks', '-14d'],
    ['今天', 'today'],
    ['昨日', 'yesterday'],
    ['11-20 14:00 ~ 11-21 02:30', `${at(11, 20, 14)}~${at(11, 21, 2, 30)}`],
    ['2026-11-20 14:00 至 15:30', `${at(11, 20, 14)}~${at(11, 20, 15, 30)}`],
    ['11月20日', `${at(11, 20)}~${at(11, 21)}`],
    ['2026/11/18 to 2026/11/19', `${at(11, 18)}~${at(11, 20)}`],
  ])
    expect(parseRangeText(typed as string, now, ZONE), typed).toBe(range)
})

test('[STAT-05] what is no range is refused', () => {
  for (const typed of [
    '',
    'abc',
    '3',
    '-0h',
    '99-99',
    '25:61',
    '0 小时',
    'last 999 weeks',
    '11-21 ~ 11-20',
    '1~2~3',
    '-',
  ])
    expect(parseRangeText(typed, now, ZONE), typed).toBeNull()
})

test('whatever is typed gives a valid range or null', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-~\d :/hmdw过去至天月日]{0,24}$/)), (typed) => {
      const range = parseRangeText(typed, now, ZONE)
      expect(range === null || isRangeText(range)).toBe(true)
    }),
  )
})

const ranges = fc.oneof(
  fc.constantFrom('today', 'yesterday', '-5m', '-24h', '-7d', '-90d', '-185d'),
  fc
    .tuple(
      fc.integer({ min: now - 400 * 86_400_000, max: now - 60_000 }),
      fc.integer({ min: 60_000, max: MAX_RANGE_MS }),
    )
    .map(([from, length]) => `${from}~${Math.min(from + length, now)}`),
)

test('shifting keeps the length and never passes now; zooming out contains', () => {
  fc.assert(
    fc.property(ranges, (range) => {
      const span = resolveRange(range, now, ZONE)
      const left = resolveRange(shiftRange(range, -1, now, ZONE), now, ZONE)
      expect([left.from, left.to]).toEqual([span.from - (span.to - span.from), span.from])
      const right = shiftRange(range, 1, now, ZONE)
      expect(isRangeText(right)).toBe(true)
      expect(resolveRange(right, now, ZONE).to).toBeLessThanOrEqual(now)
      const wide = zoomOut(range, now, ZONE)
      expect(isRangeText(wide)).toBe(true)
      expect(reachesNow(wide)).toBe(reachesNow(range))
    }),
  )
})

test('relativeOfLength is exact on whole units', () => {
  expect([60_000, 3_600_000, 90 * 60_000, 86_400_000, 14 * 86_400_000].map(relativeOfLength)).toEqual([
    '-1m',
    '-1h',
    '-90m',
    '-1d',
    '-14d',
  ])
})

test('labels of time ranges are written in both languages', () => {
  expect(rangeLabel('-24h', 'zh')).toBe('最近 24 小时')
  expect(rangeLabel('-1h', 'en')).toBe('Last 1 hour')
  expect(rangeLabel(`${wallTime([2020, 1, 2, 3, 4], ZONE)}~${wallTime([2020, 1, 3, 3, 4], ZONE)}`, 'zh')).toBe(
    '2020-01-02 03:04 至 2020-01-03 03:04',
  )
})

test('a date field begins at midnight of the zone, as far east or west as it is', () => {
  expect(startOfDate('2026-11-26', 'Asia/Shanghai')).toBe(Date.UTC(2026, 10, 25, 16))
  expect(startOfDate('2026-11-26', 'Pacific/Auckland')).toBe(Date.UTC(2026, 10, 25, 11))
  expect(startOfDate('2026-11-26', 'Pacific/Pago_Pago')).toBe(Date.UTC(2026, 10, 26, 11))
  expect(startOfDate('', ZONE)).toBeNull()
})
