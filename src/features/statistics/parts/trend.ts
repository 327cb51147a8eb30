import type { Dimension, Filter, Measure } from '#domain/query.ts'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import type { TokenLayer } from '#src/shared/charts/time-option.ts'
import type { Language } from '#src/shared/i18n/texts.ts'

/** What a trend draws and what a click on it means. */
export type Trend = {
  title: string
  measure: Measure
  /** The part's own filters: they go along with every click. */
  and?: readonly Filter[]
  /** Stacked by values of this dimension: `layers` from the axis up; a layer with the key REMAINDER_KEY holds all others. */
  by?: Dimension
  layers: readonly TokenLayer[]
  /** Counts events: bars open them. Users and devices do not add up, so their bars open the events of the bucket. */
  additive: boolean
}

/** One measure over time, in one colour. */
export const measureTrend = (title: string, measure: Measure, additive: boolean): Trend => ({
  title,
  measure,
  layers: [{ key: '', label: title, token: 'scale-4' }],
  additive,
})

/** A measure over time, stacked by level with the most severe at the axis. */
export const levelTrend = (title: string, measure: Measure, language: Language): Trend => ({
  title,
  measure,
  by: 'level',
  layers: LEVELS_BY_SEVERITY.map((key) => ({ key, label: LEVELS[key][language], token: `stack-${key}` })),
  additive: true,
})
