import { eventById } from '#contracts/http/statistics.ts'
import type { EventRow, Filter, Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'

export type GroupEvent = {
  row: EventRow | null
  isLoading: boolean
  /** From 1, oldest first; null until it is known. */
  position: number | null
  total: number
  first: EventRow | null
  previous: EventRow | null
  next: EventRow | null
  last: EventRow | null
  show: (row: EventRow | null) => void
}

const ADDRESS = /^(\d{1,9})\.([0-9a-f-]{36})$/

/**
 * The event of a group that the page shows: the one in the address (`at`), else the newest that passes the page's filters, with its
 * neighbours among those. `and` are the filters that make the group.
 */
export function useGroupEvent(
  state: QueryState,
  query: Query,
  and: Filter[],
  pinned: { now: number | undefined; span: Span | undefined; total: number },
): GroupEvent {
  const named = ADDRESS.exec(state.params.get('at') ?? '')
  const { now, span } = pinned
  const one = { kind: 'rows', limit: 1, and } as const
  const ends = useStatistics(query, { first: { ...one, order: 'asc' }, last: one }, { now, enabled: now !== undefined })
  const asked = useEndpoint(
    eventById,
    { query: { appid: named?.[1] ?? '0', id: named?.[2] ?? '' } },
    { enabled: named !== null, staleTime: 60_000 },
  )
  const rowOf = (part: ReturnType<typeof ends.part<'first'>>) =>
    part.kind === 'ready' ? (part.answer.rows[0] ?? null) : null
  const last = rowOf(ends.part('last'))
  const row = named ? (asked.data?.data ?? null) : last
  const at = row && (query.timeBasis === 'received' ? row.receivedAt : row.occurredAt)
  const cursor = row ? `${at}.${row.app}.${row.id.replaceAll('-', '')}` : undefined
  const around = useStatistics(
    query,
    {
      previous: { ...one, ...(cursor && { cursor }) },
      next: { ...one, order: 'asc', ...(cursor && { cursor }) },
    },
    { now, enabled: now !== undefined && cursor !== undefined },
  )
  const before = useStatistics(
    { ...query, range: absoluteRange({ from: span?.from ?? 0, to: Math.max((span?.from ?? 0) + 1, (at ?? 0) + 1) }) },
    { rank: { kind: 'total', measures: ['events'], and } },
    { now, enabled: now !== undefined && at !== null && span !== undefined },
  ).part('rank')
  return {
    row,
    isLoading: row === null && (named ? asked.isPending : ends.part('last').kind === 'loading'),
    position: row && before.kind === 'ready' ? Math.min(pinned.total, before.answer.row.events ?? 0) : null,
    total: pinned.total,
    first: rowOf(ends.part('first')),
    previous: row ? rowOf(around.part('previous')) : null,
    next: row ? rowOf(around.part('next')) : null,
    last,
    show: (next) => state.setParams({ at: next && next.id !== last?.id ? `${next.app}.${next.id}` : null }, true),
  }
}
