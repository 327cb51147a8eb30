import type { Scope } from '#domain/query.ts'
import type { Select } from '../duckdb/select.ts'
import type { FoundKey } from '../port.ts'
import { scopeSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'

export const MAX_FOUND = 20

/** `head` and `tail` are hex digits, at most 8 each; '' for any. Throws RangeError on anything else. */
export async function findKeys(
  head: string,
  tail: string,
  scope: Scope,
  select: Select,
  dialect: Dialect,
): Promise<FoundKey[]> {
  if (!/^[0-9a-f]{0,8}$/.test(head) || !/^[0-9a-f]{0,8}$/.test(tail)) throw new RangeError('not hex digits')
  const high = 4 * (8 - head.length)
  const conditions = [
    head === '' ? 'TRUE' : `(a >> ${high}) = ${Number.parseInt(head, 16)}`,
    tail === '' ? 'TRUE' : `(d % ${16 ** tail.length}) = ${Number.parseInt(tail, 16)}`,
  ]
  const rows = await select(
    `SELECT kind, k, min(seen), string_agg(DISTINCT CAST(app AS VARCHAR), ',') FROM first_seen WHERE k IN (SELECT n FROM keys WHERE ${conditions.join(' AND ')}) AND ${scopeSql(scope, dialect)} GROUP BY kind, k ORDER BY min(seen) DESC, k LIMIT ${MAX_FOUND}`,
  )
  return rows.map((row) => ({
    kind: Number(row[0]) === 1 ? 'device' : 'user',
    key: dialect.keyText(row[1]),
    firstAt: Number(row[2]),
    apps: String(row[3])
      .split(',')
      .map(Number)
      .sort((a, b) => a - b),
  }))
}
