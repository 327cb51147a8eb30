import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Point } from '../../../../shared/map/mercator.ts'
import { groupSites } from './site-groups.ts'

test('[OBS-01] sites side by side share a plate, each site has one, and sites of two plates stand apart', () => {
  expect(
    groupSites(
      [
        [0, 0],
        [30, 0],
        [200, 0],
        [60, 0],
      ],
      44,
    ),
  ).toEqual([[0, 1, 3], [2]])
  const at = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 })) as fc.Arbitrary<Point>
  fc.assert(
    fc.property(fc.array(at, { maxLength: 15 }), (points) => {
      const groups = groupSites(points, 44)
      expect(groups.flat().sort((a, b) => a - b)).toEqual(points.map((_, i) => i))
      for (const [i, one] of groups.entries())
        for (const other of groups.slice(i + 1))
          for (const a of one)
            for (const b of other) {
              const [p, q] = [points[a] as Point, points[b] as Point]
              expect(Math.hypot(p[0] - q[0], p[1] - q[1])).toBeGreaterThanOrEqual(44)
            }
    }),
  )
})
