import { useMemo } from 'react'
import type { Query } from '#domain/query.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { VERSION_PARTS } from './attack-parts.ts'
import { type Release, releasesOf } from './releases.ts'

const LOOK_BACK = '-90d'

export type Releases = { state: 'loading' | 'ready'; list: readonly Release[]; error: Error | null; retry: () => void }

/** Versions that came in the last 90 days, of the applications that the page is about; asked once the page has its figures. */
export function useReleases(query: Query, now: number | undefined): Releases {
  const zone = usePlatform((platform) => platform.zone)
  const apps = query.filters.filter(({ field }) => field === 'app')
  const result = useStatistics(
    { range: LOOK_BACK, timeBasis: query.timeBasis, compare: 'none', filters: apps },
    VERSION_PARTS,
    { paused: true, enabled: now !== undefined },
  )
  const part = result.part('versions')
  const list = useMemo(() => (part.kind === 'ready' ? releasesOf(part.answer, zone) : []), [part, zone])
  const error = part.kind === 'error' ? part.error : null
  return { state: part.kind === 'loading' ? 'loading' : 'ready', list, error, retry: result.refetch }
}
