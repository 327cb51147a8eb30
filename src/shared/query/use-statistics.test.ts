import { expect, test } from 'vitest'
import type { PartInput } from '#domain/query.ts'
import { ApiError } from '../api/api-error.ts'
import { asksAgain, comparable, refreshInterval } from './use-statistics.ts'

test('[STAT-02] an older answer is shown only for the same question: another figure or list starts empty', () => {
  const users: PartInput = { kind: 'entities', entity: 'user', sort: 'attacks', limit: 10, offset: 0 }
  const top = (measure: 'attacks' | 'users'): PartInput => ({ kind: 'top', by: 'version', measures: [measure] })
  const before = { list: users, version: top('attacks') }
  const answers = { list: 'users', version: 'attacks' }
  expect(comparable(answers, before, { ...before, list: { ...users, offset: 10, sort: 'last' } })).toEqual(answers)
  expect(comparable(answers, before, { list: { ...users, entity: 'device' }, version: top('users') })).toEqual({})
  expect(comparable(answers, undefined, before)).toEqual({})
})

test('ranges that reach now are asked again, the longer the rarer; fixed ones never', () => {
  const every = (range: string) => refreshInterval({ range })
  expect(every('1763700000000~1763786400000')).toBe(false)
  expect(every('yesterday')).toBe(false)
  const live = ['-15m', '-24h', '-7d', '-90d'].map(every) as number[]
  expect([...live].sort((a, b) => a - b)).toEqual(live)
  expect(new Set(live).size).toBe(4)
})

test('[REQ-01] a failed query is retried once, a timeout of 15 s is reported at once', () => {
  const refused = new ApiError('connection', '', 502)
  expect([asksAgain(0, refused), asksAgain(1, refused)]).toEqual([true, false])
  expect(asksAgain(0, new ApiError('timeout', '', 0))).toBe(false)
})
