import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Server } from 'socket.io'
import { ERRORS, type ErrorKey, errorText, type Language } from '#contracts/errors.ts'
import type { Settings } from '#contracts/http/settings.ts'
import {
  FRAME_MS,
  LIVE_PATH,
  type LiveMessage,
  SNAPSHOT_MS,
  type SubscribeAnswer,
  SubscribeSchema,
} from '#contracts/live/messages.ts'
import { isListed } from '#domain/address-range.ts'
import { IDENTIFYING_FIELDS } from '#domain/wall-row.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { JournalReader, JournalState } from '#storage/journal/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import {
  CLIENT_TOPICS,
  type ClientEvents,
  createLiveClient,
  type LiveClient,
  type ServerEvents,
} from './live-client.ts'
import { takeTicket } from './live-ticket.ts'
import { disconnectRevoked, listenForRevocations } from './revocations.ts'
import { scopedTopic } from './scoped-topic.ts'
import { watchStatus } from './status-watch.ts'
import { READ } from './subject-status.ts'
import { createTopicBoard, type LiveTopic } from './topic-board.ts'

export type RelayDeps = {
  /** The journal to follow, or those of several ingest nodes. */
  reader: JournalReader | readonly JournalReader[]
  store: EventStore
  meta: MetaStore
  settings(): Pick<Settings, 'zone' | 'idle_minutes' | 'absolute_hours' | 'console_addresses'>
  /** Epoch ms. */
  now(): number
  /** Numbers in [0, 1). */
  random(): number
  version: string
  demo: boolean
  geo(): 'ok' | 'missing'
  journalState(): JournalState
  /** Aggregators at once; MAX_TOPICS by default. */
  maxTopics?: number
  /** How often sessions, tokens and permissions of open sockets are checked, ms; SUBJECT_CHECK_MS by default. */
  subjectCheckMs?: number
}

export type RelayStatus = {
  clients: number
  topics: number
  /** Topics beyond the limit, which get snapshots. */
  snapshotTopics: number
  /** Frames built since the start, and how often a slow client was switched to a snapshot. */
  frames: number
  fellBehind: number
  /** Event-loop delay since the last call, ms. */
  loop: { p50: number; p99: number; max: number }
}
export type Relay = {
  status(): RelayStatus
  /** The journal was exchanged for an older one: goes on from its end, open sockets stay and get new snapshots. */
  restartReading(): void
  close(): Promise<void>
}

/** Sampling interval of the event-loop delay. */
const LOOP_MS = 10
/** A revocation whose notification was lost still ends its sockets within two seconds. */
const SUBJECT_CHECK_MS = 1000
/** Topics in all, those with snapshots included: beyond it a subscription is refused. */
const ALL_TOPICS = 256

/** Serves LIVE_PATH on the HTTP server: tickets, topics, frames, status, revocation. */
export async function createRelay(httpServer: HttpServer, deps: RelayDeps): Promise<Relay> {
  const { now, meta } = deps
  const readers = 'read' in deps.reader ? [deps.reader] : [...deps.reader]
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, LiveClient['socket']['data']>(httpServer, {
    path: LIVE_PATH,
    serveClient: false,
    transports: ['websocket'],
    allowUpgrades: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: 16 * 1024,
    pingInterval: 15_000,
    pingTimeout: 10_000,
    connectTimeout: 10_000,
    allowRequest: (request, answer) => answer(null, sameHost(request)),
  })
  const clients = new Map<string, LiveClient>()
  const board = createTopicBoard({ ...deps, readers, zone: () => deps.settings().zone })
  const status = watchStatus(deps, () => io.emit('message', status.message()))
  const loop = monitorEventLoopDelay({ resolution: LOOP_MS })
  loop.enable()
  let frames = 0
  let fellBehind = 0

  io.use((socket, next) => {
    takeTicket(meta, socket.handshake.auth['ticket'], now()).then(
      (subject) => {
        if (!subject) return next(refusal('live.ticket', languageOf(socket.handshake.headers)))
        const address = addressOf(socket.request)
        if (subject.kind === 'session' && !isListed(deps.settings().console_addresses, address))
          return next(refusal('session.address', languageOf(socket.handshake.headers)))
        socket.data = { subject, address }
        next()
      },
      () => next(refusal('server.starting', languageOf(socket.handshake.headers))),
    )
  })
  io.on('connection', (socket) => {
    const client = createLiveClient(socket)
    const language = languageOf(socket.handshake.headers)
    clients.set(socket.id, client)
    socket.emit('message', status.message())
    const withinRate = () => {
      if (client.allowRequest(performance.now())) return true
      socket.disconnect(true)
      return false
    }
    socket.on('subscribe', (request, answer) => {
      if (withinRate() && typeof answer === 'function') answer(subscribe(client, request, language))
    })
    socket.on('unsubscribe', (topic) => {
      if (withinRate() && typeof topic === 'string' && client.topics.delete(topic)) {
        socket.leave(topic)
        board.release(topic)
      }
    })
    socket.on('snapshot', (topic) => {
      if (!withinRate() || typeof topic !== 'string' || !client.topics.has(topic)) return
      client.topics.set(topic, 'snapshot')
    })
    socket.on('disconnect', () => {
      clients.delete(socket.id)
      for (const topic of client.topics.keys()) board.release(topic)
    })
  })

  function subscribe(client: LiveClient, request: unknown, language: Language): SubscribeAnswer {
    const parsed = SubscribeSchema.safeParse(request)
    if (!parsed.success) return refuse('input.invalid', language, { detail: 'topic' })
    const { topic } = parsed.data
    const { subject } = client
    if (!subject.auth.includes(READ)) return refuse('permission.missing', language, { permission: READ })
    const isWall = subject.kind === 'display'
    const barred =
      (topic.kind === 'stream' && isWall) ||
      topic.filters.some(
        ({ field }) => (field === 'address' && !subject.personal) || (isWall && IDENTIFYING_FIELDS.has(field)),
      )
    if (barred) return refuse('permission.missing', language, { permission: topic.kind })
    const scoped = scopedTopic(topic, subject)
    const known = client.topics.has(scoped.id) ? board.get(scoped.id) : undefined
    if (!known) {
      if (client.topics.size >= CLIENT_TOPICS) return refuse('quota.reached', language, { detail: `${CLIENT_TOPICS}` })
      if (!board.get(scoped.id) && [...board.topics()].length >= ALL_TOPICS)
        return refuse('quota.reached', language, { detail: `${ALL_TOPICS}` })
    }
    const live = known ?? board.acquire(scoped)
    client.topics.set(scoped.id, 'snapshot')
    if (live.mode === 'snapshots') sendRound()
    return { topic: scoped.id, mode: live.mode }
  }

  // ------------------------------------------------------------------------------------------------------- the frame clock

  const lastFrameStamps = new Map<string, string>()
  function tick(): void {
    board.reseedStaleTopics()
    const time = now()
    for (const client of clients.values()) {
      const { until, kind } = client.subject
      if (until !== null && until <= time) {
        disconnectRevoked(client, kind === 'session' ? 'signed_out' : 'token_revoked')
        continue
      }
      const state = client.checkBackpressure()
      if (state === 'lost') client.socket.disconnect(true)
      else if (state === 'stuck') fellBehind++
    }
    const waiting = new Map<string, LiveClient[]>()
    for (const client of clients.values())
      for (const [topic, needs] of client.topics)
        if (needs === 'snapshot' && client.socket.conn.transport.writable)
          waiting.set(topic, [...(waiting.get(topic) ?? []), client])
    for (const live of board.topics())
      if (live.mode === 'frames' && live.aggregator) sendFrame(live, live.aggregator, waiting.get(live.topic.id) ?? [])
    for (const id of lastFrameStamps.keys()) if (!board.get(id)) lastFrameStamps.delete(id)
  }
  function sendFrame(live: LiveTopic, aggregator: NonNullable<LiveTopic['aggregator']>, waiting: LiveClient[]): void {
    const { id } = live.topic
    // Without a new entry and within the same second the frame would be identical.
    const stamp = `${board.progress()}:${Math.floor(now() / 1000)}`
    if (lastFrameStamps.get(id) !== stamp || waiting.length || live.reset) {
      lastFrameStamps.set(id, stamp)
      const frame = aggregator.frame()
      frames++
      if (!live.reset) io.to(id).emit('message', frame)
    }
    if (!live.reset && !waiting.length) return
    const snapshot = aggregator.snapshot()
    if (live.reset) io.to(id).emit('message', snapshot)
    live.reset = false
    for (const client of waiting) {
      client.socket.join(id)
      client.topics.set(id, 'frames')
      client.socket.emit('message', snapshot)
    }
  }
  async function sendSnapshots(): Promise<void> {
    for (const live of [...board.topics()]) {
      if (live.mode !== 'snapshots') continue
      try {
        send(live.topic.id, await board.snapshotOnce(live))
      } catch {
        // The store is unavailable; the status message reports it and the next round retries.
      }
    }
  }
  function send(topic: string, message: LiveMessage): void {
    for (const client of clients.values())
      if (client.topics.has(topic) && client.socket.conn.transport.writable) client.socket.emit('message', message)
  }
  let sending = false
  function sendRound(): void {
    if (sending) return
    sending = true
    sendSnapshots().finally(() => {
      sending = false
    })
  }
  const timers = [
    setInterval(tick, FRAME_MS),
    setInterval(sendRound, SNAPSHOT_MS),
    setInterval(() => io.emit('message', status.message()), SNAPSHOT_MS),
  ]
  const unlisten = await listenForRevocations({
    ...deps,
    clients: () => clients.values(),
    onErased: board.reseedWalls,
    checkMs: deps.subjectCheckMs ?? SUBJECT_CHECK_MS,
  })

  return {
    status() {
      // The histogram records the interval between two samples; the delay is the excess over the requested interval.
      const milliseconds = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e4 - LOOP_MS * 100) / 100)
      const delays = {
        p50: milliseconds(loop.percentile(50)),
        p99: milliseconds(loop.percentile(99)),
        max: milliseconds(loop.max),
      }
      loop.reset()
      const all = [...board.topics()]
      return {
        clients: clients.size,
        topics: all.length,
        snapshotTopics: all.filter((live) => live.mode === 'snapshots').length,
        frames,
        fellBehind,
        loop: delays,
      }
    },
    restartReading: board.restart,
    async close() {
      for (const timer of timers) clearInterval(timer)
      unlisten()
      status.close()
      loop.disable()
      // Closes the transports without a 'disconnect' packet, so that clients treat it as a lost connection and reconnect.
      io.engine.close()
      await board.close()
    },
  }
}

/** Of the client: over the Unix socket only the owner of the public port connects, and says whose request it is. */
function addressOf({ socket, headers }: IncomingMessage): string {
  return socket.remoteAddress ?? String(headers['x-forwarded-for'] ?? '')
}
function sameHost({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return true
  try {
    return new URL(headers.origin).host === headers.host
  } catch {
    return false // no URL: another site, or no browser
  }
}
function languageOf(headers: IncomingMessage['headers']): Language {
  return /^en\b/i.test(headers['accept-language'] ?? '') ? 'en' : 'zh'
}
function refuse(key: ErrorKey, language: Language, params: Record<string, string>): SubscribeAnswer {
  return { error: ERRORS[key].code, codemsg: errorText(key, language, params) }
}
/** The error a client receives as connect_error, with code and text in `data`. */
function refusal(key: ErrorKey, language: Language): Error {
  const text = errorText(key, language)
  return Object.assign(new Error(text), { data: { code: ERRORS[key].code, codemsg: text } })
}
