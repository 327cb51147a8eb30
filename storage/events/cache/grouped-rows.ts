import type { Select } from '../duckdb/select.ts'
import { filtersSql, type Selection, spanSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { isRare } from '../query/select-rows.ts'
import type { AggregateReader, CacheEntry } from './aggregate-cache.ts'
import { runsOf, type SpanPiece, type SplitSpan, splitSpan } from './span-pieces.ts'

/** A mergeable number of a group: a count, or a minimum or maximum. */
type Tally = { sql: string; of: 'sum' | 'min' | 'max' }
/** Group-by values (heads) and tallies of each group. */
export type Groups = Map<string, { heads: readonly unknown[]; tallies: number[] }>

/** What to compute for each group; `and` is an additional SQL condition. */
export type GroupQuery = { selection: Selection; heads: readonly string[]; tallies: readonly Tally[]; and?: string }

/** Queries with more groups are answered by plain SQL. */
const MAX_GROUPS = 20_000
const HOUR = 3_600_000

/** Groups of one piece: numbers of heads and, after each, the tallies. */
type PieceGroups = { numbers: Float64Array; heads: readonly (readonly unknown[])[] }

/**
 * The groups of the selection's rows. Groups of whole days and hours are cached; the ends of the span and rows appended since are read.
 * Undefined when there are more than MAX_GROUPS.
 */
export async function groupRows(
  question: GroupQuery,
  select: Select,
  dialect: Dialect,
  reader: AggregateReader | undefined,
): Promise<Groups | undefined> {
  const groupReader = new GroupReader(question, select, dialect)
  const { span, zone } = question.selection
  // Rare filters match few rows: reading them is cheap and the query rarely repeats.
  const lasting = reader && !isRare(question.selection.filters)
  const cut: SplitSpan = lasting ? splitSpan(span, zone, 'day') : { pieces: [], edges: [span] }
  const known = cut.pieces.length > 0 ? await reader?.prepare<PieceGroups>([groupReader.name]) : undefined
  const [entry] = known?.entries ?? []
  const groups: Groups = new Map()
  const parts: { span: { from: number; to: number }; more: string }[] = []
  if (known && entry) {
    if (!(await groupReader.fill(cut.pieces, entry, known.before))) return undefined
    known.evict()
    for (const piece of cut.pieces) addPiece(groups, entry.get(piece.name), question.tallies)
    for (const edge of cut.edges) parts.push({ span: edge, more: '' })
    const [first, last] = [cut.pieces[0] as SpanPiece, cut.pieces.at(-1) as SpanPiece]
    if (known.since) parts.push({ span: { from: first.from, to: last.to }, more: known.since })
  } else parts.push({ span, more: '' })
  if (parts.length > 0 && !(await groupReader.read(parts, groups))) return undefined
  return groups.size > MAX_GROUPS ? undefined : groups
}

/** Cache key of the query without its time span. */
export function groupQueryKey({ selection, heads, tallies, and }: GroupQuery, dialect: Dialect): string {
  const tallied = tallies.map(({ sql }) => sql)
  return ['groups', selection.basis, ...filtersSql(selection, dialect), and, '', ...heads, '', ...tallied].join('\n')
}

class GroupReader {
  readonly name: string
  private readonly question: GroupQuery
  private readonly conditions: readonly string[]
  private readonly select: Select
  private readonly dialect: Dialect

  constructor(question: GroupQuery, select: Select, dialect: Dialect) {
    this.question = question
    this.select = select
    this.dialect = dialect
    this.conditions = [...filtersSql(question.selection, dialect), ...(question.and ? [question.and] : [])]
    this.name = groupQueryKey(question, dialect)
  }

  /** Adds the groups of the parts; returns false when there are too many. */
  async read(parts: readonly { span: { from: number; to: number }; more: string }[], groups: Groups): Promise<boolean> {
    const { heads, tallies } = this.question
    const rows = await this.select(parts.map(({ span, more }) => this.sql(span, more)).join(' UNION ALL '))
    if (rows.length >= MAX_GROUPS) return false
    for (const row of rows) {
      const values = row.slice(heads.length).map((value) => (value === null ? undefined : Number(value)))
      // A select without GROUP BY returns one row even when no row matches.
      if (values.includes(undefined)) continue
      addGroup(groups, row.slice(0, heads.length), values as number[], tallies)
    }
    return true
  }

  /** Reads the pieces that are not cached; returns false when they have too many groups. */
  async fill(pieces: readonly SpanPiece[], entry: CacheEntry<PieceGroups>, before: string): Promise<boolean> {
    const missing = pieces.filter((piece) => entry.get(piece.name) === undefined)
    for (const run of runsOf(missing)) {
      const [first, last] = [run[0] as SpanPiece, run.at(-1) as SpanPiece]
      const hourly = run.length > 1
      const rows = await this.select(this.sql({ from: first.from, to: last.to }, before, hourly))
      if (rows.length >= MAX_GROUPS) return false
      const byPiece = run.map((): unknown[][] => [])
      for (const row of rows) byPiece[hourly ? Number(row.shift()) : 0]?.push(row)
      for (const [index, piece] of run.entries()) {
        const own = byPiece[index] as unknown[][]
        const { heads, tallies } = this.question
        const kept = own.filter((row) => row.slice(heads.length).every((value) => value !== null))
        const numbers = Float64Array.from(kept.flatMap((row) => row.slice(heads.length).map(Number)))
        const names = kept.map((row) => row.slice(0, heads.length))
        entry.put(piece.name, { numbers, heads: names }, kept.length * (heads.length * 40 + tallies.length * 8 + 40))
      }
    }
    return true
  }

  private sql(span: { from: number; to: number }, more: string, hourly = false): string {
    const { heads, tallies, selection } = this.question
    const named = [
      ...(hourly ? [`(${TIME_COLUMN[selection.basis]} - ${this.dialect.lit(span.from)}) // ${HOUR} AS piece`] : []),
      ...heads.map((head, index) => `${head} AS h${index}`),
    ]
    const names = [...(hourly ? ['piece'] : []), ...heads.map((_, index) => `h${index}`)]
    const columns = [...named, ...tallies.map(({ sql }, index) => `${sql} AS t${index}`)].join(', ')
    const where = [spanSql(selection.basis, span, this.dialect), ...this.conditions].join(' AND ')
    const groups = names.length > 0 ? ` GROUP BY ${names.join(', ')}` : ''
    return `(SELECT ${columns} FROM events WHERE ${where}${more}${groups} LIMIT ${MAX_GROUPS})`
  }
}

function addPiece(groups: Groups, piece: PieceGroups | undefined, tallies: readonly Tally[]): void {
  for (const [index, heads] of (piece?.heads ?? []).entries()) {
    const from = index * tallies.length
    addGroup(groups, heads, piece?.numbers.subarray(from, from + tallies.length) ?? [], tallies)
  }
}

function addGroup(
  groups: Groups,
  heads: readonly unknown[],
  values: ArrayLike<number>,
  tallies: readonly Tally[],
): void {
  const name = heads.length === 1 ? String(heads[0]) : heads.join('\0')
  const known = groups.get(name)
  if (!known) {
    groups.set(name, { heads, tallies: Array.from(values) })
    return
  }
  for (const [index, { of }] of tallies.entries()) {
    const [a, b] = [known.tallies[index] as number, values[index] as number]
    known.tallies[index] = of === 'sum' ? a + b : of === 'min' ? Math.min(a, b) : Math.max(a, b)
  }
}
