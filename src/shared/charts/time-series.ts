import type { Measure, SeriesAnswer } from '#domain/query.ts'
import { BUCKETS, type Bucket, type Span, startOfDay, zoneOffset } from '#domain/time-range.ts'

/** A series answer laid out for drawing: one slot a bucket of the whole span, empty ones included. */
export type TimeSeries = {
  bucket: Bucket
  /** Length of a slot in ms, where it is not that of the bucket. */
  width?: number
  span: Span
  /** Start of each slot, epoch ms. */
  starts: number[]
  /** Values by key of the split ('' without one), each as long as `starts`. */
  stacks: Map<string, number[]>
  totals: number[]
  /** The earlier span's totals, slot by slot; null where nothing is compared. */
  previous: number[] | null
}

/** Length of a slot in ms. */
export function slotWidth({ bucket, width }: Pick<TimeSeries, 'bucket' | 'width'>): number {
  return width ?? BUCKETS[bucket]
}

/** Starts of the buckets that touch the span. Days begin at midnight of the zone, hours at its full hours. */
export function bucketStarts(span: Span, bucket: Bucket, zone: string): number[] {
  const starts: number[] = []
  if (bucket === 'day') {
    for (let at = startOfDay(span.from, zone); at < span.to; at = startOfDay(at + 36 * BUCKETS.hour, zone))
      starts.push(at)
    return starts
  }
  const width = BUCKETS[bucket]
  const offset = zoneOffset(span.from, zone)
  for (let at = Math.floor((span.from + offset) / width) * width - offset; at < span.to; at += width) starts.push(at)
  return starts
}

export function layOut(
  answer: SeriesAnswer,
  measure: Measure,
  span: Span,
  previousSpan: Span | null,
  zone: string,
): TimeSeries {
  const starts = bucketStarts(span, answer.bucket, zone)
  const stacks = new Map<string, number[]>()
  const totals = starts.map(() => 0)
  for (const { start, key = '', row } of answer.points) {
    const slot = slotOf(starts, start)
    const values = stacks.get(key) ?? starts.map(() => 0)
    values[slot] = (values[slot] ?? 0) + (row[measure] ?? 0)
    totals[slot] = (totals[slot] ?? 0) + (row[measure] ?? 0)
    stacks.set(key, values)
  }
  let previous: number[] | null = null
  if (answer.previous && previousSpan) {
    // The earlier span moves as a whole; a bucket of it falls into the slot that holds its middle.
    const shift = span.from - previousSpan.from
    const half = BUCKETS[answer.bucket] / 2
    previous = starts.map(() => 0)
    for (const { start, row } of answer.previous) {
      const slot = slotOf(starts, start + shift + half)
      previous[slot] = (previous[slot] ?? 0) + (row[measure] ?? 0)
    }
  }
  return { bucket: answer.bucket, span, starts, stacks, totals, previous }
}

/** Key of the layer that holds every value without a layer of its own. */
export const REMAINDER_KEY = '\0rest'

/** The series with the values that have no layer added up in the one of REST. */
export function foldLayers(series: TimeSeries, layers: readonly string[]): TimeSeries {
  const stacks = new Map<string, number[]>()
  for (const [key, values] of series.stacks) {
    const layer = layers.includes(key) ? key : REMAINDER_KEY
    const sum = stacks.get(layer)
    stacks.set(layer, sum ? sum.map((one, slot) => one + (values[slot] ?? 0)) : values)
  }
  return { ...series, stacks }
}

/** Index of the slot that holds a time; times outside go to the nearest end. */
function slotOf(starts: readonly number[], at: number): number {
  let low = 0
  for (let high = starts.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] as number) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Position of a time among the slots: 2.5 is the middle of the third one. */
export function slotPosition(series: TimeSeries, at: number): number {
  const { starts } = series
  const slot = slotOf(starts, at)
  const start = starts[slot] as number
  return slot + Math.min(1, Math.max(0, (at - start) / ((starts[slot + 1] ?? start + slotWidth(series)) - start)))
}

/** The part of the span that slots `first` to `last` cover. */
export function spanOfSlots(series: TimeSeries, first: number, last: number): Span {
  const { starts, span } = series
  const [a, b] = first <= last ? [first, last] : [last, first]
  const end = starts[b + 1] ?? (starts[b] ?? span.to) + slotWidth(series)
  return { from: Math.max(starts[a] ?? span.from, span.from), to: Math.min(end, span.to) }
}

/** Whether the span covers only a part of the slot: its bar is drawn faint. */
export function isPartial(series: TimeSeries, slot: number): boolean {
  const { starts, span } = series
  const start = starts[slot] as number
  return start < span.from || (starts[slot + 1] ?? start + slotWidth(series)) > span.to
}

/** Slot with the highest total, or -1 where all are 0. */
export function peakSlot(series: TimeSeries): number {
  const top = Math.max(...series.totals)
  return top > 0 ? series.totals.indexOf(top) : -1
}
