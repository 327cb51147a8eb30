import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { CREATE_TABLES } from './event-table.ts'
import type { Select } from './select-rows.ts'

export type DuckOptions = { folder: string; memoryMb: number; threads: number }

/** The open database: one connection that writes, one task at a time, and some that read. */
export type DuckFile = {
  /** Runs the task in a transaction of the writing connection, after those before it; a throw rolls back. */
  write<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T>
  /** Runs the task in a transaction of its own: every select of it sees the same rows. */
  read<T>(task: (select: Select) => Promise<T>): Promise<T>
  /** Hands over the rows of one select without holding them all. */
  each(sql: string, take: (row: readonly unknown[]) => void): Promise<void>
  /** Moves what is in the write-ahead log into the file; puts it off where a transaction is in the way. */
  checkpoint(): Promise<void>
  /** Bytes on disk: the file and its write-ahead log. */
  size(): Promise<{ file: number; log: number }>
  close(): Promise<void>
}

const READERS = 4
/**
 * The log is written into the file by a commit that makes it longer than this: late, since that commit waits for it, but before the
 * rows it stands for, which lie uncompressed in memory, take more than the limit and are spilled.
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
  for (const statement of CREATE_TABLES) await writer.run(statement)
  const idle = await Promise.all(Array.from({ length: READERS }, () => instance.connect()))
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  const lent = new Set<DuckDBConnection>()
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
    }
  }
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = lastWrite.then(task)
    lastWrite = done.catch(() => {})
    return done
  }
  const sizeOf = async (file: string) => (await stat(file).catch(() => ({ size: 0 }))).size

  return {
    write: (task) => inTurn(() => inTransaction(writer, () => task(writer))),
    read: (task) =>
      borrow((connection) =>
        inTransaction(connection, () => task(async (sql) => (await connection.runAndReadAll(sql)).getRowsJS())),
      ),
    each: (sql, take) =>
      borrow(async (connection) => {
        for await (const rows of (await connection.stream(sql)).yieldRowsJs()) rows.forEach(take)
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
