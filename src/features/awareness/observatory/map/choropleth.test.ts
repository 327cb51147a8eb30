import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breaksFor, CLASSES, classOf } from './choropleth.ts'

test('[OBS-01] shading: the highest count takes the last class, a lower count never a darker one, no attack no shade', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 40 }), (counts) => {
      const breaks = breaksFor(counts)
      expect(breaks).toHaveLength(CLASSES - 1)
      for (const [i, bound] of breaks.entries()) if (i) expect(bound).toBeGreaterThanOrEqual(breaks[i - 1] as number)
      const sorted = [...counts].sort((a, b) => a - b).map((count) => classOf(count, breaks))
      for (const [i, one] of sorted.entries()) if (i) expect(one).toBeGreaterThanOrEqual(sorted[i - 1] as number)
      if (Math.max(...counts) >= CLASSES) expect(sorted.at(-1)).toBe(CLASSES)
      expect(classOf(0, breaks)).toBe(0)
    }),
  )
})

test('[OBS-01] shades keep still while counts grow a little', () => {
  expect(breaksFor([5236])).toEqual(breaksFor([5412]))
  expect(breaksFor([5236])).toEqual([250, 600, 1200, 2000, 3000])
})
