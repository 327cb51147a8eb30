import type { Site } from '#contracts/http/sites.ts'
import { type Alert, isRunMeasure } from '#domain/alerts.ts'
import type { EventRow, Filter, TopAnswer } from '#domain/query.ts'
import type { Box, LonLat } from '../../../../shared/map/mercator.ts'
import { nearestLongitude } from '../../../../shared/map/mercator.ts'
import type { Places } from '../../../../shared/map/places.ts'

/** One arc a city and site, as thick as its count. */
export type FocusArc = { city: string; from: LonLat; to: LonLat | null; count: number }

/** Arcs of an alert: cities of each site (`0`: none), where the city is known; else the centre of its province or country. */
export function focusArcs(bySite: ReadonlyMap<string, TopAnswer>, sites: readonly Site[], places: Places): FocusArc[] {
  const arcs: FocusArc[] = []
  for (const [site, { groups }] of bySite) {
    const found = sites.find(({ id }) => id === site)
    const to: LonLat | null = found ? [found.longitude, found.latitude] : null
    for (const { key, row } of groups) {
      const from = places.cities.get(key)?.point
      if (from) arcs.push({ city: key, from, to, count: row.attacks ?? row.events ?? 0 })
    }
  }
  return arcs.sort((a, b) => a.count - b.count)
}

/** What the camera must show: sources and the sites that they hit; undefined where no source is known. */
export function focusBox(arcs: readonly FocusArc[], province: LonLat | undefined): Box | undefined {
  const points: LonLat[] = arcs.flatMap(({ from, to }) =>
    to ? [from, [nearestLongitude(to[0], from[0]), to[1]] as const] : [from],
  )
  if (province) points.push(province)
  if (points.length === 0) return undefined
  const lons = points.map(([lon]) => lon)
  const lats = points.map(([, lat]) => lat)
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)]
  // One city alone keeps its surroundings.
  const grow = Math.max(0, 6 - Math.max(east - west, north - south)) / 2
  return [west - grow - 0.6, south - grow - 0.6, east + grow + 0.6, north + grow + 0.6]
}

/** Whether a line of the feed is one that the alert counts. Fields that a line does not show decide nothing. */
export function concerns(alert: Pick<Alert, 'filters' | 'measure'>, row: EventRow): boolean {
  if (isRunMeasure(alert.measure)) return false
  return alert.filters.every(({ field, op, values }: Filter) => {
    const value = field in row ? row[field as keyof EventRow] : undefined
    return typeof value !== 'string' || values.includes(value) === (op === 'is')
  })
}
