import { expect, test } from 'vitest'
import {
  type EnvironmentSettings,
  EnvironmentSettingsSchema,
  nextWatch,
  QUIET,
  type Values,
} from '#domain/environment.ts'
import { growthOf, layOut, rangeOf, reachesAt, type StoredSpan } from './read-history.ts'
import { addStats, addValues, createSpans, meanOf } from './summarise-samples.ts'
import { createLimitWatch } from './watch-limits.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const settings = (more: Partial<EnvironmentSettings> = {}) => ({ ...EnvironmentSettingsSchema.parse({}), ...more })

test('[ENV-01] an alert opens after samples in a row at the limit, closes after samples in a row below it, and does not flap in between', () => {
  const rule = { openAfter: 3, closeAfter: 2 }
  const run = (values: (number | null)[]) => {
    let watch = QUIET
    return values.map((value) => {
      watch = nextWatch(watch, value, 90, rule)
      return watch.open
    })
  }
  expect(run([95, 95, 95])).toEqual([false, false, true])
  expect(run([95, 95, 10, 95, 95, 95])).toEqual([false, false, false, false, false, true])
  // About the limit: 89 is below it and not below 95 % of it.
  expect(run([90, 91, 92, 89, 91, 89, 88, 91]).slice(2)).toEqual([true, true, true, true, true, true])
  expect(run([99, 99, 99, 10, 99, 10, 10])).toEqual([false, false, true, true, true, true, false])
  // What is not known opens nothing, closes nothing and interrupts nothing.
  expect(run([95, null, 95, null, 95, null, null, null])).toEqual([false, false, false, false, true, true, true, true])
  expect(nextWatch({ open: true, over: 9, under: 0 }, 99, null, rule)).toEqual(QUIET)
})

test('[ENV-01] an alert holds its peak, ends once, and goes on over a restart instead of opening again', () => {
  const watch = createLimitWatch(true)
  const rule = settings({ open_after: 2, close_after: 2 })
  const judge = (at: number, cpu: number | null) => watch.judge(at, { cpu }, rule)
  judge(1, 95)
  judge(2, 96)
  judge(3, 99)
  judge(4, null)
  expect(watch.open()).toMatchObject([{ metric: 'cpu', opened_at: 2, value: 96, peak: 99, limit: 90, closed_at: null }])
  const [alert] = watch.open()
  judge(5, 10)
  judge(6, 10)
  expect(watch.open()).toEqual([])
  expect(watch.ended()).toMatchObject([{ id: alert?.id, closed_at: 6 }])
  watch.forget([alert?.id ?? ''])
  expect(watch.ended()).toEqual([])

  const restarted = createLimitWatch(true)
  restarted.judge(7, { cpu: 95 }, rule)
  restarted.adopt({ ...(alert as NonNullable<typeof alert>), closed_at: null })
  restarted.judge(8, { cpu: 95 }, rule)
  expect(restarted.open()).toMatchObject([{ id: alert?.id, opened_at: 2 }])
  restarted.judge(9, { cpu: 1 }, rule)
  restarted.judge(10, { cpu: 1 }, rule)
  expect(restarted.ended()).toMatchObject([{ id: alert?.id, closed_at: 10 }])
})

test('[ENV-01] quantities of the cluster are judged by nodes that run jobs alone', () => {
  const [one, other] = [createLimitWatch(true), createLimitWatch(false)]
  const values: Values = { queue: 10_000, cpu: 99 }
  for (const at of [1, 2]) for (const watch of [one, other]) watch.judge(at, values, settings({ open_after: 2 }))
  expect(one.open().map(({ metric }) => metric)).toEqual(['cpu', 'queue'])
  expect(other.open().map(({ metric }) => metric)).toEqual(['cpu'])
})

test('[ENV-01] samples become means with their highest value; a span that was interrupted goes on', () => {
  const add = createSpans(60)
  expect(add(0, { cpu: 10 })).toBeUndefined()
  expect(add(15_000, { cpu: 30, lag: null })).toBeUndefined()
  const ended = add(60_000, { cpu: 50 })
  expect(ended).toEqual({ step: 60, at: 0, stats: { cpu: [2, 40, 30] } })
  const whole = addStats(ended?.stats ?? {}, addValues({}, { cpu: 50, lag: 2 }))
  expect(whole).toEqual({ cpu: [3, 90, 50], lag: [1, 2, 2] })
  expect(meanOf(whole.cpu)).toBe(30)
  expect(meanOf(whole.disk)).toBeNull()
})

test('[ENV-01] a range is laid out in whole points, and what was not sampled is a gap and not 0', () => {
  const now = 10 * HOUR + 90_000
  const range = rangeOf('1h', now)
  expect(range).toEqual({ from: 9 * HOUR + 120_000, to: 10 * HOUR + 120_000, stepMs: 60_000 })
  const spans: StoredSpan[] = [
    { at: range.from, stats: { cpu: [4, 40, 20] } },
    { at: range.from + 120_000, stats: { cpu: [4, 0, 0] } },
    { at: range.from - 60_000, stats: { cpu: [4, 400, 100] } },
  ]
  const { cpu, lag } = layOut(spans, range)
  expect(cpu?.mean.slice(0, 4)).toEqual([10, null, 0, null])
  expect(cpu?.peak.slice(0, 3)).toEqual([20, null, 0])
  expect(cpu?.mean).toHaveLength(60)
  expect(lag).toBeUndefined()
  for (const [name, points] of [
    ['24h', 288],
    ['7d', 336],
    ['30d', 360],
  ] as const) {
    const { from, to, stepMs } = rangeOf(name, now + 40 * DAY)
    expect((to - from) / stepMs).toBe(points)
  }
})

test('[ENV-01] growth is that of a day, and the date at which the disk reaches its limit follows the last week', () => {
  const now = 100 * DAY
  const spans: StoredSpan[] = Array.from({ length: 7 * 96 }, (_, index) => {
    const at = now - 7 * DAY + index * 900_000
    return { at, stats: { disk: [1, 50 + (at - now) / DAY, 51], size_events: [1, 1000 + (at - now) / DAY, 1] } }
  })
  expect(growthOf(spans, 'size_events', 1000, now)).toBe(1)
  expect(growthOf(spans.slice(-10), 'size_events', 1000, now)).toBeNull()
  expect(growthOf(spans, 'size_events', null, now)).toBeNull()
  // One percent a day, 35 to go.
  const at = reachesAt(spans, 'disk', 85, now)
  expect(((at ?? 0) - now) / DAY).toBeCloseTo(35, 1)
  expect(reachesAt(spans.slice(-50), 'disk', 85, now)).toBeNull()
  expect(reachesAt(spans, 'disk', 40, now)).toBeNull()
  const flat = spans.map((one) => ({ ...one, stats: { disk: [1, 50, 50] as [number, number, number] } }))
  expect(reachesAt(flat, 'disk', 85, now)).toBeNull()
})
