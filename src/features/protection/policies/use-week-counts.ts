import type { Query } from '#domain/query.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useMay } from '#src/shared/session/session-store.ts'

/** Attacks of the last seven days by risk, and the query whose rows each of them counts. */
export function useWeekCounts(appid: string) {
  const mayRead = useMay('events.read')
  const query: Query = {
    range: '-7d',
    timeBasis: 'received',
    compare: 'none',
    filters: [
      { field: 'app', op: 'is', values: [appid] },
      { field: 'type', op: 'is', values: ['risk'] },
    ],
  }
  const result = useStatistics(
    query,
    { risks: { kind: 'top', by: 'risk', measures: ['attacks'], limit: 50 } },
    { enabled: mayRead },
  )
  const part = result.part('risks')
  return {
    counts:
      part.kind === 'ready' ? new Map(part.answer.groups.map(({ key, row }) => [key, row.attacks ?? 0])) : undefined,
    now: result.now,
    queryOf: (risk: string): Query => ({
      ...query,
      filters: [...query.filters, { field: 'risk', op: 'is', values: [risk] }],
    }),
  }
}
