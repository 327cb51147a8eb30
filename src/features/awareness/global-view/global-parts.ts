import type { AnswerOf, Filter, Measures, PartInput, Query } from '#domain/query.ts'
import { perThousand } from '#src/features/statistics/parts/figure-row.tsx'
import { MEASURE_FILTERS } from '#src/shared/query/drill.ts'

export const GLOBAL_PARTS = {
  apps: {
    kind: 'top',
    by: 'app',
    measures: ['events', 'attacks', 'blocked', 'devices', 'attackedUsers', 'crashes', 'starts'],
    limit: 200,
  },
  course: { kind: 'series', measures: ['attacks'], by: 'app', and: [...MEASURE_FILTERS.attacks] },
} as const satisfies Record<string, PartInput>

/** Attacks of the last hour by minute, by arrival: what is going on now, whatever range the page is about. */
export const LAST_HOUR_PARTS = {
  minutes: { kind: 'series', measures: ['attacks'], bucket: 'minute', by: 'app', and: [...MEASURE_FILTERS.attacks] },
} as const satisfies Record<string, PartInput>
export const lastHour = (filters: Filter[]): Query => ({
  range: '-1h',
  timeBasis: 'received',
  compare: 'none',
  filters,
})

export const SORTS = ['attacks', 'devices', 'attackedUsers', 'crashRate', 'change', 'name'] as const
export type GlobalSort = (typeof SORTS)[number]

export type AppLine = {
  id: string
  name: string
  /** 1 android, 2 ios, the `mime_type` of the application. */
  mimeType: number
  row: Measures
  previous: Measures | undefined
  crashRate: number
  /** Attacks by minute of the last hour, oldest first. */
  minutes: readonly number[]
}

const MINUTES = 60

/** All permitted applications, those without any event too, in the order asked for. */
export function appLines(
  apps: readonly { id: string; name: string; mime_type: number }[],
  answer: AnswerOf<'top'> | undefined,
  hour: { answer: AnswerOf<'series'>; now: number } | undefined,
  sort: GlobalSort,
): AppLine[] {
  const lines = apps.map((app): AppLine => {
    const group = answer?.groups.find(({ key }) => key === app.id)
    const row = group?.row ?? {}
    const minutes = new Array<number>(MINUTES).fill(0)
    if (hour)
      for (const { start, key, row: counts } of hour.answer.points) {
        const ago = Math.floor((hour.now - start) / 60_000)
        if (key === app.id && ago >= 0 && ago < MINUTES) minutes[MINUTES - 1 - ago] = counts.attacks ?? 0
      }
    return {
      id: app.id,
      name: app.name,
      mimeType: app.mime_type,
      row,
      previous: group?.previous,
      crashRate: perThousand(row.crashes, row.starts),
      minutes,
    }
  })
  const rank: Record<Exclude<GlobalSort, 'name'>, (line: AppLine) => number> = {
    attacks: ({ row }) => row.attacks ?? 0,
    devices: ({ row }) => row.devices ?? 0,
    attackedUsers: ({ row }) => row.attackedUsers ?? 0,
    crashRate: (line) => line.crashRate,
    change: ({ row, previous }) => (row.attacks ?? 0) - (previous?.attacks ?? 0),
  }
  return lines.sort(
    (a, b) => (sort === 'name' ? 0 : rank[sort](b) - rank[sort](a)) || a.name.localeCompare(b.name, 'zh'),
  )
}

/** Attacks a second over the last five whole minutes. */
export function attackRate(minutes: readonly number[]): number {
  const last = minutes.slice(-6, -1)
  return last.reduce((a, b) => a + b, 0) / (last.length * 60)
}
