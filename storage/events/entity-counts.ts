import { firstSeenSql, type Selection, whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { IS_ATTACK } from './measures.ts'
import type { Scan } from './select-rows.ts'

/**
 * Exact counts of devices and users. They are small numbers (KeyTable), so a pass over the rows sets a bit for each device and thing that
 * is counted, and counts the bits that were not set before: one pass answers every card of a page, at a tenth of the time that grouping
 * by device takes for each of them.
 */
export type EntityAsk = {
  selection: Selection
  column: 'device' | 'uid'
  /** `new`: whose first occurrence over the selection's applications lies in the span, and in the slice where it tells of times. */
  of: 'all' | 'attacked' | 'new'
  slice?: Slice
}

/** What rows are told apart by: one count a code, from 1 to `size`; 0 belongs to none. */
export type Slice = {
  /** Expression of a whole number, 0 for none: the code, or what `codes` tells it of. */
  sql: string
  size: number
  codes?: Uint16Array
  /** Code of the time when a device was first seen (`first_at`): of slices of time. */
  first?: string
}

/** Values beyond are grouped by the store instead. */
export const MAX_CODES = 512
/** Numbers up to here are looked up in a table. */
export const MAX_TABLE = 1 << 20
/** What the bits of one pass take at most. */
const PASS_BYTES = 48 * 1024 * 1024
/** Keys that may come between the snapshot of the rows and the making of the table. */
const SPARE_KEYS = 1 << 16

/** Whether a slice of so many codes can be counted this way. */
export function fitsPass(size: number, keys: number): boolean {
  return size <= MAX_CODES && bytesOf(size, keys) <= PASS_BYTES
}

const bytesOf = (bits: number, keys: number) => Math.ceil(bits / 32) * 4 * (keys + SPARE_KEYS)
const sizeOf = ({ slice }: EntityAsk) => slice?.size ?? 1

/** The counts of asks about the same rows, by code; what has no slice is code 1. */
export async function countEntities(asks: readonly EntityAsk[], scan: Scan, dialect: Dialect): Promise<number[][]> {
  const counts = new Map<EntityAsk, number[]>()
  const rows: EntityAsk[] = []
  for (const ask of asks)
    if (isKnown(ask)) counts.set(ask, await countFirst(ask, scan, dialect))
    else rows.push(ask)
  for (const pass of splitAsks(rows, dialect.keyCount())) await runPass(pass, scan, dialect, counts)
  return asks.map((ask) => counts.get(ask) as number[])
}

/** Who occurred first within the span has a row in it: only other filters need the rows themselves. */
function isKnown({ of, slice, selection: { basis, filters } }: EntityAsk): boolean {
  return (
    of === 'new' &&
    (!slice || slice.first !== undefined) &&
    basis === 'occurred' &&
    filters.every(({ field }) => field === 'app')
  )
}

async function countFirst(ask: EntityAsk, scan: Scan, dialect: Dialect): Promise<number[]> {
  const counts = new Array<number>(sizeOf(ask)).fill(0)
  const first = firstSeenSql(ask.selection, ask.column, dialect)
  const sql = `SELECT CAST(${ask.slice?.first ?? '1'} AS UINTEGER) AS c, CAST(count(*) AS UINTEGER) FROM (${first}) f GROUP BY c`
  await scan(sql, 2, ([codes, many], count) => {
    for (let row = 0; row < count; row++) counts[(codes?.[row] as number) - 1] = many?.[row] as number
  })
  return counts
}

/** Passes whose bits fit. */
function splitAsks(asks: readonly EntityAsk[], keys: number): EntityAsk[][] {
  const passes: EntityAsk[][] = []
  let bits = { device: 0, uid: 0 }
  for (const ask of asks) {
    const more = { ...bits, [ask.column]: bits[ask.column] + sizeOf(ask) }
    const last = passes.at(-1)
    if (last && bytesOf(more.device, keys) + bytesOf(more.uid, keys) <= PASS_BYTES) {
      last.push(ask)
      bits = more
    } else {
      passes.push([ask])
      bits = { device: 0, uid: 0, [ask.column]: sizeOf(ask) }
    }
  }
  return passes
}

/** The bits of one column: `words` for each key. */
type Bits = { table: Uint32Array; words: number }
type Counting = { ask: EntityAsk; bits: Bits; offset: number; counts: Uint32Array; fresh: Uint16Array | undefined }

async function runPass(
  asks: readonly EntityAsk[],
  scan: Scan,
  dialect: Dialect,
  answers: Map<EntityAsk, number[]>,
): Promise<void> {
  const { selection } = asks[0] as EntityAsk
  const keys = dialect.keyCount() + SPARE_KEYS
  const columns = [...new Set(asks.map(({ column }) => column))]
  const onlyAttacked = asks.every(({ of }) => of === 'attacked')
  const isAttack = !onlyAttacked && asks.some(({ of }) => of === 'attacked')
  const slices = [...new Set(asks.flatMap(({ slice }) => (slice ? [slice.sql] : [])))]
  const counting: Counting[] = []
  for (const column of columns) {
    const own = asks.filter((ask) => ask.column === column)
    const words = Math.ceil(own.reduce((sum, ask) => sum + sizeOf(ask), 0) / 32)
    const bits = { table: new Uint32Array(words * keys), words }
    let offset = 0
    for (const ask of own) {
      const fresh = ask.of === 'new' ? await freshCodes(ask, scan, dialect, keys) : undefined
      counting.push({ ask, bits, offset, counts: new Uint32Array(sizeOf(ask) + 1), fresh })
      offset += sizeOf(ask)
    }
  }
  const where = [
    whereSql(selection, dialect),
    ...(onlyAttacked ? [IS_ATTACK] : []),
    ...(columns.length === 1 ? [`${columns[0]} IS NOT NULL`] : []),
  ].join(' AND ')
  const words = [
    ...columns.map((column) => `coalesce(${column}, 0)`),
    ...(isAttack ? [IS_ATTACK] : []),
    ...slices.map((sql) => `coalesce(${sql}, 0)`),
  ]
  const sql = `SELECT ${words.map((word) => `CAST(${word} AS UINTEGER)`).join(', ')} FROM events WHERE ${where}`
  await scan(sql, words.length, (blocks, count) => {
    for (const one of counting) {
      const { column, of, slice } = one.ask
      const entities = blocks[columns.indexOf(column)] as Uint32Array
      const attacked = of === 'attacked' && isAttack ? (blocks[columns.length] as Uint32Array) : undefined
      const values = slice && (blocks[words.length - slices.length + slices.indexOf(slice.sql)] as Uint32Array)
      countBlock(one, count, entities, attacked, values)
    }
  })
  for (const { ask, counts } of counting) answers.set(ask, [...counts.subarray(1)])
}

function countBlock(
  { ask, bits, offset, counts, fresh }: Counting,
  count: number,
  entities: Uint32Array,
  attacked: Uint32Array | undefined,
  values: Uint32Array | undefined,
): void {
  const { table, words } = bits
  const codes = ask.slice?.codes
  const byTime = ask.slice?.first !== undefined
  for (let row = 0; row < count; row++) {
    const entity = entities[row] as number
    if (entity === 0 || (attacked !== undefined && attacked[row] === 0)) continue
    let code = 1
    if (values !== undefined) {
      code = values[row] as number
      if (codes !== undefined) code = code < codes.length ? (codes[code] as number) : 0
      if (code === 0) continue
    }
    if (fresh !== undefined && (byTime ? fresh[entity] !== code : fresh[entity] === 0)) continue
    const bit = offset + code - 1
    const at = entity * words + (bit >>> 5)
    const mask = 1 << (bit & 31)
    if (((table[at] as number) & mask) !== 0) continue
    table[at] = (table[at] as number) | mask
    counts[code] = (counts[code] as number) + 1
  }
}

/** By key: 0 where it is not new; else 1, or the code of the time when it was first seen. */
async function freshCodes({ selection, column, slice }: EntityAsk, scan: Scan, dialect: Dialect, keys: number) {
  const fresh = new Uint16Array(keys)
  const code = slice?.first ?? '1'
  const sql = `SELECT first_k, CAST(${code} AS UINTEGER) FROM (${firstSeenSql(selection, column, dialect)}) f`
  await scan(sql, 2, ([numbers, codes], count) => {
    for (let row = 0; row < count; row++) fresh[numbers?.[row] as number] = codes?.[row] as number
  })
  return fresh
}
