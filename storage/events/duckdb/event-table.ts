import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  UINTEGER,
  UTINYINT,
  UUID,
  VARCHAR,
} from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { EVENT_FLAGS, type EventTuple, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { reportedBuild } from '#domain/baseline.ts'
import { EVENT_TYPES, RISK_TYPES } from '#domain/vocabulary.ts'
import {
  coordinates,
  ids,
  keys,
  numbers,
  type RowBlock,
  rareTexts,
  smallNumbers,
  texts,
  times,
  type WriteColumn,
  zeros,
} from './column-writers.ts'

/**
 * The table of accepted events. Words are codes; devices and users numbers (key-table.ts); ids 128-bit numbers with a 32-bit hash
 * beside them: a scan for one event compares 4 bytes a row instead of 16. Rows lie in order of arrival, so that DuckDB's zone maps cut
 * time ranges.
 * `reduced` is 1 once retention has cut address and raw payload.
 */
type Column = { name: string; type: DuckDBType; write: WriteColumn }

/** Place of each field in the tuple of contracts/telemetry/stored-event.ts. */
// biome-ignore format: one line reads as the tuple
const AT = { id: 0, app: 1, type: 2, risk: 3, level: 4, action: 5, platform: 6, occurredAt: 7, receivedAt: 8, reportedAt: 9,
  device: 10, user: 11, version: 12, channel: 13, os: 14, model: 15, brand: 16, network: 17, sdk: 18, country: 19, province: 20,
  city: 21, placeSource: 22, placePrecision: 23, lon: 24, lat: 25, site: 26, flags: 27, address: 28, extra: 29, group: 30,
} as const satisfies Record<keyof StoredEvent, number>

/** Reads one field of a tuple. */
export function fieldOf<K extends keyof StoredEvent>(tuple: EventTuple, field: K): StoredEvent[K] {
  return tuple[AT[field]] as StoredEvent[K]
}

const code = (name: string, field: keyof StoredEvent, mask?: number): Column => ({
  name,
  type: UTINYINT,
  write: smallNumbers(AT[field], mask),
})
const number = (name: string, of: (tuple: EventTuple) => number): Column => ({
  name,
  type: UINTEGER,
  write: numbers(of),
})
const time = (name: string, field: keyof StoredEvent): Column => ({ name, type: BIGINT, write: times(AT[field]) })
const text = (field: keyof StoredEvent): Column => ({ name: field, type: VARCHAR, write: texts(AT[field]) })
const key = (name: string, of: 'devices' | 'users'): Column => ({ name, type: UINTEGER, write: keys(of) })
const coordinate = (field: 'lon' | 'lat'): Column => ({ name: field, type: DOUBLE, write: coordinates(AT[field]) })

/** Build facts that events report in `extra`, compared with baselines (baseline-sql.ts). */
type BuildFields = { package: string; signer: string; hashes: string }
const BUILD_COLUMNS: readonly { name: string; of: (buildFieldsOfTuple: BuildFields) => string }[] = [
  { name: 'package', of: (fields) => fields.package },
  { name: 'signer', of: (fields) => fields.signer },
  { name: 'hashes', of: (fields) => fields.hashes },
]
const NO_BUILD_FIELDS: BuildFields = { package: '', signer: '', hashes: '' }
const BUILD_RISKS: ReadonlySet<unknown> = new Set([RISK_TYPES.repackaging.code, RISK_TYPES.integrity.code])
/** Columns are written one after another: caches the parsed fields of a tuple. */
const parsedFields = new WeakMap<EventTuple, BuildFields>()

function buildFields(tuple: EventTuple): BuildFields {
  if (tuple[AT.type] !== EVENT_TYPES.env.code && !BUILD_RISKS.has(tuple[AT.risk])) return NO_BUILD_FIELDS
  const extra = tuple[AT.extra]
  if (!extra) return NO_BUILD_FIELDS
  const known = parsedFields.get(tuple)
  if (known) return known
  const read = readLines(extra as string)
  parsedFields.set(tuple, read)
  return read
}

/** Malformed JSON must not stop the flusher: it yields no build fields. */
function readLines(extra: string): BuildFields {
  try {
    const { packageName, signer, hashes } = reportedBuild(JSON.parse(extra) as Record<string, unknown>, '')
    const lines = Object.entries(hashes).map(([name, hash]) => `${name}=${hash}`)
    return { package: packageName, signer, hashes: lines.join('\n') }
  } catch {
    return NO_BUILD_FIELDS // the event itself is stored as it came
  }
}

export const COLUMNS: readonly Column[] = [
  { name: 'id', type: UUID, write: ids(AT.id) },
  number('eh', (tuple) => eventHash(tuple[AT.id] as string)),
  number('app', (tuple) => tuple[AT.app] as number),
  code('type', 'type'),
  code('risk', 'risk'),
  code('level', 'level'),
  code('action', 'action'),
  code('platform', 'platform'),
  time('occurred', 'occurredAt'),
  time('received', 'receivedAt'),
  time('reported', 'reportedAt'),
  key('device', 'devices'),
  key('uid', 'users'),
  text('version'),
  text('channel'),
  text('os'),
  text('model'),
  text('brand'),
  text('network'),
  text('sdk'),
  text('country'),
  number('province', (tuple) => tuple[AT.province] as number),
  number('city', (tuple) => tuple[AT.city] as number),
  code('place', 'placeSource'),
  code('fineness', 'placePrecision'),
  coordinate('lon'),
  coordinate('lat'),
  number('site', (tuple) => tuple[AT.site] as number),
  code('flags', 'flags', ~EVENT_FLAGS.pending),
  text('address'),
  text('extra'),
  { name: 'reduced', type: UTINYINT, write: zeros() },
  { name: 'grp', type: VARCHAR, write: rareTexts((tuple) => tuple[AT.group] as string | null) },
  ...BUILD_COLUMNS.map(({ name, of }) => ({
    name,
    type: VARCHAR,
    write: rareTexts((tuple) => of(buildFields(tuple))),
  })),
]

export const CREATE_TABLES = [
  `CREATE TABLE IF NOT EXISTS events (${COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
  // Files written before groups existed get the column; their rows have no group.
  "ALTER TABLE events ADD COLUMN IF NOT EXISTS grp VARCHAR DEFAULT ''",
  // The same for build columns: rows written before them are not compared with baselines.
  ...BUILD_COLUMNS.map(({ name }) => `ALTER TABLE events ADD COLUMN IF NOT EXISTS ${name} VARCHAR DEFAULT ''`),
  'CREATE TABLE IF NOT EXISTS positions (journal VARCHAR, position BIGINT)',
  // The entry that ends at the position of the store. A table of its own, since earlier versions move positions and know nothing of it: a
  // row whose end is not the position of the store says nothing.
  'CREATE TABLE IF NOT EXISTS last_entries (journal VARCHAR, entry BIGINT, entry_end BIGINT, checksum UINTEGER)',
  // Verdicts on pending events that are not in the journal yet.
  'CREATE TABLE IF NOT EXISTS verdicts (position BIGINT, body VARCHAR)',
  // Append-only; the smallest `seen` (time of occurrence) of a key counts. kind 1: device, 2: user.
  'CREATE TABLE IF NOT EXISTS first_seen (app UINTEGER, kind UTINYINT, k UINTEGER, seen BIGINT)',
  // The same over all applications.
  'CREATE TABLE IF NOT EXISTS first_seen_anywhere (kind UTINYINT, k UINTEGER, seen BIGINT)',
  // Devices and users: number n has the 128-bit key a b c d.
  'CREATE TABLE IF NOT EXISTS keys (n UINTEGER, a UINTEGER, b UINTEGER, c UINTEGER, d UINTEGER)',
  'CREATE TABLE IF NOT EXISTS quarantine (seq BIGINT, received BIGINT, app UINTEGER, reason VARCHAR, event_id VARCHAR, device VARCHAR, note VARCHAR, raw VARCHAR)',
]

/** Event ids may be any kind of UUID, also ones that begin with a time or end with a machine: all digits are mixed. */
export function eventHash(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Rows appended before queries get a turn: appending blocks the event loop. */
const STEP_ROWS = 256

/** Appends rows through the data chunk appender; inside BEGIN … COMMIT they become visible and durable with the rest, or not at all. */
export async function appendEvents(
  connection: DuckDBConnection,
  rows: RowBlock,
  turn: () => Promise<void>,
): Promise<void> {
  const types = COLUMNS.map((column) => column.type)
  const write = (vector: duckdb.Vector, index: number, from: number, count: number) =>
    (COLUMNS[index] as Column).write(vector, rows, from, count)
  await appendChunks(connection, 'events', types, rows.tuples.length, write, turn)
}

/** Appends `count` rows to a table; `write` fills one column of one chunk with the rows from `from` on; `turn` is awaited before each. */
export async function appendChunks(
  connection: DuckDBConnection,
  table: string,
  types: readonly DuckDBType[],
  count: number,
  write: (vector: duckdb.Vector, column: number, from: number, count: number) => void,
  turn: () => Promise<void> = () => new Promise(setImmediate),
): Promise<void> {
  if (count === 0) return
  const appender = await connection.createAppender(table)
  try {
    for (let from = 0; from < count; from += STEP_ROWS) {
      await turn()
      const chunk = DuckDBDataChunk.create(types, Math.min(STEP_ROWS, count - from))
      for (const index of types.keys())
        write(duckdb.data_chunk_get_vector(chunk.chunk, index), index, from, chunk.rowCount)
      appender.appendDataChunk(chunk)
      appender.flushSync()
    }
  } finally {
    appender.closeSync()
  }
}
