import { createHourSample } from '#contracts/live/hour-sample.ts'
import { ARC_SAMPLE, type ArcTuple, type MinuteBar, WALL_SECONDS } from '#contracts/live/messages.ts'
import type { EventRow } from '#domain/query.ts'
import { LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'
import { isBlocked } from '../../../../shared/events/event-words.ts'
import { createRingBuffer } from '../../../../shared/live/ring-buffer.ts'
import { createViewPublisher } from '../../../../shared/live/view-publisher.ts'
import { ARCS_KEPT, emptyView, FEED_KEPT, type WallSource, type WallView } from '../../../../shared/live/wall-view.ts'
import { addRow, addSecond, addTally, emptyTally, type Tally, topsOf } from './replay-tally.ts'
import { createReplayWindow, type FetchWindow, type WindowPart } from './replay-window.ts'

const TICK_MS = 100
const RETRY_MS = 3000
const BARS = 60

export type ReplayOptions = {
  /** The window, epoch ms, half-open. */
  from: number
  to: number
  /** 1 to 60. */
  speed?: number
  loop?: boolean
  now?: () => number
  random?: () => number
}

/** A past window as a wall: counts up to the playhead; unlike a live wall it can be turned back. */
export type Replay = WallSource & {
  play(): void
  /** Epoch ms; held inside the window. */
  seek(at: number): void
  /** Held between 1 and 60. */
  setSpeed(speed: number): void
  setLoop(loop: boolean): void
}

export function createReplay(fetchWindow: FetchWindow, options: ReplayOptions): Replay {
  const { from, to, now = Date.now, random = Math.random } = options
  const window = createReplayWindow(fetchWindow, from, to)
  const barMs = Math.max(1000, Math.ceil((to - from) / BARS / 1000) * 1000)
  const arcs = createRingBuffer<ArcTuple>(ARCS_KEPT)
  const sample = createHourSample(random)
  const arcListeners = new Set<(arcs: readonly ArcTuple[]) => void>()
  let feed = createRingBuffer<EventRow>(FEED_KEPT)
  let at = from
  let speed = clampSpeed(options.speed ?? 1)
  let loop = options.loop ?? false
  let playing = true
  let loading = false
  let error: { message: string } | null = null
  let drawn: { at: number; n: number; of: number }[] = []
  let ticked = now()
  let closed = true
  let timer: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const publisher = createViewPublisher(build, now)

  function build(): WallView {
    const ready = window.parts[0] !== undefined
    const sum = tallyUpTo(at)
    const perSecond = secondsBefore(at)
    const hourSample = sample.take(at)
    const recent = drawn.filter((one) => one.at > at - 10_000 * speed)
    const places = (map: ReadonlyMap<string, number>) => [...map] as [string, number][]
    const bars = barsOf(from, barMs, Math.ceil((to - from) / barMs))
    const minute = Math.floor(at / 60_000) * 60_000
    return {
      ...emptyView('replay', at),
      ready,
      totals: { kind: ready ? 'whole' : 'awaited' },
      barsFrom: window.parts.every(Boolean) ? 0 : Number.POSITIVE_INFINITY,
      counters: {
        attacksToday: sum.attacks,
        attacksYesterday: null,
        blockedToday: sum.blocked,
        levels: sum.levels,
        seconds: perSecond,
        onlineDevices: null,
        // Distinct users cannot be counted from a sample, only from all events.
        attackedUsers: sum.rows === sum.attacks ? sum.users.size : null,
        eventsToday: sum.attacks,
      },
      hour: barsOf(minute - 59 * 60_000, 60_000, 60),
      tops: topsOf(sum),
      provinces: places(sum.counts.province),
      cities: places(sum.counts.city),
      countries: places(sum.counts.country),
      noPlace: sum.noPlace,
      feed: feed.newestFirst(),
      drawn: { n: total(recent, 'n'), of: total(recent, 'of') },
      sample: { n: hourSample.arcs.length, of: hourSample.of },
      replay: {
        from,
        to,
        at,
        speed,
        playing,
        loop,
        loading,
        error,
        bars,
        barMs,
        counted: { n: sum.rows + sum.noPlace, of: sum.attacks },
      },
    }
  }
  function tallyUpTo(until: number): Tally {
    const sum = emptyTally()
    const last = window.indexOf(until)
    for (let i = 0; i < last; i++) if (window.parts[i]) addTally(sum, (window.parts[i] as WindowPart).tally)
    const part = window.parts[last]
    if (!part) return sum
    if (until >= part.to) addTally(sum, part.tally)
    else {
      const before = sum.attacks - sum.rows
      for (const second of part.seconds) if (second[0] < until) addSecond(sum, second)
      for (const row of part.rows ?? []) if (secondOf(row.receivedAt) < until) addRow(sum, row)
      // Where every attack with a place came as a row, the others have none; else that is known at the end of the part.
      const { tally } = part
      if (tally.rows + tally.noPlace === tally.attacks) sum.noPlace += sum.attacks - sum.rows - before
    }
    return sum
  }
  function* secondsOf(start: number, end: number) {
    for (let i = window.indexOf(start); i <= window.indexOf(end); i++)
      for (const second of window.parts[i]?.seconds ?? []) if (second[0] >= start && second[0] < end) yield second
  }
  function secondsBefore(until: number): number[] {
    const newest = Math.ceil(until / 1000) * 1000
    const list = new Array<number>(WALL_SECONDS).fill(0)
    for (const second of secondsOf(newest - WALL_SECONDS * 1000, newest)) {
      const index = WALL_SECONDS - (newest - second[0]) / 1000
      list[index] = second[1] + second[2] + second[3] + second[4] + second[5]
    }
    return list
  }
  function barsOf(start: number, step: number, count: number): MinuteBar[] {
    const bars = Array.from({ length: count }, (_, i): MinuteBar => [start + i * step, 0, 0, 0, 0, 0])
    for (const second of secondsOf(start, start + step * count)) {
      const bar = bars[Math.floor((second[0] - start) / step)]
      if (bar) for (let level = 1; level < 6; level++) bar[level] = (bar[level] as number) + (second[level] as number)
    }
    return bars
  }

  /** Draws and lists what the playhead passed. */
  function pass(start: number, end: number): void {
    const rows: EventRow[] = []
    for (let i = window.indexOf(start); i <= window.indexOf(end); i++)
      for (const row of window.parts[i]?.rows ?? []) if (row.receivedAt >= start && row.receivedAt < end) rows.push(row)
    for (const row of rows) feed.push(row)
    const all = rows.flatMap(arcOf)
    const picked = all.length <= ARC_SAMPLE ? all : pick(all, ARC_SAMPLE, random)
    let of = 0
    for (const second of secondsOf(start, end)) of += second[1] + second[2] + second[3] + second[4] + second[5]
    for (const arc of all) sample.add(arc)
    for (const arc of picked) arcs.push(arc)
    if (of > 0 || picked.length) drawn.push({ at: end, n: picked.length, of: Math.max(of, picked.length) })
    drawn = drawn.filter((one) => one.at > end - 10_000 * speed)
    if (picked.length) for (const listener of arcListeners) listener(picked)
  }
  function tick(): void {
    const time = now()
    const step = (time - ticked) * speed
    ticked = time
    if (!playing || loading || closed) return
    if (!window.ready(at)) {
      load()
      return
    }
    const next = Math.min(at + step, to)
    pass(at, next)
    at = next
    if (at >= to) {
      if (loop) restart(from)
      else playing = false
    } else if (!window.ready(Math.min(to - 1, at + step))) load()
    publisher.touch()
  }
  function load(): void {
    loading = true
    window
      .need(Math.min(to - 1, at + TICK_MS * speed))
      .then(
        () => {
          error = null
          ticked = now()
        },
        (reason: unknown) => {
          error = { message: reason instanceof Error ? reason.message : String(reason) }
          if (!closed) retry = setTimeout(load, RETRY_MS)
          return RETRY_MS
        },
      )
      .then((waits) => {
        loading = waits !== undefined
        if (!closed) publisher.touch()
      })
    publisher.touch()
  }
  function restart(position: number): void {
    at = position
    feed = createRingBuffer(FEED_KEPT)
    arcs.clear()
    sample.clear()
    drawn = []
  }
  /** The lines and still arcs that stand before the playhead after a jump. */
  function refill(): void {
    const index = window.indexOf(at)
    for (const part of [window.parts[index - 1], window.parts[index]])
      for (const row of part?.rows ?? []) {
        if (row.receivedAt >= at) break
        feed.push(row)
        for (const arc of arcOf(row)) sample.add(arc)
      }
  }

  function open(): void {
    if (!closed) return
    closed = false
    ticked = now()
    timer = setInterval(tick, TICK_MS)
    load()
    // The bars of the whole window come in behind the playhead.
    window
      .countAll()
      .then(() => publisher.touch())
      .catch(() => {})
  }

  return {
    open,
    view: publisher.view,
    subscribe: publisher.subscribe,
    onArcs(listener) {
      arcListeners.add(listener)
      return () => arcListeners.delete(listener)
    },
    liveArcs: arcs.oldestFirst,
    hourArcs: () => sample.take(at).arcs,
    pause() {
      playing = false
      publisher.flush()
    },
    resume: play,
    play,
    seek(position) {
      restart(Math.min(to, Math.max(from, Math.round(position))))
      clearTimeout(retry)
      loading = true
      const wanted = at
      window
        .need(Math.min(to - 1, at))
        .then(() => {
          error = null
          if (at === wanted) refill()
        })
        .catch((reason: unknown) => {
          error = { message: reason instanceof Error ? reason.message : String(reason) }
        })
        .finally(() => {
          loading = false
          ticked = now()
          if (!closed) publisher.flush()
        })
      publisher.flush()
    },
    setSpeed(next) {
      speed = clampSpeed(next)
      publisher.flush()
    },
    setLoop(next) {
      loop = next
      publisher.flush()
    },
    close() {
      closed = true
      clearInterval(timer)
      clearTimeout(retry)
      publisher.close()
    },
  }

  function play(): void {
    if (at >= to) restart(from)
    playing = true
    ticked = now()
    publisher.flush()
  }
}

/** The arc of a stored row; none where it has no place. */
export function arcOf(row: EventRow): ArcTuple[] {
  if (row.lon === null || row.lat === null) return []
  const level = LEVELS[row.level as keyof typeof LEVELS]?.code ?? 0
  const risk = RISK_TYPES[row.risk as keyof typeof RISK_TYPES]?.code ?? 0
  return [[row.id, row.lon, row.lat, Number(row.site), level, risk, row.receivedAt, row.app, isBlocked(row) ? 1 : 0]]
}
function pick<T>(from: readonly T[], count: number, random: () => number): T[] {
  const left = [...from]
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0] as T)
}
function clampSpeed(speed: number): number {
  return Math.min(60, Math.max(1, speed))
}
function secondOf(at: number): number {
  return Math.floor(at / 1000) * 1000
}
function total(list: readonly { n: number; of: number }[], field: 'n' | 'of'): number {
  return list.reduce((sum, one) => sum + one[field], 0)
}
