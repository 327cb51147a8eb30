import { useMemo } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { piratedPlaces } from '#contracts/http/monitoring/pirated-places.ts'
import { useEndpoint } from '../../../shared/api/use-endpoint.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'

const EVERY_MS = 5 * 60_000

/** Devices with pirated copies by place, in the form that the map is shaded by. */
export type PiratedPlaces = Pick<WallView, 'provinces' | 'cities' | 'countries'> & ResponseOf<typeof piratedPlaces>

/** Undefined until the first answer; null after a failure, or without the permission to see monitoring. */
export function usePiratedPlaces(isShown: boolean, isAllowed: boolean): PiratedPlaces | null | undefined {
  const { data, error } = useEndpoint(
    piratedPlaces,
    {},
    { enabled: isShown && isAllowed, refetchInterval: EVERY_MS, retry: false },
  )
  const shaded = useMemo(() => data && shadesOf(data), [data])
  return shaded ?? (error || !isAllowed ? null : undefined)
}

function shadesOf(data: ResponseOf<typeof piratedPlaces>): PiratedPlaces {
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
