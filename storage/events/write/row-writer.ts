import type { DuckDBConnection } from '@duckdb/node-api'
import type { EventTuple } from '#contracts/telemetry/stored-event.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { appendEvents, fieldOf } from '../duckdb/event-table.ts'
import { IdFilter } from '../duckdb/id-filter.ts'
import { KeyTable } from '../duckdb/key-table.ts'
import { openFirstSeen } from './first-seen.ts'

/** The one way for events into the file: rows, numbers of their keys, first times and the filter of ids go together. */
export type RowWriter = {
  keys: KeyTable
  ids: IdFilter
  /** Runs the task in a transaction of the writing connection; rows that it appends are there once this resolves, or not at all. */
  write<T>(task: (connection: DuckDBConnection, append: AppendRows) => Promise<T>): Promise<T>
  /**
   * Deletes within a transaction of the writing connection, where `erase` answers whether the key itself is gone from the file too, and
   * which keys of the other kind lost rows along with it. Memory follows before any later row is written.
   */
  forgetKey(
    kind: 'device' | 'user',
    hex: string,
    erase: (
      connection: DuckDBConnection,
      number: number | undefined,
    ) => Promise<{ gone: boolean; others: readonly number[] }>,
  ): Promise<void>
}
/** Appends well-formed events (well-formed.ts). */
export type AppendRows = (tuples: readonly EventTuple[]) => Promise<void>

export async function openRowWriter(file: DuckFile, rows: number): Promise<RowWriter> {
  const keys = await KeyTable.open(file)
  const firstSeen = await openFirstSeen(file)
  const ids = new IdFilter(file, rows)

  const append = async (connection: DuckDBConnection, tuples: readonly EventTuple[]) => {
    const devices = new Uint32Array(tuples.length)
    const users = new Uint32Array(tuples.length)
    for (const [row, tuple] of tuples.entries()) {
      devices[row] = keys.intern(fieldOf(tuple, 'device'))
      const user = fieldOf(tuple, 'user')
      if (user !== null) users[row] = keys.intern(user)
      ids.add(fieldOf(tuple, 'id'))
    }
    const block = { tuples, devices, users }
    await appendEvents(connection, block, () => file.yieldToQueries())
    await firstSeen.append(connection, block)
    await keys.save(connection)
  }

  return {
    keys,
    ids,
    write(task) {
      let mark = 0
      return file.write(
        (connection) => {
          mark = keys.mark()
          return task(connection, (tuples) => append(connection, tuples))
        },
        () => {
          keys.restore(mark)
          firstSeen.forget()
        },
      )
    },
    forgetKey(kind, hex, erase) {
      let forgotten: number | undefined
      return file.write(
        async (connection) => {
          const number = keys.find(hex)
          const { gone, others } = await erase(connection, number)
          if (number === undefined) return
          firstSeen.drop(kind, [number])
          firstSeen.drop(kind === 'device' ? 'user' : 'device', others)
          if (!gone) return
          keys.forget(number)
          forgotten = number
        },
        () => {
          if (forgotten !== undefined) keys.remember(forgotten, hex)
        },
      )
    },
  }
}
