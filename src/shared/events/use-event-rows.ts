import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { statistics } from '#contracts/http/statistics.ts'
import type { EventRow, PartAnswer, Query } from '#domain/query.ts'
import { refusalOf } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { queryKey } from '../query/query-url.ts'

const PAGE = 100

export type EventRows = {
  rows: readonly EventRow[]
  /** How many there are in all; undefined until the first answer. */
  total: number | undefined
  /** The moment that the rows and the count were read against. */
  now: number | undefined
  isLoading: boolean
  error: Error | null
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  retry: () => void
}

/**
 * Single events of a query, newest first, page by page. All pages and the count are read against the `now` of the first answer (or the
 * one given), so that a figure and the rows behind it agree.
 */
export function useEventRows(
  query: Query,
  { now, enabled = true }: { now?: number | undefined; enabled?: boolean } = {},
): EventRows {
  const result = useInfiniteQuery({
    queryKey: ['event-rows', queryKey({ ...query, compare: 'none' }), now ?? null],
    enabled,
    initialPageParam: null as { cursor: string; now: number } | null,
    queryFn: async ({ pageParam, signal }) => {
      const at = pageParam?.now ?? now
      const answer = await call(
        statistics,
        {
          signal,
          body: {
            query: { ...query, compare: 'none' },
            ...(at !== undefined && { now: at }),
            parts: {
              rows: { kind: 'rows', limit: PAGE, ...(pageParam && { cursor: pageParam.cursor }) },
              ...(!pageParam && { count: { kind: 'total', measures: ['events'] } as const }),
            },
          },
        },
        { quiet: true },
      )
      const rows = ready(answer.parts['rows'], 'rows')
      const count = answer.parts['count'] ? ready(answer.parts['count'], 'total').row.events : undefined
      return { now: answer.now, rows: rows.rows, cursor: rows.nextCursor, count }
    },
    getNextPageParam: (last) => (last.cursor ? { cursor: last.cursor, now: last.now } : undefined),
  })
  const pages = result.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages])
  return {
    rows,
    total: pages?.[0]?.count,
    now: pages?.[0]?.now,
    isLoading: result.isPending && enabled,
    error: result.error,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => void result.fetchNextPage(),
    retry: () => void result.refetch(),
  }
}

function ready<K extends PartAnswer['kind']>(answer: unknown, kind: K): Extract<PartAnswer, { kind: K }> {
  const part = answer as PartAnswer | { kind: 'error'; code: number; codemsg: string } | undefined
  if (part?.kind === kind) return part as Extract<PartAnswer, { kind: K }>
  if (part?.kind === 'error') throw refusalOf({ ...part }, 200)
  throw new Error(`no part ${kind}`)
}
