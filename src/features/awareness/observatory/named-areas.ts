import { formatNumber } from '../../../shared/format/number.ts'
import type { Language } from '../../../shared/i18n/texts.ts'
import type { CityGeo, Geo } from '../../../shared/map/geo-data.ts'
import type { Places } from '../../../shared/map/places.ts'
import { type Area, boxOf, mainPart } from '../../../shared/map/polygons.ts'
import type { NamedArea } from './label-layer.ts'
import { citiesOf } from './map-camera.ts'
import { isProvince, type Scope } from './view-state.ts'

const sizes = new WeakMap<Area, number>()
function sizeOf(area: Area): number {
  const known = sizes.get(area)
  if (known !== undefined) return known
  const [west, south, east, north] = boxOf(mainPart(area)[0] ?? [])
  const size = (east - west) * (north - south)
  sizes.set(area, size)
  return size
}
const largestFirst = (areas: readonly Area[]) => [...areas].sort((a, b) => sizeOf(b) - sizeOf(a))

/** What wants a name in a scope: its own units strong, neighbours quiet; largest first, so that the eye finds its way. */
export function namedAreas({
  geo,
  cityGeo,
  places,
  scope,
  language,
  counts,
  cities,
}: {
  geo: Geo
  cityGeo: CityGeo | null
  places: Places
  scope: Scope
  language: Language
  /** Attacks of the last minute by province (low power), or null. */
  counts: ReadonlyMap<string, number> | null
  cities: readonly [code: string, count: number][]
}): NamedArea[] {
  const name = (kind: keyof Places, area: Area) => places[kind].get(area.properties.id)?.[language] ?? ''
  const list = (
    areas: readonly Area[],
    kind: keyof Places,
    tone: NamedArea['tone'],
    countOf?: (code: string) => number | undefined,
  ) =>
    largestFirst(areas)
      .map((area) => {
        const count = countOf?.(area.properties.id)
        return { area, name: name(kind, area), tone, ...(count ? { count: formatNumber(count, 10_000) } : {}) }
      })
      .filter((one) => one.name !== '')
  const foreign = geo.countries.features.filter(({ properties }) => properties.id !== 'CN')
  if (scope === 'world') return list(foreign, 'countries', 'strong')
  if (isProvince(scope)) {
    const byCode = new Map(cities)
    const own = cityGeo ? list(citiesOf(cityGeo, scope).features, 'cities', 'strong', (code) => byCode.get(code)) : []
    // Where it happened first: a crowded map names the attacked cities.
    own.sort((a, b) => (byCode.get(b.area.properties.id) ?? 0) - (byCode.get(a.area.properties.id) ?? 0))
    const others = geo.provinces.features.filter(({ properties }) => properties.id !== scope)
    return [...own, ...list(others, 'provinces', 'quiet')]
  }
  return [
    ...list(geo.provinces.features, 'provinces', 'strong', counts ? (code) => counts.get(code) : undefined),
    ...list(foreign, 'countries', 'quiet'),
  ]
}
