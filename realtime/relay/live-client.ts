import type { Socket } from 'socket.io'
import type { LiveMessage, SubscribeAnswer } from '#contracts/live/messages.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'

export type ClientEvents = {
  subscribe(request: unknown, answer: (answer: SubscribeAnswer) => void): void
  unsubscribe(topic: unknown): void
  snapshot(topic: unknown): void
}
export type ServerEvents = { message(message: LiveMessage): void }
/** `address`: of the client, after trusted proxies. */
type Data = { subject: LiveSubject; address: string }
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, Data>

/** Ticks of the frame clock without draining after which a client gets no frames (2.25 s). */
const STUCK_TICKS = 10
/** Ticks after which a stuck client is disconnected (one minute). */
const LOST_TICKS = 267
/** Topics of one connection. */
export const CLIENT_TOPICS = 16
/** Requests in ten seconds. */
const REQUESTS = 120
const REQUESTS_MS = 10_000

/** One connection: its topics, back-pressure and request rate. Frames are sent to rooms; this state covers only the exceptions. */
export type LiveClient = {
  readonly socket: LiveSocket
  readonly subject: LiveSubject
  /** Subscribed topics, each with the kind of message due next. */
  readonly topics: Map<string, 'frames' | 'snapshot'>
  /** Called at each tick of the frame clock: whether the socket drains. Returns 'stuck' once; the client's topics then need snapshots. */
  checkBackpressure(): 'fine' | 'stuck' | 'lost'
  /** False when the client exceeds its request rate. */
  allowRequest(now: number): boolean
}

export function createLiveClient(socket: LiveSocket): LiveClient {
  const topics = new Map<string, 'frames' | 'snapshot'>()
  let stuckFor = 0
  let requests = 0
  let requestsSince = 0
  return {
    socket,
    subject: socket.data.subject,
    topics,
    checkBackpressure() {
      // Engine.io takes nothing from its buffer while the transport is not writable: that is where a slow client shows.
      stuckFor = socket.conn.transport.writable ? 0 : stuckFor + 1
      if (stuckFor > LOST_TICKS) return 'lost'
      if (stuckFor !== STUCK_TICKS) return 'fine'
      for (const [topic, needs] of topics)
        if (needs === 'frames') {
          topics.set(topic, 'snapshot')
          socket.leave(topic)
        }
      return 'stuck'
    },
    allowRequest(now) {
      if (now - requestsSince > REQUESTS_MS) {
        requestsSince = now
        requests = 0
      }
      return ++requests <= REQUESTS
    },
  }
}
