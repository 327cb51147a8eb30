import { type DedupTable, dedupTable } from './dedup-table.ts'
import { canonicalId, conflictId, parseUuid } from './event-id.ts'

/** How long an id is remembered past the later of arrival and reported_at. */
export const DEDUP_WINDOW_MS = 16 * 60_000
/** How far reported_at may lie ahead of arrival (COLLECT_LIMITS.aheadMs). */
const AHEAD_MS = 5 * 60_000
/** Memory of earlier arrivals reaches back this far when it is complete. */
export const DEDUP_REBUILD_MS = DEDUP_WINDOW_MS + AHEAD_MS

/**
 * new: not seen, and memory holds everything it could be a copy of; pending: not seen, but the store has to be asked;
 * duplicate: seen, same reported_at; conflict: seen with another reported_at (the first time this copy is met).
 */
export type Verdict = 'new' | 'pending' | 'duplicate' | 'conflict'

type Sent = { event_id?: unknown } | null | undefined

export type Dedup = {
  /**
   * Canonical ids of a batch's events as they were sent, undefined for an event that has none. Reads the memory of all of them at once,
   * which is faster than one after the other; changes nothing.
   */
  prepare(app: number, sent: readonly unknown[]): (string | undefined)[]
  /** Looks the event up and remembers it at once. `id` is canonical; `prepared`: its place in the list that was prepared last. */
  decide(app: number, id: string, reportedAt: number | null, arrival: number, prepared?: number): Verdict
  /** Takes back what a batch remembered whose write failed. */
  forget(app: number, id: string, reportedAt: number | null): void
  /** Whether this copy is still remembered: false once the write of the first one failed. */
  holds(app: number, id: string): boolean
  /** Memory holds all that arrived since this time, epoch ms (0: everything ever). */
  completeSince(arrival: number): void
  status(now: number): { entries: number; bytes: number; window_seconds: number }
}

export function createDedup(maxBytes = 256 * 1024 * 1024): Dedup {
  const table: DedupTable = dedupTable(maxBytes)
  const words = new Uint32Array(4)
  let ahead = new Uint32Array(0)
  let decidesFrom = 0

  const none = (reportedAt: number | null) => reportedAt ?? Number.NaN
  function read(id: string): void {
    if (!parseUuid(id, words)) throw new Error(`not a canonical id: ${id}`)
  }
  /** Memory alone decides events reported at or after this time: a first copy of theirs stands for that time or a later one. */
  function floor(now: number): number {
    return Math.max(now - DEDUP_WINDOW_MS, table.floor(), decidesFrom)
  }
  /** reported_at of what is remembered under the id in `words`; remembers it where there is nothing. */
  function findOrAdd(app: number, reportedAt: number | null, arrival: number): number | undefined {
    table.forgetBefore(arrival - DEDUP_WINDOW_MS)
    return table.findOrAdd(app, words, Math.max(arrival, reportedAt ?? 0), none(reportedAt))
  }
  function prepare(app: number, sent: readonly unknown[]): (string | undefined)[] {
    if (ahead.length < sent.length * 4) ahead = new Uint32Array(sent.length * 4)
    const ids: (string | undefined)[] = []
    for (let i = 0; i < sent.length; i++) ids.push(canonicalId((sent[i] as Sent)?.event_id, ahead, i * 4))
    table.fetch(app, ahead, sent.length)
    return ids
  }
  function decide(app: number, id: string, reportedAt: number | null, arrival: number, prepared = -1): Verdict {
    if (prepared < 0) read(id)
    else for (let word = 0; word < 4; word++) words[word] = ahead[prepared * 4 + word] as number
    const seen = findOrAdd(app, reportedAt, arrival)
    if (seen === undefined) return reportedAt !== null && reportedAt >= floor(arrival) ? 'new' : 'pending'
    if (Object.is(seen, none(reportedAt))) return 'duplicate'
    read(conflictId(id, reportedAt))
    return findOrAdd(app, reportedAt, arrival) === undefined ? 'conflict' : 'duplicate'
  }

  return {
    prepare,
    decide,
    forget(app, id, reportedAt) {
      read(id)
      const seen = table.find(app, words)
      if (seen === undefined || !Object.is(seen, none(reportedAt))) read(conflictId(id, reportedAt))
      table.remove(app, words)
    },
    holds(app, id) {
      read(id)
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
