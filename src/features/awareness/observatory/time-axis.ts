import type { MinuteBar } from '#contracts/live/messages.ts'
import { zoneOffset } from '#domain/time-range.ts'
import { formatDateTime } from '../../../shared/format/time.ts'

const MINUTE = 60_000
const STEPS = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE)

export const totalOf = ([, ...counts]: MinuteBar): number => counts.reduce((sum, one) => sum + one, 0)

/** At most 13 round times of the zone's clock along the bars, at the slot each begins in. */
export function axisTicks(from: number, barMs: number, count: number, zone: string): { slot: number; text: string }[] {
  if (count === 0) return []
  const step =
    STEPS.find((one) => one % barMs === 0 && (count * barMs) / one <= 13) ??
    Math.max(barMs, Math.ceil(count / 12) * barMs)
  const offset = zoneOffset(from, zone)
  const first = Math.ceil((from + offset) / step) * step - offset
  const ticks: { slot: number; text: string }[] = []
  for (let at = first; at < from + count * barMs; at += step)
    ticks.push({ slot: (at - from) / barMs, text: hourMinute(at, zone) })
  return ticks
}

const hourMinute = (at: number, zone: string) => formatDateTime(at, zone, 'time').slice(0, 5)

export function barSpan(start: number, barMs: number, zone: string): string {
  return barMs <= MINUTE ? hourMinute(start, zone) : `${hourMinute(start, zone)} – ${hourMinute(start + barMs, zone)}`
}
