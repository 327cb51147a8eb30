import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { maySearch, SEARCH_KIND_NAMES, SEARCH_KINDS, type SearchKind, search } from '#contracts/http/search.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useAuthList } from '#src/shared/session/session-store.ts'

/** A pause in typing after which the server is asked. */
const PAUSE_MS = 120
/** The same search again within this time is answered from memory. */
const FRESH_MS = 30_000
const LIMIT = 5
/** Where the server had no time for a kind, the search is sent again after this pause, at most this many times; then the reader decides. */
const AGAIN_MS = 1000
const MOST_REPEATS = 3

export type Found = {
  groups: Awaited<ReturnType<typeof useAnswer>>['groups']
  unanswered: readonly SearchKind[]
  isSearching: boolean
  /** Of the slower of the two calls, as the server measured it. */
  milliseconds: number | undefined
  error: Error | null
  retry: () => void
}

/**
 * What the server finds. The kinds of the event store are asked for apart, so that the others are never behind them; a search that the text
 * has left is aborted, and the last results stay until the next are there.
 */
export function useSearch(text: string): Found {
  const auth = useAuthList()
  const settled = useSettled(text.trim())
  const may = SEARCH_KIND_NAMES.filter((kind) => maySearch(kind, auth))
  const first = useAnswer(
    settled,
    may.filter((kind) => !('inEventStore' in SEARCH_KINDS[kind])),
  )
  const second = useAnswer(
    settled,
    may.filter((kind) => 'inEventStore' in SEARCH_KINDS[kind]),
  )
  const times = [first, second].flatMap((one) => one.milliseconds ?? [])
  return {
    groups: [...second.groups, ...first.groups].toSorted(
      (a, b) =>
        Number(!a.hits.some(({ exact }) => exact)) - Number(!b.hits.some(({ exact }) => exact)) ||
        SEARCH_KIND_NAMES.indexOf(a.kind) - SEARCH_KIND_NAMES.indexOf(b.kind),
    ),
    unanswered: [...first.unanswered, ...second.unanswered],
    isSearching: text.trim() !== '' && (settled !== text.trim() || first.isFetching || second.isFetching),
    milliseconds: times.length > 0 ? Math.max(...times) : undefined,
    error: first.error ?? second.error,
    retry: () => {
      first.retry()
      second.retry()
    },
  }
}

function useAnswer(text: string, kinds: readonly SearchKind[]) {
  const { data, error, isFetching, refetch } = useEndpoint(
    search,
    { query: { text, kinds: kinds.join(','), limit: LIMIT } },
    {
      enabled: text !== '' && kinds.length > 0,
      placeholderData: keepPreviousData,
      staleTime: FRESH_MS,
      retry: false,
      refetchInterval: ({ state }) =>
        state.data?.unanswered.some(({ reason }) => reason === 'slow') && state.dataUpdateCount <= MOST_REPEATS
          ? AGAIN_MS
          : false,
    },
  )
  const answer = text === '' ? undefined : data
  return {
    groups: answer?.data ?? [],
    unanswered: answer?.unanswered.map(({ kind }) => kind) ?? [],
    milliseconds: answer?.milliseconds,
    isFetching,
    error: text === '' ? null : error,
    retry: () => void refetch(),
  }
}

/** The text once it has not changed for a moment; an emptied one at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}
