import { BIGINT, type DuckDBConnection, UINTEGER, VARCHAR } from '@duckdb/node-api'
import type { QuarantinedEvent } from '#contracts/telemetry/stored-event.ts'
import { writeTexts, writeTimes, writeWords } from '../duckdb/column-writers.ts'
import { appendChunks } from '../duckdb/event-table.ts'

const TEXTS = ['reason', 'eventId', 'device', 'note', 'raw'] as const
const TYPES = [BIGINT, BIGINT, UINTEGER, ...TEXTS.map(() => VARCHAR)]

/** Appends quarantined events in their order, within the transaction of the connection. */
export async function appendQuarantine(
  connection: DuckDBConnection,
  events: readonly QuarantinedEvent[],
): Promise<void> {
  if (events.length === 0) return
  const [[last] = [0]] = (await connection.runAndReadAll('SELECT coalesce(max(seq), 0) FROM quarantine')).getRowsJS()
  await appendChunks(connection, 'quarantine', TYPES, events.length, (vector, column, from, count) => {
    const one = (row: number) => events[from + row] as QuarantinedEvent
    if (column === 0) writeTimes(vector, count, (row) => Number(last) + 1 + from + row)
    else if (column === 1) writeTimes(vector, count, (row) => one(row).receivedAt)
    else if (column === 2) writeWords(vector, count, (row) => one(row).app)
    else writeTexts(vector, count, (row) => one(row)[TEXTS[column - 3] as 'note'])
  })
}

/** Those of the events that are not in quarantine already. */
export async function notYetQuarantined(
  connection: DuckDBConnection,
  events: readonly QuarantinedEvent[],
): Promise<QuarantinedEvent[]> {
  if (events.length === 0) return []
  const times = [...new Set(events.map(({ receivedAt }) => receivedAt))].filter(Number.isFinite)
  if (times.length === 0) return [...events]
  const reader = await connection.runAndReadAll(
    `SELECT received, app, reason, event_id FROM quarantine WHERE received IN (${times.join(', ')})`,
  )
  const known = new Set(reader.getRowsJS().map((row) => row.map(String).join(' ')))
  return events.filter(
    ({ receivedAt, app, reason, eventId }) => !known.has([receivedAt, app, reason, eventId].map(String).join(' ')),
  )
}
