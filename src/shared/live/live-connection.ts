import { io, type Socket } from 'socket.io-client'
import { ERRORS } from '#contracts/errors.ts'
import {
  LIVE_PATH,
  type LiveMessage,
  type NoticeMessage,
  SNAPSHOT_MS,
  type SubscribeAnswer,
  type Topic,
} from '#contracts/live/messages.ts'
import type { Alert } from '#domain/alerts.ts'
import { canonicalFilters } from '#domain/query.ts'
import { type ConnectionStore, createConnectionStore } from './connection-store.ts'
import { onTick } from './half-second-tick.ts'
import { createTopicChannel, type TopicChannel, type TopicHandlers } from './topic-channel.ts'

export type LiveConnection = {
  readonly state: ConnectionStore
  /** Answers the unsubscribe function. Equal topics share one subscription. */
  subscribe(topic: Topic, handlers: TopicHandlers): () => void
  /** Asks for a snapshot of a topic that is subscribed to. */
  resync(topic: Topic): void
  /** Jobs of the caller and notices for all. */
  onNotice(listener: (notice: NoticeMessage) => void): () => void
  /** Alerts that were raised or changed. */
  onAlert(listener: (alert: Alert) => void): () => void
  /** Called when permissions or scope may have changed: the server said so, or the connection is back after a loss. */
  onAccountChange(listener: () => void): () => void
  /** Tries again after 'revoked'. */
  reconnect(): void
  /** Ends the connection for good: sign-out. */
  close(): void
}
export type LiveOptions = {
  /** A fresh one-use ticket (POST /api/live/ticket/); asked for at each attempt. */
  getTicket(): Promise<string>
  /** Origin of the relay; the page's own by default. */
  url?: string
  now?: () => number
  /** Numbers in [0, 1): spreads the attempts of many walls after a restart. */
  random?: () => number
}

const RETRY_FIRST_MS = 500
const RETRY_MOST_MS = 4000
/** Three missed heart beats. */
const STALE_MS = 3 * SNAPSHOT_MS
const ATTEMPT_MS = 8000
const OFFSETS = 16

/** Keeps one socket up: tickets, backoff, heart beat, topics. No React in here. */
export function createLiveConnection(options: LiveOptions): LiveConnection {
  const { getTicket, now = Date.now, random = Math.random } = options
  const state = createConnectionStore()
  const channels = new Map<string, TopicChannel>()
  const notices = new Set<(notice: NoticeMessage) => void>()
  const alerts = new Set<(alert: Alert) => void>()
  const accounts = new Set<() => void>()
  let wasConnected = false
  const offsets: number[] = []
  let socket: Socket | undefined
  let attempt = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let closed = false
  /** Grows with each attempt: what an older one still answers is void. */
  let generation = 0
  let heardAt: number | undefined
  let lostAt = now()
  let shownAt: number | undefined

  const serverNow = () => now() + state.getState().clockOffset

  async function connect(): Promise<void> {
    const mine = ++generation
    let ticket: string
    try {
      ticket = await getTicket()
    } catch (error) {
      if (mine === generation) refused(error)
      return
    }
    if (closed || mine !== generation) return
    const next = io(options.url ?? '/', {
      path: LIVE_PATH,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: ATTEMPT_MS,
      auth: { ticket },
    })
    socket = next
    next.on('connect', () => {
      attempt = 0
      heardAt = now()
      if (wasConnected) for (const listener of accounts) listener()
      wasConnected = true
      for (const channel of channels.values()) announce(channel)
    })
    next.on('message', (message: LiveMessage) => mine === generation && receive(message))
    next.on('connect_error', () => mine === generation && lost())
    next.on('disconnect', () => mine === generation && lost())
  }
  /** No ticket: a revoked display token ends it, anything else may pass. */
  function refused(error: unknown): void {
    if (isTokenRevoked(error)) revoke('token_revoked')
    else lost()
  }
  function lost(): void {
    drop()
    if (closed || state.getState().state === 'revoked') return
    const wait = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** attempt++) * (0.75 + random() / 2)
    clearTimeout(retry)
    retry = setTimeout(connect, Math.min(wait, RETRY_MOST_MS))
    watch()
  }
  function drop(): void {
    generation++
    if (heardAt !== undefined) lostAt = now()
    heardAt = undefined
    socket?.removeAllListeners()
    socket?.disconnect()
    socket = undefined
    for (const channel of channels.values()) channel.lost()
  }
  function revoke(reason: NonNullable<ReturnType<typeof state.getState>['reason']>): void {
    drop()
    clearTimeout(retry)
    state.setState({ state: 'revoked', reason })
  }

  function receive(message: LiveMessage): void {
    heardAt = now()
    if (message.type === 'revoked') {
      if (message.reason !== 'scope_changed') {
        revoke(message.reason)
        return
      }
      // Permissions or applications changed: the next ticket has the new ones.
      lost()
      for (const listener of accounts) listener()
      return
    }
    if (message.type === 'alert') {
      for (const listener of alerts) listener(message.alert)
      return
    }
    if (message.type === 'notice') {
      for (const listener of notices) listener(message)
      return
    }
    tellClock(message.at)
    shownAt = message.at
    if (message.type === 'status') {
      const { version, prerequisites, backlog, demo } = message
      state.setState({ status: { version, prerequisites, backlog, demo } })
      watch()
      return
    }
    for (const channel of channels.values()) if (channel.id === message.topic) channel.receive(message)
    if (state.getState().state !== 'live') watch()
  }
  /** The way here only makes the server's clock look late, so the greatest of some differences is nearest to the truth. */
  function tellClock(at: number): void {
    offsets.push(at - now())
    if (offsets.length > OFFSETS) offsets.shift()
    const clockOffset = Math.max(...offsets)
    if (clockOffset !== state.getState().clockOffset) state.setState({ clockOffset })
  }

  function announce(channel: TopicChannel): void {
    const asked = socket
    asked?.emit('subscribe', { topic: channel.topic }, (answer: SubscribeAnswer) => {
      if (asked !== socket) return
      // Its last handler may have left while the answer was on its way.
      if (channel.handlers.size === 0 && 'topic' in answer) asked.emit('unsubscribe', answer.topic)
      else channel.answered(answer)
    })
  }
  function watch(): void {
    const before = state.getState()
    if (before.state === 'revoked') return
    const silence = now() - (heardAt ?? lostAt)
    const connected = socket?.connected && heardAt !== undefined
    const next = connected ? (silence > STALE_MS ? 'stale' : 'live') : silence > STALE_MS ? 'offline' : 'connecting'
    const dataAge = shownAt === undefined ? null : Math.max(0, Math.round(serverNow() - shownAt))
    if (next !== before.state || dataAge !== before.dataAge) state.setState({ state: next, dataAge })
    for (const channel of channels.values()) channel.watch()
  }
  const stopWatching = onTick(serverNow, watch)
  void connect()

  return {
    state,
    subscribe(asked, handlers) {
      const { topic, key } = canonical(asked)
      const known = channels.get(key)
      const channel =
        known ??
        createTopicChannel(topic, {
          now,
          requestSnapshot: (id) => socket?.emit('snapshot', id),
          onMissed: (missed) => state.setState({ missed }),
        })
      channels.set(key, channel)
      channel.handlers.add(handlers)
      if (!known && socket?.connected) announce(channel)
      if (known) channel.resync()
      return () => {
        channel.handlers.delete(handlers)
        if (channel.handlers.size > 0 || channels.get(key) !== channel) return
        channels.delete(key)
        if (channel.id) socket?.emit('unsubscribe', channel.id)
      }
    },
    resync: (topic) => channels.get(canonical(topic).key)?.resync(),
    onNotice(listener) {
      notices.add(listener)
      return () => notices.delete(listener)
    },
    onAlert(listener) {
      alerts.add(listener)
      return () => alerts.delete(listener)
    },
    onAccountChange(listener) {
      accounts.add(listener)
      return () => accounts.delete(listener)
    },
    reconnect() {
      if (closed) return
      drop()
      attempt = 0
      state.setState({ state: 'connecting', reason: null })
      void connect()
    },
    close() {
      closed = true
      stopWatching()
      clearTimeout(retry)
      drop()
      channels.clear()
    },
  }
}

function canonical({ kind, filters }: Topic): { topic: Topic; key: string } {
  const topic: Topic = { kind, filters: canonicalFilters(filters) }
  return { topic, key: JSON.stringify(topic) }
}

function isTokenRevoked(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { key, code } = error as { key?: unknown; code?: unknown }
  return key === 'live.token_revoked' || code === ERRORS['live.token_revoked'].code
}

let shared: LiveConnection | undefined

/** The tab's one live connection, made at first use and kept while pages come and go; sign-out reloads the page and so ends it. */
export function connectLive(options: LiveOptions): LiveConnection {
  shared ??= createLiveConnection(options)
  return shared
}
