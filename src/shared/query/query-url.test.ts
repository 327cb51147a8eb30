import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DIMENSIONS, type Dimension, type Filter, type Query } from '#domain/query.ts'
import { addFilter, carryQuery, isFiltered, linkParams, queryKey, readQuery, writeQuery } from './query-url.ts'

const field = fc.constantFrom(...(Object.keys(DIMENSIONS) as Dimension[]))
const value = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', 'a,b', '100%', '!x', '广东', 'x:y', '&='))
const filter: fc.Arbitrary<Filter> = fc.record({
  field,
  op: fc.constantFrom('is', 'not'),
  values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
})
const query: fc.Arbitrary<Query> = fc.record({
  range: fc.constantFrom('-24h', 'today', '-7d', '1763700000000~1763786400000'),
  timeBasis: fc.constantFrom('occurred', 'received'),
  compare: fc.constantFrom('none', 'previous', 'week'),
  filters: fc.array(filter, { maxLength: 5 }),
})
const defaults = fc.record(
  { compare: fc.constantFrom('none', 'previous'), timeBasis: fc.constantFrom('occurred', 'received') },
  { requiredKeys: [] },
)
const app = fc.option(fc.constantFrom('3', '17'))
/** What the address cannot tell apart: the implied application comes first. */
const appFirst = (one: Query) => ({
  ...one,
  filters: [...one.filters].sort((a, b) => Number(b.field === 'app') - Number(a.field === 'app')),
})

test('[STAT-05] a query goes through the address bar unchanged, whatever its values and the defaults', () => {
  fc.assert(
    fc.property(query, defaults, app, (one, byDefault, current) => {
      const params = new URLSearchParams(
        writeQuery(new URLSearchParams('kpi=attacks&page=2'), one, byDefault as Partial<Query>, current).toString(),
      )
      expect(params.get('kpi')).toBe('attacks')
      expect(appFirst(readQuery(params, byDefault as Partial<Query>, current))).toEqual(appFirst(one))
    }),
  )
})

test('a copied link says the same to someone with another current application', () => {
  fc.assert(
    fc.property(query, app, (one, other) => {
      expect(readQuery(linkParams(new URLSearchParams(), one, {}), {}, other)).toEqual(one)
      expect(readQuery(new URLSearchParams(carryQuery(one)), {}, other)).toEqual(one)
    }),
  )
})

test('the current application applies until the address says otherwise', () => {
  const empty = new URLSearchParams()
  expect(readQuery(empty, {}, '3').filters).toEqual([{ field: 'app', op: 'is', values: ['3'] }])
  expect(readQuery(new URLSearchParams('apps=all'), {}, '3').filters).toEqual([])
  expect(readQuery(new URLSearchParams('f=app:4'), {}, '3').filters).toEqual([
    { field: 'app', op: 'is', values: ['4'] },
  ])
  expect(writeQuery(empty, readQuery(empty, {}, '3'), {}, '3').has('f')).toBe(false)
})

test('hostile addresses open as something valid', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), fc.string(), (search, noise) => {
      const params = new URLSearchParams(`${search}&f=${noise}&range=${noise}`)
      expect(readQuery(params, { range: '-24h' }, null).range).toBeTruthy()
    }),
  )
})

test('[STAT-05] adding a value joins its filter and leaves the opposite one', () => {
  const start: Filter[] = [{ field: 'level', op: 'is', values: ['high'] }]
  expect(addFilter(start, 'level', ['critical'])).toEqual([{ field: 'level', op: 'is', values: ['high', 'critical'] }])
  expect(addFilter(start, 'level', ['high'], true)).toEqual([{ field: 'level', op: 'not', values: ['high'] }])
  fc.assert(
    fc.property(fc.array(filter, { maxLength: 4 }), field, value, fc.boolean(), (filters, name, one, exclude) => {
      const after = addFilter(filters, name, [one], exclude)
      expect(isFiltered(after, name, one)).toBe(!exclude)
      expect(after.some((f) => f.field === name && f.op === 'not' && f.values.includes(one))).toBe(exclude)
      expect(after.every((f) => f.values.length > 0)).toBe(true)
    }),
  )
})

test('equal queries have equal keys', () => {
  const one: Query = {
    range: '-1h',
    timeBasis: 'occurred',
    compare: 'none',
    filters: [{ field: 'level', op: 'is', values: ['a', 'b'] }],
  }
  expect(queryKey(one)).toBe(queryKey({ ...one, filters: [{ field: 'level', op: 'is', values: ['b', 'a'] }] }))
})
