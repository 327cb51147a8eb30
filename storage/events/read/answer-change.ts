import type { ChangeAnswer, CountMeasure, Part } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { type MeasureSelect, measureSelects, type Selection } from '../query/compile-query.ts'
import { columnSql, MAPPINGS } from '../query/dimensions.ts'
import { isAdditive } from '../query/measures.ts'
import { byValue } from './answer-top.ts'
import type { QueryPartRunner } from './query-part-runner.ts'
import { hasFewValues } from './slices.ts'

type ChangePart = Extract<Part, { kind: 'change' }>

/** Both spans are counted by value and joined, so that values which came or went are found too. */
export async function answerChange(runner: QueryPartRunner, part: ChangePart): Promise<ChangeAnswer> {
  return (await changeOfFew(runner, part)) ?? (await changeBySql(runner, part))
}

/** Undefined where the field has many values, or the measure is no count of rows. */
async function changeOfFew(
  runner: QueryPartRunner,
  { by, measure, limit }: ChangePart,
): Promise<ChangeAnswer | undefined> {
  if (!hasFewValues(by) || !isAdditive(measure)) return undefined
  const counts = async (span: Span) => {
    const selection = runner.selection(span)
    return runner.counted(selection, [measure satisfies CountMeasure], [columnSql(by, selection, runner.batch.dialect)])
  }
  const { span, compared } = runner.query
  const [now, before] = await Promise.all([counts(span), compared ? counts(compared) : new Map()])
  if (!now || !before) return undefined
  const both = [...new Set([...now.keys(), ...before.keys()])]
    .map((name) => {
      const [a, b] = [now.get(name), before.get(name)]
      return { head: (a ?? b)?.heads[0], now: a?.tallies[0] ?? 0, before: b?.tallies[0] ?? 0 }
    })
    .filter((one) => one.now + one.before > 0)
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || b.now - a.now || byValue(a.head, b.head))
  return {
    kind: 'change',
    now: both.reduce((sum, one) => sum + one.now, 0),
    before: both.reduce((sum, one) => sum + one.before, 0),
    groups: both.slice(0, limit).map(({ head, ...counts }) => ({
      key: MAPPINGS[by].text(head, runner.batch.dialect),
      ...counts,
    })),
    groupCount: both.length,
  }
}

async function changeBySql(runner: QueryPartRunner, { by, measure, limit }: ChangePart): Promise<ChangeAnswer> {
  const { select, dialect } = runner.batch
  const { compared } = runner.query
  const now = runner.selection(runner.query.span)
  const before = compared && runner.selection(compared)
  const counted = (selection: Selection) => {
    const heads = [columnSql(by, selection, dialect)]
    return (measureSelects(selection, [measure], dialect, { heads })[0] as MeasureSelect).sql
  }
  // A field may be NULL (user), which no join matches: both sides are unioned and summed by value instead.
  const sides = [`SELECT h0, m0 AS a, 0 AS b FROM (${counted(now)}) n`]
  if (before) sides.push(`SELECT h0, 0 AS a, m0 AS b FROM (${counted(before)}) o`)
  const values = `SELECT h0, sum(a) AS a, sum(b) AS b FROM (${sides.join(' UNION ALL ')}) u GROUP BY h0`
  const rows = await select(
    `SELECT h0, a, b, ${dialect.groupCount}, sum(a) OVER (), sum(b) OVER () FROM (${values}) v WHERE a + b > 0 ORDER BY abs(a - b) DESC, a DESC, h0 LIMIT ${limit}`,
  )
  const [first = []] = rows
  return {
    kind: 'change',
    now: Number(first[4] ?? 0),
    before: Number(first[5] ?? 0),
    groups: rows.map((row) => ({
      key: MAPPINGS[by].text(row[0], dialect),
      now: Number(row[1]),
      before: Number(row[2]),
    })),
    groupCount: Number(first[3] ?? 0),
  }
}
