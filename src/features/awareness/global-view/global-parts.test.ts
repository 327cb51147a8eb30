import { expect, test } from 'vitest'
import { appLines, attackRate } from './global-parts.ts'

const APPS = [
  { id: '1', name: '甲', mime_type: 1 },
  { id: '2', name: '乙', mime_type: 2 },
  { id: '3', name: '丙', mime_type: 1 },
]
const NOW = Date.UTC(2026, 10, 21, 6, 30)

test('[GLOB-01] every permitted application has its line, one without events too, in the order asked for', () => {
  const answer = {
    kind: 'top' as const,
    groupCount: 2,
    others: {},
    groups: [
      { key: '2', row: { attacks: 5, crashes: 1, starts: 10 }, previous: { attacks: 50 } },
      { key: '1', row: { attacks: 9, crashes: 2, starts: 1000 }, previous: { attacks: 1 } },
      { key: '99', row: { attacks: 1 } },
    ],
  }
  const ids = (sort: 'attacks' | 'crashRate' | 'change') => appLines(APPS, answer, undefined, sort).map(({ id }) => id)
  expect(ids('attacks')).toEqual(['1', '2', '3'])
  expect(ids('crashRate')).toEqual(['2', '1', '3'])
  expect(ids('change')).toEqual(['1', '3', '2'])
})

test('[GLOB-01] the last hour is a slot a minute; the rate is of the last five whole ones', () => {
  const minute = (ago: number) => NOW - ago * 60_000
  const points = [1, 2, 3, 4, 5].map((ago) => ({ start: minute(ago) - 1, key: '1', row: { attacks: 60 } }))
  const hour = { answer: { kind: 'series' as const, bucket: 'minute' as const, points }, now: NOW }
  const [line] = appLines(APPS, undefined, hour, 'name').filter(({ id }) => id === '1')
  expect(line?.minutes.length).toBe(60)
  expect(attackRate(line?.minutes ?? [])).toBe(1)
})
