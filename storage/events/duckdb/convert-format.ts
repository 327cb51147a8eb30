import { rename, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { FORMAT } from './event-format.ts'
import { COLUMNS, CREATE_TABLES } from './event-table.ts'

/** Rows of `events` that were converted, of how many; formats are those of the file before and after. */
export type FormatProgress = { from: number; to: number; rows: number; total: number }

type ConvertOptions = {
  memoryMb: number
  threads: number
  onProgress(progress: FormatProgress): void
  /** Free bytes of the folder's file system; injected by tests. */
  freeBytes?(folder: string): Promise<number>
  /** Rows that one transaction converts. */
  chunkRows?: number
}

/** One step from a format to the next. `old` is the attached old file (read-only), the unqualified tables are the new one's. */
type FormatStep = {
  /** Creates the tables and converts everything but `events`: one transaction. */
  start: readonly string[]
  /** Selects events of the old file in the order of the new table's columns (COLUMNS). */
  events: string
}

/** 32-bit word `n` (0: highest) of a UUID column. */
const word = (column: string, n: number) =>
  `CAST(('0x' || substr(replace(CAST(${column} AS VARCHAR), '-', ''), ${1 + n * 8}, 8)) AS UINTEGER)`
const words = (column: string) => [0, 1, 2, 3].map((n) => word(column, n)).join(', ')

/** Format 1 held devices and users as UUIDs in each row; format 2 numbers them (table `keys`). */
const FROM_1: FormatStep = {
  start: [
    'CREATE TABLE old_keys AS SELECT CAST(row_number() OVER (ORDER BY k) AS UINTEGER) AS n, k FROM (SELECT device AS k FROM old.events WHERE device IS NOT NULL UNION SELECT uid FROM old.events WHERE uid IS NOT NULL UNION SELECT k FROM old.first_seen) u',
    `INSERT INTO keys SELECT n, ${words('k')} FROM old_keys`,
    'INSERT INTO positions SELECT * FROM old.positions',
    'INSERT INTO verdicts SELECT * FROM old.verdicts',
    'INSERT INTO quarantine SELECT * FROM old.quarantine',
    'INSERT INTO first_seen SELECT app, kind, n, min(seen) FROM old.first_seen f JOIN old_keys o ON o.k = f.k GROUP BY app, kind, n',
    'INSERT INTO first_seen_anywhere SELECT kind, k, min(seen) FROM first_seen GROUP BY kind, k',
  ],
  events: `SELECT ${COLUMNS.map(({ name }) => {
    if (name === 'device') return 'd.n'
    if (name === 'uid') return 'u.n'
    // Columns that format 1 did not have.
    return ['grp', 'package', 'signer', 'hashes'].includes(name) ? "''" : `e.${name}`
  }).join(', ')} FROM old.events e LEFT JOIN old_keys d ON d.k = e.device LEFT JOIN old_keys u ON u.k = e.uid`,
}
const STEPS: Record<number, FormatStep> = { 1: FROM_1 }

const CONVERTING = 'events.converting.duckdb'
const ROWS_PER_CHUNK = 200_000
/** The new file is written beside the old one, which goes afterwards. */
const SPACE_FACTOR = 1.3

/**
 * Converts the closed `events.duckdb` of the folder, of format `from` and without a write-ahead log, to FORMAT: into a new file beside it, in
 * transactions that record their progress, so that a conversion that was killed continues. The new file replaces the old one by a rename
 * at the end. Throws an error with code ENOSPC where the disk has no room for both files.
 */
export async function convertFormat(folder: string, from: number, options: ConvertOptions): Promise<void> {
  const { memoryMb, threads, onProgress, chunkRows = ROWS_PER_CHUNK, freeBytes = freeBytesOf } = options
  const path = join(folder, 'events.duckdb')
  const target = join(folder, CONVERTING)
  const step = STEPS[from]
  if (!step || from + 1 !== FORMAT)
    throw new Error(`the event store in ${folder} has format ${from}, which cannot be converted`)
  const needed = Math.ceil((await stat(path)).size * SPACE_FACTOR) - (await sizeOf(target))
  const free = await freeBytes(folder)
  if (free < needed)
    throw Object.assign(
      new Error(
        `converting the event store needs ${megabytes(needed)} MB of free space, there are ${megabytes(free)} MB`,
      ),
      { code: 'ENOSPC' },
    )
  const settings = { memory_limit: `${memoryMb}MB`, threads: String(threads), temp_directory: join(folder, 'spill') }
  const instance = await DuckDBInstance.create(target, { ...settings, preserve_insertion_order: 'true' })
  const connection = await instance.connect()
  try {
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS old (READ_ONLY)`)
    await convert(connection, step, from, chunkRows, onProgress)
    await connection.run('DETACH old')
    await connection.run('CHECKPOINT')
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  await rename(target, path)
}

async function convert(
  connection: DuckDBConnection,
  step: FormatStep,
  from: number,
  chunkRows: number,
  onProgress: (progress: FormatProgress) => void,
): Promise<void> {
  const number = async (sql: string) => Number((await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0] ?? 0)
  const started = await number(
    "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'conversion' AND database_name <> 'old'",
  )
  if (started === 0)
    await inTransaction(connection, [
      ...CREATE_TABLES,
      ...step.start,
      // Rowids of the old file below `done` are converted.
      'CREATE TABLE conversion AS SELECT 0::BIGINT AS done',
    ])
  const total = await number('SELECT count(*) FROM old.events')
  const end = total === 0 ? 0 : (await number('SELECT max(rowid) FROM old.events')) + 1
  for (let done = await number('SELECT done FROM conversion'); ; ) {
    onProgress({ from, to: FORMAT, rows: await number('SELECT count(*) FROM events'), total })
    if (done >= end) break
    const next = Math.min(end, done + chunkRows)
    await inTransaction(connection, [
      `INSERT INTO events ${step.events} WHERE e.rowid >= ${done} AND e.rowid < ${next} ORDER BY e.rowid`,
      `UPDATE conversion SET done = ${next}`,
    ])
    done = next
  }
  const converted = await number('SELECT count(*) FROM events')
  if (converted !== total) throw new Error(`the conversion of the event store has ${converted} of ${total} events`)
  await inTransaction(connection, [
    'DROP TABLE conversion',
    'DROP TABLE old_keys',
    `CREATE TABLE format AS SELECT ${FORMAT} AS version`,
  ])
}

async function inTransaction(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  await connection.run('BEGIN')
  try {
    for (const statement of statements) await connection.run(statement)
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {}) // the error that is thrown came first
    throw error
  }
}

/** The format of an open file; undefined: it is new and empty. */
export async function formatOf(connection: DuckDBConnection): Promise<number | undefined> {
  const tables = (await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()')).getRowsJS().flat()
  if (tables.length === 0) return undefined
  if (!tables.includes('format')) return 1
  return Number((await connection.runAndReadAll('SELECT version FROM format')).getRowsJS()[0]?.[0])
}

// A file that is not there has no bytes.
const sizeOf = async (path: string) => (await stat(path).catch(() => ({ size: 0 }))).size
const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
