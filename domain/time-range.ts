/**
 * Time ranges as text, so that a link stays relative and every card resolves it against one `now` (interaction-anchors D1).
 *
 * Grammar: `today` | `yesterday` | `-<n><unit>` (unit m, h, d: the last n) | `<from>~<to>` (epoch milliseconds).
 * Days begin at midnight of the platform's zone (setting, default Asia/Shanghai).
 */

export const DEFAULT_ZONE = 'Asia/Shanghai'
export const QUICK_RANGES = ['-5m', '-15m', '-1h', '-3h', 'today', '-24h', '-7d', '-30d', '-90d'] as const
/** The longest range that may be asked for: the retention floor of 184 days and one. */
export const MAX_RANGE_MS = 185 * 86_400_000
/** The relative range of that length: everything that is kept. */
export const ALL_TIME = '-185d'

const RELATIVE = /^-(\d{1,4})([mhd])$/
const ABSOLUTE = /^(\d{12,14})~(\d{12,14})$/
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Half-open: from <= t < to, epoch milliseconds. */
export type Span = { readonly from: number; readonly to: number }

export function isRangeText(text: string): boolean {
  if (text === 'today' || text === 'yesterday') return true
  const relative = RELATIVE.exec(text)
  if (relative) {
    const length = Number(relative[1]) * UNIT_MS[relative[2] as keyof typeof UNIT_MS]
    return length > 0 && length <= MAX_RANGE_MS
  }
  const absolute = ABSOLUTE.exec(text)
  if (!absolute) return false
  const [from, to] = [Number(absolute[1]), Number(absolute[2])]
  return from < to && to - from <= MAX_RANGE_MS
}

/** Resolves the text against `now`. Throws RangeError on a text that isRangeText refuses. */
export function resolveRange(text: string, now: number, zone: string = DEFAULT_ZONE): Span {
  if (!isRangeText(text)) throw new RangeError(`not a time range: ${text}`)
  if (text === 'today') return { from: startOfDay(now, zone), to: now }
  if (text === 'yesterday') {
    const today = startOfDay(now, zone)
    return { from: startOfDay(today - 1, zone), to: today }
  }
  const relative = RELATIVE.exec(text)
  if (relative) return { from: now - Number(relative[1]) * UNIT_MS[relative[2] as keyof typeof UNIT_MS], to: now }
  const [from, to] = text.split('~').map(Number) as [number, number]
  return { from, to }
}

/** A range that says these very times. */
export function absoluteRange(span: Span): string {
  return `${Math.round(span.from)}~${Math.round(span.to)}`
}

/** The span that `span` is compared with: the one just before it, or the same one a week earlier. */
export function comparedSpan(span: Span, compare: 'previous' | 'week', text = ''): Span {
  const shift = compare === 'week' ? 7 * UNIT_MS.d : text === 'today' ? UNIT_MS.d : span.to - span.from
  return { from: span.from - shift, to: span.to - shift }
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Offset of the zone from UTC at `at`, in milliseconds. */
export function zoneOffset(at: number, zone: string = DEFAULT_ZONE): number {
  let format = formatters.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(zone, format)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(at)) part[type] = Number(value)
  const wall = Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'] ?? 1,
    part['hour'] ?? 0,
    part['minute'] ?? 0,
    part['second'] ?? 0,
  )
  return wall - Math.floor(at / 1000) * 1000
}

/** Midnight, in the zone, of the day that holds `at`. */
export function startOfDay(at: number, zone: string = DEFAULT_ZONE): number {
  const offset = zoneOffset(at, zone)
  const wall = Math.floor((at + offset) / UNIT_MS.d) * UNIT_MS.d
  // The offset that held at midnight: a change of daylight saving since then moved the clock.
  return wall - zoneOffset(wall - offset, zone)
}

/** The midnight after this one, however long daylight saving makes the day. */
export function nextDay(midnight: number, zone: string = DEFAULT_ZONE): number {
  return startOfDay(midnight + 26 * UNIT_MS.h, zone)
}

/** Bucket widths that charts may use, in milliseconds. */
export const BUCKETS = { minute: 60_000, five_minutes: 300_000, hour: 3_600_000, day: 86_400_000 } as const
export type Bucket = keyof typeof BUCKETS

/** The finest bucket that gives at most 150 bars. */
export function autoBucket(span: Span): Bucket {
  const length = span.to - span.from
  for (const name of ['minute', 'five_minutes', 'hour', 'day'] as const) if (length / BUCKETS[name] <= 150) return name
  return 'day'
}

/** Whether this runtime knows days of the zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(zone)
  } catch {
    return false // a RangeError
  }
}
