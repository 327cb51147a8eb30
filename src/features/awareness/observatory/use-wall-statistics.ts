import type { Filter } from '#domain/query.ts'
import { useStatistics } from '../../../shared/query/use-statistics.ts'

/** Hours of today and what they are compared with, from the store: what frames do not carry. */
export type WallStatistics = {
  attackedUsersYesterday: number | null
  devicesByHour: readonly number[]
  usersByHour: readonly number[]
}

const PARTS = {
  total: { kind: 'total', measures: ['attackedUsers'] },
  hours: { kind: 'series', measures: ['devices', 'attackedUsers'], bucket: 'hour' },
} as const

export function useWallStatistics(filters: Filter[], enabled: boolean): WallStatistics {
  const result = useStatistics(
    { range: 'today', timeBasis: 'received', compare: 'previous', filters },
    {
      total: { ...PARTS.total, measures: [...PARTS.total.measures] },
      hours: { ...PARTS.hours, measures: [...PARTS.hours.measures] },
    },
    { enabled },
  )
  const total = result.part('total')
  const hours = result.part('hours')
  const points = hours.kind === 'ready' ? hours.answer.points : []
  return {
    attackedUsersYesterday: total.kind === 'ready' ? (total.answer.previous?.attackedUsers ?? null) : null,
    devicesByHour: points.map(({ row }) => row.devices ?? 0),
    usersByHour: points.map(({ row }) => row.attackedUsers ?? 0),
  }
}
