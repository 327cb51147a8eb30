import type { Dimension, Filter, Measure, PeriodRow, Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'

/**
 * From a figure to what it counts: every click on a number goes through here, so that the number and the rows behind it cannot
 * disagree (tests/property/statistics-aggregates).
 */

const is = (field: Dimension, ...values: string[]): Filter => ({ field, op: 'is', values })
const RISKS = is('type', 'risk')

/** What a measure counts of the rows: of a count of devices or users, the rows that make one of them count. */
export const MEASURE_FILTERS: Record<Measure, readonly Filter[]> = {
  events: [],
  attacks: [RISKS],
  blocked: [RISKS, is('outcome', 'blocked')],
  observed: [RISKS, is('outcome', 'observed')],
  starts: [is('type', 'start')],
  crashes: [is('type', 'crash')],
  anrs: [is('type', 'anr')],
  exceptions: [is('type', 'exception')],
  devices: [],
  users: [],
  attackedDevices: [RISKS],
  attackedUsers: [RISKS],
  newDevices: [],
  newUsers: [],
}

/** The query whose rows are what a figure counts. */
export function narrowed(query: Query, and: readonly Filter[]): Query {
  return { ...query, compare: 'none', filters: [...query.filters, ...and] }
}

/** The query at the very times that an answer was about, so that an export has as many lines as the figure says. */
export function pinned(query: Query, span: Span | undefined): Query {
  return span ? { ...query, range: absoluteRange(span) } : query
}

/** Which number of a page is meant: the part's own filters, and those of the number within the part. */
export type Figure = {
  and?: readonly Filter[]
  /** One value of a dimension: a group of a top list, a layer of a series. */
  by?: Dimension | undefined
  key?: string | undefined
  /** One bucket of a series. */
  slot?: Span | undefined
  /** One cell of a heat map. */
  cell?: { weekday: number; hour: number } | undefined
}

/** The rows (or, of a list of devices or users, the lines) that one figure of a measure counts. */
export function behind(query: Query, measure: Measure, figure: Figure = {}): Query {
  const { and = [], by, key, slot, cell } = figure
  const filters = [...and, ...MEASURE_FILTERS[measure]]
  if (by && key !== undefined) filters.push(is(by, key))
  if (cell) filters.push(is('weekday', String(cell.weekday)), is('hour', String(cell.hour)))
  return { ...narrowed(query, unique(filters)), ...(slot && { range: absoluteRange(slot) }) }
}

/** The events of one abnormal period. */
export function behindPeriod(
  query: Query,
  row: Pick<PeriodRow, 'device' | 'from' | 'to'>,
  and: readonly Filter[],
): Query {
  return {
    ...narrowed(query, [...and, is('device', row.device)]),
    range: absoluteRange({ from: row.from, to: row.to + 1 }),
  }
}

/** The same condition twice says nothing more; a query holds 20 at most. */
function unique(filters: readonly Filter[]): Filter[] {
  const seen = new Set<string>()
  return filters.filter((filter) => {
    const text = JSON.stringify(filter)
    return seen.has(text) ? false : seen.add(text)
  })
}
