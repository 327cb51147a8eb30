import { randomBytes } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import type { SESSION_ENDS } from '#contracts/http/users.ts'
import { NO_EMPOWER } from '#contracts/permissions.ts'
import { isListed } from '#domain/address-range.ts'
import type { Scope } from '#domain/query.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { checkSignInAddress } from '../platform/console-addresses.ts'
import { scopeOf } from '../platform/scope.ts'
import type { ServerDeps } from './module.ts'
import { hashOf, newSecretText } from './session-keys.ts'

type EndReason = (typeof SESSION_ENDS)[number]

/** A live session with its account, as every request sees it. */
export type Session = {
  id: string
  label: string
  lastInputAt: number
  user: Account
  /** Its role requires a second factor (setting) and it has none yet. */
  mustEnrol: boolean
}
export type Account = {
  id: number
  username: string
  role: string
  auth: readonly string[]
  seesAll: boolean
  expiresAt: number | null
  mustChangePassword: boolean
  origin: string
}

/** The cookie belonged to a session that is over; other refusals of `find` mean an unknown cookie. */
export class SessionEnded extends ProductError {}

/** How precise last_input_at is kept in the store. */
const INPUT_STEP_MS = 10_000

/** `strong`: the provider asked for a second factor; `idToken`: of the provider, sealed. */
type SessionBegin = { address: string; agent: string; strong?: boolean; idToken?: string }

export type Sessions = {
  /** Ends the account's session, if any, as replaced and begins a new one. Answers the cookie's value and the session. Throws login.address. */
  begin(userId: number, from: SessionBegin): Promise<{ cookie: string; session: Session }>
  /**
   * The session of a cookie. `idleSeconds`: seconds since the user's last input, 0 where the client does not say.
   * Throws session.address where the console may not be used from the address, session.replaced for a session that another sign-in ended, session.signed_out for every other one that is over or unknown.
   */
  find(cookie: string, from: { idleSeconds: number; address: string }): Promise<Session>
  end(sessionId: string, reason: EndReason): Promise<void>
  /** Ends the account's session, whichever it is. */
  endOf(userId: number, reason: EndReason): Promise<void>
  scope(account: Account): Promise<Scope>
}

export function makeSessions(
  deps: Pick<ServerDeps, 'meta' | 'settings' | 'now'> & Partial<Pick<ServerDeps, 'licence'>>,
): Sessions {
  const { meta, settings, now, licence } = deps

  async function end(sessionId: string, reason: EndReason): Promise<void> {
    const ended = await meta.db
      .updateTable('sessions')
      .set({ ended_at: now(), end_reason: reason })
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) return
    await meta.db.updateTable('users').set({ active_session: null }).where('active_session', '=', sessionId).execute()
    await meta.notify(CHANNELS.revoked, { kind: 'session', id: sessionId, reason })
  }

  async function load(id: string) {
    return meta.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('roles', 'roles.key', 'users.role')
      .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
      .select([
        'sessions.id',
        'sessions.label',
        'sessions.created_at',
        'sessions.last_input_at',
        'sessions.ended_at',
        'sessions.end_reason',
        'sessions.strong',
        'users.id as user_id',
        'users.username',
        'users.role',
        'users.disabled',
        'users.expires_at',
        'users.must_change_password',
        'users.origin',
        'roles.auth',
        'roles.sees_all',
        'second_factors.enabled_at',
      ])
      .where('sessions.id', '=', id)
      .executeTakeFirst()
  }

  async function find(
    cookie: string,
    { idleSeconds, address }: { idleSeconds: number; address: string },
  ): Promise<Session> {
    if (!isListed(settings().console_addresses, address)) throw new ProductError('session.address')
    const row = await load(hashOf(cookie))
    if (!row) throw new ProductError('session.signed_out')
    if (row.ended_at !== null)
      throw new SessionEnded(row.end_reason === 'replaced' ? 'session.replaced' : 'session.signed_out')
    const time = now()
    const { idle_minutes, absolute_hours } = settings()
    const over: EndReason | undefined = row.disabled
      ? 'disabled'
      : time - row.last_input_at > idle_minutes * 60_000
        ? 'idle'
        : time - row.created_at > absolute_hours * 3_600_000
          ? 'absolute'
          : undefined
    if (over) {
      await end(row.id, over)
      throw new SessionEnded('session.signed_out')
    }
    const input = time - idleSeconds * 1000
    if (input - row.last_input_at > INPUT_STEP_MS)
      await meta.db.updateTable('sessions').set({ last_input_at: input }).where('id', '=', row.id).execute()
    return {
      id: row.id,
      label: row.label,
      lastInputAt: Math.max(input, row.last_input_at),
      user: accountOf({ ...row, id: row.user_id }, time, licence),
      mustEnrol: row.enabled_at === null && !row.strong && settings().second_factor_roles.includes(row.role),
    }
  }

  return {
    async begin(userId, from) {
      checkSignInAddress(settings(), from.address)
      const cookie = newSecretText()
      const id = hashOf(cookie)
      const time = now()
      const replaced = await meta.db.transaction().execute(async (tx) => {
        // The row lock makes two sign-ins of one account happen one after the other.
        await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
        const old = await tx
          .updateTable('sessions')
          .set({ ended_at: time, end_reason: 'replaced' })
          .where('user_id', '=', userId)
          .where('ended_at', 'is', null)
          .returning('id')
          .execute()
        await tx
          .insertInto('sessions')
          .values({
            id,
            user_id: userId,
            label: randomBytes(12).toString('base64url'),
            created_at: time,
            last_input_at: time,
            address: from.address,
            agent: from.agent.slice(0, 200),
            ended_at: null,
            end_reason: null,
            strong: from.strong ?? false,
            id_token: from.idToken ?? '',
          })
          .execute()
        await tx
          .updateTable('users')
          .set({ active_session: id, last_login_at: time })
          .where('id', '=', userId)
          .execute()
        return old
      })
      for (const old of replaced)
        await meta.notify(CHANNELS.revoked, { kind: 'session', id: old.id, reason: 'replaced' })
      return { cookie, session: await find(cookie, { idleSeconds: 0, address: from.address }) }
    },
    find,
    end,
    async endOf(userId, reason) {
      const rows = await meta.db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .execute()
      for (const { id } of rows) await end(id, reason)
    },
    scope: (account) => scopeOf(meta, account),
  }
}

/**
 * What an account may do now (decision 12): an authorisation that has expired leaves noEmpower alone; where the platform licence has ended,
 * noEmpower is added.
 */
export function accountOf(
  row: {
    id: number
    username: string
    role: string
    auth: string[]
    sees_all: boolean
    expires_at: number | null
    must_change_password: boolean
    origin: string
  },
  now: number,
  /** Absent where a caller creates nothing: metrics of the collector, jobs that end sessions. */
  licence?: Pick<ServerDeps['licence'], 'status'>,
): Account {
  const expired = row.expires_at !== null && row.expires_at <= now
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    auth: expired ? [NO_EMPOWER] : licence?.status().kind === 'ended' ? [...row.auth, NO_EMPOWER] : row.auth,
    seesAll: row.sees_all,
    expiresAt: row.expires_at,
    mustChangePassword: row.must_change_password,
    origin: row.origin,
  }
}
