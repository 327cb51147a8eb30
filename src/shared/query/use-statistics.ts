import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { statistics } from '#contracts/http/statistics.ts'
import type { AnswerOf, Part, PartInput, Query } from '#domain/query.ts'
import { resolveRange, type Span } from '#domain/time-range.ts'
import { ApiError, refusalOf } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { KEPT, KEPT_MS } from './kept.ts'
import { queryKey } from './query-url.ts'
import { reachesNow } from './range-text.ts'

/** A card's view of its part: the answer that shows (an older one while a newer is fetched), or why it has no answer. */
export type PartState<K extends Part['kind'] = Part['kind']> =
  | { kind: 'loading' }
  | { kind: 'error'; error: Error; retry: () => void }
  | { kind: 'ready'; answer: AnswerOf<K> }

export type Statistics<P extends Record<string, PartInput>> = {
  part: <N extends keyof P>(name: N) => PartState<P[N]['kind']>
  /** The one `now` of this answer, for further requests of the same page; undefined before the first. */
  now: number | undefined
  span: Span | undefined
  previous: Span | null
  /** 'refreshing' keeps the old answer; 'stale' after three missed refreshes. */
  state: 'loading' | 'refreshing' | 'ready' | 'stale'
  /** When the newest event of this answer had arrived, on this browser's clock; undefined before the first answer. */
  dataAt: number | undefined
  error: Error | null
  refetch: () => void
}

const SECOND = 1000

/** How often a range that reaches now is asked again: short ones often, long ones rarely. */
export function refreshInterval(query: Pick<Query, 'range'>): number | false {
  if (!reachesNow(query.range)) return false
  const { from, to } = resolveRange(query.range, Date.now())
  const hours = (to - from) / (3600 * SECOND)
  return hours <= 1 ? 5 * SECOND : hours <= 24 ? 15 * SECOND : hours <= 168 ? 60 * SECOND : 300 * SECOND
}

/** One retry, except after a timeout: that is reported after the first 15 s. */
export function asksAgain(failures: number, error: Error): boolean {
  return failures < 1 && !(error instanceof ApiError && error.key === 'timeout')
}

/**
 * Asks all parts of a page in one request against one `now`. While a newer answer is fetched the old one stays. A part that fails
 * names its error and the others still show. `now` pins the request to an earlier answer's time, so that cards agree.
 */
export function useStatistics<P extends Record<string, PartInput>>(
  query: Query,
  parts: P,
  { paused = false, now, enabled = true }: { paused?: boolean; now?: number | undefined; enabled?: boolean } = {},
): Statistics<P> {
  const interval = paused || now !== undefined ? false : refreshInterval(query)
  const result = useQuery({
    queryKey: ['statistics', queryKey(query), parts, now ?? null],
    queryFn: ({ signal }) =>
      call(statistics, { body: { query, parts, ...(now !== undefined && { now }) }, signal }, { quiet: true }),
    placeholderData: (before, last) =>
      before && { ...before, parts: comparable(before.parts, last?.queryKey[2], parts) },
    refetchInterval: interval,
    enabled,
    retry: asksAgain,
    staleTime: paused ? Number.POSITIVE_INFINITY : 2 * SECOND,
    // A page that is opened again shows its last answer at once, with its age, and refreshes it in place.
    gcTime: KEPT_MS,
    meta: KEPT,
  })
  const { data, error, isFetching, dataUpdatedAt, isPlaceholderData } = result
  const refetch = () => void result.refetch()
  const overdue = useOverdue(interval === false ? 0 : dataUpdatedAt + 3 * interval, error !== null)
  return {
    part: (name) => partState(data?.parts[name as string], error, refetch),
    now: isPlaceholderData ? undefined : data?.now,
    span: data?.span,
    previous: data?.previous ?? null,
    state: !data ? 'loading' : overdue ? 'stale' : isPlaceholderData || (isFetching && error) ? 'refreshing' : 'ready',
    dataAt: data && dataUpdatedAt - data.lag_seconds * SECOND,
    error: error as Error | null,
    refetch,
  }
}

/** Of an older answer, the parts that asked the same of another range, filter or page: those may stand in for the newer ones. */
export function comparable<T>(
  answers: Readonly<Record<string, T>>,
  asked: unknown,
  asks: Record<string, PartInput>,
): Record<string, T> {
  const before = (asked ?? {}) as Record<string, PartInput>
  const shape = (part: PartInput | undefined) => JSON.stringify({ ...part, offset: 0, sort: '', limit: 0, and: 0 })
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => asks[name] !== undefined && shape(asks[name]) === shape(before[name])),
  )
}

function partState<K extends Part['kind']>(answer: unknown, error: Error | null, retry: () => void): PartState<K> {
  if (!answer) return error ? { kind: 'error', error, retry } : { kind: 'loading' }
  const failed = answer as { kind: string; code?: number; codemsg?: string }
  if (failed.kind === 'error') return { kind: 'error', error: refusalOf({ ...failed }, 200), retry }
  return { kind: 'ready', answer: answer as AnswerOf<K> }
}

/** True once `deadline` (epoch ms) has passed with the last attempt failed: what shows is stale. */
function useOverdue(deadline: number, failed: boolean): boolean {
  const [late, setLate] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    setLate(false)
    if (!failed || deadline === 0) return
    timer.current = setTimeout(() => setLate(true), Math.max(0, deadline - Date.now()))
    return () => clearTimeout(timer.current)
  }, [deadline, failed])
  return late
}
