import type { HeatAnswer, Part } from '#domain/query.ts'
import { columnSql } from '../query/dimensions.ts'
import type { Asking } from './asking.ts'

/** Counts by weekday and hour of the zone: at most 168 cells. */
export async function answerHeat(ask: Asking, { measures }: Extract<Part, { kind: 'heat' }>): Promise<HeatAnswer> {
  const selection = ask.selection(ask.query.span)
  const { dialect } = ask.batch
  const heads = [columnSql('weekday', selection, dialect), columnSql('hour', selection, dialect)]
  const groups = await ask.grouped(selection, measures, { heads })
  const cells = [...groups.values()].map(({ heads: [weekday, hour], row }) => ({
    weekday: Number(weekday),
    hour: Number(hour),
    row,
  }))
  cells.sort((a, b) => a.weekday - b.weekday || a.hour - b.hour)
  return { kind: 'heat', cells }
}
