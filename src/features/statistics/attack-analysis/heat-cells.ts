import type { CountMeasure, HeatAnswer } from '#domain/query.ts'
import { nextDay, type Span, startOfDay, zoneOffset } from '#domain/time-range.ts'

export const HOURS = 24
const DAYS = 7

/** A heat answer laid out: rows from Sunday to Saturday, cells from midnight on; what had no rows is 0. */
export type HeatCells = {
  counts: readonly (readonly number[])[]
  byDay: readonly number[]
  total: number
  peak: { weekday: number; hour: number; count: number } | null
  /** Lower bounds of classes 2 to 5. */
  breaks: readonly number[]
}

export function layOutHeat(answer: HeatAnswer, measure: CountMeasure): HeatCells {
  const counts = Array.from({ length: DAYS }, () => new Array<number>(HOURS).fill(0))
  let peak: HeatCells['peak'] = null
  for (const { weekday, hour, row } of answer.cells) {
    const count = row[measure] ?? 0
    const day = counts[weekday]
    if (!day || hour >= HOURS) continue
    day[hour] = count
    if (count > (peak?.count ?? 0)) peak = { weekday, hour, count }
  }
  const byDay = counts.map((day) => day.reduce((a, b) => a + b, 0))
  return { counts, byDay, total: byDay.reduce((a, b) => a + b, 0), peak, breaks: heatBreaks(counts.flat()) }
}

/** Lower bounds of classes 2 to 5, evenly between 0 and the peak, rounded: a heat map compares its own cells. */
function heatBreaks(counts: readonly number[]): number[] {
  const top = Math.max(0, ...counts)
  const breaks: number[] = []
  for (const share of [0.2, 0.4, 0.6, 0.8]) breaks.push(Math.max(rounded(top * share), (breaks.at(-1) ?? 0) + 1))
  return breaks
}

function rounded(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.round(value / unit) * unit
}

/** Weekdays that the span holds more often than others: their cells join several days. */
export function joinedDays(span: Span, zone: string): number[] {
  const times = new Array<number>(DAYS).fill(0)
  for (let at = startOfDay(span.from, zone); at < span.to; at = nextDay(at, zone)) {
    const weekday = new Date(at + zoneOffset(at, zone)).getUTCDay()
    times[weekday] = (times[weekday] as number) + 1
  }
  const most = Math.max(...times)
  if (most < 2 || times.every((count) => count === most)) return []
  return times.flatMap((count, weekday) => (count === most ? [weekday] : []))
}
