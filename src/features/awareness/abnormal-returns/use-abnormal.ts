import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { CONTRADICTION_KINDS, type Contradiction } from '#domain/baseline.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { queryKey } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { refreshInterval } from '#src/shared/query/use-statistics.ts'

const PAGE = 50

/** The kinds that the address narrows the list to. */
function kindsOf(params: URLSearchParams): Contradiction[] {
  const asked = (params.get('kind') ?? '').split(',')
  return CONTRADICTION_KINDS.filter((kind) => asked.includes(kind))
}

/** The certificate that the address narrows the list to; '' for any. */
const signerOf = (params: URLSearchParams): string => /^[0-9a-f]{64}$/.exec(params.get('signer') ?? '')?.[0] ?? ''

/** Counts and pages of abnormal returns; all pages are read against the `now` of the first. */
export function useAbnormal(state: QueryState) {
  const kinds = kindsOf(state.params)
  const signer = signerOf(state.params)
  const result = useInfiniteQuery({
    queryKey: [...endpointKey(abnormalReturns), queryKey(state.query), kinds.join(), signer],
    placeholderData: keepPreviousData,
    refetchInterval: state.paused ? false : refreshInterval(state.query),
    meta: KEPT,
    initialPageParam: null as { cursor: string; now: number } | null,
    queryFn: ({ pageParam, signal }) =>
      call(
        abnormalReturns,
        {
          signal,
          body: {
            query: { ...state.query, compare: 'none' },
            kinds,
            signer,
            limit: PAGE,
            ...(pageParam && { cursor: pageParam.cursor, now: pageParam.now, counts: false }),
          },
        },
        { quiet: true },
      ),
    getNextPageParam: (last) => (last.next_cursor ? { cursor: last.next_cursor, now: last.now } : undefined),
  })
  const pages = result.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.data) ?? [], [pages])
  const pirated = useMemo(() => pages?.flatMap((page) => page.pirated) ?? [], [pages])
  return { result, rows, pirated, first: pages?.[0], summary: pages?.[0]?.summary ?? null, kinds, signer }
}
