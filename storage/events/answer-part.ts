import { ProductError } from '#contracts/errors.ts'
import type {
  Dimension,
  EntitiesAnswer,
  EntityRow,
  Filter,
  Measure,
  Measures,
  Part,
  PartAnswer,
  RowsAnswer,
  SeriesAnswer,
  TopAnswer,
  TotalAnswer,
} from '#contracts/query.ts'
import { autoBucket, type Span } from '#contracts/time-range.ts'
import { answerChange } from './answer-change.ts'
import { answerHeat } from './answer-heat.ts'
import { answerPeriods } from './answer-periods.ts'
import { bucketing } from './buckets.ts'
import {
  firstSeenSql,
  type Grouping,
  type MeasureSelect,
  measureSelects,
  type Selection,
  whereSql,
} from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { columnSql, MAPPINGS, TIME_COLUMN } from './dimensions.ts'
import { additiveSql, IS_ATTACK, impliedCondition, isAdditive, noMeasures, readMeasures } from './measures.ts'
import type { StoreQuery } from './port.ts'
import { cursorOf, type Select, selectRows } from './select-rows.ts'

type PartOf<K extends Part['kind']> = Extract<Part, { kind: K }>

/** More points than any chart can show: the caller is told to choose a wider bucket. */
const MAX_POINTS = 100_000

/** Answers a part from the store behind `select`. Throws ProductError input.invalid where the question is too fine. */
export async function answerPart(query: StoreQuery, part: Part, select: Select, dialect: Dialect): Promise<PartAnswer> {
  const ask = new Asking(query, part.and, select, dialect)
  switch (part.kind) {
    case 'total':
      return ask.total(part)
    case 'series':
      return ask.series(part)
    case 'top':
      return ask.top(part)
    case 'heat':
      return answerHeat(ask.selection(query.span), part, select, dialect)
    case 'change':
      return answerChange(
        ask.selection(query.span),
        query.compared && ask.selection(query.compared),
        part,
        select,
        dialect,
      )
    case 'periods':
      return answerPeriods(ask.selection(query.span), part, select, dialect)
    case 'entities':
      return ask.entities(part)
    case 'rows':
      return ask.rows(part)
  }
}

class Asking {
  private readonly query: StoreQuery
  private readonly and: readonly Filter[]
  private readonly select: Select
  private readonly dialect: Dialect

  constructor(query: StoreQuery, and: readonly Filter[], select: Select, dialect: Dialect) {
    this.query = query
    this.and = and
    this.select = select
    this.dialect = dialect
  }

  /** The rows of a span that the part is about. */
  selection(span: Span, more: readonly Filter[] = []): Selection {
    const { basis, zone, scope, filters } = this.query
    return { span, basis, zone, scope, filters: [...filters, ...this.and, ...more] }
  }

  /** The measures of each group that has any, by its heads (`\0` between them); without heads there is one group. */
  private async grouped(
    selection: Selection,
    measures: readonly Measure[],
    grouping: Grouping = { heads: [], groups: 1 },
  ): Promise<Map<string, { heads: unknown[]; row: Measures }>> {
    const groups = new Map<string, { heads: unknown[]; row: Measures }>()
    const depth = grouping.heads.length
    const none = noMeasures(measures)
    for (const { sql, measures: some } of measureSelects(selection, measures, this.dialect, grouping)) {
      const rows = await this.select(`${sql} LIMIT ${MAX_POINTS + 1}`)
      if (rows.length > MAX_POINTS) throw tooFine()
      for (const row of rows) {
        const heads = row.slice(0, depth)
        const name = depth === 1 ? String(heads[0]) : heads.join('\0')
        const group = groups.get(name) ?? { heads, row: { ...none } }
        groups.set(name, group)
        for (const [index, measure] of some.entries()) group.row[measure] = Number(row[depth + index])
      }
    }
    return groups
  }

  async total({ measures }: PartOf<'total'>): Promise<TotalAnswer> {
    const one = async (span: Span) => {
      const [group] = (await this.grouped(this.selection(span), measures)).values()
      return group?.row ?? noMeasures(measures)
    }
    const { span, compared } = this.query
    return { kind: 'total', row: await one(span), ...(compared && { previous: await one(compared) }) }
  }

  async series(part: PartOf<'series'>): Promise<SeriesAnswer> {
    const { span, compared } = this.query
    const bucket = part.bucket === 'auto' ? autoBucket(span) : part.bucket
    const points = await this.points(part, bucket, span)
    return { kind: 'series', bucket, points, ...(compared && { previous: await this.points(part, bucket, compared) }) }
  }

  /** Without `by`: every bucket of the span; with it: those that have rows. */
  private async points({ measures, by }: PartOf<'series'>, bucket: SeriesAnswer['bucket'], span: Span) {
    const { sql, start, indexOf } = bucketing(bucket, span, this.query.zone, this.dialect)
    const [first, last] = [indexOf(span.from), indexOf(span.to - 1)]
    if (last - first >= MAX_POINTS) throw tooFine()
    const selection = this.selection(span)
    const heads = [sql(TIME_COLUMN[this.query.basis]), ...(by ? [columnSql(by, selection, this.dialect)] : [])]
    const few = by ? {} : { groups: last - first + 1 }
    const groups = await this.grouped(selection, measures, { heads, bucket: sql, ...few })
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

  /** Groups whose first measure is 0 are neither listed nor counted as groups; `others` holds what they count otherwise. */
  async top({ by, measures, limit, seen }: PartOf<'top'>): Promise<TopAnswer> {
    const { text } = MAPPINGS[by]
    const { span, compared } = this.query
    const all = this.selection(span)
    const column = columnSql(by, all, this.dialect)
    const selects = measureSelects(all, measures, this.dialect, { heads: [column] })
    const ranking = selects.find((one) => one.measures[0] === measures[0]) as MeasureSelect
    const names = ranking.measures.map((_, index) => `m${index}`).join(', ')
    // Of one count alone the ranking knows the whole, and what is left of it: no other scan is needed.
    const alone = measures.length === 1 && isAdditive(measures[0] as Measure)
    const rows = await this.select(
      `SELECT h0, ${this.dialect.groupCount}, ${names}${alone ? ', sum(m0) OVER ()' : ''} FROM (${ranking.sql}) r WHERE m0 > 0 ORDER BY m0 DESC, h0 LIMIT ${limit}`,
    )
    const groups: TopAnswer['groups'] = rows.map((row) => ({
      key: text(row[0], this.dialect),
      row: { ...noMeasures(measures), ...readMeasures(ranking.measures, row, 2) },
    }))
    const more = measures.filter((measure) => !ranking.measures.includes(measure))
    for (const [key, row] of await this.listed(span, more, by, groups))
      Object.assign(groups.find((group) => group.key === key)?.row ?? {}, row)
    const additive = measures.filter(isAdditive)
    const total = alone ? { [measures[0] as Measure]: Number(rows[0]?.[3] ?? 0) } : undefined
    const others = additive.length > 0 ? await this.rest(additive, groups, total) : {}
    if (compared) {
      const before = await this.listed(compared, measures, by, groups)
      for (const group of groups) group.previous = before.get(group.key) ?? noMeasures(measures)
    }
    if (seen) await this.addTimes(by, measures[0] as Measure, groups)
    return { kind: 'top', groups, groupCount: Number(rows[0]?.[1] ?? 0), others }
  }

  /** When each listed group was first and last seen, by the rows that its first measure counts. */
  private async addTimes(by: Dimension, measure: Measure, groups: TopAnswer['groups']): Promise<void> {
    const these = this.selection(this.query.span, [{ field: by, op: 'is', values: groups.map(({ key }) => key) }])
    const time = TIME_COLUMN[this.query.basis]
    const implied = impliedCondition([measure])
    const rows = await this.select(
      `SELECT ${columnSql(by, these, this.dialect)} AS h0, min(${time}), max(${time}) FROM events WHERE ${whereSql(these, this.dialect)}${implied ? ` AND ${implied}` : ''} GROUP BY h0`,
    )
    for (const [head, first, last] of rows) {
      const group = groups.find(({ key }) => key === MAPPINGS[by].text(head, this.dialect))
      if (group) Object.assign(group, { firstAt: Number(first), lastAt: Number(last) })
    }
  }

  private async rest(additive: Measure[], groups: TopAnswer['groups'], total?: Measures) {
    const [whole] = total ? [] : (await this.grouped(this.selection(this.query.span), additive)).values()
    const rest = { ...(total ?? whole?.row) }
    for (const measure of additive)
      for (const group of groups) rest[measure] = (rest[measure] ?? 0) - (group.row[measure] ?? 0)
    return rest
  }

  /** The measures of the groups that are listed, by key. */
  private async listed(span: Span, measures: readonly Measure[], by: Dimension, groups: TopAnswer['groups']) {
    const rows = new Map<string, Measures>()
    if (groups.length === 0 || measures.length === 0) return rows
    const these: Filter = { field: by, op: 'is', values: groups.map(({ key }) => key) }
    const selection = this.selection(span, [these])
    const { text } = MAPPINGS[by]
    const column = columnSql(by, selection, this.dialect)
    for (const { heads, row } of (await this.grouped(selection, measures, { heads: [column] })).values())
      rows.set(text(heads[0], this.dialect), row)
    return rows
  }

  async entities({ entity, sort, limit, offset, fresh }: PartOf<'entities'>): Promise<EntitiesAnswer> {
    const { dialect, query } = this
    const column = entity === 'device' ? 'device' : 'uid'
    const other = entity === 'device' ? 'uid' : 'device'
    const time = TIME_COLUMN[query.basis]
    const all = this.selection(query.span)
    const isNew = fresh ? ` AND ${column} IN (SELECT first_k FROM (${firstSeenSql(all, column, dialect)}) n)` : ''
    const where = `${whereSql(all, dialect)} AND ${column} IS NOT NULL${isNew}`
    const order = sort === 'last' ? `max(${time})` : additiveSql(sort, dialect)
    const ranked = await this.select(
      `SELECT k, ${dialect.groupCount} FROM (SELECT ${column} AS k, ${order} AS o FROM events WHERE ${where} GROUP BY k) g ORDER BY o DESC, k LIMIT ${limit} OFFSET ${offset}`,
    )
    const keys = ranked.map((row) => dialect.keyText(row[0]))
    const total = ranked.length > 0 ? Number(ranked[0]?.[1]) : await this.countDistinct(column, where)
    if (keys.length === 0) return { kind: 'entities', rows: [], total }
    const these = whereSql(this.selection(query.span, [{ field: entity, op: 'is', values: keys }]), dialect)
    // The newest row's facts; the place is that of the newest row that has one.
    const last = (expression: string) => `arg_max(${expression}, (${time}, id))`
    const facts = await this.select(
      `SELECT ${column} AS k, ${dialect.countIf(IS_ATTACK)}, count(*), count(DISTINCT ${other}), max(level), ${['country', 'province', 'city'].map((one) => last(`CASE WHEN place > 0 THEN ${one} END`)).join(', ')}, ${['platform', 'model', 'version', 'app'].map((one) => last(one)).join(', ')}, min(${time}), max(${time}), ${(['crashes', 'anrs', 'exceptions'] as const).map((one) => additiveSql(one, dialect)).join(', ')} FROM events WHERE ${these} GROUP BY k`,
    )
    const risks = await this.select(
      `SELECT ${column} AS k, risk, count(*) AS c FROM events WHERE ${these} AND ${IS_ATTACK} GROUP BY k, risk ORDER BY c, risk DESC`,
    )
    // Ascending, so that the most frequent one stays.
    const risk = new Map(risks.map((row) => [dialect.keyText(row[0]), MAPPINGS.risk.text(row[1], dialect)]))
    const byKey = new Map(facts.map((row) => [dialect.keyText(row[0]), entityRow(dialect, row, risk)]))
    return { kind: 'entities', rows: keys.map((key) => byKey.get(key) as EntityRow), total }
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

function entityRow(dialect: Dialect, r: readonly unknown[], risk: Map<string, string>): EntityRow {
  const key = dialect.keyText(r[0])
  return {
    key,
    attacks: Number(r[1]),
    events: Number(r[2]),
    crashes: Number(r[14]),
    anrs: Number(r[15]),
    exceptions: Number(r[16]),
    counterparts: Number(r[3]),
    level: MAPPINGS.level.text(r[4], dialect),
    risk: risk.get(key) ?? '',
    country: (r[5] as string | null) ?? '',
    province: r[6] === null ? '' : MAPPINGS.province.text(r[6], dialect),
    city: r[7] === null ? '' : MAPPINGS.city.text(r[7], dialect),
    platform: MAPPINGS.platform.text(r[8], dialect),
    model: r[9] as string,
    version: r[10] as string,
    app: String(r[11]),
    firstAt: Number(r[12]),
    lastAt: Number(r[13]),
  }
}

function tooFine(): ProductError {
  return new ProductError('input.invalid', { detail: `more than ${MAX_POINTS} points` })
}
