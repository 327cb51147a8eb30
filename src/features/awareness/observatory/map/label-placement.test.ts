import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { overlaps, type Point, type Rect } from '../../../../shared/map/mercator.ts'
import { clampInto, type LabelWish, placeLabels } from './label-placement.ts'

const bounds: Rect = { x: 0, y: 0, width: 1000, height: 800 }
const box = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]
const wish = (id: string, outline: Point[], width = 60, height = 20): LabelWish => ({
  id,
  outline,
  sizes: [{ width, height }],
})
const rectOf = (placed: { x: number; y: number }, width = 60, height = 20): Rect => ({
  x: placed.x - width / 2,
  y: placed.y - height / 2,
  width,
  height,
})

describe('[OBS-01] names on the map', () => {
  test('stand in the middle of their area', () => {
    const [placed] = placeLabels([wish('a', box(100, 100, 200, 100))], [], bounds)
    expect(placed).toMatchObject({ id: 'a', x: 200, y: 150, size: 0 })
  })

  test('keep off obstacles and each other, and inside the bounds', () => {
    const area = fc.record({
      x: fc.integer({ min: -200, max: 1000 }),
      y: fc.integer({ min: -200, max: 800 }),
      width: fc.integer({ min: 10, max: 500 }),
      height: fc.integer({ min: 10, max: 400 }),
    })
    fc.assert(
      fc.property(fc.array(area, { maxLength: 14 }), fc.array(area, { maxLength: 5 }), (areas, obstacles) => {
        const placed = placeLabels(
          areas.map((one, i) => wish(String(i), box(one.x, one.y, one.width, one.height))),
          obstacles,
          bounds,
        ).map((one) => rectOf(one))
        for (const [i, one] of placed.entries()) {
          expect(one.x).toBeGreaterThanOrEqual(0)
          expect(one.x + one.width).toBeLessThanOrEqual(bounds.width)
          expect(obstacles.some((other) => overlaps(one, other))).toBe(false)
          expect(placed.slice(i + 1).some((other) => overlaps(one, other))).toBe(false)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('move aside for what is in the way, and vanish where there is no room', () => {
    const outline = box(100, 100, 300, 100)
    const [placed] = placeLabels([wish('a', outline)], [{ x: 200, y: 100, width: 100, height: 100 }], bounds)
    expect(placed && overlaps(rectOf(placed), { x: 200, y: 100, width: 100, height: 100 })).toBe(false)
    expect(placeLabels([wish('a', outline)], [bounds], bounds)).toEqual([])
    expect(placeLabels([wish('tiny', box(100, 100, 12, 8))], [], bounds)).toEqual([])
  })

  test('a long name takes two lines, or hangs over an area that is tall enough', () => {
    const sizes = [
      { width: 120, height: 20 },
      { width: 60, height: 38 },
    ]
    expect(placeLabels([{ id: 'a', outline: box(0, 0, 80, 80), sizes }], [], bounds)[0]?.size).toBe(1)
    expect(placeLabels([wish('narrow', box(100, 100, 50, 90), 70)], [], bounds)).toHaveLength(1)
  })
})

test('a plate without a free place stays within the map: it never runs below a panel', () => {
  const zone = { x: 400, y: 60, width: 1000, height: 700 }
  expect(clampInto({ x: 1350, y: 100, width: 220, height: 50 }, zone)).toEqual({
    x: 1180,
    y: 100,
    width: 220,
    height: 50,
  })
  expect(clampInto({ x: 380, y: 740, width: 220, height: 50 }, zone)).toEqual({
    x: 400,
    y: 710,
    width: 220,
    height: 50,
  })
  expect(clampInto({ x: 500, y: 100, width: 2000, height: 50 }, zone).x).toBe(400)
})
