import type { Measures, SeriesAnswer, TopAnswer } from '#domain/query.ts'
import { BUCKETS, type Span } from '#domain/time-range.ts'

/** One line of a grouped list. */
export type GroupRow = {
  key: string
  row: Measures
  previous?: Measures | undefined
  firstAt?: number | undefined
  lastAt?: number | undefined
  /** For the row of a day: the part of that day within the span. */
  slot?: Span
}

export function groupRows(answer: TopAnswer | SeriesAnswer, span: Span): GroupRow[] {
  if (answer.kind === 'top') return answer.groups
  const { points } = answer
  return points
    .map(({ start, row }, index): GroupRow => {
      const end = points[index + 1]?.start ?? start + BUCKETS.day
      return { key: String(start), row, slot: { from: Math.max(start, span.from), to: Math.min(end, span.to) } }
    })
    .reverse()
}
