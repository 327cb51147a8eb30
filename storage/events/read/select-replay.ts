import { eventRow } from '#contracts/telemetry/event-row.ts'
import { BLOCKED_FROM, LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import type { Select } from '../duckdb/select.ts'
import type { ReplayAnswer } from '../port.ts'
import { type Selection, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { ROW_COLUMNS, readEvent } from '../query/select-rows.ts'

/**
 * Attacks that arrived in the span: exact counts by second, and of those with a place at most `samplePerSecond` each second, oldest
 * first. The sample is the same each time: those with the smallest hash of their id.
 */
export async function selectReplay(
  selection: Selection,
  samplePerSecond: number,
  select: Select,
  dialect: Dialect,
): Promise<ReplayAnswer> {
  const attack = { field: 'type', op: 'is', values: ['risk'] } as const
  const where = whereSql({ ...selection, filters: [...selection.filters, { ...attack, values: ['risk'] }] }, dialect)
  const second = dialect.bucket('received', 1000)
  const levels = LEVELS_BY_SEVERITY.map((level) => dialect.countIf(`level = ${LEVELS[level].code}`)).join(', ')
  const seconds = await select(
    `SELECT ${second} AS s, ${levels}, ${dialect.countIf(`action >= ${BLOCKED_FROM}`)} FROM events WHERE ${where} GROUP BY s ORDER BY s`,
  )
  const placed = `${where} AND lon IS NOT NULL AND lat IS NOT NULL`
  const [[sampleOf] = [0]] = await select(`SELECT count(*) FROM events WHERE ${placed}`)
  const sample = await select(
    `SELECT ${ROW_COLUMNS} FROM events WHERE ${placed} QUALIFY row_number() OVER (PARTITION BY ${second} ORDER BY eh, id) <= ${dialect.lit(samplePerSecond)} ORDER BY received, id`,
  )
  return {
    seconds: seconds.map(
      ([s, ...counts]) => [Number(s) * 1000, ...counts.map(Number)] as ReplayAnswer['seconds'][number],
    ),
    sample: sample.map((row) => eventRow(readEvent(row, dialect))),
    sampleOf: Number(sampleOf),
  }
}
