import { zoneOffset } from '#domain/time-range.ts'
import { slotWidth, type TimeSeries } from './time-series.ts'

/** Axis words of a time series: full hours, `11-21` at midnight; days by date. */

const STEPS_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7200, 10080, 20160, 43200]

function wall(at: number, zone: string): string {
  return new Date(at + zoneOffset(at, zone)).toISOString()
}

export type AxisLabel = { text: string; strong: boolean }

/** Labels by slot: about `count` of them on round times, the rest null. */
export function axisLabels(series: TimeSeries, zone: string, count: number): (AxisLabel | null)[] {
  const { starts, bucket } = series
  const minutes = ((starts.at(-1) as number) - (starts[0] as number)) / 60_000
  const step = STEPS_MINUTES.find((one) => minutes / one <= count) ?? Math.ceil(minutes / count / 1440) * 1440
  let previousDay = ''
  return starts.map((start, slot) => {
    const iso = wall(start, zone)
    const day = iso.slice(5, 10)
    const sinceMidnight = Number(iso.slice(11, 13)) * 60 + Number(iso.slice(14, 16))
    if (bucket === 'day') {
      const every = Math.max(1, Math.round((step * 60_000) / slotWidth(series)))
      return slot % every === 0 ? { text: day, strong: day.endsWith('-01') } : null
    }
    if (sinceMidnight % Math.min(step, 1440) !== 0) return null
    if (step > 1440 && Math.round(start / 86_400_000) % Math.round(step / 1440) !== 0) return null
    const newDay = sinceMidnight === 0 && day !== previousDay
    previousDay = day
    return newDay ? { text: day, strong: true } : { text: iso.slice(11, 16), strong: false }
  })
}

/** One slot in words: `11-21 10:00`, a day as `2026-11-21`. */
export function slotLabel(series: TimeSeries, slot: number, zone: string): string {
  const iso = wall(series.starts[slot] as number, zone)
  return series.bucket === 'day' ? iso.slice(0, 10) : `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
}
