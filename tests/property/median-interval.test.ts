import { expect, test } from 'vitest'
import { medianInterval } from '#tests/bench/median-interval.ts'

test('the 95 % interval of the median of nine pairs runs from the second to the eighth value', () => {
  expect(medianInterval([9, 1, 8, 2, 7, 3, 6, 4, 5])).toEqual({ median: 5, low: 2, high: 8 })
})

test('fewer than six values give their whole range', () => {
  expect(medianInterval([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 })
})

test('twenty values leave out five at each end', () => {
  const values = Array.from({ length: 20 }, (_, index) => index + 1)
  expect(medianInterval(values)).toEqual({ median: 10.5, low: 6, high: 15 })
})
