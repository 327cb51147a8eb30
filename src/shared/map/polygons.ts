import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import type { Box, LonLat } from './mercator.ts'

export type Area = Feature<Polygon | MultiPolygon, { id: string }>
export type Areas = FeatureCollection<Polygon | MultiPolygon, { id: string }>

export function partsOf(area: Area): Position[][][] {
  return area.geometry.type === 'Polygon' ? [area.geometry.coordinates] : area.geometry.coordinates
}

function inRing([x, y]: LonLat, ring: readonly Position[]): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number]
    const [xj, yj] = ring[j] as [number, number]
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

export function inPart(point: LonLat, [outer, ...holes]: readonly Position[][]): boolean {
  return !!outer && inRing(point, outer) && !holes.some((hole) => inRing(point, hole))
}

export function inArea(point: LonLat, area: Area): boolean {
  return partsOf(area).some((part) => inPart(point, part))
}

/** The area's identifier at a point, or undefined: sea, or what the layer leaves out. */
export function areaAt(point: LonLat, areas: Areas): string | undefined {
  return areas.features.find((area) => inArea(point, area))?.properties.id
}

export function boxOf(positions: readonly Position[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of positions as [number, number][]) {
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return [west, south, east, north]
}

const size = ([west, south, east, north]: Box) => (east - west) * (north - south)

/** The part with the largest box: where the label is placed and the camera looks (an island group far away does not move it). */
export function mainPart(area: Area): Position[][] {
  const parts = partsOf(area)
  return parts.reduce((best, part) => (size(boxOf(part[0] ?? [])) > size(boxOf(best[0] ?? [])) ? part : best))
}
