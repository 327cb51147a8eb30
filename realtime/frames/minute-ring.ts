import type { MinuteBar } from '#contracts/live/messages.ts'

const MINUTE = 60_000
const DAY_MINUTES = 1440
/** Clocks of several ingest nodes may run ahead of ours by this much. */
const AHEAD_MINUTES = 6
const SIZE = DAY_MINUTES + AHEAD_MINUTES + 2
/** Maximum bars per frame: an import of history may change a whole day at once. */
const BARS_PER_FRAME = 120

/** Attacks by minute and level (code 1 to 5; 0 and unknown are not levels) for the last 24 hours. */
export type MinuteRing = {
  /** Minutes since the epoch; false when the minute is outside the window. */
  add(minute: number, level: number, by: number): boolean
  /** Moves the window to end with `minute`; minutes that fall out are handed to `expired` with their sum. */
  advance(minute: number, expired: (minute: number, attacks: number) => void): void
  /** Bars that changed since the last call, newest first in urgency, in order of time. */
  takeChanged(): MinuteBar[]
  /** Bars from `from` (minute) on, `step` minutes a bar, those without attacks left out. */
  bars(from: number, step: number): MinuteBar[]
}

export function createMinuteRing(nowMinute: number): MinuteRing {
  const counts = new Uint32Array(SIZE * 6)
  let current = nowMinute
  const changed = new Set<number>()
  const oldest = () => current - DAY_MINUTES
  const at = (minute: number) => (minute % SIZE) * 6

  function bar(from: number, step: number): MinuteBar {
    const sums = [0, 0, 0, 0, 0, 0]
    for (let minute = from; minute < from + step; minute++) {
      if (minute < oldest() || minute > current + AHEAD_MINUTES) continue
      for (let level = 0; level < 6; level++)
        sums[level] = (sums[level] as number) + (counts[at(minute) + level] as number)
    }
    const [, info, low, medium, high, critical] = sums as [number, number, number, number, number, number]
    return [from * MINUTE, critical, high, medium, low, info]
  }

  return {
    add(minute, level, by) {
      if (minute < oldest() || minute > current + AHEAD_MINUTES) return false
      const slot = at(minute) + (level >= 1 && level <= 5 ? level : 0)
      counts[slot] = (counts[slot] as number) + by
      changed.add(minute)
      return true
    },
    advance(minute, expired) {
      if (minute - current > SIZE) {
        for (let old = oldest(); old <= current + AHEAD_MINUTES; old++) expired(old, total(old))
        counts.fill(0)
        changed.clear()
        current = minute
        return
      }
      while (current < minute) {
        const old = oldest()
        expired(old, total(old))
        counts.fill(0, at(old), at(old) + 6)
        changed.delete(old)
        current++
      }
    },
    takeChanged() {
      const minutes = [...changed].sort((x, y) => y - x).slice(0, BARS_PER_FRAME)
      for (const minute of minutes) changed.delete(minute)
      return minutes.reverse().map((minute) => bar(minute, 1))
    },
    bars(from, step) {
      const list: MinuteBar[] = []
      for (let minute = from; minute <= current + AHEAD_MINUTES; minute += step) {
        const one = bar(minute, step)
        if (one.some((count, index) => index > 0 && count > 0)) list.push(one)
      }
      return list
    },
  }

  function total(minute: number): number {
    let sum = 0
    for (let level = 0; level < 6; level++) sum += counts[at(minute) + level] as number
    return sum
  }
}
