import type { ArcTuple } from './messages.ts'

/** Still lines behind the live arcs (decision 23): this many of the last hour at most. */
export const HOUR_SAMPLE = 260
const HOUR = 3_600_000
const MINUTE = 60_000

/** A sample of the last hour's attacks with a place, kept alike by relay and browser. */
export type HourSample = {
  add(arc: ArcTuple): void
  /** Arcs that were counted elsewhere and are not in the sample, by arrival time. */
  addUnseen(at: number, count: number): void
  /** The sample in order of arrival, and of how many of the hour it was drawn. */
  take(now: number): { arcs: ArcTuple[]; of: number }
  clear(): void
}

/** `random` answers numbers in [0, 1). */
export function createHourSample(random: () => number): HourSample {
  let arcs: ArcTuple[] = []
  const seen = new Map<number, number>()
  let total = 0

  function count(at: number, by: number): void {
    const minute = Math.floor(at / MINUTE)
    const before = seen.get(minute)
    seen.set(minute, (before ?? 0) + by)
    total += by
    if (before === undefined) forget(at)
  }
  function forget(now: number): void {
    for (const [minute, count] of seen)
      if ((minute + 1) * MINUTE <= now - HOUR) {
        seen.delete(minute)
        total -= count
      }
    arcs = arcs.filter((arc) => arc[6] > now - HOUR)
  }

  return {
    add(arc) {
      count(arc[6], 1)
      if (arcs.length < HOUR_SAMPLE) arcs.push(arc)
      else if (random() < HOUR_SAMPLE / total) arcs[Math.floor(random() * HOUR_SAMPLE)] = arc
    },
    addUnseen: count,
    take(now) {
      forget(now)
      return { arcs: arcs.toSorted((x, y) => x[6] - y[6]), of: total }
    },
    clear() {
      arcs = []
      seen.clear()
      total = 0
    },
  }
}
