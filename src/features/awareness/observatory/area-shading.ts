import type { WallView } from '../../../shared/live/wall-view.ts'
import { breaksFor, classOf } from './map/choropleth.ts'
import { isProvince, type Scope } from './view-state.ts'

/** Classes 0 to 6 of what is shaded in a scope, and the bounds that the legend names. */
export type AreaShading = {
  of: 'byProvince' | 'byCity' | 'byCountry'
  breaks: number[]
  provinces: ReadonlyMap<string, number>
  cities: ReadonlyMap<string, number>
  countries: ReadonlyMap<string, number>
}

const NONE: ReadonlyMap<string, number> = new Map()

/** Countries in the world, provinces in China, cities in a province; China is one colour in the world and never split by it. */
export function areaShading(
  view: Pick<WallView, 'provinces' | 'cities' | 'countries'>,
  scope: Scope,
  provinceCodes: readonly string[],
): AreaShading {
  if (scope === 'world' || scope === 'globe') {
    // China would dwarf every other country: the scale is theirs, and China takes its last class.
    const breaks = breaksFor(view.countries.filter(([code]) => code !== 'CN').map(([, count]) => count))
    const countries = classes(view.countries, breaks)
    const china = countries.get('CN') ?? 0
    return {
      of: 'byCountry',
      breaks,
      countries,
      provinces: new Map(provinceCodes.map((code) => [code, china])),
      cities: NONE,
    }
  }
  if (isProvince(scope)) {
    const own = view.cities.filter(([code]) => code.slice(0, 2) === scope.slice(0, 2))
    const breaks = breaksFor(own.map(([, count]) => count))
    return { of: 'byCity', breaks, cities: classes(own, breaks), provinces: NONE, countries: NONE }
  }
  const breaks = breaksFor(view.provinces.map(([, count]) => count))
  return { of: 'byProvince', breaks, provinces: classes(view.provinces, breaks), cities: NONE, countries: NONE }
}

const classes = (counts: readonly [code: string, count: number][], breaks: readonly number[]) =>
  new Map(counts.map(([code, count]) => [code, classOf(count, breaks)]))

/** Attacks of the last minute by area, from counts that only grow: the difference to a minute ago. Bounded to 90 samples. */
export function createMinuteCounts() {
  let samples: { at: number; counts: ReadonlyMap<string, number> }[] = []
  return {
    add(at: number, counts: readonly [code: string, count: number][]): ReadonlyMap<string, number> {
      const last = samples.at(-1)
      if (!last || at - last.at >= 1000 || at < last.at) {
        // A counter that falls was reset: at midnight, or by other filters.
        const now = new Map(counts)
        if (last && (at < last.at || [...last.counts].some(([code, count]) => (now.get(code) ?? 0) < count)))
          samples = []
        samples = [...samples.filter((one) => one.at > at - 61_000), { at, counts: now }].slice(-90)
      }
      const before = samples[0]?.counts ?? new Map<string, number>()
      return new Map(counts.map(([code, count]) => [code, count - (before.get(code) ?? count)]))
    },
  }
}
