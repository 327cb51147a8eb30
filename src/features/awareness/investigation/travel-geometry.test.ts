import { expect, test } from 'vitest'
import { type Box, placePills } from './travel-geometry.ts'

const BOUNDS = { x: 0, y: 0, width: 400, height: 300 }
const apart = (a: Box, b: Box) =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y

test('the text of a leg lies over no stop, where its line leaves room', () => {
  const marks: Box[] = [
    { x: 90, y: 90, width: 24, height: 24 },
    { x: 130, y: 90, width: 24, height: 24 },
  ]
  const spots = [
    [120, 102],
    [110, 102],
    [140, 102],
  ] as const
  const [pill] = placePills([{ item: 1, spots: spots.map(([x, y]) => [x, y]), width: 60, height: 22 }], BOUNDS, marks)
  for (const mark of marks) expect(apart(pill?.box as Box, mark)).toBe(true)
})

test('two texts stand beside one another, and what has no room covers the least', () => {
  const wish = { spots: [[50, 50] as [number, number]], width: 40, height: 20 }
  const [a, b] = placePills(
    [
      { ...wish, item: 'a' },
      { ...wish, item: 'b' },
    ],
    BOUNDS,
    [],
  )
  expect(apart(a?.box as Box, b?.box as Box)).toBe(true)
  const everywhere = { x: 0, y: 0, width: 400, height: 55 }
  const [least] = placePills([{ ...wish, item: 'c' }], BOUNDS, [everywhere])
  expect(least?.box.y).toBe(64)
})
