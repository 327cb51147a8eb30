import type { EnvironmentHistory } from '#contracts/http/environment.ts'
import { type EnvironmentRange, METRIC_NAMES, type Metric, RANGES } from '#domain/environment.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Stats } from '#storage/postgres/environment-tables.ts'
import { addStats, meanOf } from './summarise-samples.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The disk is said to fill up when the growth of this long, seen for at least so long, goes on for at most so long. */
const FORECAST = { over: 7 * DAY_MS, least: DAY_MS, most: 365 * DAY_MS }
/** A size of a day ago may be this much younger or older. */
const DAY_AGO_SLACK_MS = 1_800_000

export type StoredSpan = { at: number; stats: Stats }

/** Spans of the node in the order of time, from one before `from` on, so that a point that begins at `from` has all of its spans. */
export function readSpans({ db }: MetaStore, node: string, step: number, from: number): Promise<StoredSpan[]> {
  return db
    .selectFrom('environment_samples')
    .select(['at', 'stats'])
    .where('node', '=', node)
    .where('step', '=', step)
    .where('at', '>=', from)
    .orderBy('at')
    .execute()
}

/** Start of the first point and end of the last of a range that ends now: whole points, the running one included. */
export function rangeOf(range: EnvironmentRange, now: number): { from: number; to: number; stepMs: number } {
  const { ms, stepMs } = RANGES[range]
  const to = (Math.floor(now / stepMs) + 1) * stepMs
  return { from: to - ms, to, stepMs }
}

/** Spans laid out as points; null where no span knew the metric. Metrics that no span knew are left out. */
export function layOut(
  spans: readonly StoredSpan[],
  { from, to, stepMs }: ReturnType<typeof rangeOf>,
): EnvironmentHistory['series'] {
  const points: (Stats | undefined)[] = Array.from({ length: Math.round((to - from) / stepMs) })
  for (const { at, stats } of spans) {
    const index = Math.floor((at - from) / stepMs)
    if (index < 0 || index >= points.length) continue
    const before = points[index]
    points[index] = before ? addStats(before, stats) : stats
  }
  const series: EnvironmentHistory['series'] = {}
  for (const metric of METRIC_NAMES) {
    if (!points.some((stats) => stats?.[metric])) continue
    series[metric] = {
      mean: points.map((stats) => meanOf(stats?.[metric])),
      peak: points.map((stats) => stats?.[metric]?.[2] ?? null),
    }
  }
  return series
}

/** By how much the metric has changed in the last 24 hours; null while there is no value of about then. */
export function growthOf(
  spans: readonly StoredSpan[],
  metric: Metric,
  value: number | null,
  now: number,
): number | null {
  const then = now - DAY_MS
  let [best, distance]: [number | null, number] = [null, DAY_AGO_SLACK_MS]
  for (const { at, stats } of spans) {
    const mean = meanOf(stats[metric])
    if (mean === null || Math.abs(at - then) > distance) continue
    best = mean
    distance = Math.abs(at - then)
  }
  return best === null || value === null ? null : Math.round(value - best)
}

/**
 * When the metric reaches the limit if it goes on along the line of least squares through its last week, epoch ms. Null where it is there
 * already, does not grow, was seen for less than a day, or takes longer than a year.
 */
export function reachesAt(spans: readonly StoredSpan[], metric: Metric, limit: number, now: number): number | null {
  const points = spans.flatMap(({ at, stats }) => {
    const mean = meanOf(stats[metric])
    return mean === null || at < now - FORECAST.over || at > now ? [] : [{ x: (at - now) / HOUR_MS, y: mean }]
  })
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || (last.x - first.x) * HOUR_MS < FORECAST.least || last.y >= limit) return null
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const [x, y] = [mean(points.map((one) => one.x)), mean(points.map((one) => one.y))]
  const spread = points.reduce((sum, one) => sum + (one.x - x) ** 2, 0)
  const slope = points.reduce((sum, one) => sum + (one.x - x) * (one.y - y), 0) / spread
  if (!(slope > 0)) return null
  const at = now + ((limit - last.y) / slope) * HOUR_MS
  return at - now > FORECAST.most ? null : Math.round(at)
}
