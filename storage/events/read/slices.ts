import type { Dimension } from '#domain/query.ts'
import { MAX_CODES, MAX_TABLE, type Slice } from '../cache/entity-counts.ts'
import type { Dialect } from '../query/dialect.ts'
import { type Clock, columnSql, MAPPINGS } from '../query/dimensions.ts'

/** Fields with so many values that devices and users are never counted by all of them, and fields extracted from texts. */
const MANY: readonly Dimension[] = ['device', 'user', 'address', 'group', 'page']

/** Whether a field may have few enough values to assign a code to each. */
export function hasFewValues(field: Dimension): boolean {
  return !MANY.includes(field)
}

/** Codes 1, 2, … for these values of a field, in their order. Undefined where the field has too many. */
export function sliceOf(field: Dimension, clock: Clock, keys: readonly string[], dialect: Dialect): Slice | undefined {
  if (!hasFewValues(field) || keys.length > MAX_CODES) return undefined
  const column = columnSql(field, clock, dialect)
  const literals = keys.map((key) => MAPPINGS[field].literal(key, dialect))
  const size = keys.length
  const name = `${field} ${keys.join('\0')}`
  if (literals.every((one) => typeof one === 'string' && /^\d+$/.test(one))) {
    const numbers = literals.map(Number)
    const most = Math.max(0, ...numbers)
    if (most >= MAX_TABLE) return undefined
    const codes = new Uint16Array(most + 1)
    for (const [index, number] of numbers.entries()) codes[number] = index + 1
    return { name, sql: column, size, codes }
  }
  // Of a column of repeated texts the store looks at each text once, not at each row.
  const texts = literals.map((one) => one ?? 'NULL').join(', ')
  return { name, sql: `list_position([${texts}], ${column})`, size }
}
