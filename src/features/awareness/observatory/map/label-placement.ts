import { overlaps, type Point, type Rect } from '../../../../shared/map/mercator.ts'

/** One area that wants a name: its main outline in pixels and the size of its text, most important first. */
export type LabelWish = {
  id: string
  outline: readonly Point[]
  /** Sizes to try in order (one line, two lines); the index chosen comes back. */
  sizes: readonly { width: number; height: number }[]
}
export type PlacedLabel = { id: string; x: number; y: number; size: number }

const GRID = 13

/**
 * Centres of the labels that fit: the box lies inside the outline and off obstacles and earlier labels, as near the outline's centre as
 * it gets. A second pass lets a text overhang an outline that is at least as tall as the text, so long names of narrow areas are not
 * lost. No place, no label.
 */
export function placeLabels(wishes: readonly LabelWish[], obstacles: readonly Rect[], bounds: Rect): PlacedLabel[] {
  const taken = [...obstacles]
  const placed: PlacedLabel[] = []
  for (const wish of wishes) {
    const found = place(wish, taken, bounds)
    if (!found) continue
    const { width, height } = wish.sizes[found.size] as { width: number; height: number }
    taken.push({ x: found.x - width / 2, y: found.y - height / 2, width, height })
    placed.push(found)
  }
  return placed
}

function place(wish: LabelWish, taken: readonly Rect[], bounds: Rect): PlacedLabel | undefined {
  const box = clipped(wish.outline, bounds)
  if (!box) return undefined
  const centre = centreOf(wish.outline, box)
  const points: Point[] = [centre]
  for (let i = 0; i < GRID; i++)
    for (let j = 0; j < GRID; j++)
      points.push([box.x + (box.width * (i + 0.5)) / GRID, box.y + (box.height * (j + 0.5)) / GRID])
  const off = ([x, y]: Point) => (x - centre[0]) ** 2 + ((y - centre[1]) * 1.3) ** 2
  points.sort((a, b) => off(a) - off(b))
  for (const strict of [true, false])
    for (const [size, { width, height }] of wish.sizes.entries()) {
      if (!strict && (box.height < height || box.width < width * 0.55)) continue
      for (const [x, y] of points) {
        const rect = { x: x - width / 2, y: y - height / 2, width, height }
        if (!within(rect, bounds) || taken.some((other) => overlaps(rect, other))) continue
        const must = strict
          ? cornersOf(rect)
          : [[x, y] as Point, [x, y - height / 2] as Point, [x, y + height / 2] as Point]
        if (must.every((corner) => contains(wish.outline, corner))) return { id: wish.id, x, y, size }
      }
    }
  return undefined
}

const cornersOf = ({ x, y, width, height }: Rect): Point[] => [
  [x, y],
  [x + width, y],
  [x, y + height],
  [x + width, y + height],
  [x + width / 2, y],
  [x + width / 2, y + height],
]

const within = (a: Rect, b: Rect) =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height

/** The part of the outline's box that the bounds show. */
function clipped(outline: readonly Point[], bounds: Rect): Rect | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of outline) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  left = Math.max(left, bounds.x)
  top = Math.max(top, bounds.y)
  right = Math.min(right, bounds.x + bounds.width)
  bottom = Math.min(bottom, bounds.y + bounds.height)
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined
}

/** Centroid of the outline where the whole of it shows, else the middle of what shows. */
function centreOf(outline: readonly Point[], box: Rect): Point {
  let [area, x, y] = [0, 0, 0]
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[j] as Point
    const [bx, by] = outline[i] as Point
    const cross = ax * by - bx * ay
    area += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  const centre: Point = area ? [x / (3 * area), y / (3 * area)] : [box.x, box.y]
  const shows =
    centre[0] >= box.x && centre[0] <= box.x + box.width && centre[1] >= box.y && centre[1] <= box.y + box.height
  return shows ? centre : [box.x + box.width / 2, box.y + box.height / 2]
}

function contains(outline: readonly Point[], [x, y]: Point): boolean {
  let inside = false
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [xi, yi] = outline[i] as Point
    const [xj, yj] = outline[j] as Point
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** The rectangle moved as little as needed to lie within the zone; one that is larger begins at its left or top edge. */
export function clampInto(rect: Rect, zone: Rect): Rect {
  const within = (at: number, size: number, from: number, length: number) =>
    Math.max(from, Math.min(at, from + length - size))
  return {
    ...rect,
    x: within(rect.x, rect.width, zone.x, zone.width),
    y: within(rect.y, rect.height, zone.y, zone.height),
  }
}
