import type { Filter, Measure, Scope } from '#domain/query.ts'
import type { Dialect } from './dialect.ts'
import { type Clock, filterSql, TIME_COLUMN } from './dimensions.ts'
import { additiveSql, DISTINCT, IS_ATTACK, impliedCondition, isAdditive } from './measures.ts'

/** The rows of a query: the server's resolved query, narrowed. Only this file turns a query into SQL. */
export type Selection = Clock & { filters: readonly Filter[]; scope: Scope }

/** SQL condition of the selection's rows in `events`. */
export function whereSql(selection: Selection, dialect: Dialect): string {
  return [spanSql(selection.basis, selection.span, dialect), ...filtersSql(selection, dialect)].join(' AND ')
}

export function spanSql(basis: Clock['basis'], { from, to }: Clock['span'], dialect: Dialect): string {
  const time = TIME_COLUMN[basis]
  return `${time} >= ${dialect.lit(from)} AND ${time} < ${dialect.lit(to)}`
}

/** The selection's conditions without its time span. */
export function filtersSql({ filters, scope, ...clock }: Selection, dialect: Dialect): string[] {
  const all = [scopeSql(scope, dialect), ...filters.map((filter) => filterSql(filter, clock, dialect))]
  return all.filter((one) => one !== 'TRUE')
}

export function scopeSql({ apps }: Scope, dialect: Dialect): string {
  if (apps === 'all') return 'TRUE'
  return apps.length === 0 ? 'FALSE' : `app IN (${apps.map((app) => dialect.lit(app)).join(', ')})`
}

/** One of the selects that together return the measures: columns h0, h1, … of the heads, then m0, m1, … of the measures. */
export type MeasureSelect = { sql: string; measures: Measure[] }
/** Expressions that group the rows; with `bucket` the first one is that of the row's time. */
export type Grouping = { heads: readonly string[]; bucket?: (time: string) => string }

/**
 * The selects that return the measures: row counts in one select, then devices and users, which are grouped first and then counted, once
 * for all of their measures. A device or user is *new* when its first occurrence over the selection's applications (scope and application
 * filters only) lies in the span, and in a series in the bucket of the row.
 */
export function measureSelects(
  selection: Selection,
  measures: readonly Measure[],
  dialect: Dialect,
  grouping: Grouping = { heads: [] },
): MeasureSelect[] {
  const selects: MeasureSelect[] = []
  const additive = measures.filter(isAdditive)
  if (additive.length > 0) {
    const columns = [...named(grouping.heads), ...additive.map((one, i) => `${additiveSql(one, dialect)} AS m${i}`)]
    const sql = `SELECT ${columns.join(', ')} FROM events WHERE ${narrowedSql(selection, additive, dialect)}${groupBy(grouping.heads)}`
    selects.push({ sql, measures: additive })
  }
  for (const column of ['device', 'uid'] as const) {
    const distinct = measures.filter((measure) => DISTINCT[measure]?.column === column)
    if (distinct.length > 0)
      selects.push({ sql: distinctSql(selection, column, distinct, dialect, grouping), measures: distinct })
  }
  return selects
}

function distinctSql(
  selection: Selection,
  column: 'device' | 'uid',
  measures: readonly Measure[],
  dialect: Dialect,
  { heads, bucket }: Grouping,
): string {
  const kinds = measures.map((measure) => DISTINCT[measure]?.of)
  const onlyNew = kinds.every((of) => of === 'new')
  const onlyAttacked = kinds.every((of) => of === 'attacked')
  const count = {
    all: 'count(*)',
    attacked: onlyAttacked ? 'count(*)' : dialect.countIf('attacked'),
    new: dialect.countIf(bucket ? `${bucket('first_at')} = h0` : 'first_at IS NOT NULL'),
  }
  const outer = [...heads.map((_, i) => `h${i}`), ...kinds.map((of, i) => `${count[of ?? 'all']} AS m${i}`)]
  const where = [narrowedSql(selection, measures, dialect), `${column} IS NOT NULL`]
  const fresh = kinds.includes('new') ? firstSeenSql(selection, column, dialect) : ''
  if (onlyNew) where.push(`${column} IN (SELECT first_k FROM (${fresh}) n)`)
  const attacked = kinds.includes('attacked') && !onlyAttacked
  const inner = [
    ...named(heads),
    `${column} AS entity`,
    ...(attacked ? [`${dialect.anyIf(IS_ATTACK)} AS attacked`] : []),
  ]
  const groups = `SELECT ${inner.join(', ')} FROM events WHERE ${where.join(' AND ')} GROUP BY ${[...heads.map((_, i) => `h${i}`), 'entity'].join(', ')}`
  const join = fresh ? ` LEFT JOIN (${fresh}) f ON first_k = entity` : ''
  return `SELECT ${outer.join(', ')} FROM (${groups}) g${join}${groupBy(heads)}`
}

/**
 * Devices or users whose first occurrence over the selection's applications lies in the span. Few keys have a time in the span: only those
 * are looked up among all rows.
 */
export function firstSeenSql(selection: Selection, column: 'device' | 'uid', dialect: Dialect): string {
  const { all, within } = firstSeenRows(selection, column, dialect)
  const from = dialect.lit(selection.span.from)
  return `SELECT k AS first_k, min(seen) AS first_at ${all} AND k IN (SELECT k ${within}) GROUP BY k HAVING min(seen) >= ${from}`
}

/** `FROM … WHERE …` of the times at which keys were seen first: all, those within the span, and those before. */
export function firstSeenRows(
  selection: Selection,
  column: 'device' | 'uid',
  dialect: Dialect,
): { all: string; within: string; before: string } {
  const { scope, filters, span } = selection
  const apps = [
    scopeSql(scope, dialect),
    ...filters.filter(({ field }) => field === 'app').map((filter) => filterSql(filter, selection, dialect)),
  ].filter((one) => one !== 'TRUE')
  const all = [
    `FROM ${apps.length === 0 ? 'first_seen_anywhere' : 'first_seen'} WHERE kind = ${column === 'device' ? 1 : 2}`,
    ...apps,
  ].join(' AND ')
  const [from, to] = [dialect.lit(span.from), dialect.lit(span.to)]
  return { all, within: `${all} AND seen >= ${from} AND seen < ${to}`, before: `${all} AND seen < ${from}` }
}

/** The selection without rows that do not count in these measures. */
export function narrowedSql(selection: Selection, measures: readonly Measure[], dialect: Dialect): string {
  const implied = impliedCondition(measures)
  return `${whereSql(selection, dialect)}${implied ? ` AND ${implied}` : ''}`
}

const named = (heads: readonly string[]) => heads.map((head, i) => `${head} AS h${i}`)
const groupBy = (heads: readonly string[]) =>
  heads.length > 0 ? ` GROUP BY ${heads.map((_, i) => `h${i}`).join(', ')}` : ''
