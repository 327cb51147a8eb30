import { sql } from 'kysely'
import { REPLAY_WINDOW } from '#engines/session/replay-window.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Claims of one statement at most. */
const MOST_AT_ONCE = 500
/** Claims that wait at most; beyond it the database is too slow for the load. */
const MOST_WAITING = 10_000

/**
 * Numbers of accepted messages, shared by all gateways on one PostgreSQL: the replay window of sdk/session/protocol.md as rows. A number of a
 * session is granted once, past any restart, and only above the highest granted one less 1,024.
 */
export type UsedNumbers = {
  /**
   * False where this or another gateway granted it before, it is below the window, or the session is deleted. Rejects where the database does
   * not answer: then nothing may be accepted.
   */
  claim(session: number, sequence: number): Promise<boolean>
}

type Claim = { session: number; sequence: number; resolve(granted: boolean): void; reject(error: Error): void }

/** Claims that come while a statement runs go into the next one together: one round trip for many messages. */
export function makeUsedNumbers(meta: Pick<MetaStore, 'db'>): UsedNumbers {
  const waiting: Claim[] = []
  /** Of claims that no answer came for yet: the second of two equal ones in one statement would look granted. */
  const open = new Set<string>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const claims = waiting.splice(0, MOST_AT_ONCE)
      try {
        const granted = await insert(claims)
        for (const claim of claims) claim.resolve(granted.has(nameOf(claim)))
      } catch (error) {
        for (const claim of claims) claim.reject(error as Error)
      } finally {
        for (const claim of claims) open.delete(nameOf(claim))
      }
    }
    isRunning = false
  }

  async function insert(claims: readonly Claim[]): Promise<Set<string>> {
    const { rows } = await sql<{ session: number; sequence: number }>`
      insert into communication_used (session, sequence)
      select claim.session, claim.sequence
      from unnest(${sql.val(claims.map(({ session }) => session))}::int8[],
        ${sql.val(claims.map(({ sequence }) => sequence))}::int8[]) as claim (session, sequence)
      join communication_sessions on communication_sessions.number = claim.session
      where claim.sequence > ${-REPLAY_WINDOW}::int8 + coalesce(
        (select max(used.sequence) from communication_used as used where used.session = claim.session), 0)
      on conflict do nothing returning session, sequence`.execute(meta.db)
    return new Set(rows.map(nameOf))
  }

  return {
    claim(session, sequence) {
      const name = nameOf({ session, sequence })
      if (open.has(name)) return Promise.resolve(false)
      if (waiting.length >= MOST_WAITING) return Promise.reject(new Error('too many messages wait for the database'))
      open.add(name)
      return new Promise((resolve, reject) => {
        waiting.push({ session, sequence, resolve, reject })
        if (!isRunning) void run()
      })
    },
  }
}

function nameOf({ session, sequence }: { session: number; sequence: number }): string {
  return `${session}.${sequence}`
}
