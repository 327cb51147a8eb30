import fc from 'fast-check'
import { expect, test } from 'vitest'
import { busiestRegion, createView, subsolarPoint, vectorOf } from './orthographic.ts'

const lon = fc.double({ min: -180, max: 180, noNaN: true })
const lat = fc.double({ min: -85, max: 85, noNaN: true })

test('[OBS-01] the middle of the globe faces the eye, lengths stay, and every point leads back to its place', () => {
  fc.assert(
    fc.property(lon, lat, lon, lat, (turnLon, turnLat, pointLon, pointLat) => {
      const view = createView()
      view.turn({ lon: turnLon, lat: turnLat })
      const out = { x: 0, y: 0, z: 0 }
      const middle = vectorOf(turnLon, turnLat)
      view.project(middle.x, middle.y, middle.z, out)
      expect(out.z).toBeCloseTo(1, 9)
      const point = vectorOf(pointLon, pointLat)
      view.project(point.x, point.y, point.z, out)
      expect(Math.hypot(out.x, out.y, out.z)).toBeCloseTo(1, 9)
      const back = { x: 0, y: 0, z: 0 }
      view.unproject(out.x, out.y, out.z, back)
      expect(back.x).toBeCloseTo(point.x, 9)
      expect(back.y).toBeCloseTo(point.y, 9)
      expect(back.z).toBeCloseTo(point.z, 9)
    }),
  )
})

test('[OBS-01] east is right and north is up', () => {
  const view = createView()
  view.turn({ lon: 100, lat: 0 })
  const out = { x: 0, y: 0, z: 0 }
  const east = vectorOf(110, 0)
  view.project(east.x, east.y, east.z, out)
  expect(out.x).toBeGreaterThan(0)
  const north = vectorOf(100, 10)
  view.project(north.x, north.y, north.z, out)
  expect(out.y).toBeGreaterThan(0)
})

test('[OBS-01] the sun is over Greenwich at noon UTC and north of the equator in June', () => {
  const june = subsolarPoint(Date.UTC(2026, 5, 21, 12))
  expect(june.lon).toBeCloseTo(0)
  expect(june.lat).toBeGreaterThan(23)
  expect(subsolarPoint(Date.UTC(2026, 11, 21, 4)).lon).toBeCloseTo(120)
  expect(subsolarPoint(Date.UTC(2026, 11, 21, 4)).lat).toBeLessThan(-23)
})

test('[OBS-01] the globe turns to the region with most attacks from abroad; attacks within China do not decide', () => {
  const points = new Map<string, readonly [number, number]>([
    ['SG', [103.8, 1.35]],
    ['US', [-98, 39]],
    ['CN', [104, 35]],
  ])
  const of = (code: string) => points.get(code)
  expect(
    busiestRegion(
      [
        ['CN', 900],
        ['SG', 30],
        ['US', 20],
      ],
      of,
    )?.id,
  ).toBe('southeastAsia')
  expect(
    busiestRegion(
      [
        ['CN', 900],
        ['US', 20],
      ],
      of,
    )?.id,
  ).toBe('northAmerica')
  expect(busiestRegion([['CN', 900]], of)).toBeUndefined()
})
