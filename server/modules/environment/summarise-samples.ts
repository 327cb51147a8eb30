import { METRIC_NAMES, type Metric, type Values } from '#domain/environment.ts'
import type { Stats } from '#storage/postgres/environment-tables.ts'

/** A span of `step` seconds that begins at `at`, epoch ms. */
export type Span = { step: number; at: number; stats: Stats }

/** Digits that are kept: a mean of percent or bytes needs no more. */
const DIGITS = 6

export function addValues(stats: Stats, values: Values): Stats {
  const next = { ...stats }
  for (const metric of METRIC_NAMES) {
    const value = values[metric]
    if (value === null || value === undefined || !Number.isFinite(value)) continue
    merge(next, metric, [1, value, value])
  }
  return next
}

/** Both together: of the same span, or of spans that lie side by side. */
export function addStats(one: Stats, other: Stats): Stats {
  const next = { ...one }
  for (const metric of METRIC_NAMES) {
    const stat = other[metric]
    if (stat) merge(next, metric, stat)
  }
  return next
}

function merge(stats: Stats, metric: Metric, [count, sum, highest]: [number, number, number]): void {
  const before = stats[metric]
  stats[metric] = before
    ? [before[0] + count, round(before[1] + sum), Math.max(before[2], round(highest))]
    : [count, round(sum), round(highest)]
}

function round(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))
}

export function meanOf(stat: Stats[Metric]): number | null {
  return stat ? round(stat[1] / stat[0]) : null
}

/** Adds samples up to spans of `step` seconds; answers a span once a sample of another one comes. */
export function createSpans(step: number): (at: number, values: Values) => Span | undefined {
  let current: Span | undefined
  return (at, values) => {
    const start = Math.floor(at / (step * 1000)) * step * 1000
    const ended = current && current.at !== start ? current : undefined
    if (!current || ended) current = { step, at: start, stats: {} }
    current.stats = addValues(current.stats, values)
    return ended
  }
}
