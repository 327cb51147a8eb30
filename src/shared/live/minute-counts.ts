import type { MinuteBar } from '#contracts/live/messages.ts'

const MINUTE = 60_000
const TEN = 10 * MINUTE
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time line of a wall: the last hour by minute and the last day by ten minutes, from a snapshot and the bars that change. */
export type MinuteCounts = {
  restart(hour: readonly MinuteBar[], day: readonly MinuteBar[]): void
  /** Returns false when a ten-minute bar cannot be derived from the known minutes: a snapshot is needed. */
  change(minutes: readonly MinuteBar[]): boolean
  /** Whole, oldest first, empty bars included. */
  hour(now: number): MinuteBar[]
  day(now: number): MinuteBar[]
}

export function createMinuteCounts(): MinuteCounts {
  const minutes = new Map<number, MinuteBar>()
  const tens = new Map<number, MinuteBar>()
  /** From here on every minute is known, those without attacks too. */
  let knownFrom = Number.POSITIVE_INFINITY

  function forget(now: number): void {
    for (const start of minutes.keys()) if (start < now - DAY - TEN) minutes.delete(start)
    for (const start of tens.keys()) if (start < now - DAY - TEN) tens.delete(start)
  }
  return {
    restart(hour, day) {
      minutes.clear()
      tens.clear()
      for (const bar of hour) minutes.set(bar[0], bar)
      for (const bar of day) tens.set(bar[0], bar)
      const newest = Math.max(hour.at(-1)?.[0] ?? 0, day.at(-1)?.[0] ?? 0)
      knownFrom = newest === 0 ? Number.NEGATIVE_INFINITY : (hour[0]?.[0] ?? newest)
    },
    change(changed) {
      let complete = true
      for (const bar of changed) {
        const [start] = bar
        const before = minutes.get(start)
        minutes.set(start, bar)
        if (!before && start < knownFrom) {
          complete = false
          continue
        }
        const ten = Math.floor(start / TEN) * TEN
        const sum = [...(tens.get(ten) ?? [ten, 0, 0, 0, 0, 0])] as MinuteBar
        for (let i = 1; i < 6; i++) sum[i] = (sum[i] as number) + (bar[i] as number) - (before?.[i] ?? 0)
        tens.set(ten, sum)
      }
      const newest = changed.at(-1)
      if (newest) forget(newest[0])
      return complete
    },
    hour: (now) => span(minutes, Math.floor(now / MINUTE) * MINUTE - HOUR + MINUTE, MINUTE, 60),
    day: (now) => span(tens, Math.floor(now / TEN) * TEN - DAY + TEN, TEN, 144),
  }
}

function span(bars: ReadonlyMap<number, MinuteBar>, from: number, step: number, count: number): MinuteBar[] {
  return Array.from({ length: count }, (_, i) => bars.get(from + i * step) ?? [from + i * step, 0, 0, 0, 0, 0])
}
