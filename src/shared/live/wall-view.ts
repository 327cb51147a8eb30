import {
  type ArcTuple,
  type HopTimes,
  type LevelCounts,
  type MinuteBar,
  WALL_SECONDS,
  type WallCounters,
  type WallTops,
} from '#contracts/live/messages.ts'
import type { EventRow } from '#domain/query.ts'
import type { Missed } from './connection-store.ts'

/** What a wall shows, whether live or replayed; replaced as a whole at most twice a second, never changed in place. */
export type WallView = {
  mode: 'live' | 'paused' | 'catching-up' | 'replay'
  /** False until the first snapshot (or the first replay window) is there. */
  ready: boolean
  /**
   * Whether counters, lists and areas hold the whole day (the window, in a replay). `remembered`: those of an earlier moment stand in
   * their place until the store has answered. `awaited`: nothing is known, they are 0 and must not be printed.
   */
  totals: { kind: 'whole' } | { kind: 'remembered'; at: number } | { kind: 'awaited' }
  /** Bars of the time line that begin earlier are not known yet, epoch ms; 0 where all are. */
  barsFrom: number
  /** The moment that is shown: server clock when live, the playhead in a replay. Epoch ms. */
  at: number
  /** Live: of the platform's day. Replay: of the window, up to the playhead. */
  counters: WallCounters
  /** The last 60 minutes, one bar each, oldest first; in a replay the bars of the window (see `replay.bars`). */
  hour: MinuteBar[]
  /** The last 24 hours by ten minutes. */
  day: MinuteBar[]
  tops: WallTops
  provinces: [code: string, count: number][]
  cities: [code: string, count: number][]
  countries: [code: string, count: number][]
  noPlace: number
  /** Newest first, at most 500. */
  feed: EventRow[]
  hops: HopTimes | null
  /** Of the arcs that came in the last ten seconds: drawn n of m. */
  drawn: { n: number; of: number }
  /** Still lines of the last hour: n of m. */
  sample: { n: number; of: number }
  /** Frames, or snapshots every 5 s because too many topics run. */
  delivery: 'frames' | 'snapshots'
  /** The server refused the topic. */
  refused: { code: number; message: string } | null
  missed: Missed | null
  paused: PausedView | null
  replay: ReplayView | null
}

/** What arrived behind a pause. `overflow`: more than is kept, so only the jump is left. */
export type PausedView = { at: number; since: number; counts: LevelCounts; attacks: number; overflow: boolean }

export type ReplayView = {
  from: number
  to: number
  at: number
  speed: number
  playing: boolean
  loop: boolean
  /** Waiting for the next part of the window. */
  loading: boolean
  error: { message: string } | null
  /** All bars of the window; those after the playhead are not counted yet. */
  bars: MinuteBar[]
  /** Milliseconds of one bar. */
  barMs: number
  /** Lists and places of a replay are counted from the sample: n of m attacks; equal when it holds all. */
  counted: { n: number; of: number }
}

/** One renderer for both: the live feed and the replay speak this. A source does nothing until it is opened. */
export type WallSource = {
  /** Begins, or goes on after close(). */
  open(): void
  view(): WallView
  /** Called at most twice a second, after view() changed. */
  subscribe(listener: () => void): () => void
  /** Called at once with arcs to draw. */
  onArcs(listener: (arcs: readonly ArcTuple[]) => void): () => void
  /** The newest 300, oldest first. */
  liveArcs(): readonly ArcTuple[]
  /** At most 260 of the last hour (of the window's last hour in a replay). */
  hourArcs(): readonly ArcTuple[]
  pause(): void
  /** 'catch-up' plays what was kept at nine times the pace, 'jump' goes to the newest state at once. */
  resume(how?: 'catch-up' | 'jump'): void
  close(): void
}

export const FEED_KEPT = 500
export const ARCS_KEPT = 300
/** Minimum time between two notifications of a view, ms. */
export const NOTIFY_MS = 500

const NO_TOP = { rows: [], groupCount: 0, others: 0 }
export const NO_TOPS: WallTops = {
  risk: NO_TOP,
  province: NO_TOP,
  city: NO_TOP,
  country: NO_TOP,
  app: NO_TOP,
  device: NO_TOP,
  version: NO_TOP,
  site: NO_TOP,
}
export const NO_LEVELS: LevelCounts = { info: 0, low: 0, medium: 0, high: 0, critical: 0 }

export function emptyView(mode: WallView['mode'], at: number): WallView {
  return {
    mode,
    ready: false,
    totals: { kind: 'awaited' },
    barsFrom: Number.POSITIVE_INFINITY,
    at,
    counters: {
      attacksToday: 0,
      attacksYesterday: null,
      blockedToday: 0,
      levels: NO_LEVELS,
      seconds: Array(WALL_SECONDS).fill(0),
      onlineDevices: null,
      attackedUsers: null,
      eventsToday: 0,
    },
    hour: [],
    day: [],
    tops: NO_TOPS,
    provinces: [],
    cities: [],
    countries: [],
    noPlace: 0,
    feed: [],
    hops: null,
    drawn: { n: 0, of: 0 },
    sample: { n: 0, of: 0 },
    delivery: 'frames',
    refused: null,
    missed: null,
    paused: null,
    replay: null,
  }
}
