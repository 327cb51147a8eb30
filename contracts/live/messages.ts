import { z } from 'zod'
import type { Alert } from '#domain/alerts.ts'
import { type EventRow, FilterSchema } from '#domain/query.ts'
import type { Level } from '#domain/vocabulary.ts'

/**
 * Messages between the relay and its clients over socket.io (path /live, websocket only, JSON).
 * Connect with `auth: {ticket}` (POST /api/live/ticket/, one use, 30 s); a display token's ticket comes from the same call.
 * Client -> server: 'subscribe' (SubscribeSchema, answered by SubscribeAnswer), 'unsubscribe' (topic id).
 * Server -> client: 'message' with one LiveMessage.
 */
export const LIVE_PATH = '/live'
export const FRAME_MS = 225
/** Topics are canonical queries; beyond this many a client gets a snapshot every 5 s instead (mode 'snapshots'). */
export const MAX_TOPICS = 64
export const SNAPSHOT_MS = 5000
/** Events drawn per frame at most; the rest is counted ('drawn n of m'). */
export const ARC_SAMPLE = 40
export const FEED_LINES = 20
export const STREAM_ROWS = 200
/** Length of the strip of seconds in WallCounters. */
export const WALL_SECONDS = 60

export const TopicSchema = z.discriminatedUnion('kind', [
  /** Counters, bars, top lists and sampled arcs of attacks by arrival: the wall. */
  z.strictObject({ kind: z.literal('wall'), filters: z.array(FilterSchema).max(20) }),
  /** Single events of every type by arrival: real-time monitoring. */
  z.strictObject({ kind: z.literal('stream'), filters: z.array(FilterSchema).max(20) }),
])
export type Topic = z.infer<typeof TopicSchema>

export const SubscribeSchema = z.strictObject({ topic: TopicSchema })
export type SubscribeAnswer = { topic: string; mode: 'frames' | 'snapshots' } | { error: number; codemsg: string }

/** Covers the journal from `from` (inclusive) to `to` (exclusive), in bytes of that journal. */
export type PositionRange = { journal: string; from: number; to: number }

/** Wall-clock stamps of one hop each, epoch ms, for the newest event of the frame; absent when the frame holds none. */
export type HopTimes = { received: number; durable: number; framed: number }

export type LevelCounts = Record<Level, number>
/** A top list: at most 8 keys with their counts of today, and what the list leaves out. */
export type TopList = {
  rows: [key: string, count: number][]
  groupCount: number
  others: number
  /** Devices on a display token's wall: rows have labels of that wall as keys, described here. */
  about?: Record<string, DeviceSummary>
}
/** Model ('' where unknown) and place as codes of the map. */
export type DeviceSummary = { model: string; country: string; province: string; city: string }

/** Absolute numbers of the topic (never differences, so a lost frame costs no count). 'Today' is the platform's day. */
export type WallCounters = {
  attacksToday: number
  /** Attacks of yesterday up to the same time of day; null until read from the store. */
  attacksYesterday: number | null
  blockedToday: number
  levels: LevelCounts
  /** Attacks in each of the last WALL_SECONDS seconds, oldest first; the last one is running. */
  seconds: number[]
  /** Devices seen in the last 5 min; null while being rebuilt after a restart. */
  onlineDevices: number | null
  /** Distinct users with an attack today; null while being rebuilt. */
  attackedUsers: number | null
  /** Events of every type today. */
  eventsToday: number
  /** Set while the store could not be read yet: the counters hold only what arrived from this time on (epoch ms). */
  since?: number
}

/**
 * One attack to draw: [id, lon, lat, site id (0: pulse), level code, risk code, received at, application id (to open the event), 1 where
 * the phone blocked it and 0 where it was only observed].
 */
export type ArcTuple = [
  id: string,
  lon: number,
  lat: number,
  site: number,
  level: number,
  risk: number,
  at: number,
  app?: string,
  blocked?: 0 | 1,
]

/** One minute of the time line: start (epoch ms) and attacks by level in the order critical, high, medium, low, info. */
export type MinuteBar = [start: number, critical: number, high: number, medium: number, low: number, info: number]

export type WallTops = {
  risk: TopList
  province: TopList
  city: TopList
  country: TopList
  app: TopList
  device: TopList
  version: TopList
  /** Attacks of today by site id; key '0' is 'no site'. */
  site: TopList
}

export type WallFrame = {
  type: 'frame'
  topic: string
  /** Grows by one with each frame of the topic. */
  sequence: number
  positions: PositionRange[]
  /** Server clock when cut. */
  at: number
  hops?: HopTimes
  counters: WallCounters
  /** Bars that changed since the last frame. */
  minutes: MinuteBar[]
  /** At most once a second, and only when changed. */
  tops?: WallTops
  /** Attacks by province of today (all provinces with any), at most once a second: the choropleth. */
  provinces?: [code: string, count: number][]
  cities?: [code: string, count: number][]
  countries?: [code: string, count: number][]
  /** Attacks of today without a place. */
  noPlace: number
  arcs: ArcTuple[]
  /** How many attacks with a place this frame covers; arcs holds at most ARC_SAMPLE of them. */
  arcsOf: number
  feed: EventRow[]
}

/** Everything a wall needs to start or to catch up. `positions[].to` is where the next frame begins. */
export type WallSnapshot = Omit<WallFrame, 'type' | 'tops' | 'provinces' | 'cities' | 'countries'> & {
  type: 'snapshot'
  tops: WallTops
  provinces: [code: string, count: number][]
  cities: [code: string, count: number][]
  countries: [code: string, count: number][]
  /**
   * `arcs` and `arcsOf` of a snapshot are not of a frame but of the last hour: HOUR_SAMPLE attacks with a place at most, and of how
   * many that were seen. `feed` holds the newest lines of all.
   */
  /** The last 60 minutes, and the last 24 hours by 10 minutes (MinuteBar with a wider step). */
  hour: MinuteBar[]
  day: MinuteBar[]
}

export type StreamFrame = {
  type: 'stream'
  topic: string
  sequence: number
  positions: PositionRange[]
  at: number
  hops?: HopTimes
  /** At most STREAM_ROWS newest of the frame, newest first. */
  rows: EventRow[]
  /** How many matched in this frame. */
  rowsOf: number
  /** Matching events by arrival: in this minute and since subscription of the topic's first client today. */
  minuteCount: number
}

/** What is wrong or missing on the server's side; sent on connect, on change, and every 5 s as a heart beat. */
export type StatusMessage = {
  type: 'status'
  at: number
  version: string
  /** Geo data, store, journal: 'ok' or a key of the client's texts. */
  prerequisites: { geo: 'ok' | 'missing'; store: 'ok' | 'behind' | 'down'; journal: 'ok' | 'full' | 'down' }
  /** Accepted but not yet in the event store, in events and seconds. */
  backlog: { events: number; seconds: number }
  demo: boolean
}

/** The session or token behind the socket ended or lost its permission; the socket closes after it. */
export type RevokedMessage = { type: 'revoked'; reason: 'replaced' | 'signed_out' | 'token_revoked' | 'scope_changed' }

/** A job or the notifications of the caller changed, or a notice for all. */
export type NoticeMessage = { type: 'notice'; kind: 'job' | 'notification' | 'usual_level'; id: string; text: string }

/** An alert was raised or changed: to everyone who may see all of its applications, walls too. */
export type AlertMessage = { type: 'alert'; alert: Alert }

export type LiveMessage =
  | WallFrame
  | WallSnapshot
  | StreamFrame
  | StatusMessage
  | RevokedMessage
  | NoticeMessage
  | AlertMessage
