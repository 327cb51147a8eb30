import { expect, test } from 'vitest'
import type { ChangeAnswer } from '#domain/query.ts'
import { causesOf } from './causes.ts'
import { releaseSpan, releasesOf } from './releases.ts'

const change = (groups: [string, number, number][]): ChangeAnswer => ({
  kind: 'change',
  now: groups.reduce((all, [, now]) => all + now, 0),
  before: groups.reduce((all, [, , before]) => all + before, 0),
  groups: groups.map(([key, now, before]) => ({ key, now, before })),
  groupCount: groups.length,
})

test('[STAT-05] values that moved most come first, whatever they are of, with their part of the change', () => {
  const versions = change([
    ['2.0', 900, 0],
    ['1.0', 200, 600],
  ])
  const risks = change([
    ['hook', 1000, 480],
    ['root', 100, 120],
  ])
  const causes = causesOf(
    [
      { by: 'version', answer: versions },
      { by: 'risk', answer: risks },
    ],
    3,
  )
  expect(causes.map(({ by, key }) => `${by} ${key}`)).toEqual(['version 2.0', 'risk hook', 'version 1.0'])
  expect(causes.map(({ share }) => share)).toEqual([1.8, 1.04, -0.8])
})

test('[STAT-05] a field with one value explains nothing, and without a change in all there are no shares', () => {
  expect(causesOf([{ by: 'app', answer: change([['1', 9, 3]]) }], 5)).toEqual([])
  const still = change([
    ['a', 5, 3],
    ['b', 3, 5],
  ])
  expect(causesOf([{ by: 'risk', answer: still }], 5).map(({ share }) => share)).toEqual([null, null])
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = 'Asia/Shanghai'
/** Midnight in the zone. */
const DAY_ONE = Date.UTC(2026, 10, 1, 16)

test('[STAT-05] a version counts as a release when it appeared after the first stored day with more than a handful of events', () => {
  const top = {
    kind: 'top' as const,
    groupCount: 4,
    others: {},
    groups: [
      { key: '1.0', row: { events: 5000 }, firstAt: DAY_ONE + HOUR, lastAt: 0 },
      { key: '2.0', row: { events: 4000 }, firstAt: DAY_ONE + 5 * DAY + 10 * HOUR, lastAt: 0 },
      { key: '3.0', row: { events: 900 }, firstAt: DAY_ONE + 9 * DAY, lastAt: 0 },
      { key: '3.1-test', row: { events: 2 }, firstAt: DAY_ONE + 8 * DAY, lastAt: 0 },
    ],
  }
  const releases = releasesOf(top, ZONE)
  expect(releases.map(({ version }) => version)).toEqual(['3.0', '2.0'])
  const now = DAY_ONE + 10 * DAY
  expect(releaseSpan(releases[1] as (typeof releases)[0], now, ZONE)).toEqual({
    from: DAY_ONE + 5 * DAY,
    to: DAY_ONE + 10 * DAY,
  })
  expect(releaseSpan(releases[1] as (typeof releases)[0], now + 30 * DAY, ZONE).to).toBe(DAY_ONE + 12 * DAY)
})
