import type { Part, PeriodRow, PeriodsAnswer } from '#contracts/query.ts'
import { type Selection, whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { MAPPINGS, TIME_COLUMN } from './dimensions.ts'
import { additiveSql } from './measures.ts'
import type { Select } from './select-rows.ts'

const MINUTE = 60_000
const COUNTS = ['events', 'attacks', 'crashes', 'anrs', 'exceptions'] as const

/** Each device's events in order of time, cut wherever the gap to the one before is longer than the rule allows. */
export async function answerPeriods(
  selection: Selection,
  part: Extract<Part, { kind: 'periods' }>,
  select: Select,
  dialect: Dialect,
): Promise<PeriodsAnswer> {
  const ranked = rankedSql(selection, part, dialect)
  const page = (count: number, from: number) =>
    select(`SELECT device, t1, ${dialect.groupCount} FROM (${ranked}) g LIMIT ${count} OFFSET ${from}`)
  const ends = await page(part.limit, part.offset)
  // Past the end no row tells how many there are.
  const [last] = ends.length > 0 || part.offset === 0 ? ends : await page(1, 0)
  const total = Number(last?.[2] ?? 0)
  if (ends.length === 0) return { kind: 'periods', rows: [], total }
  const devices = [...new Set(ends.map(([device]) => Number(device)))]
  const whole = await select(
    `SELECT device, t0, t1, top, ${COUNTS.map((_, i) => `c${i}`).join(', ')} FROM (${periodsSql(selection, part, devices, dialect)}) p`,
  )
  const nameOf = (device: unknown, end: unknown) => `${device} ${end}`
  const byEnd = new Map(whole.map((row) => [nameOf(row[0], row[2]), row]))
  const rows = ends.map(([device, end]) => periodRow(byEnd.get(nameOf(device, end)) as unknown[], dialect))
  return { kind: 'periods', rows, total }
}

type Rule = Pick<Extract<Part, { kind: 'periods' }>, 'gapMinutes' | 'sort'>

/**
 * The last moment of each period, in the order asked for: the events after which too long passes. What else there is to a period is only
 * worked out for those that are listed.
 */
function rankedSql(selection: Selection, { gapMinutes, sort }: Rule, dialect: Dialect): string {
  const time = TIME_COLUMN[selection.basis]
  const gap = gapMinutes * MINUTE
  const events = `SELECT device, ${time} AS t FROM events WHERE ${whereSql(selection, dialect)}`
  const inOrder = '(PARTITION BY device ORDER BY t)'
  if (sort === 'last') {
    const next = `SELECT device, t AS t1, lead(t) OVER ${inOrder} AS after FROM (${events}) e`
    return `SELECT device, t1 FROM (${next}) n WHERE after IS NULL OR after - t1 > ${gap} ORDER BY t1 DESC, device`
  }
  const around = `SELECT device, t, row_number() OVER ${inOrder} AS n, lag(t) OVER ${inOrder} AS before, lead(t) OVER ${inOrder} AS after FROM (${events}) e`
  const edges = `SELECT device, t, n, before IS NULL OR t - before > ${gap} AS first, after IS NULL OR after - t > ${gap} AS last FROM (${around}) a`
  // Between a period's first event and its last one stand no other edges.
  const spans = `SELECT device, t AS t1, last, CASE WHEN first THEN 0 ELSE t - lag(t) OVER (PARTITION BY device ORDER BY n) END AS length, CASE WHEN first THEN 1 ELSE n - lag(n) OVER (PARTITION BY device ORDER BY n) + 1 END AS many FROM (${edges}) x WHERE first OR last`
  const order = sort === 'events' ? 'many' : 'length'
  return `SELECT device, t1 FROM (${spans}) s WHERE last ORDER BY ${order} DESC, t1 DESC, device`
}

/** The periods of these devices. */
function periodsSql(selection: Selection, { gapMinutes }: Rule, devices: readonly number[], dialect: Dialect): string {
  const time = TIME_COLUMN[selection.basis]
  const inOrder = 'PARTITION BY device ORDER BY t'
  const marked = `SELECT device, ${time} AS t, type, level, CASE WHEN ${time} - lag(${time}) OVER (PARTITION BY device ORDER BY ${time}) <= ${gapMinutes * MINUTE} THEN 0 ELSE 1 END AS fresh FROM events WHERE ${whereSql(selection, dialect)} AND device IN (${devices.join(', ')})`
  const numbered = `SELECT device, t, type, level, sum(fresh) OVER (${inOrder} RANGE UNBOUNDED PRECEDING) AS n FROM (${marked}) m`
  const counts = COUNTS.map((measure, i) => `${additiveSql(measure, dialect)} AS c${i}`)
  return `SELECT device, min(t) AS t0, max(t) AS t1, max(level) AS top, ${counts.join(', ')} FROM (${numbered}) p GROUP BY device, n`
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
