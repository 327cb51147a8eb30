import type { ArcTuple } from '#contracts/live/messages.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { type LonLat, nearestLongitude } from '../../../shared/map/mercator.ts'
import type { Places } from '../../../shared/map/places.ts'

export type Weighted = { point: LonLat; count: number }

/** Exact counts of today at the label points of cities and, abroad, of countries. China's 'province only' counts stand at the province. */
export function weightedPoints(view: Pick<WallView, 'cities' | 'countries' | 'provinces'>, places: Places): Weighted[] {
  const points: Weighted[] = []
  const ofCities = new Map<string, number>()
  for (const [code, count] of view.cities) {
    const place = places.cities.get(code)
    if (!place) continue
    points.push({ point: place.point, count })
    const province = place.province ?? code
    ofCities.set(province, (ofCities.get(province) ?? 0) + count)
  }
  for (const [code, count] of view.provinces) {
    const rest = count - (ofCities.get(code) ?? 0)
    const place = places.provinces.get(code)
    if (place && rest > 0) points.push({ point: place.point, count: rest })
  }
  for (const [code, count] of view.countries) {
    const place = places.countries.get(code)
    if (place && code !== 'CN') points.push({ point: place.point, count })
  }
  return points
}

/** Points joined in cells of `size` degrees, each at the centre of its weight. No count is lost. */
export function clusterPoints(points: readonly Weighted[], size = 4): Weighted[] {
  const cells = new Map<string, { x: number; y: number; count: number }>()
  for (const { point, count } of points) {
    const key = `${Math.floor(point[0] / size)}:${Math.floor(point[1] / size)}`
    const cell = cells.get(key) ?? { x: 0, y: 0, count: 0 }
    cells.set(key, { x: cell.x + point[0] * count, y: cell.y + point[1] * count, count: cell.count + count })
  }
  return [...cells.values()].map(({ x, y, count }) => ({ point: [x / count, y / count], count }))
}

export type MergedArc = { from: LonLat; to: LonLat; count: number; level: number }

/** Drawn arcs of one degree's source and one site as one, in the colour of its highest level. */
export function mergeArcs(arcs: readonly ArcTuple[], sites: ReadonlyMap<number, LonLat>): MergedArc[] {
  const merged = new Map<string, MergedArc>()
  const seen = new Set<string>()
  for (const [id, lon, lat, site, level] of arcs) {
    const to = sites.get(site)
    if (!to || seen.has(id)) continue
    seen.add(id)
    const key = `${Math.round(lon)}:${Math.round(lat)}:${site}`
    const before = merged.get(key)
    if (before) {
      before.count++
      before.level = Math.max(before.level, level)
    } else merged.set(key, { from: [nearestLongitude(lon, to[0]), lat], to, count: 1, level })
  }
  return [...merged.values()]
}
