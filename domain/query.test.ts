import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canonicalFilters,
  DIMENSIONS,
  type Dimension,
  type Filter,
  type Query,
  QuerySchema,
  queryFromParams,
  queryToParams,
} from './query.ts'

const filter: fc.Arbitrary<Filter> = fc.record({
  field: fc.constantFrom(...(Object.keys(DIMENSIONS) as Dimension[])),
  op: fc.constantFrom('is' as const, 'not' as const),
  values: fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 4 }),
})
const query: fc.Arbitrary<Query> = fc.record({
  range: fc.constantFrom('today', '-24h', '-7d', '1763000000000~1763003600000'),
  timeBasis: fc.constantFrom('received' as const, 'occurred' as const),
  compare: fc.constantFrom('none' as const, 'previous' as const, 'week' as const),
  filters: fc.array(filter, { maxLength: 5 }),
})

test('the address bar keeps the whole query, whatever the values hold', () => {
  fc.assert(
    fc.property(query, (one) => {
      const address = new URLSearchParams(queryToParams(one).toString())
      // No filter at all and no filter parameter are the same text: defaults must not bring filters back.
      expect(queryFromParams(address, { filters: [] })).toEqual(one)
    }),
  )
})

test('what an address holds that is not understood falls back to defaults', () => {
  const address = new URLSearchParams('range=nonsense&tb=x&cmp=y&f=nosuch:1&f=level')
  expect(queryFromParams(new URLSearchParams('f=constructor:a')).filters).toEqual([])
  expect(queryFromParams(address, { range: '-1h' })).toEqual({
    range: '-1h',
    timeBasis: 'occurred',
    compare: 'none',
    filters: [],
  })
})

test('hostile input is refused: unknown keys, too many values, prototype names', () => {
  const good = { range: '-1h', filters: [{ field: 'level', op: 'is', values: ['high'] }] }
  expect(QuerySchema.safeParse(good).success).toBe(true)
  for (const bad of [
    { ...good, scope: { apps: 'all' } },
    { ...good, filters: [{ field: '__proto__', op: 'is', values: ['x'] }] },
    { ...good, filters: [{ field: 'level', op: 'is', values: [] }] },
    { ...good, filters: [{ field: 'level', op: 'is', values: Array(51).fill('x') }] },
    { ...good, filters: Array(21).fill(good.filters[0]) },
    { ...good, range: '-1h~' },
  ])
    expect(QuerySchema.safeParse(bad).success).toBe(false)
})

test('equal queries are equal texts', () => {
  const shuffled = fc
    .array(filter, { maxLength: 5 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      const text = (filters: Filter[]) =>
        JSON.stringify(canonicalFilters(filters.map((one) => ({ ...one, values: [...one.values].reverse() }))))
      return JSON.stringify(canonicalFilters(list)) === text(other)
    }),
  )
})
