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
import { keyHash } from './event-table.ts'

/** How a field of the query object lies in the table. */
type Mapping = {
  column: string
  /** Literal of a filter's value; null where it stands for SQL's NULL, undefined where no row can have it. */
  literal(value: string, dialect: Dialect): string | null | undefined
  /** A stored value as the text of the query object. */
  text(raw: unknown): string
  /** Column with a 32-bit hash of the same value: a cheaper scan. */
  hash?: string
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
const key = (column: string, hash: string): Mapping => ({
  column,
  hash,
  literal: (value, dialect) => (/^[0-9a-f]{32}$/.test(value) ? dialect.uuid(value) : value === '' ? null : undefined),
  text: (raw) => (raw === null ? '' : String(raw).replaceAll('-', '')),
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
  device: key('device', 'dh'),
  user: key('uid', 'uh'),
  address: text('address'),
}

/** SQL condition of one filter; never NULL. */
export function filterSql({ field, op, values }: Filter, dialect: Dialect): string {
  const { column, literal, hash } = MAPPINGS[field]
  const literals = values.map((value) => literal(value, dialect))
  const parts: string[] = []
  const some = literals.filter((one) => typeof one === 'string')
  if (some.length > 0) {
    const list = `${column} IS NOT NULL AND ${column} IN (${some.join(', ')})`
    const hashes = values.filter((value) => /^[0-9a-f]{32}$/.test(value)).map(keyHash)
    parts.push(hash ? `(${hash} IN (${hashes.join(', ')}) AND ${list})` : `(${list})`)
  }
  if (literals.includes(null)) parts.push(`${column} IS NULL`)
  if (parts.length === 0) return op === 'is' ? 'FALSE' : 'TRUE'
  const any = parts.join(' OR ')
  return op === 'is' ? `(${any})` : `NOT (${any})`
}
