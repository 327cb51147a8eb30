/** Web Mercator in CSS pixels, as maplibre draws it: a world of 512 px at zoom 0, no rotation, no pitch. */
export type Camera = { lon: number; lat: number; zoom: number; width: number; height: number }
export type Point = [x: number, y: number]
export type LonLat = readonly [lon: number, lat: number]
/** West, south, east, north in degrees; east may exceed 180. */
export type Box = readonly [west: number, south: number, east: number, north: number]

const WORLD = 512
const MAX_LAT = 85.051

/** Latitude stretched as Mercator does, in degrees: equal steps are equal pixels. */
export function stretched(lat: number): number {
  const clamped = Math.max(-MAX_LAT, Math.min(MAX_LAT, lat))
  return (Math.log(Math.tan(Math.PI / 4 + (clamped * Math.PI) / 360)) * 180) / Math.PI
}

export function unstretched(y: number): number {
  return (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90
}

export const pixelsPerDegree = (zoom: number): number => (WORLD * 2 ** zoom) / 360
export const zoomOf = (perDegree: number): number => Math.log2((perDegree * 360) / WORLD)

/** The longitude's copy that lies nearest to `near` (antimeridian: chosen once for an event and kept). */
export function nearestLongitude(lon: number, near: number): number {
  return lon - 360 * Math.round((lon - near) / 360)
}

export type Projector = (lon: number, lat: number) => Point

/** Degrees to pixels of the camera's viewport. Longitudes are taken as they are: see nearestLongitude. */
export function projector(camera: Camera): Projector {
  const k = pixelsPerDegree(camera.zoom)
  const [cx, cy] = [camera.width / 2 - camera.lon * k, camera.height / 2 + stretched(camera.lat) * k]
  return (lon, lat) => [cx + lon * k, cy - stretched(lat) * k]
}

export function unproject(camera: Camera, x: number, y: number): Point {
  const k = pixelsPerDegree(camera.zoom)
  return [camera.lon + (x - camera.width / 2) / k, unstretched(stretched(camera.lat) - (y - camera.height / 2) / k)]
}

/** A rectangle of the viewport in pixels. */
export type Rect = { x: number; y: number; width: number; height: number }

/** The camera that shows `box` in `zone` of a viewport, leaving `margin` (a share of the zone) free around it. */
export function cameraFor(box: Box, zone: Rect, viewport: { width: number; height: number }, margin = 0.06): Camera {
  const [west, south, east, north] = box
  const [top, bottom] = [stretched(north), stretched(south)]
  const k = Math.min((zone.width * (1 - margin)) / (east - west), (zone.height * (1 - margin)) / (top - bottom))
  const lon = (west + east) / 2 - (zone.x + zone.width / 2 - viewport.width / 2) / k
  const lat = unstretched((top + bottom) / 2 + (zone.y + zone.height / 2 - viewport.height / 2) / k)
  return { lon, lat, zoom: zoomOf(k), ...viewport }
}

export const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
