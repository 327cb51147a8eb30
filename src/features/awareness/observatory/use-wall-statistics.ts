import { useMemo } from 'react'
import type { Filter, Measures, SeriesAnswer } from '#domain/query.ts'
import { absoluteRange, startOfDay } from '#domain/time-range.ts'
import { useStatistics } from '../../../shared/query/use-statistics.ts'

const HOUR = 3_600_000

/** A day by hours: those of today that are over, and all of yesterday; empty until the store answered. */
export type DayHours = { today: readonly number[]; yesterday: readonly number[] }
/** Hours of today and what they are compared with, from the store: what frames do not carry. */
export type WallStatistics = {
  attackedUsersYesterday: number | null
  devices: DayHours
  users: DayHours
  attacks: DayHours
}
type Counted = 'devices' | 'attackedUsers' | 'attacks'
const MEASURES: Counted[] = ['devices', 'attackedUsers', 'attacks']

export function useWallStatistics(filters: Filter[], enabled: boolean, at: number, zone: string): WallStatistics {
  const day = startOfDay(at, zone)
  const before = startOfDay(day - 1, zone)
  const result = useStatistics(
    { range: 'today', timeBasis: 'received', compare: 'previous', filters },
    {
      total: { kind: 'total', measures: ['attackedUsers'] },
      hours: { kind: 'series', measures: MEASURES, bucket: 'hour' },
    },
    { enabled },
  )
  // A day that is over changes no more: asked once.
  const whole = useStatistics(
    { range: absoluteRange({ from: before, to: day }), timeBasis: 'received', compare: 'none', filters },
    { hours: { kind: 'series', measures: MEASURES, bucket: 'hour' } },
    { enabled, paused: true },
  )
  const total = result.part('total')
  const hours = result.part('hours')
  const past = whole.part('hours')
  const now = hours.kind === 'ready' ? hours.answer : null
  const then = past.kind === 'ready' ? past.answer : null
  const over = Math.floor((at - day) / HOUR)
  const days = useMemo(() => {
    const of = (measure: Counted): DayHours => ({
      today: hoursOf(now, day, over, measure),
      yesterday: hoursOf(then, before, 24, measure),
    })
    return { devices: of('devices'), users: of('attackedUsers'), attacks: of('attacks') }
  }, [now, then, day, before, over])
  return {
    attackedUsersYesterday: total.kind === 'ready' ? (total.answer.previous?.attackedUsers ?? null) : null,
    ...days,
  }
}

/** The first `count` hours of a day, missing ones 0; empty without an answer, or where all are 0. */
export function hoursOf(
  answer: Pick<SeriesAnswer, 'points'> | null,
  day: number,
  count: number,
  measure: keyof Measures & string,
): number[] {
  if (!answer) return []
  const list = new Array<number>(count).fill(0)
  for (const { start, row } of answer.points) {
    const hour = Math.round((start - day) / HOUR)
    if (hour >= 0 && hour < count) list[hour] = (list[hour] ?? 0) + (row[measure] ?? 0)
  }
  return list.some((one) => one > 0) ? list : []
}
