import type { ExpressionSpecification, StyleSpecification } from 'maplibre-gl'
import type { Geo } from '../../../../shared/map/geo-data.ts'
import { token } from '../../../../shared/theme/tokens.ts'
import { CLASSES } from './choropleth.ts'

const empty = { type: 'FeatureCollection' as const, features: [] }

/** The offline map: no tiles, no glyphs, no sprites; every colour a token of `element`'s theme. */
export function baseStyle(geo: Geo, element: Element): StyleSpecification {
  const of = (name: string) => token(name, element)
  const lines = (source: string, color: string, width: number, opacity = 1) => ({
    id: source,
    type: 'line' as const,
    source,
    layout: { 'line-join': 'round' as const },
    paint: { 'line-color': color, 'line-width': width, 'line-opacity': opacity },
  })
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
      'city-lines': areas(empty),
      outline: source(geo.outline),
      dashes: source(geo.dashes),
      chosen: areas(empty),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': of('canvas') } },
      {
        id: 'countries',
        type: 'fill',
        source: 'countries',
        paint: { 'fill-color': shades(of, of('map-neighbour')), 'fill-antialias': true },
      },
      lines('country-lines', of('map-neighbour-line'), 1),
      {
        id: 'provinces',
        type: 'fill',
        source: 'provinces',
        paint: { 'fill-color': shades(of, of('map-1')) },
      },
      lines('province-lines', of('canvas'), 1, 0.85),
      { id: 'cities', type: 'fill', source: 'cities', paint: { 'fill-color': shades(of, of('map-1')) } },
      lines('city-lines', of('canvas'), 1, 0.85),
      lines('outline', of('map-outline'), 1),
      lines('dashes', of('map-dash'), 1.6),
      lines('chosen', of('text'), 1.4, 0.9),
    ],
  }
}

function shades(of: (name: string) => string, none: string): ExpressionSpecification {
  const cases = Array.from({ length: CLASSES }, (_, i) => [i + 1, of(`map-${i + 1}`)]).flat()
  return ['match', ['coalesce', ['feature-state', 'shade'], 0], ...cases, none] as unknown as ExpressionSpecification
}
