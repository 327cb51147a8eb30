import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Span } from '#domain/time-range.ts'
import { resolveRange } from '#domain/time-range.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { spanOfFilter } from '#src/shared/table/time-filter.tsx'
import { type Address, useAddress } from '#src/shared/table/use-address.ts'
import { readRange } from './log-filters.ts'

const PAGE = 50
const REFRESH_MS = 30_000

export type LogView = Address & {
  range: string
  /** What the range covers as of the last refresh. */
  span: Span
  /** Bounds that the server is asked for: without end where the range reaches now. */
  times: { from?: number; to?: number }
  /** Sets a filter; null removes it. `typed` replaces the history entry. */
  filter: (name: string, value: string | null, typed?: boolean) => void
  isFiltered: boolean
  clear: () => void
  /** Moves a relative range to now. */
  refresh: () => void
}

/** The view of a tab, kept in the address. `filters` are the parameters that narrow it besides the range. */
export function useLogView(filters: readonly string[]): LogView {
  const address = useAddress()
  const { params, setParams } = address
  const zone = usePlatform((state) => state.zone)
  const range = readRange(params)
  const [now, setNow] = useState(() => Date.now())
  const times = useMemo(() => spanOfFilter(range, now, zone), [range, now, zone])
  const span = useMemo(() => resolveRange(range, now, zone), [range, now, zone])
  return {
    ...address,
    range,
    span,
    times,
    filter: (name, value, typed = false) => setParams({ [name]: value, entry: null }, typed),
    isFiltered: filters.some((name) => params.has(name)),
    clear: () => setParams(Object.fromEntries([...filters, 'entry'].map((name) => [name, null]))),
    refresh: () => setNow(Date.now()),
  }
}

type Page<Row> = { data: Row[]; next_cursor: number | null }
type Read<Row> = (paging: { limit: number; cursor?: number }, signal: AbortSignal) => Promise<Page<Row>>

/** Rows of a log, newest first, a page at a time; the newest page is read again while no other is shown. */
export function useLogList<Row>(key: readonly unknown[], read: Read<Row>) {
  const answer = useInfiniteQuery({
    queryKey: [...key, 'list'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REFRESH_MS),
  })
  const rows = useMemo(() => answer.data?.pages.flatMap((page) => page.data), [answer.data])
  return { ...answer, rows }
}
export type LogList<Row> = ReturnType<typeof useLogList<Row>>
