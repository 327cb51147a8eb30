import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import type { Site } from '#contracts/http/sites.ts'
import { formatNumber } from '../../../shared/format/number.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import type { CityGeo, Geo } from '../../../shared/map/geo-data.ts'
import type { Rect } from '../../../shared/map/mercator.ts'
import type { Places } from '../../../shared/map/places.ts'
import { areaAt } from '../../../shared/map/polygons.ts'
import { createMinuteCounts } from './area-shading.ts'
import type { LabelLayer } from './label-layer.ts'
import { namedAreas } from './named-areas.ts'
import { isProvince, type Scope } from './view-state.ts'
import { useWall } from './wall-context.ts'

/** Counts beside names move slowly: a label that jumps every second can't be read. */
const COUNTS_MS = 5000
const NO_CITIES: WallView['cities'] = []

/** Feeds the label layer: names of the scope, counts of the last minute in low power, sites with what they took. */
export function useMapNames({
  labels,
  element,
  zoneRect,
  geo,
  cityGeo,
  places,
  scope,
  lowPower,
  view,
  sites,
  shown,
  unnamed,
  perimeter,
}: {
  labels: RefObject<LabelLayer | null>
  element: HTMLElement | null
  zoneRect: () => Rect
  geo: Geo
  cityGeo: CityGeo | null
  places: Places
  scope: Scope
  lowPower: boolean
  view: WallView
  sites: readonly Site[]
  shown: boolean
  /** A province whose own name makes room for those of an alert. */
  unnamed: string | null
  /** Radius of the ring around a site. */
  perimeter: number
}): void {
  const { t, language, unit, totals } = useWall()
  const awaited = totals.kind === 'awaited'
  const minutes = useRef(createMinuteCounts())
  const slot = Math.floor(view.at / COUNTS_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each time slot, whatever changed in it
  const counts = useMemo(
    () =>
      lowPower && !view.replay && view.totals.kind === 'whole' ? minutes.current.add(view.at, view.provinces) : null,
    [lowPower, slot],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const cities = useMemo(() => (isProvince(scope) ? view.cities : NO_CITIES), [scope, slot, view.ready])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above; a site's count may be five seconds old, the cards are not
  const taken = useMemo(() => view.tops.site.rows, [slot, view.ready, view.replay !== null])
  const replaying = view.replay !== null
  // A notice that comes or goes frees or takes room.
  const notices = `${view.mode} ${view.ready}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: unit and notices move what is in the way
  useLayoutEffect(() => {
    if (!labels.current || !element) return
    const outer = element.getBoundingClientRect()
    const obstacles = [...document.querySelectorAll('[data-obstacle]')].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return { x: x - outer.x - 6, y: y - outer.y - 6, width: width + 12, height: height + 12 }
    })
    labels.current.setTexts({
      zone: zoneRect(),
      obstacles,
      isLand: (point) => areaAt(point, geo.provinces) !== undefined,
      areas: shown
        ? namedAreas({ geo, cityGeo, places, scope, language, counts, cities }).filter(
            ({ area }) => area.properties.id !== unnamed,
          )
        : [],
      perimeter,
    })
  }, [
    labels,
    element,
    zoneRect,
    geo,
    cityGeo,
    places,
    scope,
    language,
    counts,
    cities,
    shown,
    unnamed,
    perimeter,
    unit,
    notices,
  ])

  useLayoutEffect(() => {
    if (!labels.current || !element) return
    const counts = new Map(taken)
    labels.current.setSites(
      sites.map((site) => ({
        id: Number(site.id),
        name: `${language === 'en' && site.name_en ? site.name_en : site.name}${site.assumed ? t('assumedSite') : ''}`,
        count: counts.get(site.id) ?? 0,
        point: [site.longitude, site.latitude],
      })),
      (count, of) => {
        if (awaited) return t('siteAwaited')
        const note = t(replaying ? 'sitePlayed' : 'siteToday', { number: formatNumber(count, 10_000) })
        return of > 1 ? t('sitesTogether', { of, note }) : note
      },
    )
  }, [labels, element, sites, taken, language, replaying, awaited, t])
}
