import { ProductError } from '#contracts/errors.ts'
import type {
  CountMeasure,
  EntitiesAnswer,
  EntityRow,
  Filter,
  Measure,
  Measures,
  Part,
  RowsAnswer,
  SeriesAnswer,
  TotalAnswer,
} from '#domain/query.ts'
import { autoBucket, BUCKETS, type Span } from '#domain/time-range.ts'
import { MAX_CODES, type Slice } from '../cache/entity-counts.ts'
import { rankKeys } from '../cache/ranked-keys.ts'
import type { Select } from '../duckdb/select.ts'
import type { StoreQuery } from '../port.ts'
import { bucketing } from '../query/buckets.ts'
import { firstSeenSql, type Grouping, measureSelects, type Selection, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { columnSql, MAPPINGS, TIME_COLUMN } from '../query/dimensions.ts'
import {
  additiveSql,
  countedRows,
  DISTINCT,
  IS_ATTACK,
  impliedCondition,
  isAdditive,
  noMeasures,
} from '../query/measures.ts'
import { cursorOf, selectRows } from '../query/select-rows.ts'
import type { Batch } from './batch.ts'

type PartOf<K extends Part['kind']> = Extract<Part, { kind: K }>

/** More points than a chart can show: such a query is refused with a hint to use a wider bucket. */
const MAX_POINTS = 100_000

/** Runs the queries of one part of a request. */
export class QueryPartRunner {
  readonly query: StoreQuery
  readonly batch: Batch
  private readonly and: readonly Filter[]
  private readonly select: Select
  private readonly dialect: Dialect

  constructor(query: StoreQuery, and: readonly Filter[], batch: Batch) {
    this.query = query
    this.and = and
    this.batch = batch
    this.select = batch.select
    this.dialect = batch.dialect
  }

  /** The selection of a span with the part's filters. */
  selection(span: Span, more: readonly Filter[] = []): Selection {
    const { basis, zone, scope, filters } = this.query
    return { span, basis, zone, scope, filters: [...filters, ...this.and, ...more] }
  }

  /**
   * The measures of each non-empty group, by its heads (joined by `\0`); without heads there is one group. With a slice, devices and users
   * are counted by its codes, and `headOf` maps a code to its head.
   */
  async grouped(
    selection: Selection,
    measures: readonly Measure[],
    grouping: Grouping & { slice?: Slice; headOf?: (code: number) => unknown } = { heads: [] },
  ): Promise<Map<string, { heads: unknown[]; row: Measures }>> {
    const groups = new Map<string, { heads: unknown[]; row: Measures }>()
    const none = noMeasures(measures)
    const put = (heads: unknown[], some: readonly Measure[], counts: readonly unknown[]) => {
      const name = heads.length === 1 ? String(heads[0]) : heads.join('\0')
      const group = groups.get(name) ?? { heads, row: { ...none } }
      groups.set(name, group)
      for (const [index, measure] of some.entries()) group.row[measure] = Number(counts[index])
    }
    const depth = grouping.heads.length
    const inPass = depth === 0 || grouping.slice !== undefined
    const bySql = inPass ? measures.filter(isAdditive) : measures
    const additive = bySql.filter(isAdditive)
    const known = additive.length > 0 ? await this.counted(selection, additive, grouping.heads) : undefined
    // Without heads there is one group even when no row matches.
    if (known && depth === 0) put([], additive, new Array<number>(additive.length).fill(0))
    for (const { heads, tallies } of known?.values() ?? []) put([...heads], additive, tallies)
    const left = known ? bySql.filter((measure) => !isAdditive(measure)) : bySql
    const selected = measureSelects(selection, left, this.dialect, grouping).map(async ({ sql, measures: some }) => {
      const rows = await this.select(`${sql} LIMIT ${MAX_POINTS + 1}`)
      if (rows.length > MAX_POINTS) throw tooFine()
      for (const row of rows) put(row.slice(0, depth), some, row.slice(depth))
    })
    const counted = measures
      .filter((measure) => !bySql.includes(measure))
      .map(async (measure) => {
        const counts = await this.count(selection, measure, grouping.slice)
        for (const [index, count] of counts.entries())
          if (count > 0) put(grouping.headOf ? [grouping.headOf(index + 1)] : [], [measure], [count])
      })
    await Promise.all([...selected, ...counted])
    return groups
  }

  /** Row counts by group, including zero counts; undefined when there are too many groups. */
  counted(selection: Selection, measures: readonly CountMeasure[], heads: readonly string[]) {
    const tallies = measures.map((measure) => ({ sql: additiveSql(measure, this.dialect), of: 'sum' }) as const)
    const and = impliedCondition(measures)
    return this.batch.groups({ selection, heads, tallies, ...(and && { and }) })
  }

  /** A count of devices or users, by code. */
  count(selection: Selection, measure: Measure, slice?: Slice): Promise<number[]> {
    const { column, of } = DISTINCT[measure] as NonNullable<(typeof DISTINCT)[Measure]>
    return this.batch.count({ selection, column, of, ...(slice && { slice }) })
  }

  async total({ measures }: PartOf<'total'>): Promise<TotalAnswer> {
    const one = async (span: Span) => {
      const [group] = (await this.grouped(this.selection(span), measures)).values()
      return group?.row ?? noMeasures(measures)
    }
    const { span, compared } = this.query
    const [row, previous] = await Promise.all([one(span), compared && one(compared)])
    return { kind: 'total', row, ...(previous && { previous }) }
  }

  async series(part: PartOf<'series'>): Promise<SeriesAnswer> {
    const { span, compared } = this.query
    const bucket = part.bucket === 'auto' ? autoBucket(span) : part.bucket
    const [points, previous] = await Promise.all([
      this.points(part, bucket, span),
      compared && this.points(part, bucket, compared),
    ])
    return { kind: 'series', bucket, points, ...(previous && { previous }) }
  }

  /** Without `by`: every bucket of the span; with it: those that have rows. */
  private async points({ measures, by }: PartOf<'series'>, bucket: SeriesAnswer['bucket'], span: Span) {
    const { sql, start, indexOf } = bucketing(bucket, span, this.query.zone, this.dialect)
    const [first, last] = [indexOf(span.from), indexOf(span.to - 1)]
    if (last - first >= MAX_POINTS) throw tooFine()
    const selection = this.selection(span)
    const heads = [sql(TIME_COLUMN[this.query.basis]), ...(by ? [columnSql(by, selection, this.dialect)] : [])]
    const size = last - first + 1
    const code = (time: string) => `(${sql(time)}) - ${first - 1}`
    const codes = code(TIME_COLUMN[this.query.basis])
    const codeAt = (moment: number) => indexOf(moment) - first + 1
    const time = { width: BUCKETS[bucket], codeAt, first: code('seen') }
    const slice = { name: codes, sql: codes, size, time }
    const few = !by && size <= MAX_CODES
    const groups = await this.grouped(selection, measures, {
      heads,
      bucket: sql,
      ...(few && { slice, headOf: (one: number) => one + first - 1 }),
    })
    if (by) {
      const { text } = MAPPINGS[by]
      return [...groups.values()]
        .map(({ heads: [index, key], row }) => ({ start: start(Number(index)), key: text(key, this.dialect), row }))
        .sort((a, b) => a.start - b.start || (a.key < b.key ? -1 : 1))
    }
    const points: SeriesAnswer['points'] = []
    for (let index = first; index <= last; index++)
      points.push({ start: start(index), row: groups.get(String(index))?.row ?? noMeasures(measures) })
    return points
  }

  async entities(part: PartOf<'entities'>): Promise<EntitiesAnswer> {
    const { dialect, query } = this
    const { entity } = part
    const column = entity === 'device' ? 'device' : 'uid'
    const other = entity === 'device' ? 'uid' : 'device'
    const time = TIME_COLUMN[query.basis]
    const { keys, total } = await this.ranked(part, column)
    if (keys.length === 0) return { kind: 'entities', rows: [], total }
    const selection = this.selection(query.span, [{ field: entity, op: 'is', values: keys.map(dialect.keyText) }])
    const these = whereSql(selection, dialect)
    const facts = await this.select(
      `SELECT ${column} AS k, ${dialect.countIf(IS_ATTACK)}, count(*), count(DISTINCT ${other}), max(level), min(${time}), max(${time}), max(${time}) FILTER (place > 0), histogram(risk) FILTER (${IS_ATTACK}), ${(['crashes', 'anrs', 'exceptions'] as const).map((one) => additiveSql(one, dialect)).join(', ')} FROM events WHERE ${these} GROUP BY k`,
    )
    // Facts of the newest row; the place is that of the newest row with a place. Ids are read at the last moments only.
    const moments = new Set(facts.flatMap((row) => [row[6], row[7]]).filter((at) => at !== null))
    const last = (expression: string) => `arg_max(${expression}, (${time}, id))`
    const newest = await this.select(
      `SELECT ${column} AS k, ${['country', 'province', 'city'].map((one) => last(`CASE WHEN place > 0 THEN ${one} END`)).join(', ')}, ${['platform', 'model', 'version', 'app'].map((one) => last(one)).join(', ')} FROM events WHERE ${these} AND ${time} IN (${[...moments].join(', ')}) GROUP BY k`,
    )
    const newestOf = new Map(newest.map((row) => [Number(row[0]), row]))
    const byKey = new Map(
      facts.map((row) => [Number(row[0]), entityRow(dialect, row, newestOf.get(Number(row[0])) as unknown[])]),
    )
    return { kind: 'entities', rows: keys.map((key) => byKey.get(key) as EntityRow), total }
  }

  /** The keys of a list's lines, in their order. */
  private async ranked(
    { sort, limit, offset, fresh }: PartOf<'entities'>,
    column: 'device' | 'uid',
  ): Promise<{ keys: number[]; total: number }> {
    const { dialect, query } = this
    const selection = this.selection(query.span)
    const by = sort === 'last' ? sort : { count: countedRows(sort) }
    const known = fresh
      ? undefined
      : await this.batch.reading((_select, scan, reader) =>
          rankKeys({ selection, column, by }, { offset, limit }, scan, dialect, reader),
        )
    if (known) return known
    const isNew = fresh ? ` AND ${column} IN (SELECT first_k FROM (${firstSeenSql(selection, column, dialect)}) n)` : ''
    const where = `${whereSql(selection, dialect)} AND ${column} IS NOT NULL${isNew}`
    const order = sort === 'last' ? `max(${TIME_COLUMN[query.basis]})` : additiveSql(sort, dialect)
    const rows = await this.select(
      `SELECT k, ${dialect.groupCount} FROM (SELECT ${column} AS k, ${order} AS o FROM events WHERE ${where} GROUP BY k) g ORDER BY o DESC, k LIMIT ${limit} OFFSET ${offset}`,
    )
    const total = rows.length > 0 ? Number(rows[0]?.[1]) : await this.countDistinct(column, where)
    return { keys: rows.map(([key]) => Number(key)), total }
  }

  private async countDistinct(column: string, where: string): Promise<number> {
    const [row] = await this.select(`SELECT count(DISTINCT ${column}) FROM events WHERE ${where}`)
    return Number(row?.[0])
  }

  async rows({ limit, cursor, order }: PartOf<'rows'>): Promise<RowsAnswer> {
    const rows = await selectRows(
      this.selection(this.query.span),
      { limit: limit + 1, order, ...(cursor && { cursor }) },
      this.select,
      this.dialect,
    )
    const more = rows.length > limit
    if (more) rows.pop()
    const last = rows.at(-1)
    return { kind: 'rows', rows, ...(more && last && { nextCursor: cursorOf(last, this.query.basis) }) }
  }
}

/** `r`: aggregates of a line's rows; `n`: facts of its newest row. */
function entityRow(dialect: Dialect, r: readonly unknown[], n: readonly unknown[]): EntityRow {
  return {
    key: dialect.keyText(r[0]),
    attacks: Number(r[1]),
    events: Number(r[2]),
    crashes: Number(r[9]),
    anrs: Number(r[10]),
    exceptions: Number(r[11]),
    counterparts: Number(r[3]),
    level: MAPPINGS.level.text(r[4], dialect),
    risk: mainRisk(r[8], dialect),
    country: (n[1] as string | null) ?? '',
    province: n[2] === null ? '' : MAPPINGS.province.text(n[2], dialect),
    city: n[3] === null ? '' : MAPPINGS.city.text(n[3], dialect),
    platform: MAPPINGS.platform.text(n[4], dialect),
    model: n[5] as string,
    version: n[6] as string,
    app: String(n[7]),
    firstAt: Number(r[5]),
    lastAt: Number(r[6]),
  }
}

/** The most frequent of counted risks, the lowest code among equals. */
function mainRisk(counted: unknown, dialect: Dialect): string {
  const risks = (counted ?? []) as { key: unknown; value: unknown }[]
  const [first] = [...risks].sort((a, b) => Number(b.value) - Number(a.value) || Number(a.key) - Number(b.key))
  return first ? MAPPINGS.risk.text(first.key, dialect) : ''
}

function tooFine(): ProductError {
  return new ProductError('input.invalid', { detail: `more than ${MAX_POINTS} points` })
}
