import type { Dimension, Filter, Measure } from '#domain/query.ts'
import type { TokenLayer } from '#src/shared/charts/time-option.ts'

/** What a trend draws and what a click on it means. */
export type Trend = {
  title: string
  measure: Measure
  /** The part's own filters: they go along with every click. */
  and?: readonly Filter[]
  /** Stacked by values of this dimension: `layers` from the axis up; a layer with the key REST holds all others. */
  by?: Dimension
  layers: readonly TokenLayer[]
  /** Counts events: bars open them. Users and devices do not add up, so their bars open the events of the bucket. */
  additive: boolean
}
