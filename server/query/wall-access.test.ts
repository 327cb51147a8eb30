import { expect, test } from 'vitest'
import { DIMENSIONS, type Dimension, type Part, PartSchema } from '#domain/query.ts'
import { refuseOnWall } from './wall-access.ts'

const IDENTIFYING: Dimension[] = ['device', 'user', 'address', 'group', 'page', 'model', 'os', 'network', 'channel']
const part = (given: object): Part => PartSchema.parse({ measures: ['attacks'], ...given })
const refused = (one: Part, kind: 'display' | 'session' = 'display') => {
  try {
    refuseOnWall({ kind }, [], one)
    return false
  } catch {
    return true
  }
}

test('[OBS-01] a display token gets totals, series and groups, but no single events, devices or users', () => {
  expect(refused(part({ kind: 'total' }))).toBe(false)
  expect(refused(part({ kind: 'series' }))).toBe(false)
  for (const by of Object.keys(DIMENSIONS) as Dimension[])
    if (!['origin', 'surface'].includes(by))
      expect([by, refused(part({ kind: 'top', by }))]).toEqual([by, IDENTIFYING.includes(by)])
  const events = PartSchema.parse({ kind: 'rows' })
  const periods = PartSchema.parse({ kind: 'periods' })
  const devices = PartSchema.parse({ kind: 'entities', entity: 'device' })
  for (const one of [events, periods, devices]) expect([refused(one), refused(one, 'session')]).toEqual([true, false])
  const filtered = part({ kind: 'total', and: [{ field: 'device', op: 'is', values: ['x'] }] })
  expect(refused(filtered)).toBe(true)
})
