import { sql } from 'kysely'
import { toHex } from '#engines/gm/bytes.ts'
import { emptyReplayWindow, type ReplayWindow } from '#engines/session/replay-window.ts'
import { decodeSession, encodeSession, type Session } from '#engines/session/session.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { openText, sealText } from '../../../platform/secrets.ts'

/** Sessions in memory; the one that was not used for the longest time is read again from the database. */
const MOST_IN_MEMORY = 20_000
/** Reads of sessions that run together at most: unknown ids cost no more than that. */
const MOST_READS = 64
/** Clocks of gateways differ: what a slow one may still accept stays so long after its end. */
const KEPT_MS = 300_000
/** Of the key that encrypts sessions in the table. */
const SEAL = 'communication.sessions'

export type SharedSession = {
  session: Session
  /** Its number in the database. */
  number: number
  applicationId: number
  sdk: string
  /** Numbers that this gateway saw accepted, and the highest that any had when the session was read; the database decides. */
  window: ReplayWindow
}

/** Sessions of all gateways on one PostgreSQL; a copy of those in use is in memory. */
export type SharedSessions = {
  add(session: Session, of: { applicationId: number; sdk: string }): Promise<void>
  /** Undefined for an unknown one. Rejects where the database does not answer, or too many unknown ones are looked up. */
  find(id: Uint8Array): Promise<SharedSession | undefined>
  /** True for the first caller of all gateways; `until` in Unix seconds. */
  claimHello(digest: Uint8Array, until: number): Promise<boolean>
  /** Deletes what has ended, with its used numbers. */
  clean(): Promise<void>
  inMemory(): number
}

export function makeSharedSessions(deps: {
  meta: Pick<MetaStore, 'db'>
  secret(name: string): Buffer
  now(): number
}): SharedSessions {
  const { meta, secret, now } = deps
  /** The least recently used first. */
  const known = new Map<string, SharedSession>()
  const reads = new Map<string, Promise<SharedSession | undefined>>()

  function keep(id: string, session: SharedSession): SharedSession {
    known.delete(id)
    known.set(id, session)
    if (known.size > MOST_IN_MEMORY) known.delete(known.keys().next().value as string)
    return session
  }

  async function read(id: string): Promise<SharedSession | undefined> {
    const row = await meta.db
      .selectFrom('communication_sessions')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('communication_used')
          .select((used) => used.fn.max('sequence').as('highest'))
          .whereRef('communication_used.session', '=', 'communication_sessions.number')
          .as('highest'),
      )
      .where('id', '=', id)
      .where('expires_at', '>', now())
      .executeTakeFirst()
    const session = row && decodeSession(Buffer.from(openText(secret(SEAL), row.sealed), 'base64'))
    if (!row || !session) return undefined
    const { number, application_id: applicationId, sdk } = row
    const window = { ...emptyReplayWindow(), highest: Number(row.highest ?? 0) }
    return keep(id, { session, number, applicationId, sdk, window })
  }

  return {
    async add(session, { applicationId, sdk }) {
      const id = toHex(session.id)
      const { number } = await meta.db
        .insertInto('communication_sessions')
        .values({
          id,
          application_id: applicationId,
          kid: session.keyId,
          sealed: sealText(secret(SEAL), Buffer.from(encodeSession(session)).toString('base64')),
          sdk,
          created_at: session.created * 1000,
          expires_at: session.expires * 1000,
        })
        .returning('number')
        .executeTakeFirstOrThrow()
      keep(id, { session, number, applicationId, sdk, window: emptyReplayWindow() })
    },
    async find(bytes) {
      const id = toHex(bytes)
      const found = known.get(id)
      if (found) return keep(id, found)
      const running = reads.get(id)
      if (running) return running
      if (reads.size >= MOST_READS) throw new Error('too many sessions are looked up')
      const reading = read(id).finally(() => reads.delete(id))
      reads.set(id, reading)
      return reading
    },
    async claimHello(digest, until) {
      const added = await meta.db
        .insertInto('communication_hellos')
        .values({ digest: toHex(digest), until: until * 1000 })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows === 1n
    },
    async clean() {
      const time = now()
      for (const [id, { session }] of known) if (session.expires * 1000 <= time) known.delete(id)
      await deleteEndedSessions(meta, time)
    },
    inMemory: () => known.size,
  }
}

/** Deletes hellos and sessions that have ended, with their used numbers: every gateway does, and the jobs process while none runs. */
export async function deleteEndedSessions({ db }: Pick<MetaStore, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('communication_hellos')
    .where('until', '<', now - KEPT_MS)
    .execute()
  await sql`with gone as (
      delete from communication_sessions where expires_at < ${now - KEPT_MS} returning number)
    delete from communication_used using gone where session = gone.number`.execute(db)
}
