import { expect, test } from 'vitest'
import { checkedRuns, nextRuns } from './cron-times.ts'

const times = (cron: string, zone: string, after: string, count = 3) =>
  nextRuns(cron, zone, Date.parse(after), count).map((at) => new Date(at).toISOString())

test('times are those of the zone', () => {
  expect(times('0 8 * * 1', 'Asia/Shanghai', '2026-11-24T00:00:00Z', 2)).toEqual([
    '2026-11-30T00:00:00.000Z',
    '2026-12-07T00:00:00.000Z',
  ])
  expect(times('0 8 1 * *', 'America/New_York', '2026-10-24T00:00:00Z', 2)).toEqual([
    '2026-11-01T13:00:00.000Z', // summer time has ended that night
    '2026-12-01T13:00:00.000Z',
  ])
  // A run is after the time that is given, not at it.
  expect(times('0 8 * * *', 'UTC', '2026-11-24T08:00:00Z', 1)).toEqual(['2026-11-25T08:00:00.000Z'])
})

test('a time that summer time leaves out runs once, after the change; the days around it keep their time', () => {
  expect(times('30 2 * * *', 'Europe/Berlin', '2027-03-26T12:00:00Z', 4)).toEqual([
    '2027-03-27T01:30:00.000Z',
    '2027-03-28T01:30:00.000Z', // 03:30, as 02:30 does not exist
    '2027-03-29T00:30:00.000Z',
    '2027-03-30T00:30:00.000Z',
  ])
})

test('a time that occurs twice in autumn runs once', () => {
  expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
    '2026-10-27T01:30:00.000Z',
  ])
  // Asked between the two, the next run is that of the next day.
  expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', 1)).toEqual(['2026-10-26T01:30:00.000Z'])
})

test('what is no expression of five fields, no time zone, or runs too often is refused', () => {
  for (const bad of ['', '* * *', '61 * * * *', '0 0 31 2 *', '@daily', '0 0 0 * * *', 'a b c d e', '0 0 * * 9'])
    expect(() => nextRuns(bad, 'UTC', 0, 1), bad).toThrow(/cron/)
  for (const bad of ['', 'Mars/Olympus', '../etc'])
    expect(() => nextRuns('0 8 * * *', bad, 0, 1), bad).toThrow(/time zone/)
  for (const often of ['* * * * *', '*/10 * * * *', '0,5 8 * * *'])
    expect(() => checkedRuns(often, 'UTC', 0, 5), often).toThrow(/15 minutes/)
  expect(checkedRuns('*/15 * * * *', 'UTC', 0, 5)).toHaveLength(5)
})
