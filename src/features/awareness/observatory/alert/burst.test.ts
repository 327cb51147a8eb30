import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overlaps, type Point } from '../../../../shared/map/mercator.ts'
import { BURST, BURST_MS, type BurstPart, burstAt, countedAt, headsFor, SCAR_MS, scarLeft } from './burst.ts'
import { placeCityLabels } from './city-labels.ts'

test('[OBS-01] every part of the choreography runs once, forwards, and is over after 1.2 s', () => {
  for (const part of Object.keys(BURST) as BurstPart[]) {
    expect(burstAt(part, BURST[part][0] - 1)).toBe(0)
    expect(burstAt(part, BURST_MS)).toBe(1)
    expect(burstAt(part, 60_000)).toBe(1)
    for (let at = 0; at < BURST_MS; at += 20) expect(burstAt(part, at + 20)).toBeGreaterThanOrEqual(burstAt(part, at))
  }
})

test('[OBS-01] the number counts from the threshold to what was counted and never shows more', () => {
  expect(countedAt(0, 120, 744)).toBe(120)
  expect(countedAt(BURST_MS, 120, 744)).toBe(744)
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), fc.nat(3000), (expected, value, since) => {
      expect(countedAt(since, expected, value)).toBeLessThanOrEqual(value)
    }),
  )
})

test('[OBS-01] 8 to 12 heads run in the stream; a scar lasts ten minutes', () => {
  expect([0, 3, 9, 1000].map(headsFor)).toEqual([8, 9, 11, 12])
  expect([scarLeft(0, 0), scarLeft(0, SCAR_MS / 2), scarLeft(0, 2 * SCAR_MS)]).toEqual([1, 0.5, 0])
})

test('[OBS-01] names of cities never lie over each other, over a source, a plate or the stream', () => {
  const at = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 600 })) as fc.Arbitrary<Point>
  fc.assert(
    fc.property(fc.array(at, { minLength: 1, maxLength: 8 }), fc.array(at, { maxLength: 6 }), (points, plates) => {
      const taken = plates.map(([x, y]) => ({ x, y, width: 120, height: 50 }))
      const line = Array.from({ length: 20 }, (_, i): Point => [100 + 40 * i, 300])
      const cities = points.map((point, i) => ({ text: `c${i}`, at: point, width: 90, size: 17 }))
      const placed = placeCityLabels(cities, taken, line, 1)
      for (const [i, label] of placed.entries()) {
        for (const other of placed.slice(i + 1)) expect(overlaps(label, other)).toBe(false)
        for (const plate of taken) expect(overlaps(label, plate)).toBe(false)
        for (const [x, y] of [...points, ...line])
          expect(x > label.x && x < label.x + label.width && y > label.y && y < label.y + label.height).toBe(false)
      }
    }),
  )
})
