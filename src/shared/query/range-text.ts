import {
  absoluteRange,
  DEFAULT_ZONE,
  isRangeText,
  MAX_RANGE_MS,
  resolveRange,
  type Span,
  startOfDay,
  zoneOffset,
} from '#domain/time-range.ts'
import { formatDateTime } from '../format/time.ts'

/** What people type and read as a time range; the range text itself is domain/time-range.ts. */

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

const UNITS: readonly [RegExp, 'm' | 'h' | 'd', number][] = [
  [/^(m|min|mins|minutes?|分|分钟)$/, 'm', 1],
  [/^(h|hr|hrs|hours?|时|小时|个小时)$/, 'h', 1],
  [/^(d|days?|天|日)$/, 'd', 1],
  [/^(w|weeks?|周|星期|个星期)$/, 'd', 7],
  [/^(months?|个月|月)$/, 'd', 30],
]
const DIGITS = '零一二三四五六七八九'

/** Epoch milliseconds of a wall-clock time in a zone. */
export function wallTime(parts: readonly [number, number, number, number?, number?, number?], zone: string): number {
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const guess = wall - zoneOffset(wall, zone)
  return wall - zoneOffset(guess, zone)
}

/** Midnight, in the zone, of a date field (YYYY-MM-DD); null for an empty one. */
export function startOfDate(date: string, zone: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)
  if (!match) return null
  const at = wallTime([Number(match[1]), Number(match[2]), Number(match[3])], zone)
  return at > 0 ? at : null
}

/**
 * Reads a range as typed: `-3h`, `3h`, `过去 3 小时`, `last 2 days`, `today`, `昨天`, `11-20 14:00 ~ 11-21 02:30`, `2026-11-20`.
 * Returns the range text, or null where nothing sensible can be read.
 */
export function parseRangeText(typed: string, now: number, zone: string = DEFAULT_ZONE): string | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  if (isRangeText(text)) return text
  if (/^(今天|今日)$/.test(text)) return 'today'
  if (/^(昨天|昨日)$/.test(text)) return 'yesterday'
  return relativeText(text) ?? absoluteText(text, now, zone)
}

function relativeText(text: string): string | null {
  const match = /^-?(?:过去|最近|近|last|past)? ?(\d{1,4}|半|[一二两三四五六七八九十]{1,3})? ?([a-z]+|[一-鿿]+)$/.exec(
    text,
  )
  if (!match) return null
  const unit = UNITS.find(([pattern]) => pattern.test(match[2] as string))
  if (!unit) return null
  const half = match[1] === '半'
  const count = match[1] === undefined || half ? 1 : numeral(match[1])
  if (half) return unit[1] === 'h' ? '-30m' : unit[1] === 'd' && unit[2] === 1 ? '-12h' : null
  const range = `-${count * unit[2]}${unit[1]}`
  return isRangeText(range) ? range : null
}

function numeral(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const [tens, ones] = text.replace('两', '二').split('十') as [string, string | undefined]
  if (ones === undefined) return tens.length === 1 ? DIGITS.indexOf(tens) : 0
  return (tens ? DIGITS.indexOf(tens) : 1) * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}

const MOMENT = /^(?:(?:(\d{4})[-/年])?(\d{1,2})[-/月](\d{1,2})日?)?(?: ?t?(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

function absoluteText(text: string, now: number, zone: string): string | null {
  const sides = text.split(/ ?(?:~|至|到|—|–| to | - ) ?/)
  const from = moment(sides[0] as string, now, zone)
  if (sides.length > 2 || !from) return null
  const to = sides.length === 2 ? moment(sides[1] as string, now, zone, from.at) : { at: from.end, end: from.end }
  if (!to) return null
  const span = { from: from.at, to: sides.length === 2 && to.wholeDay ? to.end : to.at }
  const range = absoluteRange(span)
  return isRangeText(range) ? range : null
}

/** One side of an absolute range; a side without a date takes the day of `dayOf`, one without a year this year (or the last). */
function moment(
  text: string,
  now: number,
  zone: string,
  dayOf = now,
): { at: number; end: number; wholeDay?: boolean } | null {
  const match = MOMENT.exec(text.trim())
  if (!match?.[0]) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map((one) => (one === undefined ? null : Number(one)))
  if ((hour ?? 0) > 24 || (minute ?? 0) > 59 || (second ?? 0) > 59) return null
  let start: number
  if (month == null || day == null) start = startOfDay(dayOf, zone)
  else {
    if (month < 1 || month > 12 || day < 1 || day > 31) return null
    const here = new Date(now + zoneOffset(now, zone)).getUTCFullYear()
    const sameYear = wallTime([year ?? here, month, day], zone)
    start = year === null && sameYear > now ? wallTime([here - 1, month, day], zone) : sameYear
  }
  if (hour == null) return { at: start, end: start + DAY, wholeDay: true }
  return {
    at: start + hour * HOUR + (minute ?? 0) * MINUTE + (second ?? 0) * 1000,
    end: start + hour * HOUR + HOUR,
  }
}

const WORDS = {
  zh: {
    m: '分钟',
    h: '小时',
    d: '天',
    last: (n: string, u: string) => `最近 ${n} ${u}`,
    to: ' 至 ',
    today: '今天',
    yesterday: '昨天',
  },
  en: {
    m: 'minute',
    h: 'hour',
    d: 'day',
    last: (n: string, u: string) => `Last ${n} ${u}${n === '1' ? '' : 's'}`,
    to: ' to ',
    today: 'Today',
    yesterday: 'Yesterday',
  },
} as const

/** The range in words: '最近 24 小时', 'Last 7 days', '11-20 14:32 至 11-21 14:32'. */
export function rangeLabel(range: string, language: 'zh' | 'en', zone: string = DEFAULT_ZONE): string {
  const words = WORDS[language]
  if (range === 'today' || range === 'yesterday') return words[range]
  const relative = /^-(\d+)([mhd])$/.exec(range)
  if (relative) return words.last(relative[1] as string, words[relative[2] as 'm' | 'h' | 'd'])
  const span = resolveRange(range, 0, zone)
  return spanLabel(span, language, zone)
}

export function spanLabel(span: Span, language: 'zh' | 'en', zone: string = DEFAULT_ZONE): string {
  const at = (time: number) => formatDateTime(time, zone, 'minute', Date.now())
  return `${at(span.from)}${WORDS[language].to}${at(span.to)}`
}

/** The relative range of about this length: what 'jump to now' leads to. */
export function relativeOfLength(length: number): string {
  const capped = Math.min(Math.max(length, MINUTE), MAX_RANGE_MS)
  if (capped >= DAY && capped % DAY === 0) return `-${capped / DAY}d`
  if (capped >= HOUR && capped % HOUR === 0) return `-${capped / HOUR}h`
  if (capped <= 9999 * MINUTE) return `-${Math.round(capped / MINUTE)}m`
  return capped <= 9999 * HOUR && capped < 60 * DAY ? `-${Math.round(capped / HOUR)}h` : `-${Math.round(capped / DAY)}d`
}

/** Moves the range by its own length; never past `now`. */
export function shiftRange(range: string, direction: -1 | 1, now: number, zone: string = DEFAULT_ZONE): string {
  const span = resolveRange(range, now, zone)
  const length = span.to - span.from
  if (direction === 1 && span.to + length >= now) return reachesNow(range) ? range : relativeOfLength(length)
  return absoluteRange({ from: span.from + direction * length, to: span.to + direction * length })
}

/** Doubles the range around its centre; one that ends now keeps ending now. */
export function zoomOut(range: string, now: number, zone: string = DEFAULT_ZONE): string {
  const span = resolveRange(range, now, zone)
  const length = Math.min((span.to - span.from) * 2, MAX_RANGE_MS)
  if (reachesNow(range)) return relativeOfLength(length)
  const centre = (span.from + span.to) / 2
  const to = Math.min(centre + length / 2, now)
  return absoluteRange({ from: to - length, to })
}

/** Whether the range moves along with the clock. */
export function reachesNow(range: string): boolean {
  return range === 'today' || range.startsWith('-')
}
