import { firstSeenSql, type Selection, whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { type Counted, EntityBits } from './entity-bits.ts'
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
  const keys = dialect.keyCount() + SPARE_KEYS
  const counted = new Map(asks.map((ask): [EntityAsk, Counted] => [ask, { counts: new Uint32Array(sizeOf(ask) + 1) }]))
  for (const column of ['device', 'uid'] as const) await readFirst(column, counted, keys, scan, dialect)
  const ofRows = asks.filter((ask) => !isKnown(ask))
  for (const pass of splitAsks(ofRows, dialect.keyCount())) await runPass(pass, counted, keys, scan, dialect)
  return asks.map((ask) => [...(counted.get(ask) as Counted).counts.subarray(1)])
}

/** Who occurred first within the span has a row in it: only other filters need the rows themselves. */
function isKnown({ of, slice, selection: { basis, filters } }: EntityAsk): boolean {
  return (
    of === 'new' &&
    (slice === undefined || slice.first !== undefined) &&
    basis === 'occurred' &&
    filters.every(({ field }) => field === 'app')
  )
}

/** Who is new, read once for all asks of a column: counted at once where no row needs to be looked at. */
async function readFirst(
  column: EntityAsk['column'],
  counted: ReadonlyMap<EntityAsk, Counted>,
  keys: number,
  scan: Scan,
  dialect: Dialect,
): Promise<void> {
  const asks = [...counted.keys()].filter((ask) => ask.column === column && ask.of === 'new')
  const [one] = asks
  if (!one) return
  const codes = asks.map(({ slice }) => `CAST(${slice?.first ?? '1'} AS UINTEGER)`)
  const fresh = asks.map((ask) => (isKnown(ask) ? undefined : new Uint16Array(keys)))
  const sql = `SELECT first_k, ${codes.join(', ')} FROM (${firstSeenSql(one.selection, column, dialect)}) f`
  await scan(sql, 1 + codes.length, ([numbers = NONE, ...blocks], count) => {
    for (const [index, ask] of asks.entries()) {
      const [block = NONE, table] = [blocks[index], fresh[index]]
      const { counts } = counted.get(ask) as Counted
      for (let row = 0; row < count; row++) {
        const code = block[row] as number
        if (table) table[numbers[row] as number] = code
        else counts[code] = (counts[code] as number) + 1
      }
    }
  })
  for (const [index, ask] of asks.entries()) {
    const table = fresh[index]
    if (table) Object.assign(counted.get(ask) as Counted, { fresh: table, byTime: ask.slice?.first !== undefined })
  }
}

const NONE = new Uint32Array(0)

/** Passes whose bits fit. */
function splitAsks(asks: readonly EntityAsk[], keys: number): EntityAsk[][] {
  const passes: EntityAsk[][] = []
  let bytes = 0
  for (const ask of asks) {
    const more = bytesOf(sizeOf(ask), keys)
    const last = passes.at(-1)
    if (last && bytes + more <= PASS_BYTES) last.push(ask)
    else passes.push([ask])
    bytes = last && bytes + more <= PASS_BYTES ? bytes + more : more
  }
  return passes
}

async function runPass(
  asks: readonly EntityAsk[],
  counted: ReadonlyMap<EntityAsk, Counted>,
  keys: number,
  scan: Scan,
  dialect: Dialect,
): Promise<void> {
  const { selection } = asks[0] as EntityAsk
  const columns = [...new Set(asks.map(({ column }) => column))]
  const onlyAttacked = asks.every(({ of }) => of === 'attacked')
  const isAttack = !onlyAttacked && asks.some(({ of }) => of === 'attacked')
  const slices = [...new Set(asks.flatMap(({ slice }) => (slice ? [slice.sql] : [])))]
  const words = [
    ...columns.map((column) => `coalesce(${column}, 0)`),
    ...slices.map((sql) => `coalesce(${sql}, 0)`),
    ...(isAttack ? [IS_ATTACK] : []),
  ]
  const bits = columns.map((column) => {
    const own = asks.filter((ask) => ask.column === column)
    return new EntityBits(
      keys,
      own.map((ask) => ({
        ...(counted.get(ask) as Counted),
        size: sizeOf(ask),
        attacked: isAttack && ask.of === 'attacked',
        ...(ask.slice && { value: columns.length + slices.indexOf(ask.slice.sql) }),
        ...(ask.slice?.codes && { codes: ask.slice.codes }),
      })),
    )
  })
  const where = [
    whereSql(selection, dialect),
    ...(onlyAttacked ? [IS_ATTACK] : []),
    ...(columns.length === 1 ? [`${columns[0]} IS NOT NULL`] : []),
  ].join(' AND ')
  const sql = `SELECT ${words.map((word) => `CAST(${word} AS UINTEGER)`).join(', ')} FROM events WHERE ${where}`
  await scan(sql, words.length, (blocks, count) => {
    const attacks = isAttack ? blocks.at(-1) : undefined
    for (const [index, one] of bits.entries()) one.add(blocks[index] as Uint32Array, blocks, attacks, count)
  })
  for (const one of bits) one.finish()
}
