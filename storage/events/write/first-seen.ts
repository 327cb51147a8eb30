import { BIGINT, type DuckDBConnection, UINTEGER, UTINYINT } from '@duckdb/node-api'
import { type RowBlock, writeBytes, writeTimes, writeWords } from '../duckdb/column-writers.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { appendChunks, fieldOf } from '../duckdb/event-table.ts'
import { mix } from '../duckdb/hex-words.ts'

const DEVICE = 1
const USER = 2
/** Keys remembered at most: 3 million in 64 MB. Beyond this limit, memory is cleared and some rows are written that need not be. */
const MAX_SLOTS = 1 << 22

/** Rows that say what others say better: after so many of them the table is rewritten at the next start. */
const MAX_REDUNDANT_ROWS = 200_000

/**
 * Keeps first_seen and first_seen_anywhere: a row for each time a device or user, of an application and of all of them, is seen
 * earlier than it was known to be. The memory only spares needless rows; the smallest time of a key counts, so history may come in any
 * order.
 */
export type FirstSeen = {
  /** Appends what these rows tell, within the transaction of the connection. */
  append(connection: DuckDBConnection, rows: RowBlock): Promise<void>
  /** After a transaction that failed: what it noted is forgotten. */
  forget(): void
  /** Rows of these keys were deleted: the memory knows nothing of them, and writes their next times again. */
  drop(kind: 'device' | 'user', keys: readonly number[]): void
}

type Seen = { app: number; kind: number; key: number; at: number }

export async function openFirstSeen(file: DuckFile): Promise<FirstSeen> {
  await compact(file)
  const times = new EarliestTimes()
  await file.eachBlock(
    `SELECT app, kind::UINTEGER, k, min(seen) FROM first_seen GROUP BY ALL LIMIT ${MAX_SLOTS / 2}`,
    [4, 4, 4, 8],
    ([apps, kinds, keys, seen], count) => {
      for (let row = 0; row < count; row++)
        times.note(apps?.[row] as number, kinds?.[row] as number, keys?.[row] as number, timeAt(seen, row))
    },
  )
  const anywhere = { [DEVICE]: new EarliestByKey(), [USER]: new EarliestByKey() }
  await file.eachBlock(
    'SELECT kind::UINTEGER, k, min(seen) FROM first_seen_anywhere GROUP BY ALL',
    [4, 4, 8],
    ([kinds, keys, seen], count) => {
      for (let row = 0; row < count; row++)
        anywhere[kinds?.[row] as typeof DEVICE | typeof USER].note(keys?.[row] as number, timeAt(seen, row))
    },
  )

  return {
    async append(connection, { tuples, devices, users }) {
      const fresh: Seen[] = []
      const freshAnywhere: Seen[] = []
      const note = (app: number, kind: typeof DEVICE | typeof USER, key: number, at: number) => {
        if (times.note(app, kind, key, at)) fresh.push({ app, kind, key, at })
        if (anywhere[kind].note(key, at)) freshAnywhere.push({ app, kind, key, at })
      }
      for (const [row, tuple] of tuples.entries()) {
        const app = fieldOf(tuple, 'app')
        const at = fieldOf(tuple, 'occurredAt')
        note(app, DEVICE, devices[row] as number, at)
        const user = users[row] as number
        if (user > 0) note(app, USER, user, at)
      }
      await appendSeen(connection, 'first_seen', ['app', 'kind', 'key', 'at'], fresh)
      await appendSeen(connection, 'first_seen_anywhere', ['kind', 'key', 'at'], freshAnywhere)
    },
    forget() {
      times.clear()
      anywhere[DEVICE].clear()
      anywhere[USER].clear()
    },
    drop(kind, keys) {
      const code = kind === 'device' ? DEVICE : USER
      times.drop(code, new Set(keys))
      for (const key of keys) anywhere[code].drop(key)
    },
  }
}

/** Both tables with one row a key, where they have many more; a file of before first_seen_anywhere gets it. */
async function compact(file: DuckFile): Promise<void> {
  const [rows, keys, anywhere] = await file.read(async (select) => {
    const [row = []] = await select(
      'SELECT (SELECT count(*) FROM first_seen), (SELECT count(*) FROM (SELECT DISTINCT app, kind, k FROM first_seen) d), (SELECT count(*) FROM first_seen_anywhere)',
    )
    return row.map(Number) as [number, number, number]
  })
  if (rows - keys < MAX_REDUNDANT_ROWS && (anywhere > 0 || rows === 0)) return
  await file.write(async (connection) => {
    await connection.run(
      'CREATE TEMP TABLE earliest AS SELECT app, kind, k, min(seen) AS seen FROM first_seen GROUP BY app, kind, k',
    )
    for (const table of ['first_seen', 'first_seen_anywhere']) await connection.run(`DELETE FROM ${table}`)
    await connection.run('INSERT INTO first_seen SELECT * FROM earliest')
    await connection.run('INSERT INTO first_seen_anywhere SELECT kind, k, min(seen) FROM earliest GROUP BY kind, k')
    await connection.run('DROP TABLE earliest')
  })
  await file.checkpoint()
}

const timeAt = (words: Uint32Array | undefined, row: number) =>
  (words?.[row * 2 + 1] as number) * 0x1_0000_0000 + (words?.[row * 2] as number)

const TYPES = { app: UINTEGER, kind: UTINYINT, key: UINTEGER, at: BIGINT }

async function appendSeen(
  connection: DuckDBConnection,
  table: string,
  columns: readonly (keyof Seen)[],
  rows: readonly Seen[],
): Promise<void> {
  const types = columns.map((column) => TYPES[column])
  await appendChunks(connection, table, types, rows.length, (vector, index, from, count) => {
    const column = columns[index] as keyof Seen
    const value = (row: number) => (rows[from + row] as Seen)[column]
    if (column === 'at') writeTimes(vector, count, value)
    else if (column === 'kind') writeBytes(vector, count, value)
    else writeWords(vector, count, value)
  })
}

/** Keys are numbers from 1 on, close together. */
class EarliestByKey {
  private times = new Float64Array(1024).fill(Number.POSITIVE_INFINITY)

  /** Whether `at` is earlier than what was known of the key; it is known from now on. */
  note(key: number, at: number): boolean {
    if (key >= this.times.length) {
      const wider = new Float64Array(Math.max(key + 1, this.times.length * 2)).fill(Number.POSITIVE_INFINITY)
      wider.set(this.times)
      this.times = wider
    }
    if ((this.times[key] as number) <= at) return false
    this.times[key] = at
    return true
  }

  clear(): void {
    this.times.fill(Number.POSITIVE_INFINITY)
  }

  drop(key: number): void {
    if (key < this.times.length) this.times[key] = Number.POSITIVE_INFINITY
  }
}

/** Open addressing by application, kind and number of the key. */
class EarliestTimes {
  private slots = 1 << 16
  private used = 0
  private keys = new Uint32Array(this.slots * 2)
  private times = new Float64Array(this.slots)

  /** Whether `at` is earlier than what was known of the key; it is known from now on. */
  note(app: number, kind: number, key: number, at: number): boolean {
    const owner = app * 4 + kind
    const slot = this.find(owner, key)
    if (this.keys[slot * 2 + 1] === 0) {
      this.keys[slot * 2] = owner
      this.keys[slot * 2 + 1] = key
      this.times[slot] = at
      if (++this.used > this.slots * 0.7) this.grow()
      return true
    }
    if ((this.times[slot] as number) <= at) return false
    this.times[slot] = at
    return true
  }

  /** Any time is earlier than what is known of the keys from now on. */
  drop(kind: number, keys: ReadonlySet<number>): void {
    if (keys.size === 0) return
    for (let slot = 0; slot < this.slots; slot++)
      if (keys.has(this.keys[slot * 2 + 1] as number) && (this.keys[slot * 2] as number) % 4 === kind)
        this.times[slot] = Number.POSITIVE_INFINITY
  }

  clear(): void {
    this.used = 0
    this.keys.fill(0)
  }

  /** The slot of these two, or the free one where they belong: numbers of keys begin at 1. */
  private find(owner: number, key: number): number {
    const mask = this.slots - 1
    let slot = mix(key ^ mix(owner)) & mask
    while (this.keys[slot * 2 + 1] !== 0 && (this.keys[slot * 2] !== owner || this.keys[slot * 2 + 1] !== key))
      slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    if (this.slots >= MAX_SLOTS) {
      this.clear()
      return
    }
    const { keys, times, slots } = this
    this.slots = slots * 2
    this.keys = new Uint32Array(this.slots * 2)
    this.times = new Float64Array(this.slots)
    for (let old = 0; old < slots; old++) {
      const key = keys[old * 2 + 1] as number
      if (key === 0) continue
      const slot = this.find(keys[old * 2] as number, key)
      this.keys[slot * 2] = keys[old * 2] as number
      this.keys[slot * 2 + 1] = key
      this.times[slot] = times[old] as number
    }
  }
}
