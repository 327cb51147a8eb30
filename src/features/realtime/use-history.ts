import { useEffect, useMemo, useState } from 'react'
import type { EventRow, Filter, Query } from '#contracts/query.ts'
import { eventParam } from '#src/shared/events/event-words.ts'
import { type EventRows, useEventRows } from '#src/shared/events/use-event-rows.ts'

/** What arrived just now may still be on its way into the store: history is asked for when it is certainly there. */
const SETTLE_MS = 2500
const HISTORY_MS = 86_400_000

/**
 * Rows of the stream with what arrived before them, from the store, without doubles. The edge is fixed once, shortly after the stream
 * began; when the stream's memory is full (`full`) the rows below would no longer join, so history starts anew at the oldest one that
 * is held.
 */
export function useHistory(
  rows: readonly EventRow[],
  filters: readonly Filter[],
  { ready, full, held }: { ready: boolean; full: boolean; held: boolean },
): { rows: readonly EventRow[]; history: EventRows } {
  const key = JSON.stringify(filters)
  const [edge, setEdge] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another stream
  useEffect(() => {
    setEdge(null)
    if (!ready) return
    const timer = setTimeout(() => setEdge(Date.now()), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [ready, key])
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
