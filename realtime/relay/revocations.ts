import type { Settings } from '#contracts/http/settings.ts'
import { isListed } from '#domain/address-range.ts'
import { type Alert, mayRead } from '#domain/alerts.ts'
import type { Scope } from '#domain/query.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { LiveClient } from './live-client.ts'
import { READ, type RevocationReason, revokedSubjects, subjectKey } from './subject-status.ts'

export type RevocationDeps = {
  meta: MetaStore
  settings(): Pick<Settings, 'idle_minutes' | 'absolute_hours' | 'console_addresses'>
  /** Epoch ms. */
  now(): number
  clients(): Iterable<LiveClient>
  /** Called when stored rows were deleted. */
  onErased(): void
  /** Interval of the periodic check, ms. */
  checkMs: number
}

/** Sends the reason and closes the socket. The message goes out before the close packet: both use the same ordered buffer. */
export function disconnectRevoked({ socket }: LiveClient, reason: RevocationReason): void {
  socket.emit('message', { type: 'revoked', reason })
  socket.disconnect(true)
}

/**
 * Disconnects sockets whose session, token or user ended, whose permissions or scope changed, or whose address may no longer use the
 * console: at once on a notification, and within
 * `checkMs` where none came (idle and absolute limits, expiry, lost notifications). Also forwards notices of jobs and notifications to their users, and
 * alerts to every client that may see all of their applications. Resolves to the function that stops it.
 */
export async function listenForRevocations(deps: RevocationDeps): Promise<() => void> {
  const { meta, clients, onErased } = deps

  let checking: Promise<void> | undefined
  /** One check at a time; a request during a check runs another one after it. */
  let again = false
  function checkSubjects(): Promise<void> {
    if (checking) {
      again = true
      return checking
    }
    checking = check().finally(() => {
      checking = undefined
      if (!again) return
      again = false
      checkLater()
    })
    return checking
  }
  async function check(): Promise<void> {
    const list = deps.settings().console_addresses
    // The client asks for a new ticket, and the refusal says why it gets none.
    for (const client of [...clients()])
      if (client.subject.kind === 'session' && !isListed(list, client.socket.data.address))
        disconnectRevoked(client, 'scope_changed')
    const all = [...clients()]
    if (all.length === 0) return
    const revoked = await revokedSubjects(
      meta,
      all.map(({ subject }) => subject),
      { ...deps.settings(), now: deps.now() },
    )
    for (const client of all) {
      const reason = revoked.get(subjectKey(client.subject))
      if (reason) disconnectRevoked(client, reason)
    }
  }
  /** While the database is unavailable the check fails and is repeated; expiry (`until`) is enforced without it. */
  let failing = false
  const checkLater = () =>
    void checkSubjects().then(
      () => {
        failing = false
      },
      (err: unknown) => {
        if (!failing) log.warn({ err }, 'relay: cannot check sessions and tokens of open sockets, trying again')
        failing = true
      },
    )
  const timer = setInterval(checkLater, deps.checkMs)
  timer.unref()

  const ended = (payload: unknown) => {
    const { kind, id, reason } = record(payload)
    for (const client of [...clients()]) {
      const { subject } = client
      const hit = kind === 'user' ? String(subject.userId) === String(id) : subject.kind === kind && subject.id === id
      if (hit) disconnectRevoked(client, reasonOf(reason, subject.kind))
    }
  }
  const stops = await Promise.all([
    meta.listen(CHANNELS.revoked, ended, () => {
      onErased()
      checkLater()
    }),
    meta.listen(CHANNELS.changed, (payload) => {
      const { what } = record(payload)
      if (what === 'applications' || what === 'roles') checkLater()
      if (what === 'erased') onErased()
    }),
    meta.listen(CHANNELS.job, (payload) => {
      const { id, userId } = record(payload)
      for (const { socket, subject } of clients())
        if (subject.kind !== 'display' && subject.userId === userId)
          socket.emit('message', { type: 'notice', kind: 'job', id: String(id), text: '' })
    }),
    meta.listen(CHANNELS.notification, (payload) => {
      const { users } = payload as { users: number[] }
      for (const { socket, subject } of clients())
        if (subject.kind !== 'display' && users.includes(subject.userId))
          socket.emit('message', { type: 'notice', kind: 'notification', id: '', text: '' })
    }),
    meta.listen(CHANNELS.alert, (payload) => {
      const { alert, apps } = payload as { alert: Alert; apps: number[] | null }
      for (const { socket, subject } of clients())
        if (subject.auth.includes(READ) && covers(subject.scope, apps) && mayRead(subject.auth, alert.measure))
          socket.emit('message', { type: 'alert', alert: redactAlert(subject.kind, alert) })
    }),
  ])
  return () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}

/** An alert names applications; only subjects that may see all of them receive it. */
function covers(scope: Scope, apps: readonly number[] | null): boolean {
  const { apps: mine } = scope
  return mine === 'all' || (apps?.every((app) => mine.includes(app)) ?? false)
}
/** A wall shows that an alert was acknowledged, not by whom or with which note. */
function redactAlert(kind: LiveClient['subject']['kind'], alert: Alert): Alert {
  if (kind !== 'display' || !alert.acknowledged) return alert
  return { ...alert, acknowledged: { at: alert.acknowledged.at, by: '', note: '' } }
}

function record(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}
}
function reasonOf(reason: unknown, kind: LiveClient['subject']['kind']): RevocationReason {
  if (reason === 'replaced' || reason === 'signed_out' || reason === 'token_revoked' || reason === 'scope_changed')
    return reason
  return kind === 'session' ? 'signed_out' : 'token_revoked'
}
