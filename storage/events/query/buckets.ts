import { BUCKETS, type Bucket, type Span, startOfDay, zoneOffset } from '#domain/time-range.ts'
import type { Dialect } from './dialect.ts'

/** Time buckets of a span: an SQL expression that numbers them, and the start of each number. */
export type Bucketing = { sql(time: string): string; start(index: number): number; indexOf(time: number): number }

/** Days start at the zone's midnight across daylight saving changes; shorter buckets at whole multiples of the zone's clock. */
export function bucketing(bucket: Bucket, span: Span, zone: string, dialect: Dialect): Bucketing {
  const width = BUCKETS[bucket]
  if (bucket !== 'day') {
    const offset = zoneOffset(span.from, zone) % width
    return {
      sql: (time) => dialect.bucket(`${time} + ${offset}`, width),
      start: (index) => index * width - offset,
      indexOf: (time) => Math.floor((time + offset) / width),
    }
  }
  return {
    sql: (time) => dialect.bucket(localTimeSql(time, span, zone), width),
    // Noon is within the day under any offset near it.
    start: (index) => startOfDay(index * width + width / 2 - zoneOffset(index * width, zone), zone),
    indexOf: (time) => Math.floor((time + zoneOffset(time, zone)) / width),
  }
}

/** A time of the span as the zone's clocks show it, in milliseconds: right across changes of daylight saving. */
export function localTimeSql(time: string, span: Span, zone: string): string {
  const changes = offsetChanges(span, zone)
  const cases = changes.map(({ before, offset }) => `WHEN ${time} < ${before} THEN ${offset}`).join(' ')
  const shift = changes.length > 0 ? `CASE ${cases} ELSE ${zoneOffset(span.to, zone)} END` : zoneOffset(span.from, zone)
  return `${time} + ${shift}`
}

/** The moments within the span at which the zone's offset changes, with the offset that held before. */
function offsetChanges(span: Span, zone: string): { before: number; offset: number }[] {
  const changes: { before: number; offset: number }[] = []
  for (let from = span.from; from < span.to; from += BUCKETS.day) {
    const to = Math.min(from + BUCKETS.day, span.to)
    const offset = zoneOffset(from, zone)
    if (zoneOffset(to, zone) === offset) continue
    let [low, high] = [from, to]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (zoneOffset(middle, zone) === offset) low = middle
      else high = middle
    }
    changes.push({ before: high, offset })
  }
  return changes
}
