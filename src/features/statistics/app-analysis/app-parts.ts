import type { Dimension, Measure, PartInput, Query } from '#domain/query.ts'
import { type Bucket, resolveRange } from '#domain/time-range.ts'
import { measureParts } from '#src/features/statistics/parts/measure-parts.ts'

/** Figures of the page; each is counted by the measure of its name. Rates are per 1,000 starts, the share is of active devices. */
export const APP_FIGURES = [
  'starts',
  'users',
  'devices',
  'newDevices',
  'crashes',
  'anrs',
  'exceptions',
  'attackedDevices',
] as const satisfies readonly Measure[]
export type AppFigure = (typeof APP_FIGURES)[number]

export const QUALITY_FIELDS = [
  'version',
  'channel',
  'os',
  'model',
  'province',
  'network',
  'app',
] as const satisfies readonly Dimension[]
export type QualityField = (typeof QUALITY_FIELDS)[number]
export const QUALITY_MEASURES = [
  'starts',
  'crashes',
  'anrs',
  'exceptions',
  'attacks',
] as const satisfies readonly Measure[]
/** Versions with a colour of their own in the adoption chart. */
const ADOPTED = 5

const WEEK = 7 * 86_400_000

/** Distinct devices and users by hour over weeks would cost more than anybody sees. */
export function courseBucket(query: Query, now: number): Bucket | 'auto' {
  const { from, to } = resolveRange(query.range, now)
  return to - from >= WEEK ? 'day' : 'auto'
}

/** Figures and what is compared with the earlier period. Of the counts of devices and users the chosen one alone has a course. */
export function appParts(figure: AppFigure, field: QualityField, bucket: Bucket | 'auto') {
  const counts: readonly Measure[] = ['starts', 'crashes', 'anrs', 'exceptions']
  return {
    totals: {
      kind: 'total',
      measures: [
        'starts',
        'users',
        'newUsers',
        'devices',
        'newDevices',
        'crashes',
        'anrs',
        'exceptions',
        'attacks',
        'attackedDevices',
      ],
    },
    courses: { kind: 'series', measures: [...counts, ...(counts.includes(figure) ? [] : [figure])], bucket },
    quality: { kind: 'top', by: field, measures: [...QUALITY_MEASURES], limit: 10, seen: true },
  } satisfies Record<string, PartInput>
}

/** What shows no earlier period: a request of its own, so that none is read for it. */
export function appSlices(figure: AppFigure, bucket: Bucket | 'auto') {
  return {
    adoption: { kind: 'series', measures: ['starts'], by: 'version', bucket },
    adopted: { kind: 'top', by: 'version', measures: ['starts'], limit: ADOPTED },
    ...measureParts(figure),
  } satisfies Record<string, PartInput>
}
