import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Dimension, Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { useApplications } from '../session/application-store.ts'
import { addFilter, linkParams, type QueryDefaults, readQuery, writeQuery } from './query-url.ts'

/** A page's query and view state, all of it in the address. Each change is a step of the browser's history. */
export type QueryState = {
  query: Query
  defaults: QueryDefaults
  params: URLSearchParams
  /** Frozen: nothing refreshes by itself. */
  paused: boolean
  set: (change: Partial<Query>) => void
  /** Sets (or, with null, removes) other parameters of the address. `replace` keeps it one step of history. */
  setParams: (values: Readonly<Record<string, string | null>>, replace?: boolean) => void
  pick: (field: Dimension, value: string | readonly string[], exclude?: boolean) => void
  removeFilter: (index: number) => void
  clearFilters: () => void
  /** Undoes the last change; null when nothing was changed. */
  undo: (() => void) | null
  /** Address that opens this view for others; with a span, at these very times. */
  link: (span?: Span) => string
}

/** Parameters for the position in a list: a new query starts at the beginning. */
const POSITION_PARAMS = ['page']

/** What the address says now: a render may still be on its way when the next change comes. */
const shownNow = () => new URLSearchParams(location.search)

export function useQueryState(defaults: QueryDefaults = {}): QueryState {
  const [params, setSearch] = useSearchParams()
  const current = useApplications((state) => state.current)
  const currentApp = current === 'all' ? null : current
  // Defaults are written inline by pages: their content counts, not their identity.
  const key = JSON.stringify(defaults)
  const fixed = useMemo(() => JSON.parse(key) as QueryDefaults, [key])
  const query = useMemo(() => readQuery(params, fixed, currentApp), [params, fixed, currentApp])
  const past = useRef<string[]>([])

  const go = useCallback(
    (next: URLSearchParams, remember = true, replace = false) => {
      const here = shownNow().toString()
      if (next.toString() === here) return
      if (remember) past.current = [...past.current.slice(-49), here]
      setSearch(next, { replace, preventScrollReset: true })
    },
    [setSearch],
  )
  const queryNow = useCallback(() => readQuery(shownNow(), fixed, currentApp), [fixed, currentApp])
  const set = useCallback(
    (change: (query: Query) => Partial<Query>) => {
      const query = queryNow()
      const next = writeQuery(shownNow(), { ...query, ...change(query) }, fixed, currentApp)
      for (const name of POSITION_PARAMS) next.delete(name)
      go(next)
    },
    [queryNow, fixed, currentApp, go],
  )
  const setParams = useCallback(
    (values: Readonly<Record<string, string | null>>, replace = false) => {
      const next = shownNow()
      for (const [name, value] of Object.entries(values)) {
        if (value === null) next.delete(name)
        else next.set(name, value)
      }
      go(next, false, replace)
    },
    [go],
  )

  // The header's choice rules: choosing another application there drops the one that the address names.
  const before = useRef(current)
  useEffect(() => {
    if (before.current === current) return
    before.current = current
    const next = writeQuery(
      params,
      { ...query, filters: query.filters.filter((one) => one.field !== 'app') },
      fixed,
      null,
    )
    next.delete('apps')
    go(next, false, true)
  }, [current, params, query, fixed, go])

  return {
    query,
    defaults: fixed,
    params,
    paused: params.get('paused') === '1',
    set: useCallback((change: Partial<Query>) => set(() => change), [set]),
    setParams,
    pick: (field, value, exclude = false) =>
      set(({ filters }) => ({
        filters: addFilter(filters, field, typeof value === 'string' ? [value] : value, exclude),
      })),
    removeFilter: (index) => {
      const gone = JSON.stringify(query.filters[index])
      set(({ filters }) => ({ filters: filters.filter((one) => JSON.stringify(one) !== gone) }))
    },
    clearFilters: () => set(({ filters }) => ({ filters: filters.filter((one) => one.field === 'app') })),
    undo:
      past.current.length > 0
        ? () => {
            const last = past.current.pop()
            if (last !== undefined) setSearch(new URLSearchParams(last), { preventScrollReset: true })
          }
        : null,
    link: (span) => {
      const now = queryNow()
      const search = linkParams(shownNow(), now, fixed, span ? absoluteRange(span) : now.range)
      return `${location.origin}${location.pathname}?${search}`
    },
  }
}
