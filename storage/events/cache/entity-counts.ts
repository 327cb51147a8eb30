import type { Span } from '#domain/time-range.ts'
import { filtersSql, type Selection, spanSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { IS_ATTACK } from '../query/measures.ts'
import type { Scan } from '../query/select-rows.ts'
import { countUnion, KeyCollector, type KeySets, type Member } from './key-sets.ts'
import type { Memory, PartialReader } from './partials.ts'
import { readFirst } from './read-first.ts'
import { type Cut, cutSpan, type Piece, runsOf } from './span-pieces.ts'

/**
 * Exact counts of devices and users. They are small numbers (KeyTable), so a pass over the rows makes sets of them: one pass answers every
 * card of a page. The sets of whole days and hours are remembered; what a span needs is united and counted.
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
  /** What slices of the same name tell apart is the same. */
  name: string
  /** Expression of a whole number, 0 for none: the code, or what `codes` tells it of. */
  sql: string
  size: number
  codes?: Uint16Array
  /** Of slices of time: their width, the code of a moment, and SQL of the code of the time when a device was first seen (`seen`). */
  time?: { width: number; codeAt: (moment: number) => number; first: string }
}

/** Values beyond are grouped by the store instead. */
export const MAX_CODES = 512
/** Numbers up to here are looked up in a table. */
export const MAX_TABLE = 1 << 20

const HOUR = 3_600_000
const LONGEST_DAY = 25 * HOUR
const sizeOf = ({ slice }: EntityAsk) => slice?.size ?? 1

/** The counts of asks about the same rows, by code; what has no slice is code 1. */
export async function countEntities(
  asks: readonly EntityAsk[],
  scan: Scan,
  dialect: Dialect,
  reader?: PartialReader,
): Promise<number[][]> {
  const counted = new Map(asks.map((ask): [EntityAsk, number[]] => [ask, new Array<number>(sizeOf(ask)).fill(0)]))
  const fresh = new Map<EntityAsk, KeySets>()
  for (const column of ['device', 'uid'] as const) await countFirst(column, counted, fresh, scan, dialect)
  const ofRows = asks.filter((ask) => !isKnown(ask))
  if (ofRows.length > 0) await countRows(ofRows, counted, fresh, scan, dialect, reader)
  return asks.map((ask) => counted.get(ask) as number[])
}

/** Who occurred first within the span has a row in it: only other filters need the rows themselves. */
function isKnown({ of, slice, selection: { basis, filters } }: EntityAsk): boolean {
  return (
    of === 'new' &&
    (slice === undefined || slice.time !== undefined) &&
    basis === 'occurred' &&
    filters.every(({ field }) => field === 'app')
  )
}

/** Who is new, read once for all asks of a column: counted at once where no row needs to be looked at. */
async function countFirst(
  column: EntityAsk['column'],
  counted: ReadonlyMap<EntityAsk, number[]>,
  fresh: Map<EntityAsk, KeySets>,
  scan: Scan,
  dialect: Dialect,
): Promise<void> {
  const asks = [...counted.keys()].filter((ask) => ask.column === column && ask.of === 'new')
  const [one] = asks
  if (!one) return
  const sql = [...new Set(asks.flatMap(({ slice }) => (slice?.time ? [slice.time.first] : [])))]
  const { keys, codes, count } = await readFirst(one.selection, column, sql, scan, dialect)
  for (const ask of asks) {
    const { time } = ask.slice ?? {}
    const own = time && codes[sql.indexOf(time.first)]
    if (isKnown(ask)) addAll(counted.get(ask) as number[], keys, own, count)
    else {
      const collector = new KeyCollector(time ? sizeOf(ask) : 1)
      collector.add(keys, own, undefined, count)
      fresh.set(ask, collector.finish())
    }
  }
}

/** Counts keys by code; all have the code 1 where none is told. */
function addAll(counts: number[], keys: Uint32Array, codes: Uint32Array | undefined, count: number): void {
  for (let row = 0; row < count; row++) {
    const code = codes ? (codes[row] as number) : 1
    if (keys[row] !== 0 && code > 0) counts[code - 1] = (counts[code - 1] ?? 0) + 1
  }
}

/** Keys of rows by code: what is read for the asks, each once. Of slices of time the pieces need no code. */
type Source = {
  column: EntityAsk['column']
  attacked: boolean
  slice?: Slice
}
const sourceOf = ({ column, of, slice }: EntityAsk): Source => ({
  column,
  attacked: of === 'attacked',
  ...(slice && { slice }),
})
const ofPieces = ({ slice, ...source }: Source): Source => ({ ...source, ...(slice && !slice.time && { slice }) })
const nameOf = ({ column, attacked, slice }: Source) => `${column} ${attacked} ${slice?.name ?? ''}`

/** Sources without those that are alike. */
class Sources {
  readonly all: Source[] = []
  private readonly byName = new Map<string, number>()

  indexOf(source: Source): number {
    const name = nameOf(source)
    const known = this.byName.get(name)
    if (known !== undefined) return known
    this.byName.set(name, this.all.length)
    return this.all.push(source) - 1
  }
}

async function countRows(
  asks: readonly EntityAsk[],
  counted: ReadonlyMap<EntityAsk, number[]>,
  fresh: ReadonlyMap<EntityAsk, KeySets>,
  scan: Scan,
  dialect: Dialect,
  reader: PartialReader | undefined,
): Promise<void> {
  const { selection } = asks[0] as EntityAsk
  const [loose, whole] = [new Sources(), new Sources()]
  const places = asks.map((ask) => ({
    ask,
    loose: loose.indexOf(sourceOf(ask)),
    whole: whole.indexOf(ofPieces(sourceOf(ask))),
  }))
  const scanner = new Scanner(selection, scan, dialect)
  const cut = reader ? cutFor(asks, selection) : undefined
  const names = whole.all.map((source) => `keys ${scanner.name} ${nameOf(source)}`)
  const known = cut && cut.pieces.length > 0 ? await reader?.prepare<KeySets>(names) : undefined
  const pieces = known && cut ? cut.pieces : []
  if (known) {
    await fillPieces(pieces, whole.all, known.memories, known.before, scanner)
    known.kept()
  }
  const collectors = loose.all.map(({ slice }) => new KeyCollector(slice?.size ?? 1))
  const edges = known && cut ? cut.edges : [selection.span]
  for (const span of edges) await scanner.read(span, '', loose.all, collectors)
  const [from, to] = [pieces[0]?.from, pieces.at(-1)?.to]
  if (known?.since && from !== undefined && to !== undefined)
    await scanner.read({ from, to }, known.since, loose.all, collectors)
  const ends = collectors.map((collector) => collector.finish())
  for (const { ask, loose: looseAt, whole: wholeAt } of places) {
    const memory = known?.memories[wholeAt]
    const members = membersOf(ask, ends[looseAt] as KeySets, memory, pieces)
    const only = fresh.get(ask)
    const counts = counted.get(ask) as number[]
    for (const [index, own] of members.entries())
      counts[index] = countUnion(own, only && { sets: only, code: ask.slice?.time ? index + 1 : 1 })
  }
}

/** The sets that make up each code of an ask. */
function membersOf(
  ask: EntityAsk,
  ends: KeySets,
  memory: Memory<KeySets> | undefined,
  pieces: readonly Piece[],
): Member[][] {
  const members = Array.from({ length: sizeOf(ask) }, (_, index): Member[] => [{ sets: ends, code: index + 1 }])
  for (const piece of pieces) {
    const sets = memory?.get(piece.name) as KeySets
    if (ask.slice?.time) members[ask.slice.time.codeAt(piece.from) - 1]?.push({ sets, code: 1 })
    else for (const [index, own] of members.entries()) own.push({ sets, code: index + 1 })
  }
  return members
}

/** Pieces that lie in one slice of time each; none where slices are finer than any piece. */
function cutFor(asks: readonly EntityAsk[], { span, zone }: Selection): Cut | undefined {
  const times = asks.flatMap(({ slice }) => (slice?.time ? [slice.time] : []))
  const narrowest = Math.min(...times.map(({ width }) => width))
  if (narrowest < HOUR) return undefined
  const cut = cutSpan(span, zone, narrowest === HOUR ? 'hour' : 'day')
  const fits = cut.pieces.every(({ from, to }) => times.every(({ codeAt }) => codeAt(from) === codeAt(to - 1)))
  return fits ? cut : undefined
}

/** Reads the pieces that nobody remembers. */
async function fillPieces(
  pieces: readonly Piece[],
  sources: readonly Source[],
  memories: readonly Memory<KeySets>[],
  before: string,
  scanner: Scanner,
): Promise<void> {
  const lacks = (memory: Memory<KeySets>, piece: Piece) => memory.get(piece.name) === undefined
  const missing = pieces.filter((piece) => memories.some((memory) => lacks(memory, piece)))
  for (const run of runsOf(missing)) {
    const wanted = sources.flatMap((source, index) => {
      const memory = memories[index] as Memory<KeySets>
      return run.some((piece) => lacks(memory, piece)) ? [{ source, memory }] : []
    })
    const [first, last] = [run[0] as Piece, run.at(-1) as Piece]
    const collectors = wanted.map(({ source }) => new KeyCollector((source.slice?.size ?? 1) * run.length))
    const all = wanted.map(({ source }) => source)
    await scanner.read({ from: first.from, to: last.to }, before, all, collectors, run.length > 1)
    for (const [index, { source, memory }] of wanted.entries()) {
      const sets = (collectors[index] as KeyCollector).finish()
      const size = source.slice?.size ?? 1
      for (const [at, piece] of run.entries()) {
        const own = run.length > 1 ? sets.codes(at * size + 1, size) : sets
        memory.put(piece.name, own, own.bytes)
      }
    }
  }
}

/** Reads keys and codes of the selection's rows. */
class Scanner {
  /** Tells what rows it reads, but for their time. */
  readonly name: string
  private readonly basis: Selection['basis']
  private readonly filters: readonly string[]
  private readonly scan: Scan
  private readonly dialect: Dialect
  private codes = new Uint32Array(0)

  constructor(selection: Selection, scan: Scan, dialect: Dialect) {
    this.basis = selection.basis
    this.filters = filtersSql(selection, dialect)
    this.name = [selection.basis, ...this.filters].join(' AND ')
    this.scan = scan
    this.dialect = dialect
  }

  /** The rows of a span; `hourly`: codes are those of its first hour, then those of its second one, and so on. */
  async read(
    span: Span,
    more: string,
    sources: readonly Source[],
    collectors: readonly KeyCollector[],
    hourly = false,
  ): Promise<void> {
    const columns = [...new Set(sources.map(({ column }) => column))]
    const slices = [...new Set(sources.flatMap(({ slice }) => (slice ? [slice.sql] : [])))]
    const onlyAttacked = sources.every(({ attacked }) => attacked)
    const isAttack = !onlyAttacked && sources.some(({ attacked }) => attacked)
    const words = [
      ...columns.map((column) => `coalesce(${column}, 0)`),
      ...slices.map((sql) => `coalesce(${sql}, 0)`),
      ...(hourly ? [`(${TIME_COLUMN[this.basis]} - ${this.dialect.lit(span.from)}) // ${HOUR}`] : []),
      ...(isAttack ? [IS_ATTACK] : []),
    ]
    const where = [
      spanSql(this.basis, span, this.dialect),
      ...this.filters,
      ...(onlyAttacked ? [IS_ATTACK] : []),
      ...(columns.length === 1 ? [`${columns[0]} IS NOT NULL`] : []),
    ].join(' AND ')
    const hoursAt = columns.length + slices.length
    const sql = `SELECT ${words.map((word) => `CAST(${word} AS UINTEGER)`).join(', ')} FROM events WHERE ${where}${more}`
    const take: Parameters<Scan>[2] = (blocks, count) => {
      const attacks = isAttack ? blocks.at(-1) : undefined
      for (const [index, { column, attacked, slice }] of sources.entries()) {
        const values = slice && (blocks[columns.length + slices.indexOf(slice.sql)] as Uint32Array)
        const codes = this.codesOf(values, slice, hourly ? (blocks[hoursAt] as Uint32Array) : undefined, count)
        const keys = blocks[columns.indexOf(column)] as Uint32Array
        collectors[index]?.add(keys, codes, attacked ? attacks : undefined, count)
      }
    }
    await this.scan(sql, words.length, take, span.to - span.from <= LONGEST_DAY ? 'few' : undefined)
  }

  private codesOf(
    values: Uint32Array | undefined,
    slice: Slice | undefined,
    hours: Uint32Array | undefined,
    count: number,
  ): Uint32Array | undefined {
    if (!hours && (!values || !slice?.codes)) return values
    if (this.codes.length < count) this.codes = new Uint32Array(count)
    if (!values) this.codes.fill(1, 0, count)
    else if (slice?.codes) lookUp(this.codes, values, slice.codes, count)
    else this.codes.set(values.subarray(0, count))
    if (hours) addHours(this.codes, hours, slice?.size ?? 1, count)
    return this.codes
  }
}

function lookUp(codes: Uint32Array, values: Uint32Array, table: Uint16Array, count: number): void {
  for (let row = 0; row < count; row++) {
    const value = values[row] as number
    codes[row] = value < table.length ? (table[value] as number) : 0
  }
}

function addHours(codes: Uint32Array, hours: Uint32Array, size: number, count: number): void {
  for (let row = 0; row < count; row++)
    if (codes[row] !== 0) codes[row] = (codes[row] as number) + (hours[row] as number) * size
}
