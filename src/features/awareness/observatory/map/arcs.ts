import { type LonLat, nearestLongitude, type Point, type Projector } from '../../../../shared/map/mercator.ts'

/** Geometry and life of an arc (design/mock/wall.md). Times in ms since birth. */
export const TRAVEL_MS = 700
export const RING_MS = 1000
export const LIFE_MS = 10_000
const STEPS = 22

export type Curve = { from: Point; control: Point; to: Point }

/**
 * From source to site on the screen: a quadratic bent upwards, its apex a fifth of the distance and 12 to 140 px (times the unit) off
 * the chord.
 */
export function curveOf(from: Point, to: Point, unit: number): Curve {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const distance = Math.hypot(dx, dy)
  if (distance === 0) return { from, control: from, to }
  const bend = Math.max(12 * unit, Math.min(140 * unit, distance * 0.2))
  // The normal that points up; straight vertical arcs bend to the left.
  const sign = dx > 0 || (dx === 0 && dy > 0) ? 1 : -1
  const [nx, ny] = [(sign * dy) / distance, (-sign * dx) / distance]
  return { from, control: [(from[0] + to[0]) / 2 + 2 * bend * nx, (from[1] + to[1]) / 2 + 2 * bend * ny], to }
}

export function pointOn({ from, control, to }: Curve, t: number): Point {
  const s = 1 - t
  return [
    s * s * from[0] + 2 * s * t * control[0] + t * t * to[0],
    s * s * from[1] + 2 * s * t * control[1] + t * t * to[1],
  ]
}

/** Both ends on the screen; the source takes the copy of the world nearest to its site, so a Pacific arc does not cross the map. */
export function projectedCurve(project: Projector, from: LonLat, to: LonLat, centre: number, unit: number): Curve {
  const site = nearestLongitude(to[0], centre)
  return curveOf(project(nearestLongitude(from[0], site), from[1]), project(site, to[1]), unit)
}

/** Outline of the curve's stretch `0..until`, `thin` px wide at the source and `thick` at the site: one fill instead of many strokes. */
export function taperedOutline(curve: Curve, thin: number, thick: number, until = 1): Point[] {
  const left: Point[] = []
  const right: Point[] = []
  for (let i = 0; i <= STEPS; i++) {
    const t = (i / STEPS) * until
    const [x, y] = pointOn(curve, t)
    const dx = 2 * (1 - t) * (curve.control[0] - curve.from[0]) + 2 * t * (curve.to[0] - curve.control[0])
    const dy = 2 * (1 - t) * (curve.control[1] - curve.from[1]) + 2 * t * (curve.to[1] - curve.control[1])
    const half = (thin + (thick - thin) * t) / 2 / (Math.hypot(dx, dy) || 1)
    left.push([x - dy * half, y + dx * half])
    right.push([x + dy * half, y - dx * half])
  }
  return [...left, ...right.reverse()]
}

/** How far the head has come, 0 to 1. */
export const headAt = (age: number): number => (age >= TRAVEL_MS ? 1 : 1 - (1 - Math.max(0, age) / TRAVEL_MS) ** 3)

/** Brightness over a life of `life` ms: falls quickly, then slowly, and to nothing in the last tenth. */
export function fadeAt(age: number, life: number = LIFE_MS): number {
  if (age >= life) return 0
  const t = Math.max(0, age) / life
  return (0.26 + 0.74 * (1 - t) ** 0.9) * Math.min(1, (1 - t) * 10)
}

/** The four brightness steps of a point in low-power mode. */
export function steppedFade(age: number): number {
  return [1, 0.7, 0.45, 0.26][Math.min(3, Math.floor((age / 60_000) * 4))] ?? 0.26
}

/** Distance of a point from the curve, in px. */
export function distanceTo(curve: Curve, [x, y]: Point): number {
  let best = Infinity
  for (let i = 0; i <= STEPS; i++) {
    const [px, py] = pointOn(curve, i / STEPS)
    best = Math.min(best, Math.hypot(px - x, py - y))
  }
  return best
}
