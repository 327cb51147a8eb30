import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import { type Dimension, type Filter, PAGE_LENGTH, type TimeBasis } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import {
  ACTIONS,
  BLOCKED_FROM,
  EVENT_TYPES,
  LEVELS,
  ORIGINS,
  OUTCOMES,
  PLACE_SOURCES,
  PLATFORMS,
  RISK_TYPES,
  SURFACES,
  WEEKDAYS,
} from '#domain/vocabulary.ts'
import { localTimeSql } from './buckets.ts'
import type { Dialect } from './dialect.ts'

/** The clock of a query: its time basis, span and zone define the weekday and hour of a row. */
export type Clock = { basis: TimeBasis; span: Span; zone: string }
export const TIME_COLUMN: Record<TimeBasis, string> = { received: 'received', occurred: 'occurred' }

/** How a field of the query object is stored in the table. */
type Mapping = {
  /** Column or expression; time-derived fields get theirs from columnSql. */
  column: string
  /** Literal of a filter value; null for SQL NULL, undefined when no row can have the value. */
  literal(value: string, dialect: Dialect): string | null | undefined
  /** A stored value as text of the query object. */
  text(raw: unknown, dialect: Dialect): string
}

function words(column: string, list: Record<string, { code: number }>): Mapping {
  const byCode = new Map(Object.entries(list).map(([key, { code }]) => [code, key]))
  return {
    column,
    literal(value) {
      if (Object.hasOwn(list, value)) return String((list[value] as { code: number }).code)
      return value === '' && !byCode.has(0) ? '0' : undefined
    },
    text: (raw) => byCode.get(Number(raw)) ?? '',
  }
}

const number = (column: string, unknown?: string): Mapping => ({
  column,
  literal: (value) => (/^\d{1,9}$/.test(value) ? String(Number(value)) : value === unknown ? '0' : undefined),
  text: (raw) => (Number(raw) === 0 && unknown !== undefined ? unknown : String(raw)),
})
const siteNumber: Mapping = { ...number('site', ''), text: String }
const text = (column: string): Mapping => ({
  column,
  literal: (value, dialect) => dialect.lit(value),
  text: (raw) => String(raw),
})
const key = (column: string): Mapping => ({
  column,
  literal: (value, dialect) => (value === '' ? null : dialect.key(value)),
  text: (raw, dialect) => (raw === null ? '' : dialect.keyText(raw)),
})

const IS_WEB = `platform = ${PLATFORMS.web.code} OR type = ${EVENT_TYPES.web.code}`
const PAGE = '$.detail.page'

export const MAPPINGS: Record<Dimension, Mapping> = {
  app: number('app'),
  type: words('type', EVENT_TYPES),
  risk: words('risk', RISK_TYPES),
  level: words('level', LEVELS),
  action: words('action', ACTIONS),
  outcome: words(`CASE WHEN action >= ${BLOCKED_FROM} THEN 1 ELSE 0 END`, OUTCOMES),
  platform: words('platform', PLATFORMS),
  country: text('country'),
  province: number('province', ''),
  city: number('city', ''),
  place: words('place', PLACE_SOURCES),
  // No site is the key '0', as in the live frames; a row's empty text filters the same.
  site: siteNumber,
  version: text('version'),
  channel: text('channel'),
  os: text('os'),
  model: text('model'),
  network: text('network'),
  device: key('device'),
  user: key('uid'),
  address: text('address'),
  group: text('grp'),
  origin: words(`CASE WHEN (flags & ${EVENT_FLAGS.imported}) = 0 THEN 0 ELSE 1 END`, ORIGINS),
  surface: words(`CASE WHEN ${IS_WEB} THEN 1 ELSE 0 END`, SURFACES),
  page: text(
    `CASE WHEN (${IS_WEB}) AND extra <> '' AND json_type(extra, '${PAGE}') = 'VARCHAR' THEN left(json_extract_string(extra, '${PAGE}'), ${PAGE_LENGTH}) ELSE '' END`,
  ),
  weekday: words('weekday', WEEKDAYS),
  hour: { ...number('hour'), text: String },
}

const HOUR = 3_600_000
/** The epoch's first day was a Thursday. */
const EPOCH_WEEKDAY = 4

/** The expression that a field groups and filters by. */
export function columnSql(field: Dimension, { basis, span, zone }: Clock, dialect: Dialect): string {
  if (field !== 'weekday' && field !== 'hour') return MAPPINGS[field].column
  const local = localTimeSql(TIME_COLUMN[basis], span, zone)
  return field === 'hour'
    ? `(${dialect.bucket(local, HOUR)}) % 24`
    : `(${dialect.bucket(local, 24 * HOUR)} + ${EPOCH_WEEKDAY}) % 7`
}

/** SQL condition of one filter; never NULL. */
export function filterSql({ field, op, values }: Filter, clock: Clock, dialect: Dialect): string {
  const { literal } = MAPPINGS[field]
  const column = columnSql(field, clock, dialect)
  const literals = values.map((value) => literal(value, dialect))
  const parts: string[] = []
  const some = literals.filter((one) => typeof one === 'string')
  if (some.length > 0) parts.push(`(${column} IS NOT NULL AND ${column} IN (${some.join(', ')}))`)
  if (literals.includes(null)) parts.push(`${column} IS NULL`)
  if (parts.length === 0) return op === 'is' ? 'FALSE' : 'TRUE'
  const any = parts.join(' OR ')
  return op === 'is' ? `(${any})` : `NOT (${any})`
}
