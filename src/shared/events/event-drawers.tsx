import { lazy, Suspense } from 'react'
import type { QueryState } from '../query/use-query-state.ts'
import type { EventNavigator } from './event-drawer.tsx'
import { useEventRows } from './use-event-rows.ts'
import { useOpenEvents } from './use-open-events.ts'

// Few visits open them: they stay out of the first load of a page.
const EventDrawer = lazy(async () => ({ default: (await import('./event-drawer.tsx')).EventDrawer }))
const EventListDrawer = lazy(async () => ({ default: (await import('./event-list-drawer.tsx')).EventListDrawer }))

const NO_QUERY = { range: '-5m', timeBasis: 'occurred', compare: 'none', filters: [] } as const

/**
 * The list of events and the single event that the address names, beside any page. `now` pins the list to the page's figures;
 * `navigator` is the list an event was opened from where that is not the drawer's own.
 */
export function EventDrawers({
  state,
  now,
  navigator,
  zooms = false,
}: {
  state: QueryState
  now?: number | undefined
  navigator?: EventNavigator
  /** The page has a range of time that a list may become. */
  zooms?: boolean
}) {
  const open = useOpenEvents(state)
  const list = useEventRows(open.rowsQuery ?? { ...NO_QUERY, filters: [] }, { now, enabled: open.rowsQuery !== null })
  return (
    <Suspense>
      {open.rowsQuery && (
        <EventListDrawer
          query={open.rowsQuery}
          list={list}
          current={open.event}
          onOpen={open.openEvent}
          onZoom={
            zooms && open.rowsQuery.range !== state.query.range
              ? () => state.setParams({ range: open.rowsQuery?.range ?? null, rows: null, event: null })
              : undefined
          }
          onClose={open.close}
        />
      )}
      {open.event && (
        <EventDrawer
          event={open.event}
          query={open.rowsQuery ?? state.query}
          {...(open.rowsQuery ? { navigator: { rows: list.rows, total: list.total } } : navigator && { navigator })}
          onOpen={open.openEvent}
          onRows={open.openRows}
          onClose={open.closeEvent}
        />
      )}
    </Suspense>
  )
}
