import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  accessTokens,
  createAccessToken,
  createDisplayToken,
  displayTokens,
  revokeAccessToken,
  revokeDisplayToken,
  wallSelf,
} from '#contracts/http/tokens.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { DISPLAY_PREFIX } from '../../http/find-bearer.ts'
import type { Module } from '../../http/module.ts'
import { hashOf, newSecretText } from '../../http/session-keys.ts'
import { createToken, toToken } from './access-tokens.ts'

const DAY_MS = 86_400_000

/** Access tokens for scripts and display tokens for walls. A token's text is returned once; only its hash is stored. */
export const tokensModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(accessTokens, async ({ caller }) => {
    const rows = await db
      .selectFrom('access_tokens')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .orderBy('created_at', 'desc')
      .execute()
    return { data: rows.map(toToken) }
  })
  mount(createAccessToken, async ({ body, caller, audit }) => {
    audit(body.name, body.scopes.join(' '))
    // A token never holds more than its maker; what he does not have is refused by name rather than dropped.
    const lacking = body.scopes.find((scope) => !caller.auth.includes(scope))
    if (lacking) throw new ProductError('permission.missing', { permission: lacking })
    return createToken(deps, { userId: caller.userId, ...body })
  })
  mount(revokeAccessToken, async ({ body, caller, audit }) => {
    const row = await db
      .updateTable('access_tokens')
      .set({ revoked_at: deps.now() })
      .where('id', '=', body.id)
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    audit(row.name)
    await deps.meta.notify(CHANNELS.revoked, { kind: 'token', id: body.id, reason: 'token_revoked' })
    return {}
  })

  mount(displayTokens, async ({ caller }) => {
    const rows = await db
      .selectFrom('display_tokens')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .orderBy('created_at', 'desc')
      .execute()
    return { data: rows.map(toDisplayToken) }
  })
  mount(createDisplayToken, async ({ body, caller, audit }) => {
    audit(body.name)
    const text = newSecretText(DISPLAY_PREFIX)
    const now = deps.now()
    const row = {
      id: randomUUID(),
      user_id: caller.userId,
      name: body.name,
      hint: text.slice(0, 10),
      hash: hashOf(text),
      created_at: now,
      expires_at: now + body.days * DAY_MS,
      last_used_at: null,
      revoked_at: null,
    }
    await db
      .insertInto('display_tokens')
      .values({ ...row, views: JSON.stringify(body.views) })
      .execute()
    return { data: toDisplayToken({ ...row, views: body.views }), token: text }
  })
  mount(revokeDisplayToken, async ({ body, caller, audit }) => {
    const row = await db
      .updateTable('display_tokens')
      .set({ revoked_at: deps.now() })
      .where('id', '=', body.id)
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    audit(row.name)
    await deps.meta.notify(CHANNELS.revoked, { kind: 'display', id: body.id, reason: 'revoked' })
    return {}
  })

  mount(wallSelf, async ({ caller }) => {
    if (caller.kind !== 'display') throw new ProductError('data.missing')
    const wall = await db
      .selectFrom('display_tokens')
      .select(['name', 'views', 'user_id'])
      .where('id', '=', caller.credential)
      .executeTakeFirstOrThrow()
    const ids = wall.views.map(({ view }) => view)
    const views = ids.length
      ? await db
          .selectFrom('saved_views')
          .select(['id', 'name', 'search'])
          .where('id', 'in', ids)
          .where((where) => where.or([where('user_id', '=', wall.user_id), where('shared', '=', true)]))
          .execute()
      : []
    return {
      data: {
        name: wall.name,
        views: wall.views.flatMap(({ view, seconds }) => {
          const found = views.find(({ id }) => id === view)
          return found ? [{ ...found, seconds }] : []
        }),
      },
    }
  })
}

function toDisplayToken({
  id,
  name,
  hint,
  views,
  created_at,
  expires_at,
  last_used_at,
  revoked_at,
}: Omit<Selectable<Database['display_tokens']>, 'hash' | 'user_id'>) {
  return { id, name, hint, views, created_at, expires_at, last_used_at, revoked_at }
}
