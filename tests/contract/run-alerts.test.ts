import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  alertDeliveries,
  alertDetail,
  alertRules,
  alerts,
  deleteAlertRule,
  previewAlertRule,
  saveAlertRule,
} from '#contracts/http/alerts.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import type { Verdict } from '#contracts/http/monitoring/tasks.ts'
import type { Alert, Rule, RuleInput } from '#domain/alerts.ts'
import { lineOf } from '#server/modules/alerts/alert-message.ts'
import { mayReceive } from '#server/modules/alerts/channel-access.ts'
import { judgeRun } from '#server/modules/alerts/judge-run.ts'
import { dropTask } from '#server/modules/monitoring/drop-copies.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { down, up } from '#storage/postgres/migrations/0077-judged-runs.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

/** Rules about what a run of channel monitoring found: judged at its end, out of the metadata store. */

const HOUR = 3_600_000
let app: HttpApp
let [one, two, admin] = [] as unknown as [ConsoleClient, ConsoleClient, ConsoleClient]
let [appOne, appTwo] = [0, 0]
let task = ''
/** The clock of the runs. */
let at = 0
let run = 0

beforeAll(async () => {
  app = await startHttpApp()
  at = Date.now() - 48 * HOUR
  const enter = async (name: string, role: string) => {
    const id = await app.addUser(name, role)
    const client = new ConsoleClient(app.url)
    await client.signIn(name, PASSWORD, CODE)
    return { id, client }
  }
  const [first, second, third] = [
    await enter('one@example.com', 'operator'),
    await enter('two@example.com', 'operator'),
    await enter('admin@example.com', 'administrator'),
  ]
  ;[one, two, admin] = [first.client, second.client, third.client]
  const application = {
    ...{ name: 'a', mime_type: 1, protect_type: '0', has_file: false, site_id: null, created_at: 0, deleted_at: null },
  }
  const addApp = (owner_id: number) =>
    app.meta.db
      .insertInto('applications')
      .values({ ...application, uuid: randomUUID(), owner_id })
      .returning('id')
      .executeTakeFirstOrThrow()
  appOne = (await addApp(first.id)).id
  appTwo = (await addApp(second.id)).id
  task = await addTask(appOne)
})
afterAll(() => app?.close())

async function addTask(application_id: number): Promise<string> {
  const id = randomUUID()
  await app.meta.db
    .insertInto('monitor_tasks')
    .values({
      ...{
        id,
        application_id,
        by_user: null,
        keywords: [],
        kinds: [],
        markets: [],
        schedule: 'once',
        state: 'monitored',
      },
      ...{ note: '', run: 0, starts: 0, created_at: 0, started_at: 1, ended_at: 2, next_at: null },
    })
    .execute()
  return id
}

const drop = async (id: string) =>
  dropTask({ meta: app.meta, files: await openLocalFiles(app.config.paths.files), now: () => at }, id)

async function addCopy(name: string, verdict: Verdict, more: { run?: number; task?: string } = {}): Promise<string> {
  const none = { manual_verdict: null, manual_reason: '', manual_by: null, manual_at: null, gone_run: null }
  const sha256 = Buffer.from(name.padEnd(32, '.')).toString('hex')
  await app.meta.db
    .insertInto('monitor_copies')
    .values({
      ...{ id: name, task_id: more.task ?? task, sha256, size: 1, label: name, package_name: 'com.x', version: '1' },
      ...{ version_code: '1', certificates: [], verdict, confidence: 1, judgement: '{}', ...none },
      ...{ first_run: more.run ?? run, first_seen: at - HOUR / 2, last_seen: at - HOUR / 2 },
    })
    .execute()
  return name
}

/** A run of an hour that `finds` something before it ends; `unjudged`: the server stops at its end. */
async function makeRun(
  finds: () => Promise<unknown>,
  of = task,
  how: 'ends' | 'stopped' | 'unjudged' = 'ends',
): Promise<void> {
  at += 2 * HOUR
  run++
  await app.meta.db
    .insertInto('monitor_runs')
    .values({
      ...{ task_id: of, run, started_at: at - HOUR, ended_at: how === 'stopped' ? null : at },
      ...{ asked: 1, unasked: 0, pirated: 0, fresh: 0, gone: 0 },
    })
    .execute()
  await finds()
  if (how === 'ends') await judgeRun(app.meta, of, run, at)
}

const RULE: RuleInput = {
  ...{ name: 'new copies', measure: 'pirated_new', filters: [], by: 'app', window: 'run', severity: 'high' },
  ...{ condition: { kind: 'threshold', op: 'at_least', value: 1 }, cooldown_minutes: 0, enabled: true, channels: [] },
}
async function ask<T>(client: ConsoleClient, endpoint: Endpoint, input: Record<string, unknown> = {}): Promise<T> {
  const given = endpoint.method === 'POST' ? { body: input } : Object.keys(input).length > 0 ? { query: input } : {}
  return (await client.call(endpoint, given)).body as T
}
const save = (client: ConsoleClient, rule: Partial<RuleInput>, more: Record<string, unknown> = {}) =>
  ask<{ code: number; data: Rule }>(client, saveAlertRule, { rule: { ...RULE, ...rule }, ...more })
const alertsOf = async (client: ConsoleClient, rule: string) =>
  (await ask<{ data: Alert[] }>(client, alerts, { rule, limit: '200' })).data
const notices = async () =>
  (await app.meta.db.selectFrom('notifications').select('key').where('kind', '=', 'alert').execute()).map(
    ({ key }) => key,
  )

test('[MON-01] a run that found new pirated copies raises one alert, with its numbers, its page and a notification, however often it ends', async () => {
  const rule = (await save(one, {})).data
  expect(rule).toMatchObject({ measure: 'pirated_new', window: 'run', by: 'app', apps: [String(appOne)] })
  await makeRun(async () => {
    await addCopy('clone-1', 'clone')
    await addCopy('repackaged-1', 'repackaged')
    await addCopy('genuine-1', 'genuine')
  })
  await judgeRun(app.meta, task, run, at + 5)
  const [alert, ...others] = await alertsOf(one, rule.id)
  expect(others).toEqual([])
  expect(alert).toMatchObject({
    ...{ state: 'firing', key: String(appOne), task, value: 2, peak: 2, total: 2, expected: 1, usual: null },
    ...{ from: at - HOUR, to: at, filters: [{ field: 'app', op: 'is', values: [String(appOne)] }] },
  })
  const detail = await ask<{ windows: unknown[]; steps: { step: string }[] }>(one, alertDetail, { id: alert!.id })
  expect(detail.windows).toEqual([{ end: at, value: 2, expected: 1 }])
  expect(detail.steps.map(({ step }) => step)).toEqual(['raised'])
  expect((await notices()).filter((key) => key === `alert:${alert!.id}`).length).toBeGreaterThan(0)
  expect(lineOf('firing', { alert: alert! }, () => 'Bank', 'en')).toBe(
    'High alert: new copies, Bank: New pirated copies 2 in one monitoring run (threshold 1)',
  )
  expect(lineOf('firing', { alert: alert! }, () => '银行', 'zh')).toBe(
    '高危告警：new copies，银行：一次监测内新发现的盗版 2（阈值 1）',
  )

  // Nothing new: it goes on while one of its copies is there.
  await makeRun(async () => {})
  expect((await alertsOf(one, rule.id)).map(({ state }) => state)).toEqual(['firing'])
  // Another copy is another alert.
  await makeRun(() => addCopy('clone-2', 'clone'))
  expect((await alertsOf(one, rule.id)).map(({ state, value }) => [state, value])).toEqual([
    ['firing', 1],
    ['firing', 2],
  ])
  // One is gone, the other is judged otherwise by a person: the first alert is over, the second is not.
  await makeRun(async () => {
    await app.meta.db.updateTable('monitor_copies').set({ gone_run: run }).where('id', '=', 'clone-1').execute()
    await app.meta.db
      .updateTable('monitor_copies')
      .set({ manual_verdict: 'genuine' })
      .where('id', '=', 'repackaged-1')
      .execute()
  })
  expect((await alertsOf(one, rule.id)).map(({ state, value }) => [state, value])).toEqual([
    ['firing', 1],
    ['resolved', 2],
  ])
})

test('[MON-01] what a stopped run found is counted by the next one that ends; a run of another application says nothing', async () => {
  const rule = (await save(admin, { condition: { kind: 'threshold', op: 'at_least', value: 2 } })).data
  const other = await addTask(appTwo)
  await makeRun(() => addCopy('stopped-1', 'clone'), task, 'stopped')
  await makeRun(() => addCopy('other-1', 'clone', { task: other }), other)
  expect(await alertsOf(admin, rule.id)).toEqual([])
  await makeRun(() => addCopy('after-stop', 're-signed'))
  expect((await alertsOf(admin, rule.id)).map(({ key, value }) => [key, value])).toEqual([[String(appOne), 2]])
  await makeRun(() => addCopy('other-2', 'look-alike', { task: other }), other)
  expect((await alertsOf(admin, rule.id)).map(({ state }) => state)).toEqual(['firing'])
})

test('[MON-01] a run that ended but was not judged counts for the next judgement, and none is judged twice', async () => {
  const rule = (await save(one, { name: 'judged once' })).data
  const values = async () => (await alertsOf(one, rule.id)).map(({ value }) => value)
  const unjudged = run + 1
  await makeRun(() => addCopy('unjudged-1', 'clone'), task, 'unjudged')
  expect(await values()).toEqual([])
  await makeRun(() => addCopy('unjudged-2', 'clone'))
  expect(await values()).toEqual([2])
  // The next run counts nothing of the two again.
  await makeRun(async () => {})
  expect(await values()).toEqual([2])
  // A rule that comes later says nothing of a run that was judged, and several ends of a run at once raise one alert.
  const later = (await save(one, { name: 'comes later' })).data
  await judgeRun(app.meta, task, run, at + 10)
  expect(await alertsOf(one, later.id)).toEqual([])
  await makeRun(() => addCopy('at-once', 'clone'), task, 'unjudged')
  await Promise.all([1, 2, 3].map((more) => judgeRun(app.meta, task, run, at + more)))
  expect((await alertsOf(one, later.id)).map(({ value }) => value)).toEqual([1])
  expect(await values()).toEqual([1, 2])
  const states = await app.meta.db
    .selectFrom('monitor_runs')
    .select(['run', 'judged_at'])
    .where('task_id', '=', task)
    .where('run', 'in', [unjudged, unjudged + 1])
    .orderBy('run')
    .execute()
  expect(states).toEqual([
    { run: unjudged, judged_at: null },
    { run: unjudged + 1, judged_at: expect.any(Number) },
  ])
  for (const { id } of [rule, later]) await ask(one, deleteAlertRule, { id })
})

test('[MON-01] a judgement that fails leaves no alert of any rule, and the next run counts what it found', async () => {
  const rules = [(await save(one, { name: 'first' })).data, (await save(one, { name: 'second' })).data]
  const broken = rules.map(({ id }) => id).sort()[1]!
  await makeRun(() => addCopy('failed-1', 'clone'), task, 'unjudged')
  const { db } = app.meta
  const condition = JSON.stringify(RULE.condition)
  await db.updateTable('alert_rules').set({ condition: 'null' }).where('id', '=', broken).execute()
  await expect(judgeRun(app.meta, task, run, at)).rejects.toThrow()
  for (const { id } of rules) expect(await alertsOf(one, id)).toEqual([])
  await db.updateTable('alert_rules').set({ condition }).where('id', '=', broken).execute()
  await makeRun(() => addCopy('failed-2', 'clone'))
  for (const { id } of rules) expect((await alertsOf(one, id)).map(({ value }) => value)).toEqual([2])
  for (const { id } of rules) await ask(one, deleteAlertRule, { id })
})

test('[MON-01] runs that ended before migration 0077 count as judged at their end', async () => {
  const of = await addTask(appOne)
  await makeRun(() => addCopy('old', 'clone', { task: of }), of, 'unjudged')
  await makeRun(async () => {}, of, 'stopped')
  const unjudged = await app.meta.db
    .selectFrom('monitor_runs')
    .select(['task_id', 'run'])
    .where('ended_at', 'is not', null)
    .where('judged_at', 'is', null)
    .execute()
  await down(app.meta.db as never)
  await up(app.meta.db as never)
  const rows = await app.meta.db
    .selectFrom('monitor_runs')
    .select(['ended_at', 'judged_at'])
    .where('task_id', '=', of)
    .orderBy('run')
    .execute()
  expect(rows.map(({ ended_at, judged_at }) => judged_at === ended_at)).toEqual([true, true])
  expect(rows.map(({ judged_at }) => judged_at === null)).toEqual([false, true])
  await drop(of)
  for (const one of unjudged)
    await app.meta.db
      .updateTable('monitor_runs')
      .set({ judged_at: null })
      .where('task_id', '=', one.task_id)
      .where('run', '=', one.run)
      .execute()
})

test('[MON-01] alerts about runs end when their task is deleted, unless another task still offers what they counted, and when their rule counts events', async () => {
  const states = async (rule: string) => (await alertsOf(one, rule)).map(({ state }) => state)
  const [gone, stays] = [await addTask(appOne), await addTask(appOne)]
  const rule = (await save(one, { name: 'ends', cooldown_minutes: 600 })).data
  await makeRun(() => addCopy('of-gone', 'clone', { task: gone }), gone)
  await makeRun(() => addCopy('of-stays', 'clone', { task: stays }), stays)
  // One alert of both.
  expect((await alertsOf(one, rule.id)).map(({ state, total }) => [state, total])).toEqual([['firing', 2]])
  await drop(gone)
  expect(await states(rule.id)).toEqual(['firing'])
  await drop(stays)
  const [alert] = await alertsOf(one, rule.id)
  expect(alert).toMatchObject({ state: 'resolved', resolved_at: at })
  const detail = await ask<{ steps: { step: string }[] }>(one, alertDetail, { id: alert!.id })
  expect(detail.steps.at(-1)).toMatchObject({ step: 'resolved', at })

  const other = (await save(one, { name: 'switches' })).data
  await makeRun(() => addCopy('switches', 'clone'))
  expect(await states(other.id)).toEqual(['firing'])
  const events = { measure: 'attacks', window: '5m', name: 'switches' } as const
  const saved = await save(one, events, { id: other.id, version: other.version })
  expect(saved).toMatchObject({ code: 0, data: { measure: 'attacks' } })
  expect(await states(other.id)).toEqual(['resolved'])
  for (const { id } of [rule, other]) await ask(one, deleteAlertRule, { id })
})

test('[MON-01] a copy of a takedown request that is back on offer raises an alert, over once the copy is removed again', async () => {
  const rule = (await save(one, { name: 'back', measure: 'pirated_returned' })).data
  const request = randomUUID()
  await app.meta.db
    .insertInto('monitor_takedowns')
    .values({
      id: request,
      task_id: task,
      copy_id: 'clone-2',
      market: 'm',
      state: 'removed',
      created_at: 0,
      changed_at: 0,
    })
    .execute()
  const say = async (state: 'returned' | 'removed') => {
    await app.meta.db.updateTable('monitor_takedowns').set({ state }).where('id', '=', request).execute()
    await app.meta.db
      .insertInto('monitor_takedown_steps')
      .values({ takedown_id: request, state, at: at - 1, by_user: null, run, way: null, note: '' })
      .execute()
  }
  await makeRun(() => say('returned'))
  expect((await alertsOf(one, rule.id)).map(({ state, value, total }) => [state, value, total])).toEqual([
    ['firing', 1, 1],
  ])
  await makeRun(async () => {})
  expect((await alertsOf(one, rule.id)).map(({ state }) => state)).toEqual(['firing'])
  await makeRun(() => say('removed'))
  expect((await alertsOf(one, rule.id)).map(({ state }) => state)).toEqual(['resolved'])
})

test('[MON-01] rules about runs are for those who may read monitoring and see all applications; others see neither rule nor alert', async () => {
  const rule = (await save(admin, { name: 'all' })).data
  await makeRun(() => addCopy('seen', 'clone'))
  const [alert] = await alertsOf(admin, rule.id)
  expect(alert).toBeDefined()
  expect(await alertsOf(two, rule.id)).toEqual([])
  // An alert is about one application: who sees that sees it, as of every rule that is split by applications.
  expect(await alertsOf(one, rule.id)).toHaveLength(1)
  expect((await ask<{ code: number }>(two, alertDetail, { id: alert!.id })).code).toBe(500002)
  const auth = ['events.read', 'alert.edit', 'maps']
  await app.meta.db
    .insertInto('roles')
    .values({ key: 'alerts-only', zh: '告警', en: 'Alerts', built_in: false, sees_all: false, auth })
    .execute()
  const user_id = await app.addUser('three@example.com', 'alerts-only')
  await app.meta.db.insertInto('application_members').values({ application_id: appOne, user_id }).execute()
  const three = new ConsoleClient(app.url)
  await three.signIn('three@example.com', PASSWORD, CODE)
  expect(await alertsOf(three, rule.id)).toEqual([])
  expect((await ask<{ code: number }>(three, alertDetail, { id: alert!.id })).code).toBe(500002)
  expect((await save(three, {})).code).toBe(500018)

  // The page of alerts needs events.read, the figure monitor.view: one of both gets neither a notification nor a delivery.
  const watcher = { key: 'watcher', zh: '监测', en: 'Monitoring', built_in: false, sees_all: false }
  await app.meta.db
    .insertInto('roles')
    .values({ ...watcher, auth: ['monitor.view'] })
    .execute()
  const four = await app.addUser('four@example.com', 'watcher')
  await app.meta.db.insertInto('application_members').values({ application_id: appOne, user_id: four }).execute()
  await makeRun(() => addCopy('noticed', 'clone'))
  const [newest] = await alertsOf(admin, rule.id)
  const noticed = await app.meta.db
    .selectFrom('notifications')
    .select('user_id')
    .where('key', '=', `alert:${newest!.id}`)
    .execute()
  const { id: first } = await app.meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'one@example.com')
    .executeTakeFirstOrThrow()
  expect(noticed.map((row) => row.user_id)).toContain(first)
  for (const id of [user_id, four]) expect(noticed.map((row) => row.user_id)).not.toContain(id)
  const about = { apps: [appOne], measure: 'pirated_new' as const }
  const channel = (owner_id: number) => ({ owner_id, shared: false })
  expect(await mayReceive(app.meta, channel(first), about)).toBe(true)
  expect(await mayReceive(app.meta, channel(user_id), about)).toBe(false)
  expect(await mayReceive(app.meta, channel(user_id), { ...about, measure: 'attacks' as const })).toBe(true)
  const id = randomUUID()
  await app.meta.db
    .insertInto('alert_channels')
    .values({
      ...{
        id,
        kind: 'webhook',
        name: 'of three',
        target: '',
        enabled: true,
        turn: 1,
        owner_id: user_id,
        shared: false,
      },
      ...{ created_by: 'three@example.com', created_at: 0, deleted_at: null },
    })
    .execute()
  await app.meta.db
    .insertInto('alert_deliveries')
    .values({
      ...{ id: randomUUID(), channel_id: id, alert_id: newest!.id, event: 'firing', state: 'failed', attempts: 1 },
      ...{ next_at: null, status: null, answer: '', created_at: 0, done_at: 0 },
    })
    .execute()
  const deliveries = async () => (await ask<{ data: unknown[] }>(three, alertDeliveries, { channel: id })).data
  expect(await deliveries()).toEqual([])
  await app.meta.db
    .updateTable('roles')
    .set({ auth: [...auth, 'monitor.view'] })
    .where('key', '=', 'alerts-only')
    .execute()
  expect(await deliveries()).toHaveLength(1)
  expect((await save(one, { filters: [{ field: 'app', op: 'is', values: [String(appTwo)] }] })).code).not.toBe(0)
  for (const wrong of [
    { by: null },
    { by: 'province' },
    { window: '5m' },
    { measure: 'attacks' },
    { condition: { kind: 'threshold', op: 'below', value: 1 } },
    { condition: { kind: 'change', direction: 'rise', factor: 2, minimum: 1 } },
    { filters: [{ field: 'risk', op: 'is', values: ['hook'] }] },
    { filters: [{ field: 'app', op: 'not', values: [String(appOne)] }] },
  ] as Partial<RuleInput>[])
    expect((await save(one, wrong)).code, JSON.stringify(wrong)).not.toBe(0)
})

test('[MON-01] the preview of a rule about runs counts the runs of the last 7 days, and a rule that is off is not judged', async () => {
  const { data } = await ask<{
    data: { method: string; alerts: number; windows: number; judged: number; newest: { end: number; value: number }[] }
  }>(one, previewAlertRule, { rule: { ...RULE, cooldown_minutes: 0 } })
  const judged = await app.meta.db
    .selectFrom('monitor_runs')
    .innerJoin('monitor_tasks as of', 'of.id', 'monitor_runs.task_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('of.application_id', '=', appOne)
    .where('judged_at', 'is not', null)
    .executeTakeFirstOrThrow()
  expect(data).toMatchObject({ method: 'every', judged: Number(judged.count) })
  // clone-1 (repackaged-1 was judged genuine), clone-2, after-stop with stopped-1, both unjudged, at-once, both failed, switches, seen, noticed.
  expect([data.alerts, data.windows]).toEqual([9, 9])
  expect(data.newest.map(({ value }) => value)).toEqual([1, 1, 1, 2, 1, 2, 2, 1, 1].slice(0, data.newest.length))
  expect(data.newest.map(({ end }) => end)).toEqual(data.newest.map(({ end }) => end).sort((a, b) => b - a))
  const off = (await save(one, { name: 'off', enabled: false })).data
  await makeRun(() => addCopy('late', 'clone'))
  expect(await alertsOf(one, off.id)).toEqual([])
  const rules = (await ask<{ data: Rule[] }>(one, alertRules)).data
  expect(rules.find(({ id }) => id === off.id)).toMatchObject({ window: 'run', firing: 0 })
})
