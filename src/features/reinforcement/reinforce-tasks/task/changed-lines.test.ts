import { expect, test } from 'vitest'
import { changedLines } from './changed-lines.ts'

test('lines that only one side has are marked, the others stay', () => {
  expect(changedLines(['a', 'log', 'b'], ['a', 'b', 'c'])).toEqual({
    gone: [false, true, false],
    fresh: [false, false, true],
  })
})

test('equal methods have no marks, and an empty side marks all of the other', () => {
  expect(changedLines(['a', 'b'], ['a', 'b'])).toEqual({ gone: [false, false], fresh: [false, false] })
  expect(changedLines([], ['a'])).toEqual({ gone: [], fresh: [true] })
})

test('a line that occurs twice is matched once', () => {
  expect(changedLines(['x', 'x'], ['x'])).toEqual({ gone: [false, true], fresh: [false] })
})
