import type { ChangeAnswer, Part } from '#contracts/query.ts'
import { type MeasureSelect, measureSelects, type Selection } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { columnSql, MAPPINGS } from './dimensions.ts'
import type { Select } from './select-rows.ts'

/** Both spans are counted by value and joined, so that values which came or went are found too. */
export async function answerChange(
  now: Selection,
  before: Selection | undefined,
  { by, measure, limit }: Extract<Part, { kind: 'change' }>,
  select: Select,
  dialect: Dialect,
): Promise<ChangeAnswer> {
  const counted = (selection: Selection) => {
    const heads = [columnSql(by, selection, dialect)]
    return (measureSelects(selection, [measure], dialect, { heads })[0] as MeasureSelect).sql
  }
  // A field may be NULL (user), which joins nothing: both sides stand in one list and are added up by value instead.
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
