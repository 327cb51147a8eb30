import { ProductError } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import type { ServerDeps } from './module.ts'
import { hashOf } from './session-keys.ts'
import { type Account, accountOf } from './sessions.ts'

export const ACCESS_PREFIX = 'aw_at_'
export const DISPLAY_PREFIX = 'aw_dt_'
/** All that a wall may do: read, never open personal data nor acknowledge (decision 9). */
const DISPLAY_AUTH = ['events.read', 'monitor.view']
const USED_STEP_MS = 60_000

export type Bearer = { kind: 'token' | 'display'; id: string; account: Account; auth: readonly string[] }

/**
 * Who an `Authorization: Bearer` header identifies. Rights are those of the token that its owner still has.
 * Throws session.signed_out for an access token, live.token_revoked for a display token that is unknown, expired or revoked, and
 * permission.missing where the endpoint is not open to this kind of token.
 */
export async function findBearer(
  deps: Pick<ServerDeps, 'meta' | 'now'> & Partial<Pick<ServerDeps, 'licence'>>,
  header: string,
  endpoint: Endpoint,
): Promise<Bearer> {
  const text = /^Bearer (aw_[ad]t_[\w-]{43})$/.exec(header)?.[1]
  if (!text) throw new ProductError('session.signed_out')
  const display = text.startsWith(DISPLAY_PREFIX)
  const refused = new ProductError(display ? 'live.token_revoked' : 'session.signed_out')
  const now = deps.now()
  const table = display ? 'display_tokens' : 'access_tokens'
  const row = await deps.meta.db
    .selectFrom(table)
    .innerJoin('users', 'users.id', `${table}.user_id`)
    .innerJoin('roles', 'roles.key', 'users.role')
    .select([
      `${table}.id as token`,
      `${table}.last_used_at`,
      `${table}.expires_at as token_expires_at`,
      'users.id',
      'users.username',
      'users.role',
      'users.expires_at',
      'users.must_change_password',
      'users.origin',
      'roles.auth',
      'roles.sees_all',
    ])
    .where(`${table}.hash`, '=', hashOf(text))
    .where(`${table}.revoked_at`, 'is', null)
    .where('users.disabled', '=', false)
    .executeTakeFirst()
  if (!row || row.token_expires_at <= now) throw refused
  const account = accountOf(row, now, deps.licence)
  const granted = display ? DISPLAY_AUTH : await scopesOf(deps, row.token)
  if (!granted) throw refused
  if (!(display ? endpoint.tokens?.display === true : endpoint.tokens?.access !== false))
    throw new ProductError('permission.missing', { permission: display ? 'wall' : 'token' })
  if (!display && account.mustChangePassword) throw new ProductError('login.must_change')
  if (now - (row.last_used_at ?? 0) > USED_STEP_MS)
    await deps.meta.db.updateTable(table).set({ last_used_at: now }).where('id', '=', row.token).execute()
  const auth = granted.filter((one) => account.auth.includes(one))
  return { kind: display ? 'display' : 'token', id: row.token, account, auth }
}

/** Scopes of an access token; undefined when it was deleted meanwhile. */
async function scopesOf(deps: Pick<ServerDeps, 'meta'>, id: string): Promise<string[] | undefined> {
  const row = await deps.meta.db.selectFrom('access_tokens').select('scopes').where('id', '=', id).executeTakeFirst()
  return row?.scopes
}
