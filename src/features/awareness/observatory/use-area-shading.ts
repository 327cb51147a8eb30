import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { CityGeo, Geo } from '../../../shared/map/geo-data.ts'
import type { AreaShading } from './area-shading.ts'
import { citiesOf } from './map-camera.ts'
import { isProvince, type Scope } from './view-state.ts'

type Layer = 'countries' | 'provinces' | 'cities'

/** Sets the class of each area in maplibre; only what changed, so that a quiet map is never redrawn. */
export function useAreaShading(
  map: MapLibre | null,
  {
    shades,
    scope,
    outlined,
    geo,
    cityGeo,
  }: {
    shades: AreaShading | null
    scope: Scope
    /** A province that is outlined besides the scope's. */
    outlined: string | null
    geo: Geo
    cityGeo: CityGeo | null
  },
): void {
  const applied = useRef<Record<Layer, Map<string, number>>>({
    countries: new Map(),
    provinces: new Map(),
    cities: new Map(),
  })

  useEffect(() => {
    if (!map) return
    const drilled = isProvince(scope) && cityGeo !== null
    const cities = drilled ? citiesOf(cityGeo, scope) : { type: 'FeatureCollection' as const, features: [] }
    const chosen = geo.provinces.features.filter(({ properties: { id } }) => id === scope || id === outlined)
    applied.current.cities.clear()
    map.getSource<GeoJSONSource>('cities')?.setData(cities)
    map.getSource<GeoJSONSource>('city-lines')?.setData(cities)
    map.getSource<GeoJSONSource>('chosen')?.setData({ type: 'FeatureCollection', features: chosen })
    for (const layer of ['province-lines', 'province-light'])
      map.setLayoutProperty(layer, 'visibility', scope === 'world' ? 'none' : 'visible')
  }, [map, scope, outlined, geo, cityGeo])

  useEffect(() => {
    if (!map) return
    for (const layer of ['countries', 'provinces', 'cities'] as const) {
      const before = applied.current[layer]
      const now = shades?.[layer] ?? new Map<string, number>()
      for (const id of new Set([...before.keys(), ...now.keys()])) {
        const shade = now.get(id) ?? 0
        if ((before.get(id) ?? 0) === shade) continue
        map.setFeatureState({ source: layer, id }, { shade })
        before.set(id, shade)
      }
    }
  }, [map, shades])
}
