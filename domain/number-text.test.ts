import { expect, test } from 'vitest'
import { percentChange } from './number-text.ts'

test.each([
  [100, 105.2, '+5.2%'],
  [100, 5.8, '−94.2%'],
  [100, 100, ''],
  [0, 7, ''],
  [1_000_000, 1_000_010, '+<0.1%'],
  [1, 31, '+3,000%'],
])('a change from %d to %d reads %s', (before, after, text) => {
  expect(percentChange(before, after)).toBe(text)
})
