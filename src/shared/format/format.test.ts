import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasBasis } from './change.ts'
import { formatBytes, formatExact, formatNumber, formatPercent } from './number.ts'
import { phoneName } from './phone-name.ts'
import { cutUsername } from './text.ts'
import { formatDateTime, formatDuration, relativeTime } from './time.ts'

test('[SHELL-12] numbers are abbreviated k M G T P E', () => {
  expect(
    [12_408, 99_999, 186_400, 613_000, 1_234_567, 2.5e9, 3e12, 4.1e15, 5e18].map((one) => formatNumber(one)),
  ).toEqual(['12,408', '99,999', '186.4k', '613.0k', '1.2M', '2.5G', '3.0T', '4.1P', '5.0E'])
  expect(formatNumber(1500, 1000)).toBe('1.5k')
  expect(formatNumber(-250_000)).toBe('-250.0k')
  expect(formatNumber(Number.NaN)).toBe('–')
})

test('[SHELL-12] an abbreviation never reads 1000 of a smaller letter', () => {
  expect(formatNumber(999_960)).toBe('1.0M')
  fc.assert(
    fc.property(fc.integer({ min: 100_000, max: Number.MAX_SAFE_INTEGER }), (value) => {
      const match = /^(\d+\.\d)([kMGTPE])$/.exec(formatNumber(value))
      expect(match).not.toBeNull()
      const scale = 1000 ** ('kMGTPE'.indexOf(match?.[2] as string) + 1)
      expect(Number(match?.[1])).toBeLessThan(1000)
      expect(Math.abs(Number(match?.[1]) * scale - value)).toBeLessThanOrEqual(scale * 0.051)
    }),
  )
})

test('a model that begins with its maker does not say it twice', () => {
  expect(phoneName('HONOR', 'HONOR X50')).toBe('HONOR X50')
  expect(phoneName('honor', 'HONOR X50')).toBe('HONOR X50')
  expect(phoneName('Apple', 'iPhone 15')).toBe('Apple iPhone 15')
  expect([phoneName('', 'X50'), phoneName('HONOR', ''), phoneName('', '')]).toEqual(['X50', 'HONOR', ''])
})

test('exact numbers, shares and bytes', () => {
  expect(formatExact(4_812)).toBe('4,812')
  expect(formatPercent(0.1824)).toBe('18.2%')
  expect(formatPercent(0.0001)).toBe('<0.1%')
  expect(formatPercent(0)).toBe('0.0%')
  expect(formatBytes(91_121_254)).toBe('86.9 MB')
})

test('[SHELL-12] relative time: under 30 s just now, minutes, hours, 1 day, then a date', () => {
  const now = Date.parse('2026-11-21T06:32:00Z')
  const ago = (seconds: number, language: 'zh' | 'en') => relativeTime(now - seconds * 1000, now, language)
  expect([0, 29, 30, 60, 119, 3599].map((s) => ago(s, 'en'))).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '1 minute ago',
    '1 minute ago',
    '59 minutes ago',
  ])
  expect([3600, 7200, 86_399, 86_400, 172_799].map((s) => ago(s, 'zh'))).toEqual([
    '1 小时前',
    '2 小时前',
    '23 小时前',
    '1 天前',
    '1 天前',
  ])
  expect(ago(172_800, 'zh')).toBe('11-19')
  expect(ago(-20, 'zh')).toBe('刚刚')
  expect(ago(-120, 'zh')).toBe('11-21 14:34')
  expect(relativeTime(Date.parse('2025-01-02T00:00:00Z'), now, 'en')).toBe('2025-01-02')
})

test('dates are formatted in the given time zone', () => {
  const at = Date.parse('2026-11-20T16:30:05Z')
  expect(formatDateTime(at)).toBe('2026-11-21 00:30:05')
  expect(formatDateTime(at, 'UTC', 'minute')).toBe('2026-11-20 16:30')
  expect(formatDateTime(at, 'UTC', 'day', at)).toBe('11-20')
  expect(formatDuration(108_000, 'zh')).toBe('1 分 48 秒')
})

test('[SHELL-09] a user name is cut at 17 characters with an ellipsis', () => {
  expect(cutUsername('short@a.example')).toBe('short@a.example')
  expect(cutUsername('x'.repeat(17))).toBe('x'.repeat(17))
  expect(cutUsername('administrator@example.com')).toBe('administrator@exa…')
  expect(cutUsername('👩'.repeat(18))).toBe(`${'👩'.repeat(17)}…`)
})

test('a change against a handful of events has no basis: the value is new', () => {
  expect(hasBasis(580_692, 1)).toBe(false)
  expect(hasBasis(0, 0)).toBe(false)
  expect(hasBasis(12, 0)).toBe(false)
  expect(hasBasis(99, 1)).toBe(true)
  expect(hasBasis(0, 40)).toBe(true)
})
