import { BIGINT, type DuckDBConnection, UINTEGER, UTINYINT } from '@duckdb/node-api'
import { type RowBlock, writeBytes, writeTimes, writeWords } from './column-writers.ts'
import type { DuckFile } from './duck-file.ts'
import { appendChunks, fieldOf } from './event-table.ts'
import { mix } from './hex-words.ts'

const DEVICE = 1
const USER = 2
/** Keys remembered at most: 3 million in 64 MB. Beyond, memory starts anew and some rows are written that need not be. */
const MAX_SLOTS = 1 << 22

/**
 * Keeps the table first_seen: a row for each time a device or user of an application is seen earlier than it was known to be. The
 * memory only spares needless rows; the smallest time of a key counts, so history may come in any order.
 */
export type FirstSeen = {
  /** Appends what these rows tell, within the transaction of the connection. */
  append(connection: DuckDBConnection, rows: RowBlock): Promise<void>
  /** After a transaction that failed: what it noted is forgotten. */
  forget(): void
  /** The rows of this key were deleted: it counts as new when it comes again. */
  drop(kind: 'device' | 'user', key: number): void
}

export async function openFirstSeen(file: DuckFile): Promise<FirstSeen> {
  const times = new EarliestTimes()
  await file.eachBlock(
    `SELECT app, kind::UINTEGER, k, min(seen) FROM first_seen GROUP BY ALL LIMIT ${MAX_SLOTS / 2}`,
    [4, 4, 4, 8],
    ([apps, kinds, keys, seen], count) => {
      for (let row = 0; row < count; row++) {
        const at = (seen?.[row * 2 + 1] as number) * 0x1_0000_0000 + (seen?.[row * 2] as number)
        times.note(apps?.[row] as number, kinds?.[row] as number, keys?.[row] as number, at)
      }
    },
  )

  return {
    async append(connection, { tuples, devices, users }) {
      const fresh: { app: number; kind: number; key: number; at: number }[] = []
      for (const [row, tuple] of tuples.entries()) {
        const app = fieldOf(tuple, 'app')
        const at = fieldOf(tuple, 'occurredAt')
        const device = devices[row] as number
        const user = users[row] as number
        if (times.note(app, DEVICE, device, at)) fresh.push({ app, kind: DEVICE, key: device, at })
        if (user > 0 && times.note(app, USER, user, at)) fresh.push({ app, kind: USER, key: user, at })
      }
      const types = [UINTEGER, UTINYINT, UINTEGER, BIGINT]
      await appendChunks(connection, 'first_seen', types, fresh.length, (vector, column, from, count) => {
        const one = (row: number) => fresh[from + row] as (typeof fresh)[number]
        if (column === 0) writeWords(vector, count, (row) => one(row).app)
        else if (column === 1) writeBytes(vector, count, (row) => one(row).kind)
        else if (column === 2) writeWords(vector, count, (row) => one(row).key)
        else writeTimes(vector, count, (row) => one(row).at)
      })
    },
    forget: () => times.clear(),
    drop: (kind, key) => times.drop(kind === 'device' ? DEVICE : USER, key),
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

  /** Any time is earlier than what is known of the key from now on. */
  drop(kind: number, key: number): void {
    for (let slot = 0; slot < this.slots; slot++)
      if (this.keys[slot * 2 + 1] === key && (this.keys[slot * 2] as number) % 4 === kind)
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
