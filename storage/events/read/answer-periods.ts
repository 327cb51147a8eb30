import type { Part, PeriodRow, PeriodsAnswer } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { splitByDays } from '../cache/span-pieces.ts'
import type { Scan, Select } from '../duckdb/select.ts'
import { filtersSql, type Selection, spanSql, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { MAPPINGS, TIME_COLUMN } from '../query/dimensions.ts'
import { growTypedArray } from '../query/grow-typed-array.ts'
import { additiveSql } from '../query/measures.ts'
import { isRare } from '../query/select-rows.ts'
import { TopK } from '../query/top-k.ts'
import { RowsByDevice } from './rows-by-device.ts'

const MINUTE = 60_000
const COUNTS = ['events', 'attacks', 'crashes', 'anrs', 'exceptions'] as const

type PeriodsPart = Extract<Part, { kind: 'periods' }>

/**
 * Periods of each device: its events in order of time, split wherever the gap exceeds the rule. One pass over the rows finds the periods;
 * details are computed only for the listed ones.
 */
export async function answerPeriods(
  selection: Selection,
  part: PeriodsPart,
  select: Select,
  scan: Scan,
  dialect: Dialect,
): Promise<PeriodsAnswer> {
  const periods = new Periods(part)
  const conditions = filtersSql(selection, dialect)
  const rows = [new RowsByDevice(dialect.keyCount()), new RowsByDevice(dialect.keyCount())] as const
  const read = async (step: Span | undefined, into: RowsByDevice) => {
    into.clear()
    if (!step) return
    const where = [spanSql(selection.basis, step, dialect), ...conditions].join(' AND ')
    const at = `CAST(${TIME_COLUMN[selection.basis]} - ${dialect.lit(step.from)} AS UINTEGER)`
    await scan(
      `SELECT device, ${at} FROM events WHERE ${where}`,
      2,
      ([devices, times], count) => into.add(devices as Uint32Array, times as Uint32Array, count),
      'few',
    )
  }
  // With rare filters one step covers as much time as 32-bit offsets can hold. The next step is read ahead.
  const steps = splitByDays(selection.span, isRare(selection.filters) ? 40 : 1).reverse()
  let reading = read(steps[0], rows[0])
  for (const [index, step] of steps.entries()) {
    await reading
    reading = read(steps[index + 1], rows[((index + 1) % 2) as 0 | 1])
    const own = rows[(index % 2) as 0 | 1]
    own.sort()
    periods.goBack(own, step.from)
  }
  const { listed, total } = periods.finish()
  if (listed.length === 0) return { kind: 'periods', rows: [], total }
  const span = {
    from: listed.reduce((least, { from }) => Math.min(least, from), selection.span.to),
    to: listed.reduce((most, { to }) => Math.max(most, to), selection.span.from) + 1,
  }
  const devices = [...new Set(listed.map(({ device }) => device))]
  const whole = await select(periodsSql({ ...selection, span }, part, devices, dialect))
  const byEnd = new Map(whole.map((row) => [`${row[0]} ${row[2]}`, row]))
  const lines = listed.map(({ device, to }) => periodRow(byEnd.get(`${device} ${to}`) as unknown[], dialect))
  return { kind: 'periods', rows: lines, total }
}

/** Collects the periods of all devices from the latest rows backwards; keeps only those that can still be listed. */
class Periods {
  private readonly gap: number
  private readonly sort: PeriodsPart['sort']
  private readonly offset: number
  private readonly topK: TopK
  private total = 0
  /** Periods that earlier rows may still extend, highest device number first, and the buffer for the next step. */
  private open = new OpenPeriods()
  private still = new OpenPeriods()

  constructor({ gapMinutes, sort, limit, offset }: PeriodsPart) {
    this.gap = gapMinutes * MINUTE
    this.sort = sort
    this.offset = offset
    this.topK = new TopK(offset + limit)
  }

  /** Adds earlier rows, sorted by device and time; times are offsets from `start`. */
  goBack({ devices, times, count }: RowsByDevice, start: number): void {
    const { gap, open, still } = this
    still.count = 0
    // Merge join: both sides are sorted by device, and each device has at most one open period.
    for (let row = count - 1, next = 0; row >= 0 || next < open.count; ) {
      const ofRow = row >= 0 ? (devices[row] as number) : 0
      const ofOpen = open.deviceAt(next)
      const device = Math.max(ofRow, ofOpen)
      const known = ofOpen === device ? next++ : -1
      let from = known < 0 ? Number.POSITIVE_INFINITY : (open.from[known] as number)
      let to = known < 0 ? 0 : (open.to[known] as number)
      let many = known < 0 ? 0 : (open.many[known] as number)
      for (; row >= 0 && devices[row] === device; row--) {
        const at = start + (times[row] as number)
        if (from - at > gap) {
          if (many > 0) this.close(device, from, to, many)
          to = at
          many = 0
        }
        from = at
        many++
      }
      if (from - start <= gap) still.add(device, from, to, many)
      else this.close(device, from, to, many)
    }
    this.open = still
    this.still = open
  }

  finish(): { listed: { device: number; from: number; to: number }[]; total: number } {
    const { devices, from, to, many, count } = this.open
    for (let at = 0; at < count; at++)
      this.close(devices[at] as number, from[at] as number, to[at] as number, many[at] as number)
    const listed = this.topK.sorted().slice(this.offset)
    return {
      listed: listed.map(([, to, device, from]) => ({
        device: -(device as number),
        from: from as number,
        to: to as number,
      })),
      total: this.total,
    }
  }

  private close(device: number, from: number, to: number, many: number): void {
    this.total++
    const rank = this.sort === 'last' ? to : this.sort === 'events' ? many : to - from
    if (rank >= this.topK.threshold) this.topK.offer(rank, to, -device, from)
  }
}

class OpenPeriods {
  devices = new Uint32Array(1 << 10)
  from = new Float64Array(1 << 10)
  to = new Float64Array(1 << 10)
  many = new Float64Array(1 << 10)
  count = 0

  /** The device at the index; 0, which is never a device, beyond the end. */
  deviceAt(index: number): number {
    return index < this.count ? (this.devices[index] as number) : 0
  }

  add(device: number, from: number, to: number, many: number): void {
    const at = this.count++
    if (at === this.devices.length) this.widen()
    this.devices[at] = device
    this.from[at] = from
    this.to[at] = to
    this.many[at] = many
  }

  private widen(): void {
    const { devices, from, to, many } = this
    const length = devices.length * 2
    this.devices = growTypedArray(devices, length)
    this.from = growTypedArray(from, length)
    this.to = growTypedArray(to, length)
    this.many = growTypedArray(many, length)
  }
}

/** The periods of these devices. */
function periodsSql(
  selection: Selection,
  { gapMinutes }: PeriodsPart,
  devices: readonly number[],
  dialect: Dialect,
): string {
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
