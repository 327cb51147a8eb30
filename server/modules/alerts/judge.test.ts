import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from '#domain/alerts.ts'
import { breaches, expectedOf, onlyGrows, usualLevel } from './judge.ts'

const count = fc.integer({ min: 0, max: 10_000 })
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    kind: fc.constant('threshold' as const),
    op: fc.constantFrom('at_least' as const, 'below' as const),
    value: fc.integer({ min: 1, max: 10_000 }),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    direction: fc.constantFrom('rise' as const, 'drop' as const),
    factor: fc.double({ min: 1.1, max: 50, noNaN: true }),
    minimum: fc.integer({ min: 1, max: 500 }),
  }),
)

test('the usual level is the median of the days that reported, and takes three of them', () => {
  expect(usualLevel([5, 1, 9])).toBe(5)
  expect(usualLevel([5, 1, 9, 7])).toBe(6)
  expect(usualLevel([4, 4, null, 4, null, null, 100])).toBe(4)
  expect(usualLevel([4, 4, null, null, null, null, null])).toBeUndefined()
  fc.assert(
    fc.property(fc.array(count, { minLength: 3, maxLength: 7 }), fc.integer({ min: 0, max: 4 }), (days, gaps) => {
      const level = usualLevel([...days, ...Array(gaps).fill(null)]) as number
      expect(days.filter((one) => one <= level).length * 2).toBeGreaterThanOrEqual(days.length)
      expect(days.filter((one) => one >= level).length * 2).toBeGreaterThanOrEqual(days.length)
    }),
  )
})

test('more never un-breaches a rise, less never un-breaches a fall', () => {
  fc.assert(
    fc.property(
      condition,
      count,
      fc.integer({ min: 0, max: 1000 }),
      fc.option(count, { nil: undefined }),
      (rule, value, more, usual) => {
        const expected = expectedOf(rule, usual)
        const up = rule.kind === 'threshold' ? rule.op === 'at_least' : rule.direction === 'rise'
        if (up && breaches(rule, value, expected)) expect(breaches(rule, value + more, expected)).toBe(true)
        if (!up && breaches(rule, value + more, expected)) expect(breaches(rule, value, expected)).toBe(true)
        if (onlyGrows(rule)) expect(up).toBe(true)
      },
    ),
  )
})

test('a change needs a usual level and its minimum', () => {
  const rise: Condition = { kind: 'change', direction: 'rise', factor: 3, minimum: 20 }
  const judge = (value: number, usual: number | undefined) => breaches(rise, value, expectedOf(rise, usual))
  expect(judge(30, 10)).toBe(true)
  expect(judge(29, 10)).toBe(false)
  expect(judge(19, 0)).toBe(false)
  expect(judge(20, 0)).toBe(true)
  expect(judge(1000, undefined)).toBe(false)
  const drop: Condition = { kind: 'change', direction: 'drop', factor: 4, minimum: 20 }
  expect(breaches(drop, 5, expectedOf(drop, 20))).toBe(true)
  expect(breaches(drop, 6, expectedOf(drop, 20))).toBe(false)
  expect(breaches(drop, 0, expectedOf(drop, 19))).toBe(false)
})
