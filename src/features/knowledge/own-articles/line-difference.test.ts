import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDifference } from './line-difference.ts'

const kinds = (before: string, after: string) =>
  lineDifference(before.split(''), after.split('')).map((line) =>
    line.kind === 'equal' ? line.count : `${line.kind[0]}${line.text}`,
  )

test('lines that were added, removed and kept are distinguished, and far equal lines are made short', () => {
  expect(kinds('abc', 'abc')).toEqual([3])
  expect(kinds('abc', 'axc')).toEqual(['sa', 'rb', 'ax', 'sc'])
  expect(kinds('', 'a')).toEqual(['aa'])
  expect(kinds('0123456789x', '0123456789y')).toEqual([7, 's7', 's8', 's9', 'rx', 'ay'])
})

test('the new text is what the difference keeps and adds, the old one what it keeps and removes', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const difference = lineDifference(before, after)
      if (difference.some(({ kind }) => kind === 'equal')) return
      const of = (kind: string) =>
        difference.flatMap((line) =>
          line.kind !== 'equal' && (line.kind === 'same' || line.kind === kind) ? [line.text] : [],
        )
      expect(of('removed')).toEqual(before)
      expect(of('added')).toEqual(after)
    }),
  )
})

test('two long texts without a common line are compared at once', () => {
  const began = performance.now()
  const difference = lineDifference(Array(20_000).fill('a'), Array(20_000).fill('b'))
  expect(difference.length).toBe(40_000)
  expect(performance.now() - began).toBeLessThan(2000)
})
