import type {
  ArcTuple,
  HopTimes,
  PositionRange,
  StreamFrame,
  Topic,
  WallFrame,
  WallSnapshot,
} from '#contracts/live/messages.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { EventRow, Scope } from '#domain/query.ts'
import type { StorePositions, WallSeed } from '#storage/events/port.ts'
import type { DecodedEntry } from './decoded-entry.ts'
import { createEntryGate } from './entry-gate.ts'
import { matches } from './event-filter.ts'
import { createStreamState } from './stream-state.ts'
import { createWallState } from './wall-state.ts'

/** A topic as the server runs it: what the client asked for, with what the server adds. */
export type ScopedTopic = Topic & {
  /** Identifier in frames and rooms. */
  id: string
  scope: Scope
  /** Streams only: whether their rows hold personal data. */
  personal: boolean
  /** Id of the display token whose wall this is; its topics are not shared with other subjects. */
  wall?: string | undefined
}

export type AggregatorOptions = {
  /** Epoch ms. */
  now(): number
  /** Numbers in [0, 1): which arcs are drawn. */
  random(): number
  /** IANA zone of the platform. */
  zone: string
}

/**
 * Turns the journal's entries into frames of one topic. Entries may come twice or from before the seed: they count once.
 * A frame covers the entries since the frame before; a snapshot everything so far.
 */
export type Aggregator = {
  readonly topic: ScopedTopic
  /** Starts at the store's positions; a stream needs only positions. */
  seed(seed: WallSeed, at: number): void
  seedHour(arcs: readonly ArcTuple[], of: number): void
  seedDevices(rows: readonly EventRow[]): void
  startAt(positions: StorePositions): void
  apply(entry: DecodedEntry): void
  positions(): StorePositions
  frame(): WallFrame | StreamFrame
  /** As of the last frame: its positions end where the next frame begins. Call right after frame(). */
  snapshot(): WallSnapshot | StreamFrame
  /** Must be reseeded: an entry is missing, or the clock jumped. */
  broken(): boolean
}

export function createAggregator(topic: ScopedTopic, options: AggregatorOptions): Aggregator {
  const { now } = options
  const wall = topic.kind === 'wall' ? createWallState({ ...options, wall: topic.wall }) : undefined
  const stream = createStreamState({ now, personal: topic.personal })
  const count = wall ? wall.count : stream.count
  let sequence = 0
  let framedTo: StorePositions = {}
  let newest: { received: number; durable: number } | undefined
  let entryDurableAt = 0

  const gate = createEntryGate(matches(topic.filters, topic.scope, options.zone), (event: StoredEvent) => {
    count(event)
    newest = { received: event.receivedAt, durable: entryDurableAt }
  })

  function envelope(positions: PositionRange[], hops?: HopTimes) {
    return { topic: topic.id, sequence, positions, at: now(), ...(hops ? { hops } : {}) }
  }
  function startAt(positions: StorePositions): void {
    gate.start(positions)
    framedTo = { ...positions }
  }

  return {
    topic,
    seed(seed, at) {
      startAt(seed.positions)
      wall?.seed(seed, at)
    },
    seedHour: (arcs, of) => wall?.seedHour(arcs, of),
    seedDevices: (rows) => wall?.seedDevices(rows),
    startAt,
    apply(entry) {
      entryDurableAt = entry.durableAt
      framedTo[entry.journal] ??= entry.position
      gate.apply(entry)
    },
    positions: gate.positions,
    frame() {
      sequence++
      const read = gate.positions()
      const positions = Object.entries(read).map(([journal, to]) => ({ journal, from: framedTo[journal] ?? to, to }))
      framedTo = read
      const head = envelope(positions, newest ? { ...newest, framed: now() } : undefined)
      newest = undefined
      return wall ? { type: 'frame', ...head, ...wall.frame() } : { type: 'stream', ...head, ...stream.frame() }
    },
    snapshot() {
      const head = envelope(Object.entries(framedTo).map(([journal, to]) => ({ journal, from: to, to })))
      return wall
        ? { type: 'snapshot', ...head, ...wall.snapshot() }
        : { type: 'stream', ...head, ...stream.snapshot() }
    },
    broken: () => gate.broken() || (wall?.broken() ?? false),
  }
}
