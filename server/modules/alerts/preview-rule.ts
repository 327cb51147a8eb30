import { COUNT_MEASURES } from '#domain/query.ts'
import { BUCKETS, type Bucket, type Span } from '#domain/time-range.ts'
import type { EventStore } from '#storage/events/port.ts'
import { alertQuery } from './count-window.ts'
import { breaches, expectedOf, USUAL_DAYS, usualLevel } from './judge.ts'
import { type CountedRule, windowOf } from './rule-row.ts'
import { continues, endAtOrBefore } from './windows.ts'

const DAY_MS = BUCKETS.day
const PREVIEW_DAYS = 7
export const PREVIEW_MS = PREVIEW_DAYS * DAY_MS
/** Values of a split that are followed, and buckets asked for at once. */
const MOST_KEYS = 200
const CHUNK_MS = 4 * BUCKETS.hour
export const NEWEST = 20

export type Preview = {
  method: 'every' | 'side_by_side' | 'none'
  from: number
  to: number
  /** Alerts that would have been raised, windows that breached, windows judged. */
  alerts: number
  windows: number
  judged: number
  newest: { end: number; key: string; value: number; expected: number }[]
}

/** Distinct counts cannot be added up: their windows are looked at side by side, where a bucket is as long as the window. */
const BUCKET_OF: Partial<Record<CountedRule['time_window'], Bucket>> = {
  '1m': 'minute',
  '5m': 'five_minutes',
  '1h': 'hour',
}

/**
 * What the rule would have found in the last 7 days, from the rows that are stored now: the same windows, judged by the same rule.
 * Imported history counts, as if it had arrived when it says so; the usual level needs 7 days more.
 */
export async function previewRule(
  store: Pick<EventStore, 'answer'>,
  rule: CountedRule & { cooldown_minutes: number },
  now: number,
  zone: string,
): Promise<Preview> {
  const { ms, step } = windowOf(rule)
  const additive = (COUNT_MEASURES as readonly string[]).includes(rule.measure)
  const bucket: Bucket | undefined = additive
    ? step >= BUCKETS.five_minutes
      ? 'five_minutes'
      : 'minute'
    : BUCKET_OF[rule.time_window]
  const stride = additive ? step : ms
  const to = Math.floor(endAtOrBefore(now, rule.time_window) / stride) * stride
  const from = to - PREVIEW_MS
  const nothing = { from, to, alerts: 0, windows: 0, judged: 0, newest: [] }
  if (!bucket) return { method: 'none', ...nothing }

  const past = rule.condition.kind === 'change' ? USUAL_DAYS * DAY_MS : 0
  const counts = await readBuckets(store, rule, { from: from - past - ms, to }, bucket, zone)
  const found: Preview['newest'] = []
  let judged = 0
  let alerts = 0
  for (const [key, inWindow] of windowCounts(counts, { from: from - past, to }, ms)) {
    let open: { first_end: number; last_end: number } | undefined
    for (let end = from + stride; end <= to; end += stride) {
      judged++
      const usual = past ? usualLevel(pastDays(inWindow, counts, end, ms)) : undefined
      const expected = expectedOf(rule.condition, usual)
      const value = inWindow(end)
      if (expected === undefined || !breaches(rule.condition, value, expected)) continue
      found.push({ end, key, value, expected })
      if (!open || !continues(open, end, stride, rule.cooldown_minutes * 60_000)) {
        alerts++
        open = { first_end: end, last_end: end }
      }
      open.last_end = end
    }
  }
  const newest = [...found].sort((a, b) => b.end - a.end).slice(0, NEWEST)
  return { method: additive ? 'every' : 'side_by_side', from, to, alerts, windows: found.length, judged, newest }
}

type Buckets = {
  width: number
  start: number
  size: number
  /** Sums from the beginning up to each bucket, by value of the split; `events` of all types of the rule's applications. */
  sums: Map<string, Float64Array>
  events: Float64Array
}

async function readBuckets(
  store: Pick<EventStore, 'answer'>,
  rule: CountedRule,
  span: Span,
  bucket: Bucket,
  zone: string,
): Promise<Buckets> {
  const width = BUCKETS[bucket]
  const size = Math.ceil((span.to - span.from) / width)
  const rows = new Map<string, Float64Array>()
  const events = new Float64Array(size + 1)
  const apps = rule.filters.filter(({ field }) => field === 'app')
  const wantsEvents = rule.condition.kind === 'change'
  for (let from = span.from; from < span.to; from += rule.by_field ? CHUNK_MS : DAY_MS) {
    const to = Math.min(span.to, from + (rule.by_field ? CHUNK_MS : DAY_MS))
    const at = (start: number) => Math.floor((start - span.from) / width) + 1
    const answer = await store.answer(alertQuery(rule, rule.filters, { from, to }, zone), {
      kind: 'series',
      measures: [rule.measure],
      bucket,
      ...(rule.by_field && { by: rule.by_field }),
      and: [],
    })
    if (answer.kind === 'series')
      for (const { start, key = '', row } of answer.points) {
        const one = rows.get(key) ?? new Float64Array(size + 1)
        rows.set(key, one)
        one[at(start)] = (one[at(start)] ?? 0) + (row[rule.measure] ?? 0)
      }
    if (!wantsEvents) continue
    const all = await store.answer(alertQuery(rule, apps, { from, to }, zone), {
      kind: 'series',
      measures: ['events'],
      bucket,
      and: [],
    })
    if (all.kind === 'series') for (const { start, row } of all.points) events[at(start)] = row.events ?? 0
  }
  if (!rule.by_field && !rows.has('')) rows.set('', new Float64Array(size + 1))
  const total = (one: Float64Array) => one.reduce((sum, count) => sum + count, 0)
  const kept = [...rows].sort(([, a], [, b]) => total(b) - total(a)).slice(0, MOST_KEYS)
  for (const one of [...kept.map(([, counts]) => counts), events])
    for (let index = 1; index <= size; index++) one[index] = (one[index] as number) + (one[index - 1] as number)
  return { width, start: span.from, size, sums: new Map(kept), events }
}

/** For each value of the split, what a window that ends at `end` counted. */
function* windowCounts(
  { width, start, size, sums }: Buckets,
  _span: Span,
  ms: number,
): Generator<[key: string, inWindow: (end: number) => number]> {
  const index = (at: number) => Math.max(0, Math.min(size, Math.round((at - start) / width)))
  for (const [key, sum] of sums) yield [key, (end) => (sum[index(end)] as number) - (sum[index(end - ms)] as number)]
}

function pastDays(inWindow: (end: number) => number, counts: Buckets, end: number, ms: number): (number | null)[] {
  const index = (at: number) => Math.max(0, Math.min(counts.size, Math.round((at - counts.start) / counts.width)))
  return Array.from({ length: USUAL_DAYS }, (_, day) => {
    const then = end - (day + 1) * DAY_MS
    const reported = (counts.events[index(then)] as number) > (counts.events[index(then - ms)] as number)
    return reported ? inWindow(then) : null
  })
}
