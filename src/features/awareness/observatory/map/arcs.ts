import { type LonLat, nearestLongitude, type Point, type Projector } from '../../../../shared/map/mercator.ts'
import { cubicBezier, easeOut } from './easing.ts'

/** Geometry and life of an arc (docs/areas/observatory.md, Arcs). Times in ms since birth, lengths in px times the layout's unit. */
export const TRAVEL_MS = 1200
/** The trail is where the head was in the time before: it shortens as the head slows down. */
export const TRAIL_MS = 420
export const RIPPLE_MS = 800
/** After the landing: the ring that spreads, the perimeter that closes, the tick, the way out of what was only observed. */
export const RING_MS = 900
export const CLOSING_MS = 350
export const TICK_MS = 2400
export const EXIT_MS = 2600
export const LIFE_MS = 6000
/** How far the spreading ring and the way out reach beyond the perimeter. */
export const RING_REACH = 22
export const EXIT_REACH = 18
/** Radius of the perimeter around a site. */
export const PERIMETER = { usual: 26, alert: 34, world: 15, globe: 18, phone: 11 } as const
/** Half the angle of the plate that lights where a blocked attack arrives. */
export const PLATE_ANGLE = 0.34
const STEPS = 22
/** Shorter arcs than this are lifted, so that they do not look like a line. */
const SHORT = 120
const SHORT_BEND = 26

export type Curve = { from: Point; control: Point; to: Point }

/**
 * From source to site on the screen: a quadratic bent upwards, its apex a fifth of the distance and 12 to 140 px (times the unit) off
 * the chord; at least 26 px where the distance is short.
 */
export function curveOf(from: Point, to: Point, unit: number): Curve {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const distance = Math.hypot(dx, dy)
  if (distance === 0) return { from, control: from, to }
  const least = distance < SHORT * unit ? SHORT_BEND : 12
  const bend = Math.max(least * unit, Math.min(140 * unit, distance * 0.2))
  // The normal that points up; straight vertical arcs bend to the left.
  const sign = dx > 0 || (dx === 0 && dy > 0) ? 1 : -1
  const [nx, ny] = [(sign * dy) / distance, (-sign * dx) / distance]
  return { from, control: [(from[0] + to[0]) / 2 + 2 * bend * nx, (from[1] + to[1]) / 2 + 2 * bend * ny], to }
}

/** One coordinate of a quadratic at `t`, as a number: drawing makes no arrays. */
export const along = (from: number, control: number, to: number, t: number): number =>
  (1 - t) * (1 - t) * from + 2 * (1 - t) * t * control + t * t * to

export function pointOn({ from, control, to }: Curve, t: number): Point {
  return [along(from[0], control[0], to[0], t), along(from[1], control[1], to[1], t)]
}

/**
 * Where the curve enters the circle around its end for good: a blocked attack stops there. 0 where the source lies inside the circle
 * and the curve never leaves it.
 */
export function gateOf(curve: Curve, radius: number): number {
  const outside = (t: number) => {
    const [x, y] = pointOn(curve, t)
    return Math.hypot(x - curve.to[0], y - curve.to[1]) >= radius
  }
  let low = -1
  for (let i = 100; i >= 0; i--)
    if (outside(i / 100)) {
      low = i / 100
      break
    }
  if (low < 0) return 0
  let high = Math.min(1, low + 0.01)
  for (let i = 0; i < 14; i++) {
    const middle = (low + high) / 2
    if (outside(middle)) low = middle
    else high = middle
  }
  return low
}

/** The angle at which the curve meets the circle, seen from the circle's centre. */
export function arrivalAngle(curve: Curve, gate: number): number {
  const [x, y] = gate > 0 ? pointOn(curve, gate) : curve.from
  return Math.atan2(y - curve.to[1], x - curve.to[0])
}

/** Both ends on the screen; the source takes the copy of the world nearest to its site, so a Pacific arc does not cross the map. */
export function projectedCurve(project: Projector, from: LonLat, to: LonLat, centre: number, unit: number): Curve {
  const site = nearestLongitude(to[0], centre)
  return curveOf(project(nearestLongitude(from[0], site), from[1]), project(site, to[1]), unit)
}

const travel = cubicBezier(0.35, 0.05, 0.3, 1)

/** How far the head has come, 0 to 1 of its way. */
export const headAt = (age: number): number => travel(age / TRAVEL_MS)
export const tailAt = (age: number): number => travel((age - TRAIL_MS) / TRAVEL_MS)

/** Brightness of the path: faint while the head flies, then from 47 % to 5 % over what is left of `life`. */
export function pathAlphaAt(age: number, life: number = LIFE_MS): number {
  if (age < 0 || age >= life) return 0
  if (age < TRAVEL_MS) return 0.3
  return 0.05 + 0.42 * (1 - (age - TRAVEL_MS) / (life - TRAVEL_MS)) ** 1.3
}

/** What a landing shows, by time since it landed; each part 0 once it is over. Written into `into`, so that drawing allocates nothing. */
export type Landing = {
  /** The spreading ring: 0 to 1 of its way, 1 over. */
  ring: number
  /** Blocked: half the angle that the perimeter is closed over, and how bright the plate and the tick are. */
  closed: number
  plate: number
  tick: number
  /** Observed: how far the way out has come, and how bright it is. */
  exit: number
  exitAlpha: number
}

export function landingAt(since: number, blocked: boolean, into: Landing): void {
  const share = (span: number) => Math.max(0, Math.min(1, since / span))
  into.ring = since < 0 ? 1 : share(RING_MS)
  into.closed = blocked ? PLATE_ANGLE + (Math.PI - PLATE_ANGLE) * easeOut(share(CLOSING_MS)) : 0
  into.plate = blocked && since >= 0 ? 1 - share(TICK_MS) : 0
  into.tick = blocked && since >= 150 ? Math.min(1, 1.6 * (1 - share(TICK_MS))) : 0
  into.exit = blocked ? 0 : easeOut(share(700))
  into.exitAlpha = blocked || since < 0 ? 0 : 0.9 * (1 - share(EXIT_MS))
}

export const newLanding = (): Landing => ({ ring: 1, closed: 0, plate: 0, tick: 0, exit: 0, exitAlpha: 0 })

/** Width of an arc that represents many events: logarithmic, 1.2 to 6 px, so that a burst stays a line. */
export const mergedWidth = (count: number): number => Math.min(6, 1.2 + 1.6 * Math.log10(Math.max(1, count)))

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
