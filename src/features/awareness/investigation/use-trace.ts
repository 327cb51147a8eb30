import { keepPreviousData } from '@tanstack/react-query'
import { links, trail } from '#contracts/http/investigation.ts'
import type { Filter, Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { type LinkRef, parseSubject, type Subject, subjectFilter, type TrailStep } from '#domain/trail.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { refreshInterval } from '#src/shared/query/use-statistics.ts'

export const TRACE_DEFAULTS = { range: '-7d' } as const

/** Whose trace the address asks for. */
export function subjectOf(state: Pick<QueryState, 'params'>): Subject | null {
  return parseSubject(state.params.get('subject'))
}

/** What belongs to the trace that is left. */
export const forgetTrace = { stop: null, expand: null, rows: null, event: null, pins: null, wide: null } as const

export function useTrail(state: QueryState, subject: Subject) {
  const query: Query = { ...state.query, timeBasis: 'occurred', compare: 'none' }
  return useEndpoint(
    trail,
    { body: { query, subject } },
    {
      refetchInterval: state.paused ? false : refreshInterval(query),
      staleTime: 5000,
      meta: KEPT,
      // A changed range keeps the old trail while the new one is read; another subject starts empty.
      placeholderData: (before, last) =>
        (last?.queryKey[2] as { subject?: Subject } | undefined)?.subject?.key === subject.key ? before : undefined,
    },
  )
}

export function useLinks(
  state: QueryState,
  subject: Subject,
  ask: { now: number | undefined; limit: number; expand: LinkRef[] },
) {
  const query: Query = { ...state.query, timeBasis: 'occurred', compare: 'none' }
  const { now, limit, expand } = ask
  return useEndpoint(
    links,
    { body: { query, subject, limit, expand, ...(now !== undefined && { now }) } },
    { enabled: now !== undefined, staleTime: 60_000, placeholderData: keepPreviousData },
  )
}

/** The events of a step, stop or link: the trace's own query, narrowed to exactly those. */
export function eventsQuery(query: Query, subject: Subject, span: Span, more: readonly Filter[] = []): Query {
  return {
    range: absoluteRange({ from: span.from, to: span.to + 1 }),
    timeBasis: 'occurred',
    compare: 'none',
    filters: [...query.filters, subjectFilter(subject), ...more],
  }
}

export function stepFilters(step: TrailStep): Filter[] {
  const is = (field: Filter['field'], value: string): Filter => ({ field, op: 'is', values: [value] })
  return [
    is('type', step.type),
    is('app', step.app),
    ...(step.risk ? [is('risk', step.risk)] : []),
    ...(step.device ? [is('device', step.device)] : []),
  ]
}
