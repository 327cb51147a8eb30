import type { Dimension, Filter } from '#contracts/query.ts'
import {
  ACTIONS,
  BLOCKED_FROM,
  EVENT_TYPES,
  LEVELS,
  OUTCOMES,
  PLACE_SOURCES,
  PLATFORMS,
  RISK_TYPES,
} from '#contracts/vocabulary.ts'
import type { Dialect } from './dialect.ts'

/** How a field of the query object lies in the table. */
type Mapping = {
  column: string
  /** Literal of a filter's value; null where it stands for SQL's NULL, undefined where no row can have it. */
  literal(value: string, dialect: Dialect): string | null | undefined
  /** A stored value as the text of the query object. */
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
}

/** SQL condition of one filter; never NULL. */
export function filterSql({ field, op, values }: Filter, dialect: Dialect): string {
  const { column, literal } = MAPPINGS[field]
  const literals = values.map((value) => literal(value, dialect))
  const parts: string[] = []
  const some = literals.filter((one) => typeof one === 'string')
  if (some.length > 0) parts.push(`(${column} IS NOT NULL AND ${column} IN (${some.join(', ')}))`)
  if (literals.includes(null)) parts.push(`${column} IS NULL`)
  if (parts.length === 0) return op === 'is' ? 'FALSE' : 'TRUE'
  const any = parts.join(' OR ')
  return op === 'is' ? `(${any})` : `NOT (${any})`
}
