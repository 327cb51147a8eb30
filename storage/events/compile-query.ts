import type { Filter, Measure, Scope, TimeBasis } from '#contracts/query.ts'
import type { Span } from '#contracts/time-range.ts'
import type { Dialect } from './dialect.ts'
import { filterSql } from './dimensions.ts'
import { impliedCondition, measureSql } from './measures.ts'

/** The only place where a query becomes SQL. */
export const TIME_COLUMN: Record<TimeBasis, string> = { received: 'received', occurred: 'occurred' }

/** The rows a question is about. Built by narrow() and the server's resolved query. */
export type Selection = { span: Span; basis: TimeBasis; filters: readonly Filter[]; scope: Scope }

/** Condition that picks the selection's rows out of `events`. */
export function whereSql({ span, basis, filters, scope }: Selection, dialect: Dialect): string {
  const time = TIME_COLUMN[basis]
  return [
    `${time} >= ${dialect.lit(span.from)}`,
    `${time} < ${dialect.lit(span.to)}`,
    scopeSql(scope, dialect),
    ...filters.map((filter) => filterSql(filter, dialect)),
  ]
    .filter((one) => one !== 'TRUE')
    .join(' AND ')
}

export function scopeSql({ apps }: Scope, dialect: Dialect): string {
  if (apps === 'all') return 'TRUE'
  return apps.length === 0 ? 'FALSE' : `app IN (${apps.map((app) => dialect.lit(app)).join(', ')})`
}

/**
 * SELECT with measures, ready to be completed: `head` may be a grouping expression. A device or user is *new* where its first
 * occurrence over the selection's applications (scope and application filters, no others) lies in the span, and in a series in the
 * bucket of the row.
 */
export function measuresSql(
  selection: Selection,
  measures: readonly Measure[],
  dialect: Dialect,
  shape: { head?: string; bucket?: (time: string) => string } = {},
): string {
  const time = TIME_COLUMN[selection.basis]
  const isNew = (at: string) => (shape.bucket ? `${shape.bucket(at)} = ${shape.bucket(time)}` : `${at} IS NOT NULL`)
  const fresh = { device: isNew('new_device.first_at'), user: isNew('new_user.first_at') }
  const joins = [
    measures.includes('newDevices') ? firstSeenJoin(selection, 1, 'new_device', 'device', dialect) : '',
    measures.includes('newUsers') ? firstSeenJoin(selection, 2, 'new_user', 'uid', dialect) : '',
  ].join('')
  const implied = impliedCondition(measures)
  const columns = measures.map((measure, index) => `${measureSql(measure, dialect, fresh)} AS m${index}`)
  return `SELECT ${[...(shape.head ? [shape.head] : []), ...columns].join(', ')} FROM events${joins} WHERE ${whereSql(selection, dialect)}${implied ? ` AND ${implied}` : ''}`
}

function firstSeenJoin(selection: Selection, kind: number, name: string, column: string, dialect: Dialect): string {
  const apps = [
    scopeSql(selection.scope, dialect),
    ...selection.filters.filter(({ field }) => field === 'app').map((filter) => filterSql(filter, dialect)),
  ].filter((one) => one !== 'TRUE')
  const where = [`kind = ${kind}`, `seen < ${dialect.lit(selection.span.to)}`, ...apps].join(' AND ')
  return ` LEFT JOIN (SELECT k AS first_k, min(seen) AS first_at FROM first_seen WHERE ${where} GROUP BY k HAVING min(seen) >= ${dialect.lit(selection.span.from)}) ${name} ON ${name}.first_k = ${column}`
}
