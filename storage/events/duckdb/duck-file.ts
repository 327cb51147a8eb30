import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import { copyDurably } from '../../backup/copy-tree.ts'
import { convertFormat, type FormatProgress, formatOf } from './convert-format.ts'
import { isCheckpointPostponed, isCorruption, isFatal } from './duck-errors.ts'
import { FORMAT } from './event-format.ts'
import { CREATE_TABLES } from './event-table.ts'
import { type QueryContext, ReaderPool } from './reader-pool.ts'
import type { Scan, Select } from './select.ts'

export type DuckOptions = {
  folder: string
  memoryMb: number
  threads: number
  /** Called once when DuckDB has invalidated the open database, or a block of it is damaged: the owner must open it again. */
  onFatal?(error: Error): void
  /** Called while a file of an older format is converted. */
  onProgress?(progress: FormatProgress): void
}

/** The open database: one writing connection that runs one task at a time, and several readers. */
export type DuckFile = {
  /**
   * Runs the task in a transaction of the writing connection, after earlier writes. A throw rolls back and calls `undo` before the next
   * write starts.
   */
  write<T>(task: (connection: DuckDBConnection) => Promise<T>, undo?: () => void): Promise<T>
  /**
   * Runs the task in a transaction of its own: every select of it sees the same rows. Throws ProductError server.query_timeout once the
   * context's time is over, server.query_cancelled once its signal aborts, server.query_busy where too many queries of the user wait.
   */
  read<T>(task: (select: Select, scan: Scan) => Promise<T>, context?: QueryContext): Promise<T>
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
  /** Copies file and write-ahead log into the folder, between two writes. */
  copyTo(folder: string): Promise<{ bytes: number }>
  /** Bytes on disk: the file and its write-ahead log. */
  size(): Promise<{ file: number; log: number }>
  close(): Promise<void>
}

/** Runs one statement on the connection that is lent. */
type Run = <T>(statement: (connection: DuckDBConnection) => Promise<T>) => Promise<T>

/** Four users may each run as many slow queries as one user may, and connections are left for a fifth. */
const READERS = 10
/** After this long without a query the memory that DuckDB keeps of blocks is given back; the system still caches the file. */
const IDLE_MS = 20_000
const IDLE_MEMORY_MB = 48
/** Longest wait of a write step (ms): allows about 30,000 rows a second under any query load. */
const MAX_YIELD_MS = 25
/**
 * A commit that makes the write-ahead log longer than this writes it into the file: late, since that commit waits for it, but before its
 * uncompressed rows exceed the memory limit and are spilled.
 */
const LOG_BYTES = '128MB'

/** Opens or creates `events.duckdb` in the folder, converting a file of an older format first. Throws where another process has it open. */
export async function openDuckFile({ folder, memoryMb, threads, onFatal, onProgress }: DuckOptions): Promise<DuckFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'events.duckdb')
  const config = {
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
    temp_directory: join(folder, 'spill'),
    checkpoint_threshold: LOG_BYTES,
    // Rows are found by their columns, never by the order they were put in.
    preserve_insertion_order: 'false',
    // Nothing is ever fetched from elsewhere.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  }
  let { instance, writer, format } = await open(path, config)
  if (format !== undefined && format < FORMAT) {
    await writer.run('CHECKPOINT')
    writer.closeSync()
    instance.closeSync()
    await convertFormat(folder, format, { memoryMb, threads, onProgress: onProgress ?? (() => {}) })
    ;({ instance, writer, format } = await open(path, config))
  }
  let readers: Set<DuckDBConnection>
  try {
    if (format === undefined) await writer.run(`CREATE TABLE format AS SELECT ${FORMAT} AS version`)
    else if (format > FORMAT)
      throw new Error(`the event store in ${folder} has format ${format}; this version reads formats up to ${FORMAT}`)
    for (const statement of CREATE_TABLES) await writer.run(statement)
    readers = new Set(await Promise.all(Array.from({ length: READERS }, () => instance.connect())))
  } catch (error) {
    writer.closeSync()
    instance.closeSync() // else the file stays locked for the next try in this process
    throw error
  }
  const pool = new ReaderPool([...readers])
  const lent = new Set<DuckDBConnection>()
  let onIdle: (() => void) | undefined
  let closing = false
  let lastWrite: Promise<unknown> = Promise.resolve()

  let fatal = false
  /** Passes errors on; notifies the owner of the first one after which the database must be opened again. */
  const inspect = (error: unknown): unknown => {
    if (!fatal && !closing && (isFatal(error) || isCorruption(error))) {
      fatal = true
      onFatal?.(error as Error)
    }
    return error
  }

  const inTransaction = async <T>(connection: DuckDBConnection, task: () => Promise<T>): Promise<T> => {
    await connection.run('BEGIN')
    try {
      const value = await task()
      await connection.run('COMMIT')
      return value
    } catch (error) {
      await connection.run('ROLLBACK').catch(inspect) // the failure may have ended the transaction itself
      throw inspect(error)
    }
  }
  let idleTimer: NodeJS.Timeout | undefined
  let releasing: Promise<void> | undefined
  /** A lower limit for a moment evicts blocks. Queries that come meanwhile wait for it: under that limit they might fail. */
  const releaseMemory = () => {
    if (closing) return
    void serialized(async () => {
      if (lent.size > 0) return
      releasing = setLimits()
      await releasing
      releasing = undefined
    })
  }
  const setLimits = async () => {
    // Refused where more than the limit is in use: then there is nothing to evict.
    await writer.run(`SET memory_limit = '${IDLE_MEMORY_MB}MB'`).catch(() => {})
    await writer.run(`SET memory_limit = '${memoryMb}MB'`).catch(inspect)
  }
  /**
   * Lends a connection for one read transaction. Statements of the task run through `run` alone: once the task is over none starts any
   * more, and none is interrupted, so that nothing but the end of the transaction reaches the connection.
   */
  const borrow = async <T>(task: (run: Run) => Promise<T>, user?: string, signal?: AbortSignal): Promise<T> => {
    if (closing) throw new Error('the event store is closed')
    clearTimeout(idleTimer)
    await releasing
    const connection = await pool.borrow(user, signal)
    lent.add(connection)
    const interrupt = () => connection.interrupt()
    let over = false
    let running: Promise<unknown> = Promise.resolve()
    const run: Run = async (statement) => {
      // An interrupt reaches a running statement only: between statements the signal is checked.
      signal?.throwIfAborted()
      if (over) throw new ProductError('server.query_cancelled')
      const result = statement(connection)
      running = Promise.allSettled([running, result])
      return result
    }
    try {
      await connection.run('BEGIN')
      signal?.addEventListener('abort', interrupt)
      return await task(run)
    } catch (error) {
      throw signal?.aborted ? signal.reason : inspect(error)
    } finally {
      over = true
      // What failed first left others of the same task running.
      await running
      signal?.removeEventListener('abort', interrupt)
      lent.delete(connection)
      pool.giveBack(await endRead(connection), user)
      if (lent.size === 0) {
        onIdle?.()
        clearTimeout(idleTimer)
        idleTimer = setTimeout(releaseMemory, IDLE_MS).unref()
      }
    }
  }
  /** The connection without its transaction, or another one: with an open transaction it would fail every later read. */
  const endRead = async (connection: DuckDBConnection): Promise<DuckDBConnection> => {
    try {
      // Nothing was written, so there is nothing to commit.
      await connection.run('ROLLBACK')
      return connection
    } catch (error) {
      log.warn({ err: inspect(error) }, 'event store: a read transaction did not end, its connection is replaced')
      const other = await instance.connect().catch(inspect)
      // Without another one the next read tries again to end the transaction.
      if (!(other instanceof DuckDBConnection)) return connection
      readers.delete(connection)
      connection.closeSync()
      readers.add(other)
      return other
    }
  }
  const serialized = <T>(task: () => Promise<T>): Promise<T> => {
    const done = lastWrite.then(task)
    lastWrite = done.catch(() => {}) // the caller sees the error
    return done
  }
  // A file that is not there has no bytes.
  const sizeOf = async (file: string) => (await stat(file).catch(() => ({ size: 0 }))).size

  return {
    write: (task, undo) =>
      serialized(async () => {
        try {
          return await inTransaction(writer, () => task(writer))
        } catch (error) {
          undo?.()
          throw error
        }
      }),
    read: (task, context = {}) =>
      withinTime(context, (signal) =>
        borrow(
          (run) => {
            const select: Select = async (sql) => (await run((connection) => connection.runAndReadAll(sql))).getRowsJS()
            const scan: Scan = (sql, columns, take, few) =>
              run((connection) => {
                const result = few ? connection.run(sql) : connection.stream(sql)
                return eachBlock(result, new Array<number>(columns).fill(4), take, signal)
              })
            return task(select, scan)
          },
          context.user,
          signal,
        ),
      ),
    eachBlock: (sql, widths, take) =>
      borrow((run) => run((connection) => eachBlock(connection.stream(sql), widths, take))),
    yieldToQueries: () =>
      new Promise((resolve) => {
        if (lent.size === 0) return void setImmediate(resolve)
        const timer = setTimeout(resolve, MAX_YIELD_MS)
        onIdle = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    checkpoint: () =>
      serialized(async () => {
        try {
          await writer.run('CHECKPOINT')
        } catch (error) {
          inspect(error)
          if (!isCheckpointPostponed(error)) log.error({ err: error }, 'event store: cannot move the log into the file')
        }
      }),
    copyTo: (target) =>
      serialized(async () => {
        // Reads never change the file, so between two writes file and log belong together, whatever the log still holds.
        await writer.run('CHECKPOINT').catch(inspect)
        for (const name of ['events.duckdb', 'events.duckdb.wal'])
          await copyDurably(join(folder, name), join(target, name))
        return { bytes: (await sizeOf(path)) + (await sizeOf(`${path}.wal`)) }
      }),
    size: async () => ({ file: await sizeOf(path), log: await sizeOf(`${path}.wal`) }),
    async close() {
      closing = true
      clearTimeout(idleTimer)
      // A connection may not be closed under a running query.
      while (lent.size > 0) {
        for (const connection of lent) connection.interrupt()
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await lastWrite
      await writer.run('CHECKPOINT').catch(() => {}) // the log is replayed by the next start
      for (const connection of [writer, ...readers]) connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Passes fixed-width columns without copying. */
async function eachBlock(
  result: Promise<DuckDBResult>,
  widths: readonly number[],
  take: (columns: readonly Uint32Array[], count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { chunk, rowCount } of await result) {
    signal?.throwIfAborted()
    const columns = widths.map((width, index) => {
      const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, index), rowCount * width)
      return new Uint32Array(bytes.buffer, bytes.byteOffset, (rowCount * width) / 4)
    })
    take(columns, rowCount)
  }
}

/** Runs the task with a signal that aborts with a ProductError when the context's signal does, or when its time is over. */
async function withinTime<T>(
  { signal, timeoutMs }: QueryContext,
  task: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!signal && timeoutMs === undefined) return task(undefined)
  const controller = new AbortController()
  const cancel = () => controller.abort(new ProductError('server.query_cancelled'))
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel)
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(new ProductError('server.query_timeout')), timeoutMs)
  try {
    return await task(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

async function open(path: string, config: Record<string, string>) {
  const instance = await DuckDBInstance.create(path, config)
  const writer = await instance.connect()
  try {
    return { instance, writer, format: await formatOf(writer) }
  } catch (error) {
    writer.closeSync()
    instance.closeSync()
    throw error
  }
}
