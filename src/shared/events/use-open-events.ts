import type { EventRow, Query } from '#domain/query.ts'
import { carryQuery, readQuery } from '../query/query-url.ts'
import type { QueryState } from '../query/use-query-state.ts'
import { eventParam } from './event-words.ts'

export type OpenEvents = {
  /** The list of events that is open, as its own query: what the figure counted. */
  rowsQuery: Query | null
  /** `<appid>:<id>` of the event that is open. */
  event: string | null
  openRows: (query: Query) => void
  openEvent: (row: Pick<EventRow, 'app' | 'id'>) => void
  closeEvent: () => void
  /** Closes the list and the event over it. */
  close: () => void
}

/** The drawers that are open beside the page, from the address: `rows` (a query) and `event`. */
export function useOpenEvents({ params, setParams }: Pick<QueryState, 'params' | 'setParams'>): OpenEvents {
  const rows = params.get('rows')
  const event = params.get('event')
  return {
    rowsQuery: rows === null ? null : readQuery(new URLSearchParams(rows), {}, null),
    event,
    openRows: (query) => setParams({ rows: carryQuery({ ...query, compare: 'none' }), event: null }),
    // Moving from event to event is one step of history.
    openEvent: (row) => setParams({ event: eventParam(row) }, event !== null),
    closeEvent: () => setParams({ event: null }),
    close: () => setParams({ rows: null, event: null }),
  }
}
