import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopK } from './top-k.ts'

const record = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -9, max: 9 }), fc.nat(3), fc.nat(3))

test('TopK keeps the same records as a full sort', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 2000 }), fc.integer({ min: 1, max: 300 }), (records, size) => {
      const best = new TopK(size)
      for (const [a, b, c, d] of records) best.offer(a, b, c, d)
      const inOrder = [...records].sort((x, y) => y[0] - x[0] || y[1] - x[1] || y[2] - x[2] || y[3] - x[3])
      expect(best.sorted().map((one) => [...one])).toEqual(inOrder.slice(0, size))
    }),
    { numRuns: 60 },
  )
})
