import { toHex } from '#engines/gm/bytes.ts'
import { claimSequence, emptyReplayWindow, type ReplayWindow } from '#engines/session/replay-window.ts'
import type { Session } from '#engines/session/session.ts'

/**
 * Where a server keeps sessions. Servers behind one address share one store. Each claim is one atomic step: of two callers with the same
 * value one alone gets true (protocol.md, Replay window, has the statement for PostgreSQL).
 */
export type SessionStore = {
  /** Takes the digest of a hello until that time (Unix seconds); false where it was taken before, or where there is no room. */
  claimHello(digest: Uint8Array, until: number): boolean | Promise<boolean>
  /** False where there is no room. */
  put(session: Session): boolean | Promise<boolean>
  get(id: Uint8Array): Session | undefined | Promise<Session | undefined>
  /** False for a number that was accepted before or is below the window, and for an unknown session. */
  claimSequence(id: Uint8Array, sequence: number): boolean | Promise<boolean>
}

/** For one process. A full store refuses new sessions instead of ending those of others. `now`: Unix milliseconds. */
export function memoryStore(options: { now(): number; maxSessions?: number }): SessionStore {
  const { now, maxSessions = 100_000 } = options
  const sessions = new Map<string, { session: Session; window: ReplayWindow }>()
  const hellos = new Map<string, number>()
  const seconds = () => now() / 1000
  /** Entries are in the order of their arrival, and nearly in that of their ends. */
  function dropEnded<T>(entries: Map<string, T>, endOf: (one: T) => number): void {
    for (const [key, one] of entries) {
      if (endOf(one) > seconds()) break
      entries.delete(key)
    }
  }
  return {
    claimHello(digest, until) {
      const key = toHex(digest)
      dropEnded(hellos, (end) => end)
      if (hellos.has(key) || hellos.size >= maxSessions) return false
      hellos.set(key, until)
      return true
    },
    put(session) {
      // Keys of ended sessions must not stay until the store is full.
      dropEnded(sessions, ({ session }) => session.expires)
      if (sessions.size >= maxSessions) return false
      sessions.set(toHex(session.id), { session, window: emptyReplayWindow() })
      return true
    },
    get(id) {
      const key = toHex(id)
      const found = sessions.get(key)?.session
      if (found && found.expires <= seconds()) {
        sessions.delete(key)
        return undefined
      }
      return found
    },
    claimSequence(id, sequence) {
      const kept = sessions.get(toHex(id))
      const window = kept && claimSequence(kept.window, sequence)
      if (!kept || !window) return false
      kept.window = window
      return true
    },
  }
}
