import type { TopAnswer } from '#domain/query.ts'
import { BUCKETS, type Span, startOfDay } from '#domain/time-range.ts'

export type Release = { version: string; firstAt: number; events: number }

const DAY = BUCKETS.day
/** Before and after are at most this long. */
const WINDOW = 7 * DAY
/** A version with fewer of the events is somebody's test, not a release; it can still be chosen by name. */
const LEAST_SHARE = 0.005

/**
 * Versions that came within the looked-at time, newest first. One whose first event is on the first stored day was
 * there before: its release date is unknown.
 */
export function releasesOf({ groups, others }: TopAnswer, zone: string): Release[] {
  const seen = groups.flatMap(({ key, row, firstAt }) =>
    firstAt === undefined ? [] : [{ version: key, firstAt, events: row.events ?? 0 }],
  )
  const all = seen.reduce((sum, { events }) => sum + events, others.events ?? 0)
  const oldest = Math.min(...seen.map(({ firstAt }) => firstAt))
  const firstDay = startOfDay(oldest, zone)
  return seen
    .filter(
      ({ version, firstAt, events }) =>
        version !== '' && startOfDay(firstAt, zone) > firstDay && events >= all * LEAST_SHARE,
    )
    .sort((a, b) => b.firstAt - a.firstAt)
}

/** The time after the release up to now, 7 days at most; the time before is as long (compare: previous). */
export function releaseSpan({ firstAt }: Release, now: number, zone: string): Span {
  const from = startOfDay(firstAt, zone)
  return { from, to: Math.max(from + 1, Math.min(now, from + WINDOW)) }
}

/** Where a chart has marks for both of them: their labels would lie over each other. */
const NEAR_SHARE = 1 / 8

/** The newest `most` releases within the span as marks, oldest first; those too close to each other share one, at the first of them. */
export function releaseMarks(
  releases: readonly Release[],
  span: Span,
  most: number,
): { versions: string[]; at: number }[] {
  const inside = releases.filter(({ firstAt }) => firstAt >= span.from && firstAt < span.to).slice(0, most)
  const marks: { versions: string[]; at: number }[] = []
  for (const { version, firstAt } of inside.toReversed()) {
    const last = marks.at(-1)
    if (last && firstAt - last.at < (span.to - span.from) * NEAR_SHARE) last.versions.push(version)
    else marks.push({ versions: [version], at: firstAt })
  }
  return marks
}
