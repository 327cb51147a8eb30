import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Camera,
  cameraFor,
  nearestLongitude,
  type Point,
  projector,
  unproject,
} from '../../../../shared/map/mercator.ts'
import {
  arrivalAngle,
  CLOSING_MS,
  curveOf,
  distanceTo,
  EXIT_MS,
  gateOf,
  headAt,
  LIFE_MS,
  landingAt,
  mergedWidth,
  newLanding,
  pathAlphaAt,
  pointOn,
  projectedCurve,
  RING_MS,
  steppedFade,
  TICK_MS,
  TRAIL_MS,
  TRAVEL_MS,
  tailAt,
} from './arcs.ts'
import { cubicBezier } from './easing.ts'

const pixel = fc.tuple(
  fc.integer({ min: -2000, max: 4000 }),
  fc.integer({ min: -2000, max: 3000 }),
) as fc.Arbitrary<Point>
const camera: Camera = { lon: 104.3, lat: 36, zoom: 3.5, width: 1920, height: 1080 }

describe('[OBS-01] arcs', () => {
  test('bend upwards by a fifth of the distance, 12 to 140 px and at least 26 where short, and begin and end where they should', () => {
    fc.assert(
      fc.property(pixel, pixel, (from, to) => {
        const distance = Math.hypot(to[0] - from[0], to[1] - from[1])
        fc.pre(distance > 1)
        const curve = curveOf(from, to, 1)
        const [mx, my] = pointOn(curve, 0.5)
        const bend = Math.hypot(mx - (from[0] + to[0]) / 2, my - (from[1] + to[1]) / 2)
        expect(bend).toBeCloseTo(Math.max(distance < 120 ? 26 : 12, Math.min(140, distance * 0.2)), 6)
        expect(my).toBeLessThanOrEqual((from[1] + to[1]) / 2 + 1e-6)
        expect(pointOn(curve, 0)).toEqual(from)
        expect(pointOn(curve, 1)).toEqual(to)
        expect(distanceTo(curve, to)).toBe(0)
      }),
    )
  })

  test('a source at the site draws a point and divides by nothing', () => {
    expect(curveOf([5, 5], [5, 5], 1)).toEqual({ from: [5, 5], control: [5, 5], to: [5, 5] })
    expect(gateOf(curveOf([5, 5], [5, 5], 1), 26)).toBe(0)
    expect(Number.isFinite(arrivalAngle(curveOf([5, 5], [5, 5], 1), 0))).toBe(true)
  })

  test('arcs take the short way across the antimeridian, for every camera position', () => {
    const project = projector(camera)
    const direct = projectedCurve(project, [-170, 20], [121.5, 31.2], camera.lon, 1)
    // 68.5 degrees of longitude, not 291.5.
    const perDegree = (512 * 2 ** camera.zoom) / 360
    expect(Math.abs(direct.from[0] - direct.to[0])).toBeCloseTo(68.5 * perDegree, 3)
    fc.assert(
      fc.property(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -540, max: 540, noNaN: true }),
        (lon, near) => {
          const copy = nearestLongitude(lon, near)
          expect(Math.abs(copy - near)).toBeLessThanOrEqual(180.0001)
          expect(Math.abs(Math.round((copy - lon) / 360) - (copy - lon) / 360)).toBeLessThan(1e-9)
        },
      ),
    )
  })

  test('a blocked attack stops where its curve enters the perimeter for good', () => {
    fc.assert(
      fc.property(pixel, pixel, fc.integer({ min: 8, max: 40 }), (from, to, radius) => {
        const distance = Math.hypot(to[0] - from[0], to[1] - from[1])
        fc.pre(distance > 2 * radius)
        const curve = curveOf(from, to, 1)
        const gate = gateOf(curve, radius)
        const [x, y] = pointOn(curve, gate)
        expect(Math.hypot(x - to[0], y - to[1])).toBeCloseTo(radius, 1)
        for (let t = gate + 0.02; t <= 1; t += 0.02) {
          const [px, py] = pointOn(curve, t)
          expect(Math.hypot(px - to[0], py - to[1])).toBeLessThan(radius + 0.01)
        }
        const angle = arrivalAngle(curve, gate)
        expect(Math.cos(angle) * radius + to[0]).toBeCloseTo(x, 0)
      }),
    )
  })

  test('the head arrives after 1.2 s with its trail behind it; the path fades from 47 % to 5 % and ends', () => {
    expect([headAt(0), headAt(TRAVEL_MS), headAt(5 * TRAVEL_MS)]).toEqual([0, 1, 1])
    for (let age = 0; age <= TRAVEL_MS + TRAIL_MS; age += 10) {
      expect(tailAt(age)).toBeLessThanOrEqual(headAt(age))
      expect(headAt(age)).toBeLessThanOrEqual(headAt(age + 10))
    }
    expect(pathAlphaAt(TRAVEL_MS)).toBeCloseTo(0.47)
    expect(pathAlphaAt(LIFE_MS - 1)).toBeCloseTo(0.05, 2)
    expect(pathAlphaAt(LIFE_MS)).toBe(0)
    expect([0, 16_000, 31_000, 59_000].map(steppedFade)).toEqual([1, 0.7, 0.45, 0.26])
  })

  test('blocked closes the ring and is ticked, observed goes on through it; neither shows the other', () => {
    const state = newLanding()
    landingAt(-1, true, state)
    expect([state.ring, state.plate, state.tick]).toEqual([1, 0, 0])
    landingAt(CLOSING_MS, true, state)
    expect(state.closed).toBeCloseTo(Math.PI)
    expect([state.exit, state.exitAlpha]).toEqual([0, 0])
    expect(state.tick).toBe(1)
    landingAt(TICK_MS, true, state)
    expect([state.plate, state.tick]).toEqual([0, 0])
    landingAt(700, false, state)
    expect([state.closed, state.plate, state.tick]).toEqual([0, 0, 0])
    expect(state.exit).toBe(1)
    expect(state.exitAlpha).toBeGreaterThan(0)
    landingAt(EXIT_MS, false, state)
    expect(state.exitAlpha).toBe(0)
    landingAt(RING_MS, false, state)
    expect(state.ring).toBe(1)
  })

  test('an arc for many events grows by the logarithm and never beyond 6 px', () => {
    expect(mergedWidth(1)).toBeCloseTo(1.2)
    expect(mergedWidth(100) - mergedWidth(10)).toBeCloseTo(mergedWidth(10) - mergedWidth(1))
    for (const count of [0, 3724, 1e9]) expect(mergedWidth(count)).toBeLessThanOrEqual(6)
  })

  test('easing follows the curve of the style sheets', () => {
    const ease = cubicBezier(0.25, 0.1, 0.25, 1)
    expect([ease(-1), ease(0), ease(1), ease(2)]).toEqual([0, 0, 1, 1])
    expect(ease(0.5)).toBeCloseTo(0.8024, 2)
    expect(cubicBezier(0, 0, 1, 1)(0.3)).toBeCloseTo(0.3, 2)
  })
})

describe('[OBS-01] the camera', () => {
  test('pixels lead back to the place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1920 }), fc.integer({ min: 0, max: 1080 }), (x, y) => {
        const [lon, lat] = unproject(camera, x, y)
        const [backX, backY] = projector(camera)(lon, lat)
        expect(backX).toBeCloseTo(x, 4)
        expect(backY).toBeCloseTo(y, 4)
      }),
    )
  })

  test('a framed box lies inside its zone', () => {
    const zone = { x: 432, y: 64, width: 1056, height: 824 }
    const framed = cameraFor([73.5, 18.1, 135.1, 53.6], zone, { width: 1920, height: 1080 }, 0.033)
    const project = projector(framed)
    const [left, top] = project(73.5, 53.6)
    const [right, bottom] = project(135.1, 18.1)
    expect(left).toBeGreaterThanOrEqual(zone.x)
    expect(right).toBeLessThanOrEqual(zone.x + zone.width)
    expect(top).toBeGreaterThanOrEqual(zone.y)
    expect(bottom).toBeLessThanOrEqual(zone.y + zone.height)
  })
})
