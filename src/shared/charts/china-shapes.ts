import type { MultiLineString, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type Area, partsOf } from '../map/polygons.ts'

/** Province outlines of China as SVG paths: the land in one view, the South China Sea in an inset beside it. */
export type ChinaShapes = {
  width: number
  height: number
  provinces: { code: string; path: string }[]
  dashes: string
  inset: {
    width: number
    height: number
    provinces: { code: string; path: string }[]
    dashes: string
    islands: [number, number][]
  }
  /** Place of a point in the view, for marks. */
  project: (lon: number, lat: number) => [number, number]
}

const RADIANS = Math.PI / 180
/** Albers' equal-area cone on 25° and 47° N, centred on 105° E: the usual face of China. Unit: earth radii, y down. */
function albers(lon: number, lat: number): [number, number] {
  const [a, b] = [Math.sin(25 * RADIANS), Math.sin(47 * RADIANS)]
  const n = (a + b) / 2
  const c = Math.cos(25 * RADIANS) ** 2 + 2 * n * a
  const rho = (at: number) => Math.sqrt(c - 2 * n * Math.sin(at * RADIANS)) / n
  const theta = n * (lon - 105) * RADIANS
  return [rho(lat) * Math.sin(theta), rho(lat) * Math.cos(theta) - rho(36)]
}

/** The land view leaves out what lies south of this; the inset shows all of it. */
const SOUTH_OF_LAND = 17.8
const INSET = { west: 106.5, east: 122.5, south: 2.5, north: 24 } as const
const SCALE = 820
const INSET_SCALE = 10

export function chinaShapes(provinces: Topology, dash: MultiLineString): ChinaShapes {
  const layer = provinces.objects['provinces'] as GeometryCollection
  const areas = feature(provinces, layer).features as unknown as (Area & { id: string })[]
  const [left, top] = [albers(73.3, 39.5)[0], albers(123, 53.7)[1]]
  const project = (lon: number, lat: number): [number, number] => {
    const [x, y] = albers(lon, lat)
    return [(x - left) * SCALE + 4, (y - top) * SCALE + 4]
  }
  const width = Math.ceil(project(135.1, 48.4)[0] + 8)
  const height = Math.ceil(project(110, 18)[1] + 8)
  const insetProject = (lon: number, lat: number): [number, number] => [
    (lon - INSET.west) * INSET_SCALE,
    (INSET.north - lat) * INSET_SCALE,
  ]
  const inInset = ([lon = 0, lat = 0]: Position) =>
    lon > INSET.west - 4 && lon < INSET.east + 4 && lat < INSET.north + 3
  const rings = (area: Area) => partsOf(area).map((part) => part[0] as Position[])
  return {
    width,
    height,
    project,
    provinces: areas.map((area) => ({
      code: String(area.id),
      path: rings(area)
        .filter((ring) => ring.some(([, lat = 0]) => lat > SOUTH_OF_LAND))
        .map((ring) => pathOf(ring, project, 1.8, true))
        .join(''),
    })),
    dashes: dash.coordinates
      .filter((line) => line.every(([, lat = 0]) => lat > SOUTH_OF_LAND))
      .map((line) => pathOf(line, project, 0, false))
      .join(''),
    inset: {
      width: (INSET.east - INSET.west) * INSET_SCALE,
      height: (INSET.north - INSET.south) * INSET_SCALE,
      provinces: areas
        .map((area) => ({
          code: String(area.id),
          path: rings(area)
            .filter((ring) => ring.some(inInset))
            .map((ring) => pathOf(ring, insetProject, 0.8, true))
            .join(''),
        }))
        .filter(({ path }) => path !== ''),
      dashes: dash.coordinates.map((line) => pathOf(line, insetProject, 0, false)).join(''),
      // Islands are too small to be drawn to scale: a dot each.
      islands: areas
        .flatMap(rings)
        .filter((ring) => ring.every(([, lat = 0]) => lat < SOUTH_OF_LAND))
        .map((ring) => insetProject(...(ring[0] as [number, number]))),
    },
  }
}

/** Points nearer than `step` to the one before are left out; a ring that vanishes so becomes a small square: no unit is lost. */
function pathOf(
  line: readonly Position[],
  project: (lon: number, lat: number) => [number, number],
  step: number,
  closed: boolean,
): string {
  const points: [number, number][] = []
  for (const [index, [lon = 0, lat = 0]] of line.entries()) {
    const [x, y] = project(lon, lat)
    const before = points.at(-1)
    const last = index === line.length - 1 && !closed
    if (before && !last && Math.hypot(x - before[0], y - before[1]) < step) continue
    points.push([x, y])
  }
  const [[x, y] = [0, 0]] = points
  if (closed && points.length < 3)
    return `M${(x - step).toFixed(1)} ${(y - step).toFixed(1)}h${2 * step}v${2 * step}h${-2 * step}Z`
  const path = points.map((point) => point.map((one) => one.toFixed(1)).join(' ')).join('L')
  return closed ? `M${path}Z` : `M${path}`
}

let shapes: Promise<ChinaShapes> | undefined

/** Loads the outlines once; a failed load is tried again by the next call. */
export function loadChinaShapes(): Promise<ChinaShapes> {
  shapes ??= Promise.all([readJson<Topology>('china-provinces.topo.json'), readJson<MultiLineString>('dash.json')])
    .then(([provinces, dash]) => chinaShapes(provinces, dash))
    .catch((error: unknown) => {
      shapes = undefined
      throw error
    })
  return shapes
}

async function readJson<T>(name: string): Promise<T> {
  const response = await fetch(`/geo/${name}`)
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  return response.json() as Promise<T>
}
