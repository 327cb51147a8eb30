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
  curveOf,
  distanceTo,
  fadeAt,
  headAt,
  LIFE_MS,
  pointOn,
  projectedCurve,
  steppedFade,
  TRAVEL_MS,
  taperedOutline,
} from './arcs.ts'

const pixel = fc.tuple(
  fc.integer({ min: -2000, max: 4000 }),
  fc.integer({ min: -2000, max: 3000 }),
) as fc.Arbitrary<Point>
const camera: Camera = { lon: 104.3, lat: 36, zoom: 3.5, width: 1920, height: 1080 }

describe('[OBS-01] arcs', () => {
  test('bend upwards by a fifth of the distance, 12 to 140 px, and begin and end where they should', () => {
    fc.assert(
      fc.property(pixel, pixel, (from, to) => {
        const distance = Math.hypot(to[0] - from[0], to[1] - from[1])
        fc.pre(distance > 1)
        const curve = curveOf(from, to, 1)
        const [mx, my] = pointOn(curve, 0.5)
        const bend = Math.hypot(mx - (from[0] + to[0]) / 2, my - (from[1] + to[1]) / 2)
        expect(bend).toBeCloseTo(Math.max(12, Math.min(140, distance * 0.2)), 6)
        expect(my).toBeLessThanOrEqual((from[1] + to[1]) / 2 + 1e-6)
        expect(pointOn(curve, 0)).toEqual(from)
        expect(pointOn(curve, 1)).toEqual(to)
        expect(distanceTo(curve, to)).toBe(0)
      }),
    )
  })

  test('a source at the site draws a point and divides by nothing', () => {
    expect(curveOf([5, 5], [5, 5], 1)).toEqual({ from: [5, 5], control: [5, 5], to: [5, 5] })
    for (const value of taperedOutline(curveOf([5, 5], [5, 5], 1), 0.4, 1.2).flat())
      expect(Number.isFinite(value)).toBe(true)
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

  test('taper from source to site and stop at the head', () => {
    const outline = taperedOutline({ from: [0, 0], control: [50, 0], to: [100, 0] }, 0.4, 1.2, 0.5)
    expect(outline[0]?.[1]).toBeCloseTo(0.2)
    expect(Math.max(...outline.map(([x]) => x))).toBeCloseTo(50)
    expect(Math.max(...outline.map(([, y]) => Math.abs(y)))).toBeCloseTo(0.4)
  })

  test('live ten seconds: the head arrives after 0.7 s, the light falls and ends', () => {
    expect(headAt(0)).toBe(0)
    expect(headAt(TRAVEL_MS)).toBe(1)
    expect(fadeAt(0)).toBeCloseTo(1)
    expect(fadeAt(LIFE_MS)).toBe(0)
    let before = 1.01
    for (let age = 0; age <= LIFE_MS; age += 100) {
      expect(fadeAt(age)).toBeLessThanOrEqual(before)
      before = fadeAt(age)
    }
    expect([0, 16_000, 31_000, 59_000].map(steppedFade)).toEqual([1, 0.7, 0.45, 0.26])
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
