import { overlaps, type Point, type Rect } from '../../../../shared/map/mercator.ts'

export type CityLabel = { text: string; x: number; y: number; width: number; height: number; size: number }

/** Where a name may stand: direction from its source, and how far in units. */
const SPOTS = [
  [0, 1, 24],
  [-1, 0, 12],
  [1, 0, 12],
  [0, -1, 24],
  [-1, 1, 20],
  [1, 1, 20],
  [-1, -1, 20],
  [1, -1, 20],
  [-1, 1, 40],
  [1, 1, 40],
  [0, 1, 46],
] as const

/**
 * Names beside their cities, the largest first: off all sources, off each other, off `taken` (plates, base labels) and off `line`, points
 * along the stream. A name without a free spot is left out. Lengths in px.
 */
export function placeCityLabels(
  cities: readonly { text: string; at: Point; width: number; size: number }[],
  taken: readonly Rect[],
  line: readonly Point[],
  unit: number,
): CityLabel[] {
  const mark = 8 * unit
  const used: Rect[] = [
    ...taken,
    ...cities.map(({ at: [x, y] }) => ({ x: x - mark, y: y - mark, width: 2 * mark, height: 2 * mark })),
    ...line.map(([x, y]) => ({ x: x - 4 * unit, y: y - 4 * unit, width: 8 * unit, height: 8 * unit })),
  ]
  const placed: CityLabel[] = []
  for (const { text, at, width, size } of cities) {
    const height = size * 1.3
    const spots = SPOTS.map(([dx, dy, far]) => ({
      x: at[0] + dx * far * unit + (dx < 0 ? -width : dx === 0 ? -width / 2 : 0),
      y: at[1] + dy * far * unit - height / 2,
      width,
      height,
    }))
    const free = spots.find((spot) => !used.some((one) => overlaps(one, spot)))
    if (!free) continue
    used.push(free)
    placed.push({ text, ...free, size })
  }
  return placed
}
