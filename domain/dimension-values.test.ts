import { expect, test } from 'vitest'
import { isNumeric, numberOf, wordOfCode } from './dimension-values.ts'
import { DIMENSIONS, type Dimension } from './query.ts'

test('[REQ-01] every word of every dimension has its code, and the code leads back to the word', () => {
  let words = 0
  for (const dimension of Object.keys(DIMENSIONS) as Dimension[])
    for (const [key, { code }] of Object.entries(DIMENSIONS[dimension].words ?? {})) {
      expect([isNumeric(dimension), numberOf(dimension, key), wordOfCode(dimension, code)]).toEqual([true, code, key])
      words++
    }
  expect(words).toBeGreaterThan(30)
})

test('the empty text of a filter is 0 only where a dimension may be unknown', () => {
  expect(numberOf('province', '')).toBe(0)
  expect(numberOf('site', '')).toBe(0)
  expect(numberOf('risk', '')).toBe(0)
  expect(numberOf('app', '')).toBeUndefined()
  expect(numberOf('hour', '')).toBeUndefined()
  expect(numberOf('origin', '')).toBeUndefined()
})

test('a text that no event can have gives no number', () => {
  for (const text of ['constructor', '1e3', '-1', ' 1', '1234567890']) {
    expect(numberOf('level', text)).toBeUndefined()
    expect(numberOf('app', text)).toBeUndefined()
  }
})
