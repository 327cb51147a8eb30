import type { Settings } from '#contracts/http/settings.ts'
import type { RevokedMessage } from '#contracts/live/messages.ts'
import { NO_EMPOWER, type PermissionItem } from '#contracts/permissions.ts'
import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'

export type RevocationReason = RevokedMessage['reason']
/** Identity of a subject: its kind and the id of its session or token. */
export type SubjectKey = `${LiveSubject['kind']} ${string}`
export const subjectKey = ({ kind, id }: Pick<LiveSubject, 'kind' | 'id'>): SubjectKey => `${kind} ${id}`

/** The permission that topics and alerts need (contracts/permissions.ts). */
export const READ: PermissionItem = 'events.read'
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

type Credential = {
  id: string
  ended: boolean
  disabled: boolean
  accountExpiresAt: number | null
  userId: number
  seesAll: boolean
  /** Permissions of the role, limited to the token's scopes. */
  auth: readonly string[]
}

/**
 * Which of these subjects may no longer receive data, and why: their session ended or passed its idle or absolute limit, their token
 * was revoked or expired, their account was disabled, or permission or scope changed. Five queries for any number of subjects.
 */
export async function revokedSubjects(
  { db }: Pick<MetaStore, 'db'>,
  subjects: readonly LiveSubject[],
  { now, idle_minutes, absolute_hours }: Pick<Settings, 'idle_minutes' | 'absolute_hours'> & { now: number },
): Promise<Map<SubjectKey, RevocationReason>> {
  const ids = (kind: LiveSubject['kind']) => [
    ...new Set(subjects.filter((one) => one.kind === kind).map(({ id }) => id)),
  ]
  const account = ['users.id as user', 'users.disabled', 'users.expires_at as until'] as const
  const role = ['roles.auth', 'roles.sees_all'] as const
  const [sessions, tokens, displays] = await Promise.all([
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('roles', 'roles.key', 'users.role')
      .select([
        'sessions.id',
        'sessions.created_at',
        'sessions.last_input_at',
        'sessions.ended_at',
        ...account,
        ...role,
      ])
      .where((eb) => eb('sessions.id', '=', eb.fn.any(eb.val(ids('session')))))
      .execute(),
    db
      .selectFrom('access_tokens')
      .innerJoin('users', 'users.id', 'access_tokens.user_id')
      .innerJoin('roles', 'roles.key', 'users.role')
      .select(['access_tokens.id', 'access_tokens.expires_at', 'access_tokens.revoked_at', 'access_tokens.scopes'])
      .select([...account, ...role])
      .where((eb) => eb('access_tokens.id', '=', eb.fn.any(eb.val(ids('token')))))
      .execute(),
    db
      .selectFrom('display_tokens')
      .innerJoin('users', 'users.id', 'display_tokens.user_id')
      .innerJoin('roles', 'roles.key', 'users.role')
      .select(['display_tokens.id', 'display_tokens.expires_at', 'display_tokens.revoked_at', ...account, ...role])
      .where((eb) => eb('display_tokens.id', '=', eb.fn.any(eb.val(ids('display')))))
      .execute(),
  ])
  const credentials = new Map<SubjectKey, Credential>()
  const add = (
    kind: LiveSubject['kind'],
    row: (typeof sessions)[number] | (typeof tokens)[number] | (typeof displays)[number],
    ended: boolean,
    auth: readonly string[],
  ) =>
    credentials.set(subjectKey({ kind, id: row.id }), {
      id: row.id,
      ended,
      disabled: row.disabled,
      accountExpiresAt: row.until,
      userId: row.user,
      seesAll: row.sees_all,
      auth,
    })
  for (const row of sessions) {
    const idle = now - row.last_input_at > idle_minutes * MINUTE_MS
    const tooOld = now - row.created_at > absolute_hours * HOUR_MS
    add('session', row, row.ended_at !== null || idle || tooOld, row.auth)
  }
  for (const row of tokens) {
    const scopes = row.auth.filter((one) => row.scopes.includes(one))
    add('token', row, row.revoked_at !== null || row.expires_at <= now, scopes)
  }
  for (const row of displays) add('display', row, row.revoked_at !== null || row.expires_at <= now, row.auth)

  const limited = [...credentials.values()].filter(({ seesAll }) => !seesAll).map(({ userId }) => userId)
  const scopes = await scopesOf(db, [...new Set(limited)])
  const revoked = new Map<SubjectKey, RevocationReason>()
  for (const subject of subjects) {
    const key = subjectKey(subject)
    const reason = reasonFor(subject, credentials.get(key), scopes, now)
    if (reason) revoked.set(key, reason)
  }
  return revoked
}

function reasonFor(
  subject: LiveSubject,
  credential: Credential | undefined,
  scopes: ReadonlyMap<number, number[]>,
  now: number,
): RevocationReason | undefined {
  if (!credential || credential.ended || credential.disabled)
    return subject.kind === 'session' ? 'signed_out' : 'token_revoked'
  const { accountExpiresAt, seesAll, userId } = credential
  // An expired account keeps its session but has no permissions (server/http/sessions.ts, accountOf).
  const expired = accountExpiresAt !== null && accountExpiresAt <= now
  const auth = expired ? [NO_EMPOWER] : credential.auth
  const scope: Scope = { apps: seesAll ? 'all' : (scopes.get(userId) ?? []) }
  // A wall needs one permission; whatever else its maker has does not matter to it.
  const permitted = subject.kind === 'display' ? auth.includes(READ) : sameItems(auth, subject.auth)
  return permitted && sameScope(scope, subject.scope) ? undefined : 'scope_changed'
}

function sameItems(x: readonly string[], y: readonly string[]): boolean {
  return x.every((one) => y.includes(one)) && y.every((one) => x.includes(one))
}

/** Whether both let the same applications through. */
function sameScope(x: Scope, y: Scope): boolean {
  if (x.apps === 'all' || y.apps === 'all') return x.apps === y.apps
  const [xs, ys] = [new Set(x.apps), new Set(y.apps)]
  return xs.size === ys.size && [...xs].every((app) => ys.has(app))
}

/** Applications that each of these users owns or is a member of. */
async function scopesOf(db: MetaStore['db'], users: readonly number[]): Promise<Map<number, number[]>> {
  const scopes = new Map<number, number[]>()
  if (users.length === 0) return scopes
  const [owned, joined] = await Promise.all([
    db
      .selectFrom('applications')
      .select(['id', 'owner_id as user'])
      .where('deleted_at', 'is', null)
      .where((eb) => eb('owner_id', '=', eb.fn.any(eb.val([...users]))))
      .execute(),
    db
      .selectFrom('application_members as m')
      .innerJoin('applications as a', 'a.id', 'm.application_id')
      .select(['a.id', 'm.user_id as user'])
      .where('a.deleted_at', 'is', null)
      .where((eb) => eb('m.user_id', '=', eb.fn.any(eb.val([...users]))))
      .execute(),
  ])
  for (const { id, user } of [...owned, ...joined]) {
    const apps = scopes.get(user)
    if (apps) apps.push(id)
    else scopes.set(user, [id])
  }
  return scopes
}
