import type { HeatAnswer, Part } from '#contracts/query.ts'
import { measureSelects, type Selection } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { columnSql } from './dimensions.ts'
import { readMeasures } from './measures.ts'
import type { Select } from './select-rows.ts'

/** Counts by weekday and hour of the zone: one scan, at most 168 cells. */
export async function answerHeat(
  selection: Selection,
  { measures }: Extract<Part, { kind: 'heat' }>,
  select: Select,
  dialect: Dialect,
): Promise<HeatAnswer> {
  const heads = [columnSql('weekday', selection, dialect), columnSql('hour', selection, dialect)]
  const cells: HeatAnswer['cells'] = []
  for (const { sql, measures: some } of measureSelects(selection, measures, dialect, { heads }))
    for (const row of await select(sql))
      cells.push({ weekday: Number(row[0]), hour: Number(row[1]), row: readMeasures(some, row, 2) })
  cells.sort((a, b) => a.weekday - b.weekday || a.hour - b.hour)
  return { kind: 'heat', cells }
}
