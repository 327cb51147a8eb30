import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import { isNumeric, numberOf, wordOfCode } from '#domain/dimension-values.ts'
import { DIMENSIONS, type Dimension, type Filter, PAGE_LENGTH, type TimeBasis } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { BLOCKED_FROM, EVENT_TYPES, PLATFORMS } from '#domain/vocabulary.ts'
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

const IS_WEB = `platform = ${PLATFORMS.web.code} OR type = ${EVENT_TYPES.web.code}`
const PAGE = '$.detail.page'

/** Columns and expressions of the dimensions whose column is not named after them; those of the time are made by columnSql. */
const COLUMNS: Partial<Record<Dimension, string>> = {
  outcome: `CASE WHEN action >= ${BLOCKED_FROM} THEN 1 ELSE 0 END`,
  user: 'uid',
  group: 'grp',
  origin: `CASE WHEN (flags & ${EVENT_FLAGS.imported}) = 0 THEN 0 ELSE 1 END`,
  surface: `CASE WHEN ${IS_WEB} THEN 1 ELSE 0 END`,
  page: `CASE WHEN (${IS_WEB}) AND extra <> '' AND json_type(extra, '${PAGE}') = 'VARCHAR' THEN left(json_extract_string(extra, '${PAGE}'), ${PAGE_LENGTH}) ELSE '' END`,
}

/** No site is the key '0', as in the live frames; a filter for the empty text matches the same rows. */
const TEXTS: Partial<Record<Dimension, Mapping['text']>> = { site: String }

function mappingOf(field: Dimension): Mapping {
  const column = COLUMNS[field] ?? field
  if (DIMENSIONS[field].stored === 'key')
    return {
      column,
      literal: (value, dialect) => (value === '' ? null : dialect.key(value)),
      text: (raw, dialect) => (raw === null ? '' : dialect.keyText(raw)),
    }
  if (!isNumeric(field)) return { column, literal: (value, dialect) => dialect.lit(value), text: String }
  const hasUnknown = 'unknown' in DIMENSIONS[field]
  return {
    column,
    literal: (value) => numberOf(field, value)?.toString(),
    text:
      TEXTS[field] ?? ((raw) => wordOfCode(field, Number(raw)) ?? (hasUnknown && Number(raw) === 0 ? '' : String(raw))),
  }
}

export const MAPPINGS = Object.fromEntries(
  (Object.keys(DIMENSIONS) as Dimension[]).map((field) => [field, mappingOf(field)]),
) as Record<Dimension, Mapping>

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
