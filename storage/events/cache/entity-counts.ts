import type { Span } from '#domain/time-range.ts'
import type { Scan } from '../duckdb/select.ts'
import { filtersSql, type Selection, spanSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { IS_ATTACK } from '../query/measures.ts'
import type { AggregateReader, CacheEntry } from './aggregate-cache.ts'
import { readFirstSeenKeys } from './first-seen-keys.ts'
import { countUnion, KeyCollector, type KeySets, type Member } from './key-sets.ts'
import { runsOf, type SpanPiece, type SplitSpan, splitSpan } from './span-pieces.ts'

/**
 * Exact counts of devices and users. Both are small integers (KeyTable), so one pass over the rows builds sets for every count of a
 * request. The sets of whole days and hours are cached; a span is the union of its sets.
 */
export type EntityCountRequest = {
  selection: Selection
  column: 'device' | 'uid'
  /** `new`: counts keys whose first occurrence over the selection's applications lies in the span (and in the slice, for time slices). */
  of: 'all' | 'attacked' | 'new'
  slice?: Slice
}

/** Partition of the rows: one count for each code from 1 to `size`; code 0 belongs to no partition. */
export type Slice = {
  /** Slices of the same name partition rows in the same way. */
  name: string
  /** SQL expression of a whole number: the code itself, or an index into `codes`; 0 means no code. */
  sql: string
  size: number
  codes?: Uint16Array
  /** For time slices: bucket width, the code of a moment, and SQL of the code of the first-seen time (`seen`). */
  time?: { width: number; codeAt: (moment: number) => number; first: string }
}

/** Fields with more values are grouped in SQL instead. */
export const MAX_CODES = 512
/** Numbers up to here use a lookup table. */
export const MAX_TABLE = 1 << 20

const HOUR = 3_600_000
const LONGEST_DAY = 25 * HOUR
const sizeOf = ({ slice }: EntityCountRequest) => slice?.size ?? 1

/** Counts for requests over the same rows, by code; a request without a slice has the single code 1. */
export async function countEntities(
  requests: readonly EntityCountRequest[],
  scan: Scan,
  dialect: Dialect,
  reader?: AggregateReader,
): Promise<number[][]> {
  const counted = new Map(
    requests.map((request): [EntityCountRequest, number[]] => [request, new Array<number>(sizeOf(request)).fill(0)]),
  )
  const fresh = new Map<EntityCountRequest, KeySets>()
  for (const column of ['device', 'uid'] as const) await countFirst(column, counted, fresh, scan, dialect)
  const ofRows = requests.filter((request) => !isKnown(request))
  if (ofRows.length > 0) await countRows(ofRows, counted, fresh, scan, dialect, reader)
  return requests.map((request) => counted.get(request) as number[])
}

/** A key that first occurred within the span has a row in it, so only other filters require a scan of the rows. */
function isKnown({ of, slice, selection: { basis, filters } }: EntityCountRequest): boolean {
  return (
    of === 'new' &&
    (slice === undefined || slice.time !== undefined) &&
    basis === 'occurred' &&
    filters.every(({ field }) => field === 'app')
  )
}

/** Reads the new keys once for all requests of a column; requests that need no row scan are counted immediately. */
async function countFirst(
  column: EntityCountRequest['column'],
  counted: ReadonlyMap<EntityCountRequest, number[]>,
  fresh: Map<EntityCountRequest, KeySets>,
  scan: Scan,
  dialect: Dialect,
): Promise<void> {
  const requests = [...counted.keys()].filter((request) => request.column === column && request.of === 'new')
  const [one] = requests
  if (!one) return
  const sql = [...new Set(requests.flatMap(({ slice }) => (slice?.time ? [slice.time.first] : [])))]
  const { keys, codes, count } = await readFirstSeenKeys(one.selection, column, sql, scan, dialect)
  for (const request of requests) {
    const { time } = request.slice ?? {}
    const own = time && codes[sql.indexOf(time.first)]
    if (isKnown(request)) addAll(counted.get(request) as number[], keys, own, count)
    else {
      const collector = new KeyCollector(time ? sizeOf(request) : 1)
      collector.add(keys, own, undefined, count)
      fresh.set(request, collector.finish())
    }
  }
}

/** Counts keys by code; without codes all keys have code 1. */
function addAll(counts: number[], keys: Uint32Array, codes: Uint32Array | undefined, count: number): void {
  for (let row = 0; row < count; row++) {
    const code = codes ? (codes[row] as number) : 1
    if (keys[row] !== 0 && code > 0) counts[code - 1] = (counts[code - 1] ?? 0) + 1
  }
}

/** A set of keys by code that requests share. Pieces of time slices need no code. */
type Source = {
  column: EntityCountRequest['column']
  attacked: boolean
  slice?: Slice
}
const sourceOf = ({ column, of, slice }: EntityCountRequest): Source => ({
  column,
  attacked: of === 'attacked',
  ...(slice && { slice }),
})
const ofPieces = ({ slice, ...source }: Source): Source => ({ ...source, ...(slice && !slice.time && { slice }) })
const nameOf = ({ column, attacked, slice }: Source) => `${column} ${attacked} ${slice?.name ?? ''}`

/** Deduplicated sources. */
class DistinctSources {
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
  requests: readonly EntityCountRequest[],
  counted: ReadonlyMap<EntityCountRequest, number[]>,
  fresh: ReadonlyMap<EntityCountRequest, KeySets>,
  scan: Scan,
  dialect: Dialect,
  reader: AggregateReader | undefined,
): Promise<void> {
  const { selection } = requests[0] as EntityCountRequest
  const [loose, whole] = [new DistinctSources(), new DistinctSources()]
  const positions = requests.map((request) => ({
    request,
    loose: loose.indexOf(sourceOf(request)),
    whole: whole.indexOf(ofPieces(sourceOf(request))),
  }))
  const scanner = new Scanner(selection, scan, dialect)
  const cut = reader ? cutFor(requests, selection) : undefined
  const names = whole.all.map((source) => `keys ${scanner.name} ${nameOf(source)}`)
  const known = cut && cut.pieces.length > 0 ? await reader?.prepare<KeySets>(names) : undefined
  const pieces = known && cut ? cut.pieces : []
  if (known) {
    await fillPieces(pieces, whole.all, known.entries, known.before, scanner)
    known.evict()
  }
  const collectors = loose.all.map(({ slice }) => new KeyCollector(slice?.size ?? 1))
  const edges = known && cut ? cut.edges : [selection.span]
  for (const span of edges) await scanner.read(span, '', loose.all, collectors)
  const [from, to] = [pieces[0]?.from, pieces.at(-1)?.to]
  if (known?.since && from !== undefined && to !== undefined)
    await scanner.read({ from, to }, known.since, loose.all, collectors)
  const ends = collectors.map((collector) => collector.finish())
  for (const { request, loose: looseAt, whole: wholeAt } of positions) {
    const entry = known?.entries[wholeAt]
    const members = membersOf(request, ends[looseAt] as KeySets, entry, pieces)
    const only = fresh.get(request)
    const counts = counted.get(request) as number[]
    for (const [index, own] of members.entries())
      counts[index] = countUnion(own, only && { sets: only, code: request.slice?.time ? index + 1 : 1 })
  }
}

/** The sets that make up each code of a request. */
function membersOf(
  request: EntityCountRequest,
  ends: KeySets,
  entry: CacheEntry<KeySets> | undefined,
  pieces: readonly SpanPiece[],
): Member[][] {
  const members = Array.from({ length: sizeOf(request) }, (_, index): Member[] => [{ sets: ends, code: index + 1 }])
  for (const piece of pieces) {
    const sets = entry?.get(piece.name) as KeySets
    if (request.slice?.time) members[request.slice.time.codeAt(piece.from) - 1]?.push({ sets, code: 1 })
    else for (const [index, own] of members.entries()) own.push({ sets, code: index + 1 })
  }
  return members
}

/** Pieces that each lie within one time slice; no pieces where slices are shorter than any piece. */
function cutFor(requests: readonly EntityCountRequest[], { span, zone }: Selection): SplitSpan | undefined {
  const times = requests.flatMap(({ slice }) => (slice?.time ? [slice.time] : []))
  const narrowest = Math.min(...times.map(({ width }) => width))
  if (narrowest < HOUR) return undefined
  const cut = splitSpan(span, zone, narrowest === HOUR ? 'hour' : 'day')
  const fits = cut.pieces.every(({ from, to }) => times.every(({ codeAt }) => codeAt(from) === codeAt(to - 1)))
  return fits ? cut : undefined
}

/** Reads the pieces that are not cached. */
async function fillPieces(
  pieces: readonly SpanPiece[],
  sources: readonly Source[],
  entries: readonly CacheEntry<KeySets>[],
  before: string,
  scanner: Scanner,
): Promise<void> {
  const lacks = (entry: CacheEntry<KeySets>, piece: SpanPiece) => entry.get(piece.name) === undefined
  const missing = pieces.filter((piece) => entries.some((entry) => lacks(entry, piece)))
  for (const run of runsOf(missing)) {
    const wanted = sources.flatMap((source, index) => {
      const entry = entries[index] as CacheEntry<KeySets>
      return run.some((piece) => lacks(entry, piece)) ? [{ source, entry }] : []
    })
    const [first, last] = [run[0] as SpanPiece, run.at(-1) as SpanPiece]
    const collectors = wanted.map(({ source }) => new KeyCollector((source.slice?.size ?? 1) * run.length))
    const all = wanted.map(({ source }) => source)
    await scanner.read({ from: first.from, to: last.to }, before, all, collectors, run.length > 1)
    for (const [index, { source, entry }] of wanted.entries()) {
      const sets = (collectors[index] as KeyCollector).finish()
      const size = source.slice?.size ?? 1
      for (const [at, piece] of run.entries()) {
        const own = run.length > 1 ? sets.codes(at * size + 1, size) : sets
        entry.put(piece.name, own, own.bytes)
      }
    }
  }
}

/** Reads keys and codes of the selection's rows. */
class Scanner {
  /** Cache key of the rows this scanner reads, without their time span. */
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
