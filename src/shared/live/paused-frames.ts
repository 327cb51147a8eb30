import type { LevelCounts, WallCounters, WallFrame, WallSnapshot } from '#contracts/live/messages.ts'
import { NO_LEVELS, type PausedView } from './wall-view.ts'

/** Frames kept behind a pause: at least four minutes. */
const KEPT = 1200

/** Frames that arrive while a wall is paused. */
export type PausedFrames = {
  readonly view: PausedView
  keep(message: WallFrame | WallSnapshot): void
  /** Takes the oldest frame out; undefined when it is level with now. */
  next(): WallFrame | WallSnapshot | undefined
  /** The newest state and everything before it that may be skipped. */
  all(): (WallFrame | WallSnapshot)[]
}

/** `shown`: the counters at the moment of the pause, `at` its server time, `since` the caller's clock. */
export function createPausedFrames(shown: WallCounters, at: number, since: number): PausedFrames {
  const kept: (WallFrame | WallSnapshot)[] = []
  const counts: LevelCounts = { ...NO_LEVELS }
  let before = shown
  let attacks = 0
  let overflow = false
  return {
    get view() {
      return { at, since, counts: { ...counts }, attacks, overflow }
    },
    keep(message) {
      const { counters } = message
      for (const level of Object.keys(counts) as (keyof LevelCounts)[])
        counts[level] += growth(before.levels[level], counters.levels[level])
      attacks += growth(before.attacksToday, counters.attacksToday)
      before = counters
      kept.push(message)
      if (kept.length > KEPT) {
        kept.splice(0, kept.length - KEPT)
        overflow = true
      }
    },
    next: () => kept.shift(),
    all: () => kept.splice(0),
  }
}

/** Counters only grow, except at midnight, when they restart. */
function growth(before: number, after: number): number {
  return after >= before ? after - before : after
}
