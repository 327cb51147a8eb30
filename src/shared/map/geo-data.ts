import type { MultiLineString, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'
import type { Area, Areas } from './polygons.ts'

/** Geometry of public/geo, made by scripts/map-data/map-data.mjs: loaded once, cities only when a province is opened. */
export type Geo = {
  /** Countries by ISO 3166-1 alpha-2; CN is an underlay below the provinces, not its outline. */
  countries: Areas
  /** Coasts and borders between the others; China's own border is `outline`. */
  countryLines: MultiLineString
  /** The 34 province-level units by administrative code. */
  provinces: Areas
  provinceLines: MultiLineString
  outline: MultiLineString
  dashes: MultiLineString
}
export type CityGeo = { cities: Areas; cityLines: MultiLineString }

/** Reads one JSON file of public/geo. Throws where it is missing. */
export type ReadGeo = (name: string) => Promise<unknown>

const fetchGeo: ReadGeo = async (name) => {
  const response = await fetch(`/geo/${name}`)
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  return response.json()
}

let geo: Promise<Geo> | undefined
let cityGeo: Promise<CityGeo> | undefined

/** The base map; a failed load is tried again by the next call. */
export function loadGeo(): Promise<Geo> {
  geo ??= readGeo(fetchGeo).catch((error: unknown) => {
    geo = undefined
    throw error
  })
  return geo
}

export function loadCityGeo(): Promise<CityGeo> {
  cityGeo ??= readCityGeo(fetchGeo).catch((error: unknown) => {
    cityGeo = undefined
    throw error
  })
  return cityGeo
}

export async function readGeo(read: ReadGeo): Promise<Geo> {
  const [world, china, dashes] = (await Promise.all([
    read('world.topo.json'),
    read('china-provinces.topo.json'),
    read('dash.json'),
  ])) as [Topology, Topology, MultiLineString]
  const countries = objectOf(world, 'countries')
  const provinces = objectOf(china, 'provinces')
  const foreign = (one: GeometryObject) => one.id !== 'CN'
  return {
    countries: areasOf(world, countries),
    countryLines: withoutEdge(
      mesh(world, countries, (a, b) => foreign(a as GeometryObject) && foreign(b as GeometryObject)),
    ),
    provinces: areasOf(china, provinces),
    provinceLines: mesh(china, provinces, (a, b) => a !== b) as MultiLineString,
    outline: mesh(china, provinces, (a, b) => a === b) as MultiLineString,
    dashes,
  }
}

export async function readCityGeo(read: ReadGeo): Promise<CityGeo> {
  const topology = (await read('china-cities.topo.json')) as Topology
  const cities = objectOf(topology, 'cities')
  return {
    cities: areasOf(topology, cities),
    cityLines: mesh(topology, cities, (a, b) => a !== b) as MultiLineString,
  }
}

type Layer = GeometryCollection<Record<string, never>>

function objectOf(topology: Topology, name: string): Layer {
  const found = topology.objects[name]
  if (found?.type !== 'GeometryCollection') throw new Error(`no layer ${name}`)
  return found as Layer
}

function areasOf(topology: Topology, layer: Layer): Areas {
  const { features } = feature(topology, layer)
  return {
    type: 'FeatureCollection',
    features: features.map((one) => ({ ...one, properties: { id: String(one.id ?? '') } })) as Area[],
  }
}

/** Countries across the antimeridian are cut there: the cut is no border, and no coast. */
function withoutEdge(lines: { coordinates: Position[][] }): MultiLineString {
  const onEdge = ([lon = 0, lat = 0]: Position) => Math.abs(lon) > 179.98 || lat < -84.9
  const kept: Position[][] = []
  for (const line of lines.coordinates) {
    let run: Position[] = []
    for (const [i, point] of line.entries()) {
      const before = line[i - 1]
      if (before && onEdge(before) && onEdge(point)) {
        if (run.length > 1) kept.push(run)
        run = []
      }
      run.push(point)
    }
    if (run.length > 1) kept.push(run)
  }
  return { type: 'MultiLineString', coordinates: kept }
}
