/** The globe seen from far away: unit vectors turned so that the middle of the disc is (`lon`, `lat`). Lengths in radii. */
export type Turn = { lon: number; lat: number }
export type Vector = { x: number; y: number; z: number }

const RADIANS = Math.PI / 180

export function vectorOf(lon: number, lat: number): Vector {
  const across = Math.cos(lat * RADIANS)
  return { x: across * Math.cos(lon * RADIANS), y: across * Math.sin(lon * RADIANS), z: Math.sin(lat * RADIANS) }
}

/** Turns vectors into the view: x right, y up, z towards the eye. Written into `out`. */
export function createView() {
  let [sinLon, cosLon, sinLat, cosLat] = [0, 1, 0, 1]
  return {
    turn({ lon, lat }: Turn): void {
      sinLon = Math.sin(lon * RADIANS)
      cosLon = Math.cos(lon * RADIANS)
      sinLat = Math.sin(lat * RADIANS)
      cosLat = Math.cos(lat * RADIANS)
    },
    project(x: number, y: number, z: number, out: Vector): void {
      const forward = x * cosLon + y * sinLon
      out.x = y * cosLon - x * sinLon
      out.y = z * cosLat - forward * sinLat
      out.z = z * sinLat + forward * cosLat
    },
    /** The vector of the earth at a point of the disc, written into `out`. */
    unproject(x: number, y: number, z: number, out: Vector): void {
      const forward = z * cosLat - y * sinLat
      out.x = forward * cosLon - x * sinLon
      out.y = forward * sinLon + x * cosLon
      out.z = z * sinLat + y * cosLat
    },
  }
}

/** Where the sun is overhead: the mean sun, exact to about four degrees of longitude and half a degree of latitude. */
export function subsolarPoint(at: number): Turn {
  const date = new Date(at)
  const day = (at - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000
  const hours = date.getUTCHours() + date.getUTCMinutes() / 60
  return { lon: (((12 - hours) * 15 + 540) % 360) - 180, lat: -23.44 * Math.cos(((day + 10) / 365.25) * 2 * Math.PI) }
}

/** Regions that the globe may face, by their middle. */
export const REGIONS = [
  { id: 'eastAsia', lon: 118, lat: 35 },
  { id: 'southeastAsia', lon: 108, lat: 8 },
  { id: 'southAsia', lon: 78, lat: 21 },
  { id: 'middleEast', lon: 47, lat: 28 },
  { id: 'europe', lon: 16, lat: 50 },
  { id: 'africa', lon: 20, lat: 2 },
  { id: 'northAmerica', lon: -98, lat: 40 },
  { id: 'southAmerica', lon: -60, lat: -15 },
  { id: 'oceania', lon: 140, lat: -24 },
] as const
export type Region = (typeof REGIONS)[number]

/** The region with most attacks from abroad, each country counted for the region whose middle is nearest; undefined without any. */
export function busiestRegion(
  countries: readonly (readonly [code: string, count: number])[],
  pointOf: (code: string) => readonly [lon: number, lat: number] | undefined,
): Region | undefined {
  const counts = new Map<Region, number>()
  for (const [code, count] of countries) {
    const point = code === 'CN' ? undefined : pointOf(code)
    if (!point) continue
    const v = vectorOf(point[0], point[1])
    let best: Region = REGIONS[0]
    let nearest = -2
    for (const region of REGIONS) {
      const r = vectorOf(region.lon, region.lat)
      const near = v.x * r.x + v.y * r.y + v.z * r.z
      if (near > nearest) [best, nearest] = [region, near]
    }
    counts.set(best, (counts.get(best) ?? 0) + count)
  }
  let most: Region | undefined
  for (const [region, count] of counts) if (!most || count > (counts.get(most) ?? 0)) most = region
  return most
}
