import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { ACCESS_PREFIX } from '../../http/find-bearer.ts'
import { hashOf, newSecretText } from '../../http/session-keys.ts'

const DAY_MS = 86_400_000

/** Makes an access token; the caller has checked that the owner may grant these scopes. `token` is its text, returned only here. */
export async function createToken(
  deps: { meta: MetaStore; now(): number },
  given: { userId: number; name: string; scopes: string[]; days: number },
): Promise<{ data: ReturnType<typeof toToken>; token: string }> {
  const text = newSecretText(ACCESS_PREFIX)
  const now = deps.now()
  const row = {
    id: randomUUID(),
    user_id: given.userId,
    name: given.name,
    hint: text.slice(0, 10),
    hash: hashOf(text),
    scopes: given.scopes,
    created_at: now,
    expires_at: now + given.days * DAY_MS,
    last_used_at: null,
    revoked_at: null,
  }
  await deps.meta.db.insertInto('access_tokens').values(row).execute()
  return { data: toToken(row), token: text }
}

/** Revokes all access tokens of an account and closes the sockets that they opened. */
export async function revokeAccessTokens(
  { meta, now }: { meta: MetaStore; now(): number },
  userId: number,
): Promise<void> {
  const rows = await meta.db
    .updateTable('access_tokens')
    .set({ revoked_at: now() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of rows) await meta.notify(CHANNELS.revoked, { kind: 'token', id, reason: 'token_revoked' })
}

export function toToken(row: Omit<Selectable<Database['access_tokens']>, 'hash'>) {
  const { id, name, hint, scopes, created_at, expires_at, last_used_at, revoked_at } = row
  return { id, name, hint, scopes, created_at, expires_at, last_used_at, revoked_at }
}
