import type { MinuteBar } from '#contracts/live/messages.ts'
import { totalOf } from './time-axis.ts'

/** Fewer bars with attacks than this say nothing about what is usual. */
const LEAST_BARS = 12
/** A peak below this is no peak, however quiet the rest is. */
const LEAST_LIMIT = 10
/** Widths in layout units (wall-over.css, .wall-peak): a character, the shape of an alert with its gap, the padding. */
const [CHARACTER, SHAPE, PADDING] = [10, 19, 6]
/** Right of this share of the time line a number ends at its bar (so much right of its middle) instead of being centred over it. */
export const END_SHARE = 0.9
export const END_SHIFT = 0.006
/** Before this share of a bar has passed its projection would jump about. */
const PROJECTED_FROM = 0.2

/**
 * The upper end of what is usual among the bars that are over: their median and three robust standard deviations (1.4826 times the
 * median deviation), at least half as much again as the median. Null where too few bars hold attacks.
 */
export function usualLimit(bars: readonly MinuteBar[]): number | null {
  const totals = bars.map(totalOf).filter((one) => one > 0)
  if (totals.length < LEAST_BARS) return null
  const middle = median(totals)
  const spread = median(totals.map((one) => Math.abs(one - middle))) * 1.4826
  return Math.ceil(Math.max(middle + 3 * spread, middle * 1.5, LEAST_LIMIT))
}

/** The highest bar of each run above the limit. */
export function peaksOf(bars: readonly MinuteBar[], limit: number | null): { index: number; total: number }[] {
  if (limit === null) return []
  const peaks: { index: number; total: number }[] = []
  let run: { index: number; total: number } | null = null
  for (const [index, bar] of bars.entries()) {
    const total = totalOf(bar)
    if (total > limit) {
      if (!run || total > run.total) run = { index, total }
    } else {
      if (run) peaks.push(run)
      run = null
    }
  }
  if (run) peaks.push(run)
  return peaks
}

/** A number over a bar, with the shape of an alert's level where one counts the bar. */
export type PeakLabel = { index: number; text: string; hasShape: boolean }

/** The labels, most important first, without those that would overlap one before them. `width`: of all `slots`, in layout units. */
export function labelsThatFit<T extends PeakLabel>(labels: readonly T[], slots: number, width: number): T[] {
  const taken: (readonly [left: number, right: number])[] = []
  return labels.filter((label) => {
    const [left, right] = labelEdges(label, slots, width)
    if (taken.some((one) => one[0] < right && left < one[1])) return false
    taken.push([left, right])
    return true
  })
}

/** Where a label begins and ends, in layout units from the left end of the time line. */
export function labelEdges({ index, text, hasShape }: PeakLabel, slots: number, width: number): [number, number] {
  const share = (index + 0.5) / slots
  const length = text.length * CHARACTER + (hasShape ? SHAPE : 0) + PADDING
  const right = share > END_SHARE ? (share + END_SHIFT) * width : share * width + length / 2
  return [right - length, right]
}

/** What the running bar comes to if it goes on as it began; null while that says nothing, or when it is over. */
export function projectionOf(bar: MinuteBar, barMs: number, at: number): number | null {
  const share = (at - bar[0]) / barMs
  return share >= PROJECTED_FROM && share < 1 ? Math.round(totalOf(bar) / share) : null
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}
