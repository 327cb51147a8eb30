import type { Part, PeriodRow, PeriodsAnswer } from '#contracts/query.ts'
import { type Selection, whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { MAPPINGS, TIME_COLUMN } from './dimensions.ts'
import { additiveSql } from './measures.ts'
import type { Select } from './select-rows.ts'

const MINUTE = 60_000
const COUNTS = ['events', 'attacks', 'crashes', 'anrs', 'exceptions'] as const
const ORDERS = { last: 't1 DESC', events: 'c0 DESC, t1 DESC', length: 't1 - t0 DESC, t1 DESC' } as const

/** Each device's events in order of time, cut wherever the gap to the one before is longer than the rule allows. */
export async function answerPeriods(
  selection: Selection,
  { gapMinutes, sort, limit, offset }: Extract<Part, { kind: 'periods' }>,
  select: Select,
  dialect: Dialect,
): Promise<PeriodsAnswer> {
  const time = TIME_COLUMN[selection.basis]
  const inOrder = 'PARTITION BY device ORDER BY t'
  const marked = `SELECT device, ${time} AS t, type, level, CASE WHEN ${time} - lag(${time}) OVER (PARTITION BY device ORDER BY ${time}) <= ${gapMinutes * MINUTE} THEN 0 ELSE 1 END AS fresh FROM events WHERE ${whereSql(selection, dialect)}`
  const numbered = `SELECT device, t, type, level, sum(fresh) OVER (${inOrder} RANGE UNBOUNDED PRECEDING) AS n FROM (${marked}) m`
  const counts = COUNTS.map((measure, i) => `${additiveSql(measure, dialect)} AS c${i}`)
  const periods = `SELECT device, min(t) AS t0, max(t) AS t1, max(level) AS top, ${counts.join(', ')} FROM (${numbered}) p GROUP BY device, n`
  const page = (count: number, from: number) =>
    select(
      `SELECT device, t0, t1, top, ${COUNTS.map((_, i) => `c${i}`).join(', ')}, ${dialect.groupCount} FROM (${periods}) g ORDER BY ${ORDERS[sort]}, device LIMIT ${count} OFFSET ${from}`,
    )
  const rows = await page(limit, offset)
  // Past the end no row tells how many there are.
  const [last] = rows.length > 0 || offset === 0 ? rows : await page(1, 0)
  return { kind: 'periods', rows: rows.map((row) => periodRow(row, dialect)), total: Number(last?.[9] ?? 0) }
}

function periodRow(row: readonly unknown[], dialect: Dialect): PeriodRow {
  const counts = Object.fromEntries(COUNTS.map((measure, i) => [measure, Number(row[4 + i])]))
  return {
    device: dialect.keyText(row[0]),
    from: Number(row[1]),
    to: Number(row[2]),
    level: MAPPINGS.level.text(row[3], dialect),
    ...(counts as Pick<PeriodRow, (typeof COUNTS)[number]>),
  }
}
