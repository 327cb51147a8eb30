import type { HeatAnswer, Part } from '#domain/query.ts'
import { columnSql } from '../query/dimensions.ts'
import type { QueryPartRunner } from './query-part-runner.ts'

/** Counts by weekday and hour of the zone: at most 168 cells. */
export async function answerHeat(
  runner: QueryPartRunner,
  { measures }: Extract<Part, { kind: 'heat' }>,
): Promise<HeatAnswer> {
  const selection = runner.selection(runner.query.span)
  const { dialect } = runner.batch
  const heads = [columnSql('weekday', selection, dialect), columnSql('hour', selection, dialect)]
  const groups = await runner.grouped(selection, measures, { heads })
  const cells = [...groups.values()].map(({ heads: [weekday, hour], row }) => ({
    weekday: Number(weekday),
    hour: Number(hour),
    row,
  }))
  cells.sort((a, b) => a.weekday - b.weekday || a.hour - b.hour)
  return { kind: 'heat', cells }
}
