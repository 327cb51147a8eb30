import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { piratedPlaces } from '#contracts/http/monitoring/pirated-places.ts'
import { useEndpoint } from '../../../shared/api/use-endpoint.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'

const EVERY_MS = 5 * 60_000

/** Devices with pirated copies by place, in the form that the map is shaded by. */
export type PiratedPlaces = Pick<WallView, 'provinces' | 'cities' | 'countries'> & ResponseOf<typeof piratedPlaces>

/** Undefined before the first answer, and for who may not see monitoring. */
export function usePiratedPlaces(enabled: boolean): PiratedPlaces | undefined {
  const { data } = useEndpoint(piratedPlaces, {}, { enabled, refetchInterval: EVERY_MS, retry: false })
  if (!data) return undefined
  const countries = new Map<string, number>()
  for (const { country, devices } of data.places) countries.set(country, (countries.get(country) ?? 0) + devices)
  return {
    ...data,
    provinces: data.places
      .filter(({ province }) => province !== '')
      .map(({ province, devices }) => [province, devices]),
    cities: [],
    countries: [...countries],
  }
}
