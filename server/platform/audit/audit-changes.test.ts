import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesBetween } from './audit-changes.ts'

test('the fields that differ are listed with their values before and after', () => {
  expect(changesBetween({ a: 1, b: [1], c: 'x' }, { a: 2, b: [1], c: null })).toEqual([
    { field: 'a', before: 1, after: 2 },
    { field: 'c', before: 'x', after: null },
  ])
})

test('a new object has no values before, a deleted one none after', () => {
  expect(changesBetween(undefined, { name: 'n', note: undefined })).toEqual([
    { field: 'name', before: null, after: 'n' },
  ])
  expect(changesBetween({ name: 'n' }, null)).toEqual([{ field: 'name', before: 'n', after: null }])
})

test('of a secret it is recorded only that it changed', () => {
  const changes = changesBetween({ token: 'old' }, { token: 'new' }, { secret: ['token'] })
  expect(changes).toEqual([{ field: 'token', before: null, after: null, secret: true }])
})

test('what is recorded is bounded, whatever the values', () => {
  const [long] = changesBetween({ text: '' }, { text: 'x'.repeat(9999) })
  expect(long?.after).toHaveLength(2001)
  fc.assert(
    fc.property(fc.object(), fc.object(), (before, after) => {
      const changes = changesBetween(before, after)
      expect(changes.length).toBeLessThanOrEqual(100)
      for (const { before: old, after: next } of changes)
        expect(JSON.stringify([old, next]).length).toBeLessThan(20_000)
    }),
  )
})
