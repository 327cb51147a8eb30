import type { Position } from 'geojson'
import { type Geo, loadGeo } from '#src/shared/map/geo-data.ts'
import { partsOf } from '#src/shared/map/polygons.ts'

/** The world as SVG paths, for trails that leave China. Cut in the Atlantic, as Chinese world maps are. */
export type WorldShapes = {
  width: number
  height: number
  land: string
  china: string
  borders: string
  outline: string
  dashes: string
  project: (lon: number, lat: number) => [number, number]
}

const WEST = -30
const NORTH = 78
const SOUTH = -56
const SCALE = 3
/** Smaller steps between points are left out. */
const STEP = 0.8

const x = (lon: number) => ((((lon - WEST) % 360) + 360) % 360) * SCALE
const y = (lat: number) => (NORTH - lat) * SCALE

export function worldShapes(geo: Geo): WorldShapes {
  const areas = (list: Geo['countries']) =>
    list.features.flatMap((area) => partsOf(area).map((part) => ringPath(part[0] ?? [], true))).join('')
  const lines = (list: { coordinates: Position[][] }) => list.coordinates.map((line) => ringPath(line, false)).join('')
  return {
    width: 360 * SCALE,
    height: (NORTH - SOUTH) * SCALE,
    land: areas(geo.countries),
    china: areas(geo.provinces),
    borders: lines(geo.countryLines),
    outline: lines(geo.outline),
    dashes: lines(geo.dashes),
    project: (lon, lat) => [x(lon), y(lat)],
  }
}

/** A line that crosses the cut is drawn on both sides of the picture, which clips what lies outside. */
function ringPath(line: readonly Position[], closed: boolean): string {
  const west = line.some(([lon = 0]) => lon < WEST)
  const east = line.some(([lon = 0]) => lon >= WEST)
  return (east ? pathOf(line, 0, closed) : '') + (west ? pathOf(line, 360, closed) : '')
}

function pathOf(line: readonly Position[], shift: number, closed: boolean): string {
  const points: [number, number][] = []
  for (const [lon = 0, lat = 0] of line) {
    const point: [number, number] = [(lon + shift - WEST) * SCALE, y(lat)]
    const before = points.at(-1)
    if (before && Math.hypot(point[0] - before[0], point[1] - before[1]) < STEP) continue
    points.push(point)
  }
  if (points.length < (closed ? 3 : 2)) return ''
  return `M${points.map((point) => point.map((one) => one.toFixed(1)).join(' ')).join('L')}${closed ? 'Z' : ''}`
}

let shapes: Promise<WorldShapes> | undefined

/** Loads the outlines once; a failed load is tried again by the next call. */
export function loadWorldShapes(): Promise<WorldShapes> {
  shapes ??= loadGeo()
    .then(worldShapes)
    .catch((error: unknown) => {
      shapes = undefined
      throw error
    })
  return shapes
}
