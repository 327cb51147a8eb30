import type { CityGeo, Geo } from '../../../shared/map/geo-data.ts'
import { type Box, type Camera, cameraFor, type Rect } from '../../../shared/map/mercator.ts'
import { boxOf, mainPart } from '../../../shared/map/polygons.ts'
import { isProvince, type Scope } from './view-state.ts'

const CHINA: Box = [73.5, 18.1, 135.1, 53.6]
/** Centred on 11 E and cut at 169 W, in the Pacific: no continent is; ice without attacks is left out. */
const WORLD: Box = [-169, -56, 191, 76]

/** The camera that frames a scope in the part of the map that nothing covers. */
export function cameraForScope(
  scope: Scope,
  geo: Geo,
  zone: Rect,
  viewport: { width: number; height: number },
  unit: number,
): Camera {
  if (scope === 'world' || scope === 'globe') return cameraFor(WORLD, zone, viewport, 0)
  const province = isProvince(scope) && geo.provinces.features.find(({ properties }) => properties.id === scope)
  if (!province) return cameraFor(CHINA, zone, viewport, 0.033)
  const [west, south, east, north] = boxOf(mainPart(province)[0] ?? [])
  // A city-sized unit would fill the screen with nothing: it keeps its neighbours in view.
  const grow = Math.max(0, 3 - Math.max(east - west, north - south)) / 2
  // Between legend, inset and path: none of them may lie over the province.
  const [left, right, top] = [190 * unit, 150 * unit, 64 * unit]
  const free = { x: zone.x + left, y: zone.y + top, width: zone.width - left - right, height: zone.height - top }
  return cameraFor(
    [west - grow, south - grow, east + grow, north + grow],
    free.width > free.height / 2 ? free : zone,
    viewport,
    0.06,
  )
}

export const citiesOf = (cityGeo: CityGeo, province: string) => ({
  ...cityGeo.cities,
  features: cityGeo.cities.features.filter(({ properties }) => properties.id.slice(0, 2) === province.slice(0, 2)),
})
