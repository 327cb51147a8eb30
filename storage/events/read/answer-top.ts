import type { CountMeasure, Dimension, Filter, Measure, Measures, Part, TopAnswer } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { type MeasureSelect, measureSelects, whereSql } from '../query/compile-query.ts'
import { columnSql, MAPPINGS, TIME_COLUMN } from '../query/dimensions.ts'
import { impliedCondition, isAdditive, noMeasures, readMeasures } from '../query/measures.ts'
import type { QueryPartRunner } from './query-part-runner.ts'
import { hasFewValues, sliceOf } from './slices.ts'

type TopPart = Extract<Part, { kind: 'top' }>
type Groups = TopAnswer['groups']

/** Groups whose first measure is 0 are neither listed nor counted; `others` still includes their other measures. */
export async function answerTop(runner: QueryPartRunner, part: TopPart): Promise<TopAnswer> {
  const { by, measures, limit, seen } = part
  const { span, compared } = runner.query
  const first = measures[0] as Measure
  const ranked =
    (await rankByGroups(runner, part)) ?? (await rankByPass(runner, part)) ?? (await rankBySql(runner, part))
  const groups: Groups = ranked.groups.slice(0, limit)
  const additive = measures.filter(isAdditive)
  const more = measures.filter((measure) => !ranked.measures.includes(measure))
  const [added, before, others] = await Promise.all([
    listed(runner, span, more, by, groups),
    compared && listed(runner, compared, measures, by, groups),
    rest(runner, additive, ranked.total),
    seen && addTimes(runner, by, first, groups),
  ])
  for (const group of groups) {
    Object.assign(group.row, added.get(group.key))
    if (before) group.previous = before.get(group.key) ?? noMeasures(measures)
  }
  for (const measure of additive)
    for (const group of groups) others[measure] = (others[measure] ?? 0) - (group.row[measure] ?? 0)
  return { kind: 'top', groups, groupCount: ranked.groupCount, others }
}

type Ranked = {
  groups: Groups
  groupCount: number
  /** The measures that the ranking has already computed. */
  measures: readonly Measure[]
  /** The first measure over all groups, where the ranking knows it. */
  total?: Measures
}

/** Few values by a count of rows: all values are counted. Undefined where it cannot be had. */
async function rankByGroups(runner: QueryPartRunner, { by, measures }: TopPart): Promise<Ranked | undefined> {
  const first = measures[0] as Measure
  if (!isAdditive(first) || !hasFewValues(by)) return undefined
  const additive = measures.filter(isAdditive)
  const counts = await countsOf(runner, runner.query.span, by, additive)
  if (!counts) return undefined
  const none = noMeasures(measures)
  const total: Measures = noMeasures(additive)
  for (const { row } of counts)
    for (const measure of additive) total[measure] = (total[measure] ?? 0) + (row[measure] ?? 0)
  const groups = counts
    .filter(({ row }) => (row[first] ?? 0) > 0)
    .sort((a, b) => (b.row[first] ?? 0) - (a.row[first] ?? 0) || byValue(a.head, b.head))
    .map(({ key, row }) => ({ key, row: { ...none, ...row } }))
  return { groups, groupCount: groups.length, measures: additive, total }
}

/** Counts of rows by value of a field; undefined where it has too many. */
async function countsOf(runner: QueryPartRunner, span: Span, by: Dimension, measures: readonly CountMeasure[]) {
  const { dialect } = runner.batch
  const selection = runner.selection(span)
  const found = await runner.counted(selection, measures, [columnSql(by, selection, dialect)])
  return (
    found &&
    [...found.values()].map(({ heads: [head], tallies }) => ({
      head,
      key: MAPPINGS[by].text(head, dialect),
      row: Object.fromEntries(measures.map((measure, index) => [measure, tallies[index]])) as Measures,
    }))
  )
}

/** The store's order of values: numbers by size, texts by their bytes. */
export function byValue(a: unknown, b: unknown): number {
  return typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b)
}

async function rankBySql(runner: QueryPartRunner, { by, measures, limit }: TopPart): Promise<Ranked> {
  const { select, dialect } = runner.batch
  const { text } = MAPPINGS[by]
  const all = runner.selection(runner.query.span)
  const selects = measureSelects(all, measures, dialect, { heads: [columnSql(by, all, dialect)] })
  const ranking = selects.find((one) => one.measures[0] === measures[0]) as MeasureSelect
  const names = ranking.measures.map((_, index) => `m${index}`).join(', ')
  // For a single row count the ranking already has the total: no other scan is needed.
  const alone = measures.length === 1 && isAdditive(measures[0] as Measure)
  const rows = await select(
    `SELECT h0, ${dialect.groupCount}, ${names}${alone ? ', sum(m0) OVER ()' : ''} FROM (${ranking.sql}) r WHERE m0 > 0 ORDER BY m0 DESC, h0 LIMIT ${limit}`,
  )
  return {
    groups: rows.map((row) => ({
      key: text(row[0], dialect),
      row: { ...noMeasures(measures), ...readMeasures(ranking.measures, row, 2) },
    })),
    groupCount: Number(rows[0]?.[1] ?? 0),
    measures: ranking.measures,
    ...(alone && { total: { [measures[0] as Measure]: Number(rows[0]?.[3] ?? 0) } }),
  }
}

/** Few values by a count of devices or users: those of all values at once. Undefined where it cannot be had. */
async function rankByPass(runner: QueryPartRunner, { by, measures }: TopPart): Promise<Ranked | undefined> {
  const first = measures[0] as Measure
  if (isAdditive(first) || !hasFewValues(by)) return undefined
  const { dialect } = runner.batch
  const all = runner.selection(runner.query.span)
  const and = impliedCondition([first])
  const heads = [columnSql(by, all, dialect)]
  const values = await runner.batch.groups({ selection: all, heads, tallies: [], ...(and && { and }) })
  if (!values) return undefined
  const keys = [...values.values()]
    .map(({ heads: [head] }) => head)
    .sort(byValue)
    .map((head) => MAPPINGS[by].text(head, dialect))
  if (keys.length === 0) return { groups: [], groupCount: 0, measures }
  const slice = sliceOf(by, all, keys, dialect)
  if (!slice) return undefined
  const counts = await runner.count(all, first, slice)
  const groups = keys
    .map((key, index) => ({ key, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    // Stable: equal counts stay in the order of their values.
    .sort((a, b) => b.count - a.count)
    .map(({ key, count }) => ({ key, row: { ...noMeasures(measures), [first]: count } }))
  return { groups, groupCount: groups.length, measures: [first] }
}

/** When each listed group was first and last seen, by the rows that its first measure counts. */
async function addTimes(runner: QueryPartRunner, by: Dimension, measure: Measure, groups: Groups): Promise<void> {
  const { select, dialect } = runner.batch
  const time = TIME_COLUMN[runner.query.basis]
  const implied = impliedCondition([measure])
  const put = (head: unknown, first: unknown, last: unknown) => {
    const group = groups.find(({ key }) => key === MAPPINGS[by].text(head, dialect))
    if (group) Object.assign(group, { firstAt: Number(first), lastAt: Number(last) })
  }
  if (hasFewValues(by)) {
    const selection = runner.selection(runner.query.span)
    const found = await runner.batch.groups({
      selection,
      heads: [columnSql(by, selection, dialect)],
      tallies: [
        { sql: `min(${time})`, of: 'min' },
        { sql: `max(${time})`, of: 'max' },
      ],
      ...(implied && { and: implied }),
    })
    for (const { heads, tallies } of found?.values() ?? []) put(heads[0], tallies[0], tallies[1])
    if (found) return
  }
  const these = runner.selection(runner.query.span, [{ field: by, op: 'is', values: groups.map(({ key }) => key) }])
  const rows = await select(
    `SELECT ${columnSql(by, these, dialect)} AS h0, min(${time}), max(${time}) FROM events WHERE ${whereSql(these, dialect)}${implied ? ` AND ${implied}` : ''} GROUP BY h0`,
  )
  for (const [head, first, last] of rows) put(head, first, last)
}

/** The measures of all rows. */
async function rest(runner: QueryPartRunner, additive: readonly CountMeasure[], total?: Measures): Promise<Measures> {
  if (additive.length === 0) return {}
  const [whole] = total ? [] : (await runner.grouped(runner.selection(runner.query.span), additive)).values()
  return { ...(total ?? whole?.row) }
}

/** The measures of the groups that are listed, by key. */
async function listed(
  runner: QueryPartRunner,
  span: Span,
  measures: readonly Measure[],
  by: Dimension,
  groups: Groups,
): Promise<Map<string, Measures>> {
  const found = new Map<string, Measures>()
  if (groups.length === 0 || measures.length === 0) return found
  const { dialect } = runner.batch
  // Sorted by key: the cache entry stays valid when the ranking changes.
  const keys = groups.map(({ key }) => key).sort()
  const all = runner.selection(span)
  const slice = sliceOf(by, all, keys, dialect)
  const wanted = new Set(keys)
  const inPass: readonly Measure[] = slice ? measures.filter((measure) => !isAdditive(measure)) : []
  const put = (key: string, row: Measures) => found.set(key, { ...noMeasures(measures), ...found.get(key), ...row })
  const counted = inPass.map(async (measure) => {
    for (const [index, count] of (await runner.count(all, measure, slice)).entries())
      if (count > 0) put(keys[index] as string, { [measure]: count })
  })
  const bySql = async () => {
    const additive = measures.filter(isAdditive)
    const counts = hasFewValues(by) && additive.length > 0 ? await countsOf(runner, span, by, additive) : undefined
    for (const { key, row } of counts ?? []) if (wanted.has(key)) put(key, row)
    const others = measures.filter((measure) => !inPass.includes(measure) && !(counts && isAdditive(measure)))
    if (others.length === 0) return
    const these: Filter = { field: by, op: 'is', values: keys }
    const selection = runner.selection(span, [these])
    const heads = [columnSql(by, selection, dialect)]
    for (const {
      heads: [head],
      row,
    } of (await runner.grouped(selection, others, { heads })).values())
      put(MAPPINGS[by].text(head, dialect), row)
  }
  await Promise.all([bySql(), ...counted])
  return found
}
