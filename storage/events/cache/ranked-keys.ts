import type { Span } from '#domain/time-range.ts'
import type { Scan } from '../duckdb/select.ts'
import { filtersSql, type Selection, spanSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { isRare } from '../query/select-rows.ts'
import { TopK } from '../query/top-k.ts'
import type { AggregateReader } from './aggregate-cache.ts'
import { splitByDays, wholeDays } from './span-pieces.ts'

/** Rank by the number of rows that match a condition (undefined: all rows), or by the time of the last row. */
export type RankBy = { count: string | undefined } | 'last'
/** Ranks the devices or users that have rows; equal ranks are ordered by key. */
export type Ranking = { selection: Selection; column: 'device' | 'uid'; by: RankBy }

/** Keys that have rows, with the value of each. */
type RankedValues = { keys: Uint32Array; values: Float64Array }

const NONE = Number.NEGATIVE_INFINITY
/** Splits a time into two 32-bit columns. */
const LOW = 65_536

/**
 * A page of the ranking, and the number of ranked keys. Values over the whole days of the span are cached; its ends and rows appended since
 * are read. Undefined when nothing can be cached.
 */
export async function rankKeys(
  { selection, column, by }: Ranking,
  { offset, limit }: { offset: number; limit: number },
  scan: Scan,
  dialect: Dialect,
  reader: AggregateReader | undefined,
): Promise<{ keys: number[]; total: number } | undefined> {
  const { span, zone, basis, filters } = selection
  const days = wholeDays(span, zone)
  if (!reader || !days || isRare(filters)) return undefined
  const conditions = [...filtersSql(selection, dialect), `${column} IS NOT NULL`]
  const what = by === 'last' ? by : `count ${by.count ?? ''}`
  const known = await reader.prepare<RankedValues>([
    ['rank', basis, column, what, days.from, days.to, ...conditions].join('\n'),
  ])
  if (!known) return undefined
  const [entry] = known.entries
  const values = new Float64Array(dialect.keyCount() + 1).fill(NONE)
  const read = async (within: Span, more: string) => {
    const time = `${TIME_COLUMN[basis]} - ${dialect.lit(within.from)}`
    const words = by === 'last' ? [`(${time}) // ${LOW}`, `(${time}) % ${LOW}`] : by.count ? [by.count] : []
    const columns = [column, ...words.map((word) => `CAST(${word} AS UINTEGER)`)].join(', ')
    const where = [spanSql(basis, within, dialect), ...conditions].join(' AND ')
    const add = by === 'last' ? addTimes(values, within.from) : addCounts(values)
    await scan(`SELECT ${columns} FROM events WHERE ${where}${more}`, 1 + words.length, add, 'few')
  }
  const whole = entry?.get('')
  if (whole) for (const [at, key] of whole.keys.entries()) values[key] = whole.values[at] as number
  else {
    for (const step of splitByDays(days)) await read(step, known.before)
    const found = present(values)
    entry?.put('', found, found.keys.byteLength + found.values.byteLength)
    known.evict()
  }
  if (span.from < days.from) await read({ from: span.from, to: days.from }, '')
  if (days.to < span.to) await read({ from: days.to, to: span.to }, '')
  if (known.since) for (const step of splitByDays(days)) await read(step, known.since)
  const topK = new TopK(offset + limit)
  let total = 0
  for (let key = 1; key < values.length; key++) {
    const value = values[key] as number
    if (value === NONE) continue
    total++
    if (value >= topK.threshold) topK.offer(value, -key)
  }
  return {
    keys: topK
      .sorted()
      .slice(offset)
      .map((record) => -(record[1] as number)),
    total,
  }
}

type Take = Parameters<Scan>[2]

function addCounts(values: Float64Array): Take {
  return ([keys, holds], count) => {
    for (let row = 0; row < count; row++) {
      const key = (keys as Uint32Array)[row] as number
      const before = values[key] as number
      values[key] = (before === NONE ? 0 : before) + (holds ? (holds[row] as number) : 1)
    }
  }
}

function addTimes(values: Float64Array, from: number): Take {
  return ([keys, highs, lows], count) => {
    for (let row = 0; row < count; row++) {
      const key = (keys as Uint32Array)[row] as number
      const at = from + ((highs as Uint32Array)[row] as number) * LOW + ((lows as Uint32Array)[row] as number)
      if (at > (values[key] as number)) values[key] = at
    }
  }
}

function present(values: Float64Array): RankedValues {
  let count = 0
  for (let key = 0; key < values.length; key++) if (values[key] !== NONE) count++
  const found: RankedValues = { keys: new Uint32Array(count), values: new Float64Array(count) }
  let at = 0
  for (let key = 0; key < values.length; key++)
    if (values[key] !== NONE) {
      found.keys[at] = key
      found.values[at++] = values[key] as number
    }
  return found
}
