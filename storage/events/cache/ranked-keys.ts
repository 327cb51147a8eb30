import type { Span } from '#domain/time-range.ts'
import { Best } from '../query/best.ts'
import { filtersSql, type Selection, spanSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { isRare, type Scan } from '../query/select-rows.ts'
import type { PartialReader } from './partials.ts'
import { stepsOf, wholeDays } from './span-pieces.ts'

/** What devices or users are ranked by: how many of their rows hold a condition (undefined: all), or when their last row was. */
export type RankBy = { count: string | undefined } | 'last'
/** Which devices or users have rows, in the order of a number; the lower key first among equals. */
export type Ranking = { selection: Selection; column: 'device' | 'uid'; by: RankBy }

/** Those that have rows, and the number of each. */
type Known = { keys: Uint32Array; values: Float64Array }

const NONE = Number.NEGATIVE_INFINITY
/** Of a time: 32 bits are handed over at once. */
const LOW = 65_536

/**
 * A page of the ranking, and how many there are. What the whole days of the span tell is remembered; its ends and what came since are
 * read. Undefined where nothing can be remembered.
 */
export async function rankKeys(
  { selection, column, by }: Ranking,
  { offset, limit }: { offset: number; limit: number },
  scan: Scan,
  dialect: Dialect,
  reader: PartialReader | undefined,
): Promise<{ keys: number[]; total: number } | undefined> {
  const { span, zone, basis, filters } = selection
  const days = wholeDays(span, zone)
  if (!reader || !days || isRare(filters)) return undefined
  const conditions = [...filtersSql(selection, dialect), `${column} IS NOT NULL`]
  const what = by === 'last' ? by : `count ${by.count ?? ''}`
  const known = await reader.prepare<Known>([
    ['rank', basis, column, what, days.from, days.to, ...conditions].join('\n'),
  ])
  if (!known) return undefined
  const [memory] = known.memories
  const values = new Float64Array(dialect.keyCount() + 1).fill(NONE)
  const read = async (within: Span, more: string) => {
    const time = `${TIME_COLUMN[basis]} - ${dialect.lit(within.from)}`
    const words = by === 'last' ? [`(${time}) // ${LOW}`, `(${time}) % ${LOW}`] : by.count ? [by.count] : []
    const columns = [column, ...words.map((word) => `CAST(${word} AS UINTEGER)`)].join(', ')
    const where = [spanSql(basis, within, dialect), ...conditions].join(' AND ')
    const add = by === 'last' ? addTimes(values, within.from) : addCounts(values)
    await scan(`SELECT ${columns} FROM events WHERE ${where}${more}`, 1 + words.length, add, 'few')
  }
  const whole = memory?.get('')
  if (whole) for (const [at, key] of whole.keys.entries()) values[key] = whole.values[at] as number
  else {
    for (const step of stepsOf(days)) await read(step, known.before)
    const found = present(values)
    memory?.put('', found, found.keys.byteLength + found.values.byteLength)
    known.kept()
  }
  if (span.from < days.from) await read({ from: span.from, to: days.from }, '')
  if (days.to < span.to) await read({ from: days.to, to: span.to }, '')
  if (known.since) for (const step of stepsOf(days)) await read(step, known.since)
  const best = new Best(offset + limit)
  let total = 0
  for (let key = 1; key < values.length; key++) {
    const value = values[key] as number
    if (value === NONE) continue
    total++
    if (value >= best.least) best.offer(value, -key)
  }
  return {
    keys: best
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

function present(values: Float64Array): Known {
  let count = 0
  for (let key = 0; key < values.length; key++) if (values[key] !== NONE) count++
  const found: Known = { keys: new Uint32Array(count), values: new Float64Array(count) }
  let at = 0
  for (let key = 0; key < values.length; key++)
    if (values[key] !== NONE) {
      found.keys[at] = key
      found.values[at++] = values[key] as number
    }
  return found
}
