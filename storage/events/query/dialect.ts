/**
 * Where the SQL of totals, series, top lists and pages differs between event stores; decisions/0004 says what else is DuckDB's own.
 * Texts reach SQL through `lit`, `uuid` and `key` alone.
 */
export type Dialect = {
  /** An escaped literal. */
  lit(value: string | number): string
  /** A 128-bit id from 32 hex digits. */
  uuid(hex: string): string
  /** A device or user of 32 hex digits as rows hold it; undefined where no row has it. */
  key(hex: string): string | undefined
  /** The 32 hex digits of a device or user as rows hold it. */
  keyText(raw: unknown): string
  /** The expression divided by `width`, rounded down. */
  bucket(expression: string, width: number): string
  countIf(condition: string): string
  /** Whether the condition holds for any row of the group. */
  anyIf(condition: string): string
  /** Total number of groups, as a column of a grouped select. */
  groupCount: string
  /** The highest number assigned to a device or user; numbers start at 1. */
  keyCount(): number
}

/** Numbers for devices and users of 32 hex digits, and back (KeyTable). */
type Keys = { find(hex: string): number | undefined; textOf(number: number): string; count(): number }

/** DuckDB: rows hold the numbers of `keys`. */
export const duckDialect = (keys: Keys): Dialect => ({
  key: (hex) => keys.find(hex)?.toString(),
  keyText: (raw) => keys.textOf(Number(raw)),
  lit,
  uuid: (hex) => `UUID '${/^[0-9a-f]{32}$/.test(hex) ? hex : refuse(hex)}'`,
  // 32 bits, which hold seconds until 2106, are grouped and read faster than 64.
  bucket: (expression, width) => `CAST((${expression}) // ${numberLiteral(width)} AS UINTEGER)`,
  countIf: (condition) => `countIf(${condition})`,
  anyIf: (condition) => `bool_or(${condition})`,
  groupCount: 'count(*) OVER ()',
  keyCount: () => keys.count(),
})

/** An escaped literal. Throws RangeError when a number is not finite. */
export function lit(value: string | number): string {
  return typeof value === 'number' ? numberLiteral(value) : textLiteral(value)
}

function numberLiteral(value: number): string {
  return Number.isFinite(value) ? String(value) : refuse(String(value))
}

/** SQL text ends at NUL, so NUL becomes chr(0). */
function textLiteral(text: string): string {
  return text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ')
}

function refuse(value: string): never {
  throw new RangeError(`not a literal: ${value}`)
}
