import { createHourSample } from '#contracts/live/hour-sample.ts'
import {
  type ArcTuple,
  FEED_LINES,
  WALL_SECONDS,
  type WallCounters,
  type WallFrame,
  type WallSnapshot,
} from '#contracts/live/messages.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { EventRow } from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { wallRow } from '#domain/wall-row.ts'
import type { WallSeed } from '#storage/events/port.ts'
import { createArcReservoir, toArc } from './arc-reservoir.ts'
import { createMinuteRing } from './minute-ring.ts'
import { createOnlineDevices } from './online-devices.ts'
import { createTodayCounts } from './today-counts.ts'
import { createWallDevices } from './wall-devices.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Slots of the ring of seconds: those that are sent and those ahead of our clock. */
const RING = 128
/** Seconds of clock skew ahead of ours that still map to their own slot. */
const SECONDS_AHEAD = 13
/** Top lists and areas go out this often at most. */
const TOPS_MS = 1000
/** A clock that was moved by more than these: what is counted by the second and minute fits no longer. */
const SET_BACK_MS = SECONDS_AHEAD * 1000
const SET_FORWARD_MS = 5 * MINUTE
/** Maximum events kept for a day that has not begun by our clock (another node's clock is ahead). */
const AHEAD_LIMIT = 50_000

/** What a frame or snapshot says beyond its envelope (type, topic, sequence, positions, at, hops). */
type Envelope = 'type' | 'topic' | 'sequence' | 'positions' | 'at' | 'hops'
export type WallFrameBody = Omit<WallFrame, Envelope>
export type WallSnapshotBody = Omit<WallSnapshot, Envelope>

export type WallOptions = {
  now(): number
  /** Answers numbers in [0, 1). */
  random(): number
  /** IANA zone of the platform: where its day begins. */
  zone: string
  /** Id of the display token whose wall this is: its feed and devices carry no personal data. */
  wall?: string | undefined
}

/** Counts of one wall topic, by arrival. */
export type WallState = {
  count(event: StoredEvent): void
  /** Takes over what the store holds; events after its positions follow through count(). */
  seed(seed: WallSeed, at: number): void
  /** Newest attacks of the last hour from the store, `of` how many with a place there were. */
  seedHour(rows: readonly ArcTuple[], of: number): void
  /** Newest stored events of the devices in the list, on a display token's wall. */
  seedDevices(rows: readonly EventRow[]): void
  frame(): WallFrameBody
  snapshot(): WallSnapshotBody
  /** The clock was set back, or jumped by minutes or over a whole day: what the store knows must be read again. */
  broken(): boolean
}

export function createWallState({ now, random, zone, wall }: WallOptions): WallState {
  const born = now()
  let since: number | undefined = born
  let dayStart = startOfDay(born, zone)
  let dayEnd = nextDay(dayStart)
  let ahead: StoredEvent[] = []
  let seeded = false
  let broken = false

  const devices = wall === undefined ? undefined : createWallDevices(wall)
  const today = createTodayCounts(devices)
  const minutes = createMinuteRing(minuteOf(born))
  const online = createOnlineDevices()
  const reservoir = createArcReservoir(random)
  const hour = createHourSample(random)
  const seconds = new Uint32Array(RING)
  let second = Math.floor(born / 1000)
  let lastAt = born
  /** Attacks of yesterday in minutes before now - 24 h; `null` until the store has answered. Later minutes are added as they leave the ring. */
  let yesterday: number | null = null
  let yesterdayStart = startOfDay(dayStart - 1, zone)
  let feed: EventRow[] = []
  /** Drawn since the last frame, oldest first. */
  let fresh: StoredEvent[] = []
  let sentVersion = -1
  let sentAt = 0

  function nextDay(start: number): number {
    return startOfDay(start + 1.1 * DAY, zone)
  }
  function advance(): void {
    const at = now()
    if (at < lastAt - SET_BACK_MS || at > lastAt + SET_FORWARD_MS) broken = true
    lastAt = at
    const nowSecond = Math.floor(at / 1000)
    for (; second < nowSecond; second++) {
      if (nowSecond - second > RING) second = nowSecond - RING
      seconds[(second + 1 + SECONDS_AHEAD) % RING] = 0
    }
    if (at >= dayEnd) rollOver(at)
    minutes.advance(minuteOf(at), (minute, attacks) => {
      if (yesterday !== null && minute * MINUTE >= yesterdayStart && minute * MINUTE < dayStart) yesterday += attacks
    })
  }
  function rollOver(at: number): void {
    yesterdayStart = dayStart
    dayStart = startOfDay(at, zone)
    if (dayStart !== dayEnd) broken = true
    dayEnd = nextDay(dayStart)
    if (yesterday !== null) yesterday = 0
    if (since !== undefined) since = Math.max(since, dayStart)
    // Events missed before the store could be read belong to the day that ended: counts are complete from midnight on.
    if (since === dayStart) since = undefined
    today.clear()
    const waiting = ahead
    ahead = []
    for (const event of waiting) countDay(event)
  }
  function countDay(event: StoredEvent): void {
    if (event.receivedAt >= dayEnd) {
      if (ahead.length < AHEAD_LIMIT) ahead.push(event)
      else broken = true
    } else if (event.receivedAt >= dayStart) today.count(event)
  }
  function draw(event: StoredEvent): void {
    const arrival = Math.floor(event.receivedAt / 1000)
    if (arrival > second - WALL_SECONDS && arrival <= second + SECONDS_AHEAD)
      seconds[arrival % RING] = (seconds[arrival % RING] as number) + 1
    fresh.push(event)
    if (fresh.length > 2 * FEED_LINES) fresh = fresh.slice(-FEED_LINES)
    const arc = toArc(event)
    if (!arc) return
    reservoir.offer(arc)
    hour.add(arc)
  }
  function counters(): WallCounters {
    const { noPlace: _, attackedUsers, ...totals } = today.totals()
    const at = now()
    return {
      ...totals,
      attacksYesterday: yesterday,
      seconds: Array.from(
        { length: WALL_SECONDS },
        (_, i) => seconds[(second - WALL_SECONDS + 1 + i) % RING] as number,
      ),
      // Known from the store, or after five minutes of following the journal.
      onlineDevices: seeded || at - born > 5 * MINUTE ? online.count(at) : null,
      attackedUsers: since === undefined ? attackedUsers : null,
      ...(since === undefined ? {} : { since }),
    }
  }
  // Walls show no personal data: the whole event is one click away, behind a separate permission.
  function freshRows(): EventRow[] {
    return fresh
      .slice(-FEED_LINES)
      .reverse()
      .map((event) => feedRow(eventRow({ ...event, address: '', extra: '' })))
  }
  const feedRow = (row: EventRow): EventRow => (wall === undefined ? row : wallRow(row))
  function takeFeed(): EventRow[] {
    const taken = freshRows()
    fresh = []
    feed = [...taken, ...feed].slice(0, FEED_LINES)
    return taken
  }

  return {
    count(event) {
      advance()
      const imported = (event.flags & EVENT_FLAGS.imported) !== 0
      // Not in the future, which an event from before the clock was set back lies in: nothing older would count any more.
      if (!imported) online.recordSeen(event.device, Math.min(event.receivedAt, lastAt))
      countDay(event)
      if (event.type !== EVENT_TYPES.risk.code) return
      const minute = minuteOf(event.receivedAt)
      if (!minutes.add(minute, event.level, 1)) {
        const before = minute * MINUTE >= yesterdayStart && minute * MINUTE < dayStart
        if (before && yesterday !== null) yesterday++
      }
      if (!imported) draw(event)
    },
    seed(seed, at) {
      advance()
      // The store answered for the day of `at`; if midnight passed meanwhile, only what lasts beyond a day is taken over.
      const sameDay = at >= dayStart && at < dayEnd
      if (sameDay) today.seed(seed)
      else broken = true
      yesterday = sameDay ? seed.attacksYesterday : null
      since = undefined
      seeded = true
      for (const [start, ...levels] of seed.minutes)
        for (const [index, count] of levels.entries()) if (count > 0) minutes.add(minuteOf(start), 5 - index, count)
      for (const [device, seenAt] of seed.online.toSorted((x, y) => x[1] - y[1]))
        online.recordSeen(device, Math.min(seenAt, lastAt))
      feed = seed.feed
        .filter((row) => row.type === 'risk')
        .map((row) => feedRow({ ...row, address: '', extra: {} }))
        .slice(0, FEED_LINES)
    },
    seedHour(arcs, of) {
      for (const arc of arcs) hour.add(arc)
      if (of > arcs.length) hour.addUnseen(now(), of - arcs.length)
    },
    seedDevices(rows) {
      for (const row of rows) devices?.describe(row)
    },
    frame() {
      advance()
      const at = now()
      const drawn = reservoir.take()
      const changed =
        today.version === sentVersion || at - sentAt < TOPS_MS ? {} : { tops: today.tops(), ...today.areas() }
      if ('tops' in changed) {
        sentVersion = today.version
        sentAt = at
      }
      return {
        counters: counters(),
        minutes: minutes.takeChanged(),
        ...changed,
        noPlace: today.totals().noPlace,
        arcs: drawn.arcs,
        arcsOf: drawn.of,
        feed: takeFeed(),
      }
    },
    snapshot() {
      advance()
      const at = now()
      const sample = hour.take(at)
      const current = minuteOf(at)
      return {
        counters: counters(),
        minutes: [],
        tops: today.tops(),
        ...today.areas(),
        noPlace: today.totals().noPlace,
        arcs: sample.arcs,
        arcsOf: sample.of,
        feed: [...freshRows(), ...feed].slice(0, FEED_LINES),
        hour: minutes.bars(current - 59, 1),
        day: minutes.bars(Math.floor((current - 1440) / 10) * 10, 10),
      }
    },
    broken: () => broken,
  }
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE)
}
