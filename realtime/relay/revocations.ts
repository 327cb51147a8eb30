import type { RevokedMessage } from '#contracts/live/messages.ts'
import type { Alert } from '#domain/alerts.ts'
import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { currentScope, sameScope } from './current-scope.ts'
import type { LiveClient } from './live-client.ts'

type Reason = RevokedMessage['reason']

/**
 * Drops sockets whose session, token or user ended, or whose scope changed, at once; tells a user's sockets about his jobs, and everyone
 * about alerts of the applications that he may see. `onErased` hears that stored rows were deleted.
 */
export async function listenForRevocations(
  meta: MetaStore,
  clients: () => Iterable<LiveClient>,
  onErased: () => void,
): Promise<() => void> {
  const drop = ({ socket }: LiveClient, reason: Reason) => {
    socket.emit('message', { type: 'revoked', reason })
    // The message is on its way before the close packet: both go through the same ordered buffer.
    socket.disconnect(true)
  }
  async function checkScopes(): Promise<void> {
    const scopes = new Map<number, Awaited<ReturnType<typeof currentScope>>>()
    for (const client of [...clients()]) {
      const { userId, scope } = client.subject
      if (!scopes.has(userId)) scopes.set(userId, await currentScope(meta, userId))
      const current = scopes.get(userId)
      if (!current || !sameScope(current, scope)) drop(client, 'scope_changed')
    }
  }
  /** Nobody told what ended while the line to the database was down. */
  async function checkAll(): Promise<void> {
    const standing = await standingSubjects(meta)
    for (const client of [...clients()]) {
      const { kind, id } = client.subject
      if (!standing[kind].has(id)) drop(client, reasonOf(undefined, kind))
    }
    onErased()
    await checkScopes()
  }

  const ended = (payload: unknown) => {
    const { kind, id, reason } = record(payload)
    for (const client of [...clients()]) {
      const { subject } = client
      const hit = kind === 'user' ? String(subject.userId) === String(id) : subject.kind === kind && subject.id === id
      if (hit) drop(client, reasonOf(reason, subject.kind))
    }
  }
  const stops = await Promise.all([
    meta.listen(CHANNELS.revoked, ended, () => void checkAll().catch(() => {})),
    meta.listen(CHANNELS.changed, (payload) => {
      const { what } = record(payload)
      if (what === 'applications' || what === 'roles') void checkScopes().catch(() => {})
      if (what === 'erased') onErased()
    }),
    meta.listen(CHANNELS.job, (payload) => {
      const { id, userId } = record(payload)
      for (const { socket, subject } of clients())
        if (subject.kind === 'session' && subject.userId === userId)
          socket.emit('message', { type: 'notice', kind: 'job', id: String(id), text: '' })
    }),
    meta.listen(CHANNELS.alert, (payload) => {
      const { alert, apps } = payload as { alert: Alert; apps: number[] | null }
      for (const { socket, subject } of clients())
        if (covers(subject.scope, apps)) socket.emit('message', { type: 'alert', alert: toldTo(subject.kind, alert) })
    }),
  ])
  return () => {
    for (const stop of stops) stop()
  }
}

/** The sessions, access tokens (their clients count as sessions) and display tokens that have not ended. */
async function standingSubjects({ db }: MetaStore): Promise<Record<LiveClient['subject']['kind'], Set<string>>> {
  const [sessions, tokens, displays] = await Promise.all([
    db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute(),
    db.selectFrom('access_tokens').select('id').where('revoked_at', 'is', null).execute(),
    db.selectFrom('display_tokens').select('id').where('revoked_at', 'is', null).execute(),
  ])
  return {
    session: new Set([...sessions, ...tokens].map(({ id }) => id)),
    display: new Set(displays.map(({ id }) => id)),
  }
}

/** An alert names applications; only subjects that may see all of them receive it. */
function covers(scope: Scope, apps: readonly number[] | null): boolean {
  const { apps: mine } = scope
  return mine === 'all' || (apps?.every((app) => mine.includes(app)) ?? false)
}
/** A wall shows that an alert was acknowledged, not by whom or with which note. */
function toldTo(kind: LiveClient['subject']['kind'], alert: Alert): Alert {
  if (kind !== 'display' || !alert.acknowledged) return alert
  return { ...alert, acknowledged: { at: alert.acknowledged.at, by: '', note: '' } }
}

function record(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}
}
function reasonOf(reason: unknown, kind: 'session' | 'display'): Reason {
  if (reason === 'replaced' || reason === 'signed_out' || reason === 'token_revoked' || reason === 'scope_changed')
    return reason
  return kind === 'display' ? 'token_revoked' : 'signed_out'
}
