import { zoneOffset } from '#domain/time-range.ts'

/** ISO 8601 with the zone's offset at that time: 2026-11-21T21:51:22.123+08:00. `null` gives ''. */
export function zonedTime(at: number | null, zone: string): string {
  if (at === null) return ''
  const offset = zoneOffset(at, zone)
  const minutes = Math.abs(Math.round(offset / 60_000))
  const two = (value: number) => String(value).padStart(2, '0')
  const sign = offset < 0 ? '-' : '+'
  return `${new Date(at + offset).toISOString().slice(0, -1)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
