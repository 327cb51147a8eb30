import { createHourSample } from '#contracts/live/hour-sample.ts'
import type { ArcTuple, Topic, WallFrame, WallSnapshot } from '#contracts/live/messages.ts'
import type { EventRow, Filter } from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'
import { createKnownTotals, type DayTotals, type TotalsMemory } from './known-totals.ts'
import type { LiveConnection } from './live-connection.ts'
import { createMinuteCounts } from './minute-counts.ts'
import { createPausedFrames, type PausedFrames } from './paused-frames.ts'
import { createRingBuffer } from './ring-buffer.ts'
import { createViewPublisher } from './view-publisher.ts'
import { ARCS_KEPT, emptyView, FEED_KEPT, type WallSource, type WallView } from './wall-view.ts'

/** Frames are 225 ms apart: catching up plays nine of them in the time of one. */
const CATCH_UP_MS = 25
/** A snapshot for the ten-minute bars is asked for this often at most, while history is being imported. */
const RESYNC_MS = 30_000
const DRAWN_WINDOW_MS = 10_000

const MINUTE_MS = 60_000

export type WallFeedOptions = {
  now?: () => number
  random?: () => number
  /** IANA zone of the platform: totals of yesterday stand for nothing today. */
  zone?: string
  /** Totals of the topics that this tab showed before. */
  memory?: TotalsMemory
}

/** The live wall of one filter: merges snapshot and frames into plain state. */
export function createWallFeed(
  connection: Pick<LiveConnection, 'subscribe' | 'resync' | 'state'>,
  filters: Filter[],
  options: WallFeedOptions = {},
): WallSource {
  const { now = Date.now, random = Math.random, zone = 'UTC', memory = new Map() } = options
  const serverNow = () => now() + connection.state.getState().clockOffset
  const feed = createRingBuffer<EventRow>(FEED_KEPT)
  const arcs = createRingBuffer<ArcTuple>(ARCS_KEPT)
  const sample = createHourSample(random)
  const timeLine = createMinuteCounts()
  const arcListeners = new Set<(arcs: readonly ArcTuple[]) => void>()
  let state: WallView = emptyView('live', serverNow())
  let seen = new Set<string>()
  let drawn: { at: number; n: number; of: number }[] = []
  let paused: PausedFrames | undefined
  let pump: ReturnType<typeof setInterval> | undefined
  let resyncedAt = now()
  const known = createKnownTotals(JSON.stringify(filters), memory, (at) => startOfDay(at, zone))
  /** The lists shown were sent with totals of the whole day. */
  let isComplete = false

  const publisher = createViewPublisher(() => {
    const at = state.mode === 'live' ? Math.max(state.at, serverNow()) : state.at
    drawn = drawn.filter((one) => one.at > state.at - DRAWN_WINDOW_MS)
    const hourSample = sample.take(state.at)
    const { counters, tops, provinces, cities, countries, noPlace } = state
    const shown = known.shown({ counters, tops, provinces, cities, countries, noPlace }, state.at)
    const { since } = counters
    return {
      ...state,
      ...shown.totals,
      totals: shown.state,
      barsFrom: !state.ready
        ? Number.POSITIVE_INFINITY
        : since === undefined
          ? 0
          : Math.ceil(since / MINUTE_MS) * MINUTE_MS,
      hour: timeLine.hour(at),
      day: timeLine.day(at),
      feed: feed.newestFirst(),
      drawn: { n: drawn.reduce((sum, one) => sum + one.n, 0), of: drawn.reduce((sum, one) => sum + one.of, 0) },
      sample: { n: hourSample.arcs.length, of: hourSample.of },
      paused: paused && state.mode === 'paused' ? paused.view : null,
    }
  }, serverNow)

  function show(message: WallFrame | WallSnapshot, quiet = false): void {
    const { counters, noPlace, at, hops } = message
    state = { ...state, ready: true, counters, noPlace, at, hops: hops ?? state.hops }
    if (message.tops) state.tops = message.tops
    if (message.provinces) state.provinces = message.provinces
    if (message.cities) state.cities = message.cities
    if (message.countries) state.countries = message.countries
    keepTotals(message)
    if (message.type === 'snapshot') {
      timeLine.restart(message.hour, message.day)
      sample.clear()
      for (const arc of message.arcs) sample.add(arc)
      sample.addUnseen(at, message.arcsOf - message.arcs.length)
    } else {
      if (!timeLine.change(message.minutes) && now() - resyncedAt > RESYNC_MS) resync()
      for (const arc of message.arcs) {
        arcs.push(arc)
        sample.add(arc)
      }
      if (message.arcsOf > message.arcs.length) sample.addUnseen(at, message.arcsOf - message.arcs.length)
      if (message.arcsOf > 0) drawn.push({ at, n: message.arcs.length, of: message.arcsOf })
      if (message.arcs.length && !quiet) for (const listener of arcListeners) listener(message.arcs)
    }
    addToFeed(message.feed)
    publisher.touch()
  }
  /** Lists follow their counters by up to a second: both must be of the whole day. */
  function keepTotals(message: WallFrame | WallSnapshot): void {
    isComplete = message.counters.since === undefined && (isComplete || message.tops !== undefined)
    const { counters, tops, provinces, cities, countries, noPlace, at } = state
    known.keep({ counters, tops, provinces, cities, countries, noPlace }, isComplete, at)
  }
  /** A pause holds what was shown; where no total was known yet, the first whole one is shown as soon as it comes. */
  function fillPaused(message: WallFrame | WallSnapshot): void {
    if (isComplete || message.type !== 'snapshot' || message.counters.since !== undefined) return
    const { counters, tops, provinces, cities, countries, noPlace, at, hour, day } = message
    const totals: DayTotals = { counters, tops, provinces, cities, countries, noPlace }
    state = { ...state, ...totals, at }
    timeLine.restart(hour, day)
    isComplete = true
    known.keep(totals, true, at)
    paused = createPausedFrames(counters, at, paused?.view.since ?? now())
  }
  /** Rows come newest first; a snapshot repeats what frames brought. */
  function addToFeed(rows: readonly EventRow[]): void {
    for (const row of rows.toReversed()) {
      if (seen.has(row.id)) continue
      seen.add(row.id)
      feed.push(row)
    }
    if (seen.size > 4 * FEED_KEPT) seen = new Set(feed.oldestFirst().map((row) => row.id))
  }
  function live(): void {
    clearInterval(pump)
    paused = undefined
    state = { ...state, mode: 'live' }
    publisher.flush()
  }

  const handlers = {
    onMessage(message: Parameters<Parameters<typeof connection.subscribe>[1]['onMessage']>[0]) {
      if (message.type === 'stream') return
      if (!paused) return show(message)
      if (state.mode === 'paused') fillPaused(message)
      paused.keep(message)
      publisher.touch()
    },
    onMode(delivery: WallView['delivery']) {
      state = { ...state, delivery, refused: null }
      publisher.touch()
    },
    onRefused(refused: NonNullable<WallView['refused']>) {
      state = { ...state, refused }
      publisher.touch()
    },
    onMissed(missed: NonNullable<WallView['missed']>) {
      state = { ...state, missed }
      publisher.touch()
    },
  }
  const topic: Topic = { kind: 'wall', filters }
  let unsubscribe: (() => void) | undefined
  function resync(): void {
    resyncedAt = now()
    connection.resync(topic)
  }

  return {
    open() {
      unsubscribe ??= connection.subscribe(topic, handlers)
    },
    view: publisher.view,
    subscribe: publisher.subscribe,
    onArcs(listener) {
      arcListeners.add(listener)
      return () => arcListeners.delete(listener)
    },
    liveArcs: arcs.oldestFirst,
    hourArcs: () => sample.take(state.at).arcs,
    pause() {
      if (paused && state.mode === 'paused') return
      clearInterval(pump)
      paused ??= createPausedFrames(state.counters, state.at, now())
      state = { ...state, mode: 'paused' }
      publisher.flush()
    },
    resume(how = 'jump') {
      if (!paused) return
      if (how === 'catch-up' && !paused.view.overflow) {
        state = { ...state, mode: 'catching-up' }
        clearInterval(pump)
        pump = setInterval(() => {
          const next = paused?.next()
          if (next) show(next)
          else live()
        }, CATCH_UP_MS)
        publisher.flush()
        return
      }
      // Frames that were let go took their bars with them.
      if (paused.view.overflow) resync()
      for (const message of paused.all()) show(message, true)
      live()
    },
    close() {
      unsubscribe?.()
      unsubscribe = undefined
      clearInterval(pump)
      publisher.close()
    },
  }
}
