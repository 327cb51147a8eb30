import { useMemo } from 'react'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { type AreaShading, areaShading } from './area-shading.ts'
import type { PiratedPlaces } from './use-pirated-places.ts'

const NOWHERE = { provinces: [], cities: [], countries: [] }

/**
 * Shades of the map and of the provinces in its inset: by attacks, or by devices with pirated copies, undefined until these are read and null
 * where they cannot be.
 */
export function useShades(
  { provinces, cities, countries }: Pick<WallView, 'provinces' | 'cities' | 'countries'>,
  pirated: PiratedPlaces | null | undefined | 'attacks',
  scope: string,
  provinceCodes: readonly string[],
): { shades: AreaShading; inset: AreaShading } {
  const counts = useMemo(
    () => (pirated === 'attacks' ? { provinces, cities, countries } : (pirated ?? NOWHERE)),
    [pirated, provinces, cities, countries],
  )
  const shades = useMemo(() => areaShading(counts, scope, provinceCodes), [counts, scope, provinceCodes])
  const inset = useMemo(
    () => areaShading({ ...NOWHERE, provinces: counts.provinces }, 'china', provinceCodes),
    [counts.provinces, provinceCodes],
  )
  return { shades, inset }
}
