import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { CREATE_TABLES } from './event-table.ts'
import type { Scan, Select } from './select.ts'

export type DuckOptions = { folder: string; memoryMb: number; threads: number }

/** The open database: one writing connection that runs one task at a time, and several readers. */
export type DuckFile = {
  /**
   * Runs the task in a transaction of the writing connection, after earlier writes. A throw rolls back and calls `undo` before the next
   * write starts.
   */
  write<T>(task: (connection: DuckDBConnection) => Promise<T>, undo?: () => void): Promise<T>
  /** Runs the task in a transaction of its own: every select of it sees the same rows. */
  read<T>(task: (select: Select, scan: Scan) => Promise<T>): Promise<T>
  /**
   * Passes the rows of one select block by block: fixed-width columns without nulls as little-endian 32-bit words, `widths` (4, 8 or 16
   * bytes a value) wide. A block is only valid during the call.
   */
  eachBlock(
    sql: string,
    widths: readonly number[],
    take: (columns: readonly Uint32Array[], count: number) => void,
  ): Promise<void>
  /** Resolves when no query runs, or after MAX_YIELD_MS: called between the steps of a write. */
  yieldToQueries(): Promise<void>
  /** Moves what is in the write-ahead log into the file; puts it off where a transaction is in the way. */
  checkpoint(): Promise<void>
  /** Bytes on disk: the file and its write-ahead log. */
  size(): Promise<{ file: number; log: number }>
  close(): Promise<void>
}

const READERS = 4
/** Longest wait of a write step (ms): allows about 30,000 rows a second under any query load. */
const MAX_YIELD_MS = 25
/**
 * A commit that makes the write-ahead log longer than this writes it into the file: late, since that commit waits for it, but before its
 * uncompressed rows exceed the memory limit and are spilled.
 */
const LOG_BYTES = '128MB'

/** Opens or creates `events.duckdb` in the folder. Throws where another process has it open. */
export async function openDuckFile({ folder, memoryMb, threads }: DuckOptions): Promise<DuckFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'events.duckdb')
  const instance = await DuckDBInstance.create(path, {
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
    temp_directory: join(folder, 'spill'),
    checkpoint_threshold: LOG_BYTES,
    // Rows are found by their columns, never by the order they were put in.
    preserve_insertion_order: 'false',
    // Nothing is ever fetched from elsewhere.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const writer = await instance.connect()
  await checkFormat(writer, folder)
  for (const statement of CREATE_TABLES) await writer.run(statement)
  const idle = await Promise.all(Array.from({ length: READERS }, () => instance.connect()))
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  const lent = new Set<DuckDBConnection>()
  let onIdle: (() => void) | undefined
  let closing = false
  let lastWrite: Promise<unknown> = Promise.resolve()

  const inTransaction = async <T>(connection: DuckDBConnection, task: () => Promise<T>): Promise<T> => {
    await connection.run('BEGIN')
    try {
      const value = await task()
      await connection.run('COMMIT')
      return value
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => {}) // the failure may have ended the transaction itself
      throw error
    }
  }
  const borrow = async <T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    if (closing) throw new Error('the event store is closed')
    const connection = idle.pop() ?? (await new Promise<DuckDBConnection>((resolve) => waiting.push(resolve)))
    lent.add(connection)
    try {
      return await task(connection)
    } finally {
      lent.delete(connection)
      const next = waiting.shift()
      if (next) next(connection)
      else idle.push(connection)
      if (lent.size === 0 && !next) onIdle?.()
    }
  }
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = lastWrite.then(task)
    lastWrite = done.catch(() => {})
    return done
  }
  const sizeOf = async (file: string) => (await stat(file).catch(() => ({ size: 0 }))).size

  return {
    write: (task, undo) =>
      inTurn(async () => {
        try {
          return await inTransaction(writer, () => task(writer))
        } catch (error) {
          undo?.()
          throw error
        }
      }),
    read: (task) =>
      borrow(async (connection) => {
        await connection.run('BEGIN')
        try {
          return await task(
            async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
            (sql, columns, take, few) =>
              eachBlock(few ? connection.run(sql) : connection.stream(sql), new Array<number>(columns).fill(4), take),
          )
        } finally {
          // Nothing was written: a question that failed leaves nothing that could be committed.
          await connection.run('ROLLBACK').catch(() => {})
        }
      }),
    eachBlock: (sql, widths, take) => borrow((connection) => eachBlock(connection.stream(sql), widths, take)),
    yieldToQueries: () =>
      new Promise((resolve) => {
        if (lent.size === 0) return void setImmediate(resolve)
        const timer = setTimeout(resolve, MAX_YIELD_MS)
        onIdle = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    checkpoint: () => inTurn(async () => void (await writer.run('CHECKPOINT').catch(() => {}))),
    size: async () => ({ file: await sizeOf(path), log: await sizeOf(`${path}.wal`) }),
    async close() {
      closing = true
      // A connection may not be closed under a running query.
      while (lent.size > 0) {
        for (const connection of lent) connection.interrupt()
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await lastWrite
      await writer.run('CHECKPOINT').catch(() => {}) // the log is replayed by the next start
      for (const connection of [writer, ...idle]) connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Passes fixed-width columns without copying. */
async function eachBlock(
  result: Promise<DuckDBResult>,
  widths: readonly number[],
  take: (columns: readonly Uint32Array[], count: number) => void,
): Promise<void> {
  for await (const { chunk, rowCount } of await result) {
    const columns = widths.map((width, index) => {
      const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, index), rowCount * width)
      return new Uint32Array(bytes.buffer, bytes.byteOffset, (rowCount * width) / 4)
    })
    take(columns, rowCount)
  }
}

/** Changes whenever files written before can no longer be read. */
const FORMAT = 2

/** Marks a new file; throws where the file is of another format. */
async function checkFormat(connection: DuckDBConnection, folder: string): Promise<void> {
  const tables = (await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()')).getRowsJS().flat()
  if (tables.length === 0) {
    await connection.run(`CREATE TABLE format AS SELECT ${FORMAT} AS version`)
    return
  }
  const found = tables.includes('format')
    ? Number((await connection.runAndReadAll('SELECT version FROM format')).getRowsJS()[0]?.[0])
    : 1
  if (found === FORMAT) return
  throw new Error(
    `the event store in ${folder} has format ${found}, this version reads format ${FORMAT}: move the folder away to begin with an empty store`,
  )
}
