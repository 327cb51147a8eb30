import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  DuckDBUUIDValue,
  type DuckDBValue,
  UINTEGER,
  UTINYINT,
  UUID,
  VARCHAR,
} from '@duckdb/node-api'
import type { EventTuple, StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'

/**
 * The table of accepted events. Words are codes, ids 128-bit numbers with a 32-bit hash beside them: a scan for one device, user or
 * event compares 4 bytes a row instead of 16. Rows lie in order of arrival, so that DuckDB's zone maps cut time ranges.
 * `reduced` is 1 once retention has cut address and raw payload.
 */
type Column = { name: string; type: DuckDBType; of(tuple: EventTuple): DuckDBValue }

/** Place of each field in the tuple of contracts/telemetry/stored-event.ts. */
// biome-ignore format: one line reads as the tuple
const AT = { id: 0, app: 1, type: 2, risk: 3, level: 4, action: 5, platform: 6, occurredAt: 7, receivedAt: 8, reportedAt: 9,
  device: 10, user: 11, version: 12, channel: 13, os: 14, model: 15, brand: 16, network: 17, sdk: 18, country: 19, province: 20,
  city: 21, placeSource: 22, placePrecision: 23, lon: 24, lat: 25, site: 26, flags: 27, address: 28, extra: 29,
} as const satisfies Record<keyof StoredEvent, number>

/** Reads one field of a tuple. */
export function fieldOf<K extends keyof StoredEvent>(tuple: EventTuple, field: K): StoredEvent[K] {
  return tuple[AT[field]] as StoredEvent[K]
}

const plain = (name: string, type: DuckDBType, field: keyof StoredEvent): Column => ({
  name,
  type,
  of: (tuple) => tuple[AT[field]] as DuckDBValue,
})
const time = (name: string, field: 'occurredAt' | 'receivedAt' | 'reportedAt'): Column => ({
  name,
  type: BIGINT,
  of: (tuple) => (tuple[AT[field]] === null ? null : BigInt(Math.round(tuple[AT[field]] as number))),
})
const uuid = (name: string, field: 'id' | 'device' | 'user'): Column => ({
  name,
  type: UUID,
  of: (tuple) => (tuple[AT[field]] === null ? null : uuidValue(tuple[AT[field]] as string)),
})

export const COLUMNS: readonly Column[] = [
  uuid('id', 'id'),
  { name: 'eh', type: UINTEGER, of: (tuple) => eventHash(tuple[AT.id] as string) },
  plain('app', UINTEGER, 'app'),
  plain('type', UTINYINT, 'type'),
  plain('risk', UTINYINT, 'risk'),
  plain('level', UTINYINT, 'level'),
  plain('action', UTINYINT, 'action'),
  plain('platform', UTINYINT, 'platform'),
  time('occurred', 'occurredAt'),
  time('received', 'receivedAt'),
  time('reported', 'reportedAt'),
  uuid('device', 'device'),
  { name: 'dh', type: UINTEGER, of: (tuple) => keyHash(tuple[AT.device] as string) },
  uuid('uid', 'user'),
  { name: 'uh', type: UINTEGER, of: (tuple) => (tuple[AT.user] === null ? 0 : keyHash(tuple[AT.user] as string)) },
  plain('version', VARCHAR, 'version'),
  plain('channel', VARCHAR, 'channel'),
  plain('os', VARCHAR, 'os'),
  plain('model', VARCHAR, 'model'),
  plain('brand', VARCHAR, 'brand'),
  plain('network', VARCHAR, 'network'),
  plain('sdk', VARCHAR, 'sdk'),
  plain('country', VARCHAR, 'country'),
  plain('province', UINTEGER, 'province'),
  plain('city', UINTEGER, 'city'),
  plain('place', UTINYINT, 'placeSource'),
  plain('fineness', UTINYINT, 'placePrecision'),
  plain('lon', DOUBLE, 'lon'),
  plain('lat', DOUBLE, 'lat'),
  plain('site', UINTEGER, 'site'),
  { name: 'flags', type: UTINYINT, of: (tuple) => (tuple[AT.flags] as number) & ~EVENT_FLAGS.pending },
  plain('address', VARCHAR, 'address'),
  plain('extra', VARCHAR, 'extra'),
  { name: 'reduced', type: UTINYINT, of: () => 0 },
]

export const CREATE_TABLES = [
  `CREATE TABLE IF NOT EXISTS events (${COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
  'CREATE TABLE IF NOT EXISTS positions (journal VARCHAR, position BIGINT)',
  // Verdicts on pending events that are not in the journal yet.
  'CREATE TABLE IF NOT EXISTS verdicts (position BIGINT, body VARCHAR)',
  // Append-only; the smallest `seen` (time of occurrence) of a key counts. kind 1: device, 2: user.
  'CREATE TABLE IF NOT EXISTS first_seen (app UINTEGER, kind UTINYINT, k UUID, seen BIGINT)',
  'CREATE TABLE IF NOT EXISTS quarantine (seq BIGINT, received BIGINT, app UINTEGER, reason VARCHAR, event_id VARCHAR, device VARCHAR, note VARCHAR, raw VARCHAR)',
]

/** A 32-digit hex text or a dashed UUID as DuckDB takes it. */
export function uuidValue(text: string): DuckDBUUIDValue {
  const hex = text.length === 36 ? text.replaceAll('-', '') : text
  return DuckDBUUIDValue.fromUint128(BigInt(`0x${hex}`))
}

/** Device and user keys are keyed hashes already: their first 32 bits will do. */
export function keyHash(hex: string): number {
  return Number.parseInt(hex.slice(0, 8), 16)
}

/** Event ids may be any kind of UUID, also ones that begin with a time or end with a machine: all digits are mixed. */
export function eventHash(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

const CHUNK_ROWS = 2048

/** Appends rows through the data chunk appender; inside BEGIN … COMMIT they become visible and durable with the rest, or not at all. */
export async function appendEvents(connection: DuckDBConnection, tuples: readonly EventTuple[]): Promise<void> {
  const types = COLUMNS.map((column) => column.type)
  await appendChunks(connection, 'events', types, tuples.length, (chunk, from) => {
    for (let c = 0; c < COLUMNS.length; c++) {
      const vector = chunk.getColumnVector(c)
      const { of } = COLUMNS[c] as Column
      const count = chunk.rowCount
      for (let i = 0; i < count; i++) vector.setItem(i, of(tuples[from + i] as EventTuple) as never)
      vector.flush()
    }
  })
}

/** Appends `count` rows to a table; `fill` writes those from row `from` on into the sized chunk. */
export async function appendChunks(
  connection: DuckDBConnection,
  table: string,
  types: readonly DuckDBType[],
  count: number,
  fill: (chunk: DuckDBDataChunk, from: number) => void,
): Promise<void> {
  if (count === 0) return
  const appender = await connection.createAppender(table)
  try {
    for (let from = 0; from < count; from += CHUNK_ROWS) {
      const chunk = DuckDBDataChunk.create(types, Math.min(CHUNK_ROWS, count - from))
      fill(chunk, from)
      appender.appendDataChunk(chunk)
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
}
