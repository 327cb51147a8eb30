import type { StreamFrame, SubscribeAnswer, Topic, WallFrame, WallSnapshot } from '#contracts/live/messages.ts'
import type { Missed } from './connection-store.ts'
import { createPositionCheck } from './position-check.ts'

export type TopicMessage = WallFrame | WallSnapshot | StreamFrame

export type TopicHandlers = {
  /** In order and without a gap: after one, the next message is a snapshot (or a stream's newest rows). */
  onMessage(message: TopicMessage): void
  /** Frames, or snapshots every 5 s because too many topics run. */
  onMode?(mode: 'frames' | 'snapshots'): void
  onRefused?(error: { code: number; message: string }): void
  /** Something was missed; the message that makes up for it follows. */
  onMissed?(missed: Missed): void
}

/** Asked for again when no snapshot came, ms. */
const ASK_AGAIN_MS = 5000
/** A gap that hides less than this and no attack is not worth telling. */
const TELL_MS = 1000

/** One subscription of the socket, shared by everything on the page that shows the same topic. */
export type TopicChannel = {
  readonly topic: Topic
  readonly handlers: Set<TopicHandlers>
  id: string | undefined
  answered(answer: SubscribeAnswer): void
  receive(message: TopicMessage): void
  /** The socket went: whatever comes until the next snapshot is missed. */
  lost(): void
  /** A snapshot is needed, for a gap or a new handler. */
  resync(): void
  /** Asks again where an answer is overdue. */
  watch(): void
}

export function createTopicChannel(
  topic: Topic,
  options: { now(): number; requestSnapshot(id: string): void; onMissed(missed: Missed): void },
): TopicChannel {
  const handlers = new Set<TopicHandlers>()
  const check = createPositionCheck()
  let synced = false
  let askedAt = 0
  /** What was shown last: its time by the server's clock, and the wall's count. */
  let last: { at: number; attacks: number | null } | undefined
  let interrupted = false

  const channel: TopicChannel = {
    topic,
    handlers,
    id: undefined,
    answered(answer) {
      if ('error' in answer) {
        for (const handler of handlers) handler.onRefused?.({ code: answer.error, message: answer.codemsg })
        return
      }
      channel.id = answer.topic
      askedAt = options.now()
      for (const handler of handlers) handler.onMode?.(answer.mode)
    },
    receive(message) {
      const restarts =
        message.type === 'snapshot' ||
        (message.type === 'stream' && message.positions.every(({ from, to }) => from === to))
      if (restarts) {
        check.restart(message.positions)
        if (interrupted) tellMissed(message)
        synced = true
        interrupted = false
      } else if (!synced) return
      else if (!check.follows(message.positions)) return gap()
      last = { at: message.at, attacks: attacksOf(message) }
      for (const handler of handlers) handler.onMessage(message)
    },
    lost() {
      channel.id = undefined
      synced = false
      if (last) interrupted = true
    },
    resync() {
      synced = false
      ask()
    },
    watch() {
      if (!synced && channel.id && options.now() - askedAt > ASK_AGAIN_MS) ask()
    },
  }
  function gap(): void {
    interrupted = true
    channel.resync()
  }
  function ask(): void {
    askedAt = options.now()
    if (channel.id) options.requestSnapshot(channel.id)
  }
  function tellMissed(message: TopicMessage): void {
    if (!last) return
    const now = attacksOf(message)
    // Counters fall at midnight: then the difference says nothing.
    const attacks = now !== null && last.attacks !== null && now >= last.attacks ? now - last.attacks : null
    if (message.at - last.at < TELL_MS && !attacks) return
    const missed = { from: last.at, to: message.at, attacks }
    options.onMissed(missed)
    for (const handler of handlers) handler.onMissed?.(missed)
  }
  return channel
}

function attacksOf(message: TopicMessage): number | null {
  return message.type === 'stream' ? null : message.counters.attacksToday
}
