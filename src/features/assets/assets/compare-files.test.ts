import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listChange } from './compare-files.ts'

test('what was added and removed between two versions', () => {
  expect(listChange(['a', 'b', 'b'], ['c', 'b'])).toEqual({ added: ['c'], removed: ['a'], before: 2, after: 2 })
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (before, after) => {
      const { added, removed } = listChange(before, after)
      const there = new Set([...new Set(before)].filter((one) => !removed.includes(one)).concat(added))
      expect([...there].sort()).toEqual([...new Set(after)].sort())
    }),
  )
})
