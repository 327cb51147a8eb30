import type { Part, PeriodRow, PeriodsAnswer } from '#contracts/query.ts'
import { Best } from './best.ts'
import { filtersSql, type Selection, spanSql, whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { MAPPINGS, TIME_COLUMN } from './dimensions.ts'
import { additiveSql } from './measures.ts'
import { isRare, type Scan, type Select } from './select-rows.ts'
import { stepsOf } from './span-pieces.ts'

const MINUTE = 60_000
const COUNTS = ['events', 'attacks', 'crashes', 'anrs', 'exceptions'] as const

type PeriodsPart = Extract<Part, { kind: 'periods' }>

/**
 * Each device's events in order of time, cut wherever the gap to the one before is longer than the rule allows. One pass over the rows
 * finds the periods; what else there is to one is only worked out for those that are listed.
 */
export async function answerPeriods(
  selection: Selection,
  part: PeriodsPart,
  select: Select,
  scan: Scan,
  dialect: Dialect,
): Promise<PeriodsAnswer> {
  const periods = new Periods(part)
  const rows = new Rows(dialect.keyCount())
  const conditions = filtersSql(selection, dialect)
  // Of rare rows one step reads as many as its times, 32 bits long, can tell apart.
  for (const step of stepsOf(selection.span, isRare(selection.filters) ? 40 : 1).reverse()) {
    const where = [spanSql(selection.basis, step, dialect), ...conditions].join(' AND ')
    const at = `CAST(${TIME_COLUMN[selection.basis]} - ${dialect.lit(step.from)} AS UINTEGER)`
    rows.clear()
    await scan(
      `SELECT device, ${at} FROM events WHERE ${where}`,
      2,
      ([devices, times], count) => rows.add(devices as Uint32Array, times as Uint32Array, count),
      'few',
    )
    rows.sort()
    periods.goBack(rows, step.from)
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

/** Devices are put in order by so many bits of their numbers, then by those above. */
const LOW_BITS = 10
/** So few times are put in order by themselves. */
const FEW = 32

/** Rows of one step at a time: devices and times within it. */
class Rows {
  devices = new Uint32Array(1 << 12)
  times = new Uint32Array(1 << 12)
  count = 0
  private spareDevices = new Uint32Array(0)
  private spareTimes = new Uint32Array(0)
  private readonly places: Uint32Array

  constructor(keys: number) {
    this.places = new Uint32Array(Math.max(1 << LOW_BITS, (keys >>> LOW_BITS) + 1) + 1)
  }

  clear(): void {
    this.count = 0
  }

  add(devices: Uint32Array, times: Uint32Array, count: number): void {
    if (this.count + count > this.devices.length) {
      const length = Math.max(this.devices.length * 2, this.count + count)
      this.devices = widened(this.devices, this.count, length)
      this.times = widened(this.times, this.count, length)
    }
    this.devices.set(devices.subarray(0, count), this.count)
    this.times.set(times.subarray(0, count), this.count)
    this.count += count
  }

  /** By device, and those of one by time. */
  sort(): void {
    if (this.spareTimes.length < this.count) {
      this.spareDevices = new Uint32Array(this.devices.length)
      this.spareTimes = new Uint32Array(this.times.length)
    }
    this.sortBy(0, (1 << LOW_BITS) - 1)
    this.sortBy(LOW_BITS, -1)
    const { devices, times, count } = this
    for (let from = 0, to = 0; from < count; from = to) {
      const device = devices[from]
      for (to = from + 1; to < count && devices[to] === device; ) to++
      sortTimes(times, from, to)
    }
  }

  /** By these bits of the device; what is equal in them stays in order. */
  private sortBy(shift: number, mask: number): void {
    const { places, count, times, devices, spareTimes, spareDevices } = this
    places.fill(0)
    for (let row = 0; row < count; row++) {
      const next = (((devices[row] as number) >>> shift) & mask) + 1
      places[next] = (places[next] as number) + 1
    }
    for (let i = 1; i < places.length; i++) places[i] = (places[i] as number) + (places[i - 1] as number)
    for (let row = 0; row < count; row++) {
      const bits = ((devices[row] as number) >>> shift) & mask
      const place = places[bits] as number
      places[bits] = place + 1
      spareDevices[place] = devices[row] as number
      spareTimes[place] = times[row] as number
    }
    this.devices = spareDevices
    this.times = spareTimes
    this.spareDevices = devices
    this.spareTimes = times
  }
}

function sortTimes(times: Uint32Array, from: number, to: number): void {
  if (to - from > FEW) {
    times.subarray(from, to).sort()
    return
  }
  for (let i = from + 1; i < to; i++) {
    const time = times[i] as number
    let at = i
    for (; at > from && (times[at - 1] as number) > time; at--) times[at] = times[at - 1] as number
    times[at] = time
  }
}

function widened(values: Uint32Array, count: number, length: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(length)
  wider.set(values.subarray(0, count))
  return wider
}

type Period = { from: number; to: number; many: number }

/** Periods of all devices, found from their last moments back: of those that end last most are no longer looked at. */
class Periods {
  private readonly gap: number
  private readonly sort: PeriodsPart['sort']
  private readonly offset: number
  private readonly best: Best
  private total = 0
  /** By device: those that rows before may still belong to. */
  private open = new Map<number, Period>()

  constructor({ gapMinutes, sort, limit, offset }: PeriodsPart) {
    this.gap = gapMinutes * MINUTE
    this.sort = sort
    this.offset = offset
    this.best = new Best(offset + limit)
  }

  /** Rows before those that were, by device and time, which is told from `start` on. */
  goBack({ devices, times, count }: Rows, start: number): void {
    const { gap, open } = this
    const still = new Map<number, Period>()
    const leave = (device: number, from: number, to: number, many: number) => {
      if (from - start <= gap) still.set(device, { from, to, many })
      else this.close(device, from, to, many)
    }
    for (let row = count - 1; row >= 0; ) {
      const device = devices[row] as number
      const known = open.get(device)
      let from = known?.from ?? Number.POSITIVE_INFINITY
      let to = known?.to ?? 0
      let many = known?.many ?? 0
      open.delete(device)
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
      leave(device, from, to, many)
    }
    for (const [device, { from, to, many }] of open) leave(device, from, to, many)
    this.open = still
  }

  finish(): { listed: { device: number; from: number; to: number }[]; total: number } {
    for (const [device, { from, to, many }] of this.open) this.close(device, from, to, many)
    const listed = this.best.sorted().slice(this.offset)
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
    if (rank >= this.best.least) this.best.offer(rank, to, -device, from)
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
