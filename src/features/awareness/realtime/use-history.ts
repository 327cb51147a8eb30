import { useEffect, useMemo, useState } from 'react'
import type { EventRow, Filter, Query } from '#domain/query.ts'
import { eventParam } from '#src/shared/events/event-words.ts'
import { type EventRows, useEventRows } from '#src/shared/events/use-event-rows.ts'

/** What arrived just now may still be on its way into the store: history is asked for when it is certainly there. */
const SETTLE_MS = 3500
/** The subscription takes effect a little after the connection opens: events of that gap are read as history too. */
const OVERLAP_MS = 1000
const HISTORY_MS = 86_400_000

/**
 * Rows of the stream with what arrived before them, from the store, without doubles. The edge is the moment the stream
 * began, by the server's clock; when the stream's memory is full (`full`) the rows below would no longer join, so history restarts at the oldest one that
 * is held.
 */
export function useHistory(
  rows: readonly EventRow[],
  filters: readonly Filter[],
  { ready, clockOffset, full, held }: { ready: boolean; clockOffset: number; full: boolean; held: boolean },
): { rows: readonly EventRow[]; history: EventRows } {
  const key = JSON.stringify(filters)
  const [began, setBegan] = useState<{ key: string; at: number } | null>(null)
  useEffect(() => {
    if (ready && began?.key !== key) setBegan({ key, at: Date.now() + clockOffset })
  }, [ready, began, key, clockOffset])
  const [edge, setEdge] = useState<number | null>(null)
  useEffect(() => {
    setEdge(null)
    if (!began) return
    const timer = setTimeout(() => setEdge(began.at + OVERLAP_MS), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [began])
  const [anchor, setAnchor] = useState<number | null>(null)
  const oldest = rows.at(-1)?.receivedAt ?? null
  useEffect(() => setAnchor(full && held ? oldest : null), [full, held, oldest])

  const to = full ? anchor : edge
  const query: Query = useMemo(
    () => ({
      range: `${(to ?? HISTORY_MS * 2) - HISTORY_MS}~${(to ?? HISTORY_MS * 2) + 1}`,
      timeBasis: 'received',
      compare: 'none',
      filters: JSON.parse(key) as Filter[],
    }),
    [to, key],
  )
  const history = useEventRows(query, { enabled: to !== null })
  const joined = useMemo(() => {
    if (to === null) return rows
    const known = new Set(rows.map(eventParam))
    return [...rows, ...history.rows.filter((row) => !known.has(eventParam(row)))]
  }, [rows, history.rows, to])
  return { rows: joined, history }
}
