import type { HopTimes, LevelCounts, StreamFrame } from '#contracts/live/messages.ts'
import type { EventRow, Filter } from '#domain/query.ts'
import type { Missed } from './connection-store.ts'
import type { LiveConnection } from './live-connection.ts'
import { createRingBuffer } from './ring-buffer.ts'
import type { TopicHandlers } from './topic-channel.ts'
import { NO_LEVELS, NOTIFY_MS } from './wall-view.ts'

/** Rows that a stream keeps, and as many again behind a pause. */
const ROWS_KEPT = 2000

export type StreamView = {
  ready: boolean
  mode: 'live' | 'paused'
  /** Newest first, at most 2,000. */
  rows: readonly EventRow[]
  /** Matching events by arrival since the stream began here: all of them, and how many came as rows. */
  counted: number
  listed: number
  /** In the running minute. */
  minuteCount: number
  at: number
  hops: HopTimes | null
  /** Behind a pause: all, those that came as rows by level ('none' for events that are no attack), whether rows were let go. */
  paused: { since: number; counted: number; counts: LevelCounts; none: number; overflow: boolean } | null
  missed: Missed | null
  refused: { code: number; message: string } | null
}

/** Does nothing until it is opened. */
export type StreamFeed = {
  open(): void
  view(): StreamView
  /** Called at most twice a second. */
  subscribe(listener: () => void): () => void
  pause(): void
  /** Shows what was kept behind the pause. */
  resume(): void
  clear(): void
  close(): void
}

/** The live stream of single events of one filter. */
export function createStreamFeed(
  connection: Pick<LiveConnection, 'subscribe'>,
  filters: Filter[],
  options: { now?: () => number } = {},
): StreamFeed {
  const { now = Date.now } = options
  const rows = createRingBuffer<EventRow>(ROWS_KEPT)
  let behind = createRingBuffer<EventRow>(ROWS_KEPT)
  const listeners = new Set<() => void>()
  let seen = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let view: StreamView = {
    ready: false,
    mode: 'live',
    rows: [],
    counted: 0,
    listed: 0,
    minuteCount: 0,
    at: now(),
    hops: null,
    paused: null,
    missed: null,
    refused: null,
  }

  function set(change: Partial<StreamView>, soon = false): void {
    view = { ...view, ...change }
    if (soon) timer ??= setTimeout(tell, NOTIFY_MS)
    else tell()
  }
  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    if (view.mode === 'live') view = { ...view, rows: rows.newestFirst() }
    for (const listener of listeners) listener()
  }
  function receive(message: StreamFrame): void {
    const fresh = message.rows.filter((row) => !seen.has(row.id)).reverse()
    for (const row of fresh) seen.add(row.id)
    const into = view.paused ? behind : rows
    for (const row of fresh) into.push(row)
    if (seen.size > 4 * ROWS_KEPT) seen = new Set([...rows.oldestFirst(), ...behind.oldestFirst()].map((row) => row.id))
    set(
      {
        ready: true,
        at: message.at,
        minuteCount: message.minuteCount,
        hops: message.hops ?? view.hops,
        counted: view.counted + Math.max(message.rowsOf, fresh.length),
        listed: view.listed + fresh.length,
        paused: view.paused && countBehind(view.paused, fresh, message.rowsOf),
      },
      true,
    )
  }
  function countBehind(paused: NonNullable<StreamView['paused']>, fresh: readonly EventRow[], rowsOf: number) {
    const counts = { ...paused.counts }
    let { none } = paused
    for (const { level } of fresh) {
      if (level in counts) counts[level as keyof LevelCounts]++
      else none++
    }
    const counted = paused.counted + Math.max(rowsOf, fresh.length)
    return { ...paused, counts, none, counted, overflow: paused.overflow || counted > ROWS_KEPT }
  }

  const handlers: TopicHandlers = {
    onMessage: (message) => message.type === 'stream' && receive(message),
    onRefused: (refused) => set({ refused }),
    onMissed: (missed) => set({ missed }),
  }
  let unsubscribe: (() => void) | undefined

  return {
    open() {
      unsubscribe ??= connection.subscribe({ kind: 'stream', filters }, handlers)
    },
    view: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pause() {
      if (view.paused) return
      const paused = { since: now(), counted: 0, counts: NO_LEVELS, none: 0, overflow: false }
      set({ mode: 'paused', paused, rows: rows.newestFirst() })
    },
    resume() {
      for (const row of behind.oldestFirst()) rows.push(row)
      behind = createRingBuffer(ROWS_KEPT)
      set({ mode: 'live', paused: null })
    },
    clear() {
      rows.clear()
      behind.clear()
      set({ counted: 0, listed: 0, missed: null, rows: [] })
    },
    close() {
      unsubscribe?.()
      unsubscribe = undefined
      clearTimeout(timer)
      timer = undefined
    },
  }
}
