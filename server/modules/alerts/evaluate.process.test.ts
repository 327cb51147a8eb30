import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { RuleInput } from '#domain/alerts.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { createEvaluator, type Evaluator } from './evaluate.ts'
import { previewRule } from './preview-rule.ts'
import type { CountedRule } from './rule-row.ts'

/** Real PostgreSQL, real DuckDB; the clock alone is ours. */
const MINUTE = 60_000
const HOOK = 2
const T0 = Date.UTC(2026, 10, 21, 6)
const ZONE = 'Asia/Shanghai'

let folder = ''
let database: TestDatabase
let store: DuckStore
let clock = T0
let lag = { backlogEvents: 0, lagSeconds: 0 }
let away = false
let evaluator: Evaluator
const fresh = () =>
  createEvaluator({
    meta: database.meta,
    now: () => clock,
    zone: () => ZONE,
    store: {
      answer: (query, part) => {
        if (away) throw new ProductError('server.store_down')
        return store.answer(query, part)
      },
      status: async () => {
        if (away) throw new ProductError('server.store_down')
        return { ...(await store.status()), ...lag }
      },
    },
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aw-alerts-'))
  database = await testDatabase(folder)
})
afterAll(async () => {
  await store?.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})
let round = 0
beforeEach(async () => {
  await store?.close()
  store = await openDuckStore({ folder: join(folder, `events-${round++}`), memoryMb: 64 })
  await database.meta.db.deleteFrom('alert_rules').execute()
  await database.meta.db.deleteFrom('alert_channels').execute()
  ;[clock, lag, away] = [T0, { backlogEvents: 0, lagSeconds: 0 }, false]
  evaluator = fresh()
})

const attacks = (at: number, count: number, more: Partial<StoredEvent> = {}): StoredEvent[] =>
  Array.from({ length: count }, (_, i) => madeEvent({ receivedAt: at + i, risk: HOOK, level: 5, ...more }))

const BASE: EventInput = {
  name: 'hooks by province',
  measure: 'attacks',
  filters: [{ field: 'risk', op: 'is', values: ['hook'] }],
  by: 'province',
  window: '1m',
  condition: { kind: 'threshold', op: 'at_least', value: 10 },
  severity: 'critical',
  cooldown_minutes: 5,
  enabled: true,
  channels: [],
}
type EventInput = RuleInput & Pick<CountedRule, 'measure'> & { window: CountedRule['time_window'] }
const counted = (rule: EventInput): CountedRule & { cooldown_minutes: number } => ({
  measure: rule.measure,
  by_field: rule.by,
  time_window: rule.window,
  apps: null,
  filters: rule.filters,
  condition: rule.condition,
  cooldown_minutes: rule.cooldown_minutes,
})
async function addRule(change: Partial<RuleInput> = {}): Promise<string> {
  const rule = { ...BASE, ...change }
  const { by, window, ...rest } = rule
  const id = crypto.randomUUID()
  await database.meta.db
    .insertInto('alert_rules')
    .values({
      ...rest,
      id,
      by_field: by,
      time_window: window,
      filters: JSON.stringify(rule.filters),
      condition: JSON.stringify(rule.condition),
      apps: null,
      version: 1,
      created_by: 'a',
      updated_by: 'a',
      updated_at: clock,
      deleted_at: null,
    })
    .execute()
  await evaluator.round() // it begins here
  return id
}
const listed = () => database.meta.db.selectFrom('alerts').selectAll().orderBy('raised_at').orderBy('key').execute()
async function passTo(at: number, step = 5000): Promise<void> {
  for (clock += step; clock < at; clock += step) await evaluator.round()
  clock = at
  await evaluator.round()
}

test('a breach is seen while its window still runs, ends with the first window without one, and its count is exact', async () => {
  await addRule()
  await store.load(attacks(T0 + 10_000, 12, { province: 440000 }))
  await store.load(attacks(T0 + 10_000, 3, { province: 330000 }))
  await passTo(T0 + 20_000)
  expect(await listed()).toMatchObject([
    { key: '440000', value: 12, expected: 10, total: 12, first_end: T0 + MINUTE, resolved_at: null, silenced: false },
  ])
  await store.load(attacks(T0 + 30_000, 5, { province: 440000 }))
  await passTo(T0 + 70_000)
  expect(await listed()).toMatchObject([{ value: 17, peak: 17, total: 17, last_end: T0 + MINUTE, resolved_at: null }])
  await passTo(T0 + 2 * MINUTE + 6000)
  const [alert] = await listed()
  expect(alert?.resolved_at).not.toBeNull()
  const answer = await store.answer(
    {
      span: { from: (alert?.first_end ?? 0) - MINUTE, to: alert?.last_end ?? 0 },
      basis: 'received',
      filters: alert?.filters ?? [],
      scope: { apps: 'all' },
      zone: ZONE,
    },
    { kind: 'rows', limit: 200, order: 'desc', and: [] },
  )
  expect(answer.kind === 'rows' && answer.rows.length).toBe(alert?.total)
})

test('never twice for one window: any number of evaluators, killed at any point and run again, find one alert with the same numbers', async () => {
  await addRule({ by: null })
  await store.load([...attacks(T0 + 10_000, 12), ...attacks(T0 + MINUTE + 10_000, 15)])
  clock = T0 + 2 * MINUTE + 10_000
  const others = Array.from({ length: 4 }, fresh)
  await Promise.all(others.map((one) => one.round()))
  const first = await listed()
  expect(first).toMatchObject([{ key: '', total: 27, peak: 15, first_end: T0 + MINUTE, last_end: T0 + 2 * MINUTE }])
  // As if every process had died before it noted how far it had come.
  await database.meta.db.updateTable('alert_progress').set({ upto: T0 }).execute()
  await Promise.all(others.map((one) => one.round()))
  expect((await listed()).map(({ id, total, peak }) => ({ id, total, peak }))).toEqual(
    first.map(({ id, total, peak }) => ({ id, total, peak })),
  )
  expect(await database.meta.db.selectFrom('alert_windows').select('window_end').execute()).toHaveLength(2)
  expect(
    await database.meta.db.selectFrom('alert_steps').select('step').where('step', '=', 'raised').execute(),
  ).toHaveLength(1)
})

test('late rows raise a window`s count until it is final, and can raise an alert, but never a second one', async () => {
  await addRule()
  await store.load(attacks(T0 + 10_000, 12, { province: 440000 }))
  await store.load(attacks(T0 + 10_000, 4, { province: 330000 }))
  await passTo(T0 + 50_000)
  await passTo(T0 + 3 * MINUTE)
  await store.load(attacks(T0 + 20_000, 6, { province: 440000 }))
  await store.load(attacks(T0 + 20_000, 6, { province: 330000 }))
  await passTo(T0 + 11 * MINUTE + 6000)
  const all = await listed()
  expect(all).toHaveLength(2)
  expect(all.find(({ key }) => key === '440000')).toMatchObject({ peak: 18, total: 18, late: false })
  expect(all.find(({ key }) => key === '330000')).toMatchObject({ peak: 10, total: 10, late: true })
  expect(all.every(({ resolved_at }) => resolved_at !== null)).toBe(true)
  // Final: what comes now changes nothing any more.
  await store.load(attacks(T0 + 20_000, 50, { province: 440000 }))
  await passTo(T0 + 20 * MINUTE)
  expect((await listed()).find(({ key }) => key === '440000')?.peak).toBe(18)
})

test('a store that lags is waited for, one that is away is caught up with', async () => {
  await addRule({ by: null })
  clock = T0 + MINUTE + 10_000
  lag = { backlogEvents: 500, lagSeconds: 60 }
  await evaluator.round()
  expect(await listed()).toEqual([])
  await store.load(attacks(T0 + 10_000, 12))
  lag = { backlogEvents: 0, lagSeconds: 0 }
  await evaluator.round()
  expect(await listed()).toHaveLength(1)
  away = true
  clock = T0 + 60 * MINUTE
  await expect(evaluator.round()).rejects.toThrow()
  await store.load(attacks(T0 + 30 * MINUTE, 20))
  away = false
  await evaluator.round()
  expect(await listed()).toMatchObject([{ peak: 12 }, { peak: 20, resolved_at: expect.any(Number) }])
})

test('a clock that jumps forward and back loses no breach of the present and repeats none of the past', async () => {
  await addRule({ by: null, cooldown_minutes: 0 })
  await store.load(attacks(T0 + 10_000, 12))
  await passTo(T0 + MINUTE + 10_000)
  clock = T0 + 3_600_000
  for (let i = 0; i < 4; i++) await evaluator.round()
  clock = T0 + 2 * MINUTE
  await evaluator.round()
  await store.load(attacks(T0 + 3 * MINUTE, 11))
  await passTo(T0 + 5 * MINUTE)
  expect((await listed()).map(({ peak }) => peak)).toEqual([12, 11])
})

test('within the cool-down a new breach continues the alert; after it another is raised', async () => {
  await addRule({ by: null })
  await store.load([...attacks(T0 + 10_000, 12), ...attacks(T0 + 4 * MINUTE, 13), ...attacks(T0 + 20 * MINUTE, 14)])
  await passTo(T0 + 30 * MINUTE, 20_000)
  expect((await listed()).map(({ peak, total }) => [peak, total])).toEqual([
    [13, 25],
    [14, 14],
  ])
  const steps = await database.meta.db.selectFrom('alert_steps').select(['step']).orderBy('id').execute()
  expect(steps.map(({ step }) => step)).toEqual(['raised', 'resolved', 'again', 'resolved', 'raised', 'resolved'])
})

test('imported history, disabled rules and other applications raise nothing; a silence keeps the alert and sends no notification', async () => {
  const id = await addRule({ by: null, filters: [{ field: 'app', op: 'is', values: ['1'] }] })
  await store.load([
    ...attacks(T0 + 10_000, 20, { flags: EVENT_FLAGS.imported }),
    ...attacks(T0 + 10_000, 20, { app: 2 }),
  ])
  await passTo(T0 + 2 * MINUTE)
  expect(await listed()).toEqual([])
  const { db } = database.meta
  await db
    .insertInto('alert_channels')
    .values({
      id: 'c',
      kind: 'webhook',
      name: 'c',
      target: 'https://example.com',
      enabled: true,
      turn: 1,
      owner_id: null,
      shared: true,
      created_by: 'a',
      created_at: 0,
      deleted_at: null,
    })
    .execute()
  await db
    .updateTable('alert_rules')
    .set({ channels: ['c'] })
    .execute()
  await db
    .insertInto('alert_silences')
    .values({ id: 's', rule_id: id, key: null, until: clock + 2 * MINUTE, note: '', by_user: 'a', created_at: clock })
    .execute()
  await store.load(attacks(clock + 1000, 20))
  await passTo(clock + MINUTE)
  expect(await listed()).toMatchObject([{ silenced: true, peak: 20 }])
  expect(await db.selectFrom('alert_deliveries').select('id').execute()).toEqual([])
  await passTo(clock + 10 * MINUTE)
  await store.load(attacks(clock + 1000, 20))
  await passTo(clock + 3 * MINUTE)
  expect((await db.selectFrom('alert_deliveries').select('event').execute()).map(({ event }) => event).sort()).toEqual([
    'firing',
    'resolved',
  ])
  await db.updateTable('alert_rules').set({ enabled: false, version: 2 }).execute()
  await store.load(attacks(clock + 20 * MINUTE, 20))
  await passTo(clock + 22 * MINUTE)
  expect(await listed()).toHaveLength(2)
})

describe('against the usual level', () => {
  const DAY = 86_400_000
  const rise: Partial<RuleInput> = {
    by: null,
    window: '5m',
    condition: { kind: 'change', direction: 'rise', factor: 3, minimum: 10 },
  }
  test('three times the median of the same window on past days; days without any event do not count', async () => {
    await addRule(rise)
    for (const [day, count] of [
      [1, 4],
      [2, 8],
      [3, 5],
      [4, 100],
    ] as const)
      await store.load(attacks(T0 - day * DAY + MINUTE, count))
    // Usual: 6.5; expected: 19.5.
    await store.load(attacks(T0 + MINUTE, 19))
    await passTo(T0 + 6 * MINUTE)
    expect(await listed()).toEqual([])
    await store.load(attacks(T0 + 5 * MINUTE, 1))
    await passTo(T0 + 7 * MINUTE)
    expect(await listed()).toMatchObject([{ value: 20, expected: 19.5, usual: 6.5 }])
  })
  test('a drop is seen where something is usual and little came', async () => {
    await addRule({ ...rise, condition: { kind: 'change', direction: 'drop', factor: 4, minimum: 10 } })
    for (const day of [1, 2, 3])
      for (let m = -10; m < 10; m++) await store.load(attacks(T0 - day * DAY + m * MINUTE, 5))
    await passTo(T0 + 2 * MINUTE)
    expect(await listed()).toMatchObject([{ key: '', value: 0, usual: 25, expected: 6.25, resolved_at: null }])
  })
})

test('the preview of a rule says what its evaluation found: the same windows, as many alerts', async () => {
  const rules: Partial<RuleInput>[] = [
    {},
    { by: null, window: '5m', condition: { kind: 'threshold', op: 'at_least', value: 12 } },
    { by: 'app', cooldown_minutes: 0, condition: { kind: 'threshold', op: 'at_least', value: 6 } },
    { by: null, window: '1m', condition: { kind: 'threshold', op: 'below', value: 3 }, cooldown_minutes: 2 },
  ]
  for (const rule of rules) await addRule(rule)
  let seed = 7
  const next = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % n
  }
  for (let m = 0; m < 25; m++)
    await store.load(
      attacks(T0 + m * MINUTE + next(50_000), next(16), { province: next(2) ? 440000 : 330000, app: 1 + next(2) }),
    )
  await passTo(T0 + 40 * MINUTE, 20_000)
  for (const rule of rules) {
    const whole = { ...BASE, ...rule } as EventInput
    const preview = await previewRule(store, counted(whole), T0 + 39 * MINUTE, ZONE)
    const { db } = database.meta
    const row = await db
      .selectFrom('alert_rules')
      .select('id')
      .where('time_window', '=', whole.window)
      .where('cooldown_minutes', '=', whole.cooldown_minutes)
      .where('by_field', whole.by === null ? 'is' : '=', whole.by)
      .executeTakeFirstOrThrow()
    const windows = await db
      .selectFrom('alert_windows')
      .selectAll()
      .where('rule_id', '=', row.id)
      .where('window_end', '<=', T0 + 39 * MINUTE)
      .execute()
    const found = preview.newest.filter(({ end }) => end > T0).length
    if (whole.condition.kind === 'threshold' && whole.condition.op === 'at_least') {
      expect(preview.windows).toBe(windows.length)
      const alerts = await db.selectFrom('alerts').select('id').where('rule_id', '=', row.id).execute()
      expect(preview.alerts).toBe(alerts.length)
    } else expect(found).toBeGreaterThan(0)
  }
})
