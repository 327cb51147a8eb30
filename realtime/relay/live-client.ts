import type { Socket } from 'socket.io'
import type { LiveMessage, SubscribeAnswer } from '#contracts/live/messages.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'

export type ClientEvents = {
  subscribe(request: unknown, answer: (answer: SubscribeAnswer) => void): void
  unsubscribe(topic: unknown): void
  snapshot(topic: unknown): void
}
export type ServerEvents = { message(message: LiveMessage): void }
type Data = { subject: LiveSubject }
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, Data>

/** Ticks of the frame clock after which a client that takes nothing any more gets no frames (2.25 s). */
const STUCK_TICKS = 10
/** Ticks after which it is let go (a minute). */
const LOST_TICKS = 267
/** Topics of one connection. */
export const CLIENT_TOPICS = 16
/** Requests in ten seconds. */
const REQUESTS = 120
const REQUESTS_MS = 10_000

/** One connection: its topics, whether it keeps up, and how much it asks. Frames go to rooms; what is here is its exceptions. */
export type LiveClient = {
  readonly socket: LiveSocket
  readonly subject: LiveSubject
  /** Topics that it subscribed to, with what it needs next. */
  readonly topics: Map<string, 'frames' | 'snapshot'>
  /** One tick of the frame clock: whether the socket still takes what it is sent. 'stuck' is told once; snapshots are due then. */
  check(): 'fine' | 'stuck' | 'lost'
  /** False when it asks too much. */
  mayAsk(now: number): boolean
}

export function createLiveClient(socket: LiveSocket): LiveClient {
  const topics = new Map<string, 'frames' | 'snapshot'>()
  let stuckFor = 0
  let asked = 0
  let askedSince = 0
  return {
    socket,
    subject: socket.data.subject,
    topics,
    check() {
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
    mayAsk(now) {
      if (now - askedSince > REQUESTS_MS) {
        askedSince = now
        asked = 0
      }
      return ++asked <= REQUESTS
    },
  }
}
