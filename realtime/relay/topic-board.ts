import { setTimeout as delay } from 'node:timers/promises'
import { ProductError } from '#contracts/errors.ts'
import { MAX_TOPICS, type StreamFrame, type WallFrame, type WallSnapshot } from '#contracts/live/messages.ts'
import { log } from '#runtime/log.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { JournalReader } from '#storage/journal/port.ts'
import { type Aggregator, createAggregator, type ScopedTopic } from '../frames/aggregator.ts'
import type { DecodedEntry } from '../frames/decoded-entry.ts'
import { followJournals } from './journal-follower.ts'
import { seedAggregator } from './seed-aggregator.ts'

/** How long the first snapshot waits for the store before the topic starts with what arrives from now on. */
const SEED_PATIENCE_MS = 3000
const RESEED_MS = 2000
/** The store answers this many seeds at a time. */
const SEEDS_AT_ONCE = 2

/** A topic with its subscribers' count. `reset` is set when its numbers jumped, so that everyone needs a snapshot. */
export type LiveTopic = {
  readonly topic: ScopedTopic
  mode: 'frames' | 'snapshots'
  subscribers: number
  aggregator: Aggregator | undefined
  seeded: boolean
  reset: boolean
  seeding: boolean
}

export type BoardDeps = {
  readers: readonly JournalReader[]
  store: EventStore
  zone(): string
  now(): number
  random(): number
  maxTopics?: number
}

/** One aggregator per topic, started with its first subscriber and freed with its last (decision 24). */
export type TopicBoard = {
  acquire(topic: ScopedTopic): LiveTopic
  release(id: string): void
  get(id: string): LiveTopic | undefined
  topics(): Iterable<LiveTopic>
  /** A wall beyond the limit: recounted from store and journal without keeping an aggregator. Throws while the store is unavailable. */
  snapshotOnce(live: LiveTopic): Promise<WallSnapshot | StreamFrame>
  /** Incremented with every journal entry. */
  progress(): number
  /** Reseeds broken topics, topics that wait for the store, and all topics after a change of the platform's zone. */
  reseedStaleTopics(): void
  /** Marks every wall for reseeding by the next reseedStaleTopics(), because stored rows were deleted. */
  reseedWalls(): void
  /** The journal came back shorter than it was: reads on from its end, and starts each topic again from there. */
  restart(): void
  close(): Promise<void>
}
export type TopicMessage = WallFrame | WallSnapshot | StreamFrame

export function createTopicBoard(deps: BoardDeps): TopicBoard {
  const { now, store, maxTopics = MAX_TOPICS } = deps
  const topics = new Map<string, LiveTopic>()
  const waitingSeeds: (() => void)[] = []
  let seedsRunning = 0
  let progress = 0
  let zone = deps.zone()
  let closed = false

  const follower = followJournals(deps.readers, now, (entry: DecodedEntry) => {
    progress++
    for (const { aggregator } of topics.values()) aggregator?.apply(entry)
  })
  const fresh = (topic: ScopedTopic) => createAggregator(topic, { now, random: deps.random, zone })

  /** A seeded aggregator that has caught up with the follower; `attach` runs before the next entry can arrive. */
  async function seeded(topic: ScopedTopic, attach: (aggregator: Aggregator) => void): Promise<void> {
    if (seedsRunning >= SEEDS_AT_ONCE) await new Promise<void>((resolve) => waitingSeeds.push(resolve))
    seedsRunning++
    try {
      const aggregator = fresh(topic)
      await seedAggregator(aggregator, store, now, zone)
      await follower.catchUp(aggregator.positions, aggregator.apply, () => {
        if (aggregator.broken()) throw new Error('the journal moved on while the topic was seeded')
        attach(aggregator)
      })
    } finally {
      seedsRunning--
      waitingSeeds.shift()?.()
    }
  }
  function attachUnseeded(live: LiveTopic): void {
    live.aggregator = fresh(live.topic)
    live.aggregator.startAt(follower.positions())
    live.reset = true
  }
  function seed(live: LiveTopic): void {
    if (live.seeding || closed) return
    live.seeding = true
    void delay(SEED_PATIENCE_MS, undefined, { ref: false }).then(() => {
      if (!live.aggregator && topics.has(live.topic.id)) attachUnseeded(live)
    })
    seeded(live.topic, (aggregator) => {
      live.aggregator = aggregator
      live.seeded = true
      live.reset = true
    })
      .catch((err: unknown) => {
        // A store that is away is tried again; the status message shows it.
        if (!(err instanceof ProductError) && !closed) log.warn({ err }, 'relay: a topic could not be seeded')
        if (!live.aggregator || live.aggregator.broken()) attachUnseeded(live)
        live.seeded = false
      })
      .finally(async () => {
        if (!live.seeded) await delay(RESEED_MS, undefined, { ref: false })
        live.seeding = false
      })
  }
  function start(live: LiveTopic): void {
    if (live.topic.kind === 'stream') {
      attachUnseeded(live)
      live.seeded = true
    } else if (live.mode === 'frames') seed(live)
  }
  const running = () => [...topics.values()].filter((live) => live.mode === 'frames').length

  return {
    acquire(topic) {
      let live = topics.get(topic.id)
      if (!live) {
        const mode = running() < maxTopics ? 'frames' : 'snapshots'
        live = { topic, mode, subscribers: 0, aggregator: undefined, seeded: false, reset: false, seeding: false }
        topics.set(topic.id, live)
        start(live)
      }
      live.subscribers++
      return live
    },
    release(id) {
      const live = topics.get(id)
      if (!live || --live.subscribers > 0) return
      topics.delete(id)
      // A slot became free: the topic that waits longest gets frames from now on.
      const next = [...topics.values()].find((one) => one.mode === 'snapshots')
      if (!next || running() >= maxTopics) return
      next.mode = 'frames'
      if (!next.aggregator) start(next)
    },
    get: (id) => topics.get(id),
    topics: () => topics.values(),
    async snapshotOnce(live) {
      if (live.aggregator) {
        live.aggregator.frame()
        return live.aggregator.snapshot()
      }
      let snapshot: TopicMessage | undefined
      await seeded(live.topic, (aggregator) => {
        aggregator.frame()
        snapshot = aggregator.snapshot()
      })
      return snapshot as WallSnapshot | StreamFrame
    },
    progress: () => progress,
    reseedStaleTopics() {
      const zoneChanged = deps.zone() !== zone
      zone = deps.zone()
      for (const live of topics.values()) {
        if (live.mode !== 'frames' || live.topic.kind !== 'wall') {
          if (live.aggregator?.broken()) attachUnseeded(live)
          continue
        }
        if (zoneChanged || live.aggregator?.broken()) live.seeded = false
        if (!live.seeded) seed(live)
      }
    },
    reseedWalls() {
      for (const live of topics.values()) if (live.topic.kind === 'wall') live.seeded = false
    },
    restart() {
      follower.restart()
      for (const live of topics.values()) {
        if (live.topic.kind === 'wall') live.seeded = false
        else if (live.aggregator) attachUnseeded(live)
      }
    },
    async close() {
      closed = true
      topics.clear()
      for (const resume of waitingSeeds.splice(0)) resume()
      await follower.close()
    },
  }
}
