import { DEFAULT_ZONE } from '#domain/time-range.ts'
import { currentLanguage, type Language } from '../i18n/texts.ts'

/** Times as people read them. All take epoch milliseconds; days are those of the platform's zone. */

const WORDS = {
  zh: { now: '刚刚', minutes: (n: number) => `${n} 分钟前`, hours: (n: number) => `${n} 小时前`, day: '1 天前' },
  en: {
    now: 'just now',
    minutes: (n: number) => `${n} ${n === 1 ? 'minute' : 'minutes'} ago`,
    hours: (n: number) => `${n} ${n === 1 ? 'hour' : 'hours'} ago`,
    day: '1 day ago',
  },
} as const

/**
 * Relative time (SHELL-12): under 30 s 'just now', then minutes, hours and 1 day; older times read as a date. A time ahead of
 * `now` (clocks differ) reads 'just now' up to a minute, and as a date beyond.
 */
export function relativeTime(
  at: number,
  now: number = Date.now(),
  language: Language = currentLanguage(),
  zone: string = DEFAULT_ZONE,
): string {
  const seconds = (now - at) / 1000
  const words = WORDS[language]
  if (seconds < -60) return formatDateTime(at, zone, 'minute', now)
  if (seconds < 30) return words.now
  if (seconds < 3600) return words.minutes(Math.max(1, Math.floor(seconds / 60)))
  if (seconds < 86_400) return words.hours(Math.floor(seconds / 3600))
  if (seconds < 172_800) return words.day
  return formatDateTime(at, zone, 'day', now)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * `2026-11-21 14:32:05` in the zone. `precision` cuts it: 'second' (default), 'minute', 'day'; with `now`, this year's times lose
 * their year (`11-21 14:32`).
 */
export function formatDateTime(
  at: number,
  zone: string = DEFAULT_ZONE,
  precision: 'second' | 'minute' | 'day' | 'time' = 'second',
  now?: number,
): string {
  const part = partsOf(at, zone)
  const clock = `${part['hour']}:${part['minute']}`
  if (precision === 'time') return `${clock}:${part['second']}`
  const sameYear = now !== undefined && partsOf(now, zone)['year'] === part['year']
  const day = `${sameYear ? '' : `${part['year']}-`}${part['month']}-${part['day']}`
  if (precision === 'day') return day
  return precision === 'minute' ? `${day} ${clock}` : `${day} ${clock}:${part['second']}`
}

function partsOf(at: number, zone: string): Record<string, string> {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** `1 分 48 秒` / `1 min 48 s`: how long something took or will take. */
export function formatDuration(ms: number, language: Language = currentLanguage()): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const unit = language === 'zh' ? ['小时', '分', '秒'] : ['h', 'min', 's']
  if (h) return m ? `${h} ${unit[0]} ${m} ${unit[1]}` : `${h} ${unit[0]}`
  if (m) return s ? `${m} ${unit[1]} ${s} ${unit[2]}` : `${m} ${unit[1]}`
  return `${s} ${unit[2]}`
}
