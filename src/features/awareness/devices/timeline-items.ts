import type { EventRow } from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'

const GAP_MS = 15 * 60_000

/** One line of the timeline: a day, a session of it, or an event. */
export type TimelineItem =
  | { kind: 'day'; key: string; at: number; events: number }
  | { kind: 'session'; key: string; row: EventRow; from: number; to: number; events: number; attacks: number }
  | { kind: 'event'; key: string; row: EventRow }

/** Events (newest first) with a head for each day and each session: the same rule of 15 quiet minutes as the list of sessions. */
export function timelineItems(rows: readonly EventRow[], zone: string): TimelineItem[] {
  const items: TimelineItem[] = []
  let day: Extract<TimelineItem, { kind: 'day' }> | undefined
  let session: Extract<TimelineItem, { kind: 'session' }> | undefined
  for (const row of rows) {
    const at = startOfDay(row.occurredAt, zone)
    if (day?.at !== at) {
      day = { kind: 'day', key: `day ${at}`, at, events: 0 }
      items.push(day)
      session = undefined
    }
    if (!session || session.row.app !== row.app || session.from - row.occurredAt > GAP_MS) {
      session = {
        kind: 'session',
        key: `session ${row.app} ${row.id}`,
        row,
        from: row.occurredAt,
        to: row.occurredAt,
        events: 0,
        attacks: 0,
      }
      items.push(session)
    }
    day.events++
    session.events++
    session.from = row.occurredAt
    if (row.type === 'risk') session.attacks++
    items.push({ kind: 'event', key: `${row.app}:${row.id}`, row })
  }
  return items
}
