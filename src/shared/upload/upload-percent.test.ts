import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uploadPercent } from './upload-percent.ts'

test('[APP-04] at most 90 until done, then 100; never backwards', () => {
  expect([0, 41, 90, 99, 100].map((sent) => uploadPercent(sent, 100, false))).toEqual([0, 41, 90, 90, 90])
  expect(uploadPercent(100, 100, true)).toBe(100)
  expect(uploadPercent(0, 0, false)).toBe(0)
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (a, b, size) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      expect(uploadPercent(less, size, false)).toBeLessThanOrEqual(uploadPercent(more, size, false))
      expect(uploadPercent(more, size, false)).toBeLessThanOrEqual(90)
    }),
  )
})
