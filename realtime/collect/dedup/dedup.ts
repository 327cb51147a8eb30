import { conflictId, parseUuid, uuidText } from '../read/event-id.ts'
import { type DedupTable, dedupTable } from './dedup-table.ts'

/** How long an id is remembered past the later of arrival and reported_at. */
export const DEDUP_WINDOW_MS = 16 * 60_000
/** How far reported_at may be ahead of arrival (COLLECT_LIMITS.aheadMs). */
const AHEAD_MS = 5 * 60_000
/** Memory of earlier arrivals reaches back this far when it is complete. */
export const DEDUP_REBUILD_MS = DEDUP_WINDOW_MS + AHEAD_MS

/**
 * new: not seen, and memory holds everything it could be a copy of; pending: not seen, but the store must decide;
 * duplicate: seen, same reported_at; conflict: seen with another reported_at (reported the first time only).
 */
export type DedupDecision = 'new' | 'pending' | 'duplicate' | 'conflict'

/** Ids are four words each (event-id.ts); `at` is the index of the first word in `ids`. */
export type Dedup = {
  /** Touches the memory of a batch's ids at once, which is faster than one after the other; changes nothing. */
  prefetch(app: number, ids: Uint32Array): void
  /** Looks the event up and remembers it at once. `arrival`: never less than before, epoch ms. */
  decide(app: number, ids: Uint32Array, at: number, reportedAt: number | null, arrival: number): DedupDecision
  /** Removes what a batch added whose write failed. */
  forget(app: number, ids: Uint32Array, at: number, reportedAt: number | null): void
  /** Whether the id is still remembered: false once the write of the first copy failed. */
  holds(app: number, ids: Uint32Array, at: number): boolean
  /** Memory holds all that arrived since this time, epoch ms (0: everything ever). */
  completeSince(arrival: number): void
  status(now: number): { entries: number; bytes: number; window_seconds: number }
}

export function createDedup(maxBytes = 256 * 1024 * 1024): Dedup {
  const table: DedupTable = dedupTable(maxBytes)
  const words = new Uint32Array(4)
  let decidesFrom = 0

  const none = (reportedAt: number | null) => reportedAt ?? Number.NaN
  function read(ids: Uint32Array, at: number): void {
    for (let word = 0; word < 4; word++) words[word] = ids[at + word] as number
  }
  /** A conflicting copy of the event in `words` is remembered under a derived id. */
  function readConflict(reportedAt: number | null): void {
    parseUuid(conflictId(uuidText(words), reportedAt), words)
  }
  /** Events reported at or after this time are decided in memory: their first copies are at least that recent. */
  function floor(now: number): number {
    return Math.max(now - DEDUP_WINDOW_MS, table.oldestKept(), decidesFrom)
  }
  /** reported_at of what is remembered under the id in `words`; remembers it where there is nothing. */
  function findOrAdd(app: number, reportedAt: number | null, arrival: number): number | undefined {
    table.forgetBefore(arrival - DEDUP_WINDOW_MS)
    return table.findOrAdd(app, words, Math.max(arrival, reportedAt ?? 0), none(reportedAt))
  }

  return {
    prefetch: table.prefetch,
    decide(app, ids, at, reportedAt, arrival) {
      read(ids, at)
      const seen = findOrAdd(app, reportedAt, arrival)
      if (seen === undefined) return reportedAt !== null && reportedAt >= floor(arrival) ? 'new' : 'pending'
      if (Object.is(seen, none(reportedAt))) return 'duplicate'
      readConflict(reportedAt)
      return findOrAdd(app, reportedAt, arrival) === undefined ? 'conflict' : 'duplicate'
    },
    forget(app, ids, at, reportedAt) {
      read(ids, at)
      const seen = table.find(app, words)
      if (seen === undefined || !Object.is(seen, none(reportedAt))) readConflict(reportedAt)
      table.remove(app, words)
    },
    holds(app, ids, at) {
      read(ids, at)
      return table.find(app, words) !== undefined
    },
    completeSince(arrival) {
      decidesFrom = arrival > 0 ? arrival + AHEAD_MS : 0
    },
    status: (now) => ({
      entries: table.entries(),
      bytes: table.bytes(),
      window_seconds: Math.max(0, Math.round((now - floor(now)) / 1000)),
    }),
  }
}
