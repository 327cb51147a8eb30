/**
 * Where SQL differs between event stores. Everything else the compiler writes is understood by all of them: no CTE, no FILTER clause.
 * Texts reach SQL through `lit` and `uuid` alone.
 */
export type Dialect = {
  /** An escaped literal. */
  lit(value: string | number): string
  /** A 128-bit id from 32 hex digits. */
  uuid(hex: string): string
  /** Whole number of times that `width` goes into the expression. */
  bucket(expression: string, width: number): string
  countIf(condition: string): string
  /** Number of groups there are in all, as a column of a grouped select. */
  groupCount: string
}

export const duckDialect: Dialect = {
  lit: (value) => (typeof value === 'number' ? numberLiteral(value) : textLiteral(value)),
  uuid: (hex) => `UUID '${/^[0-9a-f]{32}$/.test(hex) ? hex : refuse(hex)}'`,
  bucket: (expression, width) => `(${expression}) // ${numberLiteral(width)}`,
  countIf: (condition) => `countIf(${condition})`,
  groupCount: 'count(*) OVER ()',
}

function numberLiteral(value: number): string {
  return Number.isFinite(value) ? String(value) : refuse(String(value))
}

/** SQL text ends at a NUL, so one inside a literal is spelled out. */
function textLiteral(text: string): string {
  return text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ')
}

function refuse(value: string): never {
  throw new RangeError(`not a literal: ${value}`)
}
