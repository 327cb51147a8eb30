import { BIGINT, type DuckDBConnection, UINTEGER, UTINYINT, UUID } from '@duckdb/node-api'
import type { EventTuple } from '#contracts/telemetry/stored-event.ts'
import type { DuckFile } from './duck-file.ts'
import { appendChunks, fieldOf, uuidValue } from './event-table.ts'

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
  append(connection: DuckDBConnection, tuples: readonly EventTuple[]): Promise<void>
  /** After a transaction that failed: what it noted is forgotten. */
  forget(): void
}

export async function openFirstSeen(file: DuckFile): Promise<FirstSeen> {
  const times = new EarliestTimes()
  await file.each(
    `SELECT app, kind, replace(CAST(k AS VARCHAR), '-', ''), min(seen) FROM first_seen GROUP BY ALL LIMIT ${MAX_SLOTS / 2}`,
    ([app, kind, key, at]) => times.note(Number(app), Number(kind), key as string, Number(at)),
  )

  return {
    async append(connection, tuples) {
      const fresh: { app: number; kind: number; key: string; at: number }[] = []
      for (const tuple of tuples) {
        const app = fieldOf(tuple, 'app')
        const at = fieldOf(tuple, 'occurredAt')
        const device = fieldOf(tuple, 'device')
        const user = fieldOf(tuple, 'user')
        if (times.note(app, DEVICE, device, at)) fresh.push({ app, kind: DEVICE, key: device, at })
        if (user !== null && times.note(app, USER, user, at)) fresh.push({ app, kind: USER, key: user, at })
      }
      await appendChunks(connection, 'first_seen', [UINTEGER, UTINYINT, UUID, BIGINT], fresh.length, (chunk, from) => {
        const count = chunk.rowCount
        const part = fresh.slice(from, from + count)
        chunk.setColumnValues(
          0,
          part.map((one) => one.app),
        )
        chunk.setColumnValues(
          1,
          part.map((one) => one.kind),
        )
        chunk.setColumnValues(
          2,
          part.map((one) => uuidValue(one.key)),
        )
        chunk.setColumnValues(
          3,
          part.map((one) => BigInt(Math.round(one.at))),
        )
      })
    },
    forget: () => times.clear(),
  }
}

/** Open addressing over 64 bits of the key: two keys that share them in a store of millions are a matter of one in a billion. */
class EarliestTimes {
  private slots = 1 << 16
  private used = 0
  private keys = new Uint32Array(this.slots * 2)
  private times = new Float64Array(this.slots)

  /** Whether `at` is earlier than what was known of the key; it is known from now on. */
  note(app: number, kind: number, key: string, at: number): boolean {
    let high = app * 4 + kind
    let low = high ^ 0x5bd1e995
    for (let at = 0; at < 32; at += 8) {
      const word = Number.parseInt(key.slice(at, at + 8), 16)
      high = mix(high ^ word)
      low = mix(Math.imul(low, 31) ^ word)
    }
    high >>>= 0
    low = low >>> 0 || 1 // 0 marks a free slot
    const slot = this.find(high, low)
    if (this.keys[slot * 2 + 1] === 0) {
      this.keys[slot * 2] = high
      this.keys[slot * 2 + 1] = low
      this.times[slot] = at
      if (++this.used > this.slots * 0.7) this.grow()
      return true
    }
    if ((this.times[slot] as number) <= at) return false
    this.times[slot] = at
    return true
  }

  clear(): void {
    this.used = 0
    this.keys.fill(0)
  }

  private find(high: number, low: number): number {
    const mask = this.slots - 1
    let slot = (high ^ low) & mask
    while (this.keys[slot * 2 + 1] !== 0 && (this.keys[slot * 2] !== high || this.keys[slot * 2 + 1] !== low))
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
      const low = keys[old * 2 + 1] as number
      if (low === 0) continue
      const slot = this.find(keys[old * 2] as number, low)
      this.keys[slot * 2] = keys[old * 2] as number
      this.keys[slot * 2 + 1] = low
      this.times[slot] = times[old] as number
    }
  }
}

function mix(value: number): number {
  const h = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  return Math.imul(h ^ (h >>> 15), 0x735a2d97) ^ (h >>> 13)
}
