import parser from 'cron-parser'
import { ProductError } from '#contracts/errors.ts'
import { SCHEDULE_LIMITS } from '#contracts/http/reports/schedules.ts'

const FIELDS = 5
const RUNS_CHECKED = 50

/**
 * The next `count` runs (epoch ms) of a cron expression of five fields after `after`, in an IANA time zone. A time that the change to summer
 * time leaves out runs at the same distance after the change; one that occurs twice in autumn runs once. Throws report.schedule_cron and
 * report.schedule_zone.
 */
export function nextRuns(cron: string, zone: string, after: number, count: number): number[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw new ProductError('report.schedule_zone')
  }
  // The parser takes six fields and @daily too, and fills in what is missing.
  if (cron.trim().split(/\s+/).length !== FIELDS) throw new ProductError('report.schedule_cron')
  try {
    const times = parser.parseExpression(cron, { tz: zone, currentDate: new Date(after) })
    return Array.from({ length: count }, () => times.next().getTime())
  } catch {
    throw new ProductError('report.schedule_cron')
  }
}

/** As nextRuns; throws report.schedule_often where two of the next runs are less than a quarter of an hour apart. */
export function checkedRuns(cron: string, zone: string, after: number, count: number): number[] {
  const runs = nextRuns(cron, zone, after, RUNS_CHECKED)
  const shortest = SCHEDULE_LIMITS.minutes * 60_000
  if (runs.some((at, index) => index > 0 && at - (runs[index - 1] as number) < shortest))
    throw new ProductError('report.schedule_often')
  return runs.slice(0, count)
}
