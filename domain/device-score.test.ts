import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filtersOf, pointsOf, SCORE_MAX, SCORE_RULES, scoreOf } from './device-score.ts'
import { FilterSchema } from './query.ts'
import { RISK_TYPES } from './vocabulary.ts'

const counts = fc.dictionary(fc.constantFrom(...SCORE_RULES.map(({ id }) => id)), fc.nat({ max: 1_000_000 }))

test('[MSSA-02] more evidence never lowers a score, and no score leaves 0 to 100', () => {
  fc.assert(
    fc.property(counts, fc.constantFrom(...SCORE_RULES), fc.nat({ max: 1000 }), (some, rule, further) => {
      const before = scoreOf(some)
      const after = scoreOf({ ...some, [rule.id]: (some[rule.id] ?? 0) + further })
      expect(after).toBeGreaterThanOrEqual(before)
      expect(before).toBeGreaterThanOrEqual(0)
      expect(after).toBeLessThanOrEqual(SCORE_MAX)
    }),
  )
})

test('[MSSA-02] the score is the sum of the points that its rules publish', () => {
  fc.assert(
    fc.property(counts, (some) => {
      const sum = SCORE_RULES.reduce((all, rule) => all + pointsOf(rule, some[rule.id] ?? 0), 0)
      expect(scoreOf(some)).toBe(Math.min(SCORE_MAX, sum))
    }),
  )
})

test('every risk type has one rule, ids are unique, and each rule names its events', () => {
  expect(new Set(SCORE_RULES.map(({ id }) => id)).size).toBe(SCORE_RULES.length)
  const risks = SCORE_RULES.flatMap(({ counts: { of, ...rest } }) =>
    of === 'risk' && 'risk' in rest ? [rest.risk] : [],
  )
  expect(new Set(risks)).toEqual(new Set(Object.keys(RISK_TYPES)))
  for (const rule of SCORE_RULES) {
    expect(rule.points).toBeLessThanOrEqual(rule.cap)
    for (const filter of filtersOf(rule, 'a'.repeat(32))) FilterSchema.parse(filter)
  }
})

test('one ordinary oddity alone is not suspicious; code that is changed again and again is', () => {
  const id = (risk: string) => SCORE_RULES.find(({ counts: one }) => one.of === 'risk' && one.risk === risk)?.id ?? ''
  expect(scoreOf({ [id('root')]: 500 })).toBeLessThan(60)
  expect(scoreOf({ [id('proxy_vpn')]: 9999, [id('screen_capture')]: 9999 })).toBeLessThan(60)
  expect(scoreOf({ [id('hook')]: 8, [id('root')]: 8 })).toBeGreaterThanOrEqual(60)
})
