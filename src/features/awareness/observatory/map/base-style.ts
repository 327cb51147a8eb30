import type { MultiLineString, Position } from 'geojson'
import type { ExpressionSpecification, StyleSpecification } from 'maplibre-gl'
import type { Geo } from '../../../../shared/map/geo-data.ts'
import { boxOf } from '../../../../shared/map/polygons.ts'
import { token } from '../../../../shared/theme/tokens.ts'
import { CLASSES } from './choropleth.ts'

/** Width in px and opacity of the strokes along coasts, the widest first. */
const SHELF = [
  [46, 0.01],
  [30, 0.013],
  [17, 0.018],
  [8, 0.026],
  [3, 0.04],
] as const
/** Light along the border, inside and outside alike. */
const EDGE_GLOW = [
  [26, 0.035],
  [14, 0.05],
  [6, 0.08],
] as const
const GRATICULE_STEP = 10

const empty = { type: 'FeatureCollection' as const, features: [] }

/** The offline map: no tiles, no glyphs, no sprites; every colour a token of `element`'s theme. */
export function baseStyle(geo: Geo, element: Element): StyleSpecification {
  const of = (name: string) => token(name, element)
  const lines = (source: string, color: string, width: number | ExpressionSpecification, opacity = 1) => ({
    id: source,
    type: 'line' as const,
    source,
    layout: { 'line-join': 'round' as const },
    paint: { 'line-color': color, 'line-width': width, 'line-opacity': opacity },
  })
  // Terrain without data: every layer at most 4 % (on land, where shades show the data, a little more).
  const shelf = (source: string) =>
    SHELF.map(([width, opacity]) => ({
      ...lines(source, of('map-shelf'), byZoom(width), opacity),
      id: `shelf-${source}-${width}`,
    }))
  const glow = EDGE_GLOW.map(([width, opacity]) => ({
    id: `edge-${width}`,
    type: 'line' as const,
    source: 'china-coast',
    layout: { 'line-join': 'round' as const },
    paint: {
      'line-color': of('map-glow'),
      'line-width': byZoom(width),
      'line-blur': byZoom(width / 2),
      'line-opacity': opacity,
    },
  }))
  const source = (data: Geo['outline']) => ({ type: 'geojson' as const, data, tolerance: 0.2 })
  const areas = (data: Geo['provinces'] | typeof empty) => ({
    type: 'geojson' as const,
    data,
    promoteId: 'id',
    tolerance: 0.2,
  })
  return {
    version: 8,
    projection: { type: 'mercator' },
    transition: { duration: 0, delay: 0 },
    sources: {
      countries: areas(geo.countries),
      'country-lines': source(geo.countryLines),
      provinces: areas(geo.provinces),
      'province-lines': source(geo.provinceLines),
      cities: areas(empty),
      graticule: source(graticule(GRATICULE_STEP)),
      'country-coast': source(longLines(geo.countryLines)),
      'china-coast': source(longLines(geo.outline)),
      'city-lines': areas(empty),
      outline: source(geo.outline),
      dashes: source(geo.dashes),
      chosen: areas(empty),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': of('canvas') } },
      lines('graticule', of('map-light'), 1, 0.035),
      ...shelf('country-coast'),
      ...shelf('china-coast'),
      {
        id: 'countries',
        type: 'fill',
        source: 'countries',
        paint: { 'fill-color': shades(of, of('map-neighbour')), 'fill-antialias': true },
      },
      lines('country-lines', of('map-neighbour-line'), 1),
      // The country that the map is about lies a little above its neighbours.
      {
        id: 'shadow',
        type: 'line',
        source: 'china-coast',
        layout: { 'line-join': 'round' },
        paint: {
          'line-color': of('map-shadow'),
          'line-width': byZoom(30),
          'line-blur': byZoom(30),
          'line-opacity': 0.45,
          'line-translate': [0, 9],
        },
      },
      {
        id: 'provinces',
        type: 'fill',
        source: 'provinces',
        paint: { 'fill-color': shades(of, of('map-1')) },
      },
      {
        ...lines('province-lines', of('map-light'), 1.4, 0.1),
        id: 'province-light',
        paint: {
          'line-color': of('map-light'),
          'line-width': 1.4,
          'line-opacity': 0.1,
          'line-translate': [0, 1.1],
        },
      },
      ...glow,
      lines('province-lines', of('canvas'), 1, 0.85),
      { id: 'cities', type: 'fill', source: 'cities', paint: { 'fill-color': shades(of, of('map-1')) } },
      lines('city-lines', of('canvas'), 1, 0.85),
      lines('outline', of('map-outline'), 1.15),
      lines('dashes', of('map-dash'), 1.6),
      lines('chosen', of('text'), 1.4, 0.9),
    ],
  }
}

/** A width that holds at the zoom of a 1920 wall and shrinks with the map: on a small one it would flood the land. */
function byZoom(width: number): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], 1, width * 0.25, 3.5, width]
}

/** Lines that reach over a degree or more: light and shadow of small islands would run together to blots. */
export function longLines({ coordinates }: MultiLineString): MultiLineString {
  const reaches = (line: Position[]) => {
    const [west, south, east, north] = boxOf(line)
    return Math.max(east - west, north - south) >= 1
  }
  return { type: 'MultiLineString', coordinates: coordinates.filter(reaches) }
}

/** Meridians and parallels every `step` degrees, from 80 S to 80 N. */
export function graticule(step: number): MultiLineString {
  const coordinates: number[][][] = []
  for (let lon = -180; lon <= 180; lon += step)
    coordinates.push([
      [lon, -80],
      [lon, 80],
    ])
  for (let lat = -80; lat <= 80; lat += step)
    coordinates.push(Array.from({ length: 37 }, (_, i) => [-180 + i * 10, lat]))
  return { type: 'MultiLineString', coordinates }
}

function shades(of: (name: string) => string, none: string): ExpressionSpecification {
  const cases = Array.from({ length: CLASSES }, (_, i) => [i + 1, of(`map-${i + 1}`)]).flat()
  return ['match', ['coalesce', ['feature-state', 'shade'], 0], ...cases, none] as unknown as ExpressionSpecification
}
