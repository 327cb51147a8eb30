import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertDetail, alertRules, alerts, previewAlertRule, saveAlertRule } from '#contracts/http/alerts.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import type { Verdict } from '#contracts/http/monitoring/tasks.ts'
import type { Alert, Rule, RuleInput } from '#domain/alerts.ts'
import { lineOf } from '#server/modules/alerts/alert-message.ts'
import { judgeRun } from '#server/modules/alerts/judge-run.ts'
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

/** A run of an hour that `finds` something before it ends. */
async function makeRun(finds: () => Promise<unknown>, of = task, isStopped = false): Promise<void> {
  at += 2 * HOUR
  run++
  await app.meta.db
    .insertInto('monitor_runs')
    .values({
      ...{ task_id: of, run, started_at: at - HOUR, ended_at: isStopped ? null : at },
      ...{ asked: 1, unasked: 0, pirated: 0, fresh: 0, gone: 0 },
    })
    .execute()
  await finds()
  if (!isStopped) await judgeRun(app.meta, of, run, at)
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
  await makeRun(() => addCopy('stopped-1', 'clone'), task, true)
  await makeRun(() => addCopy('other-1', 'clone', { task: other }), other)
  expect(await alertsOf(admin, rule.id)).toEqual([])
  await makeRun(() => addCopy('after-stop', 're-signed'))
  expect((await alertsOf(admin, rule.id)).map(({ key, value }) => [key, value])).toEqual([[String(appOne), 2]])
  await makeRun(() => addCopy('other-2', 'look-alike', { task: other }), other)
  expect((await alertsOf(admin, rule.id)).map(({ state }) => state)).toEqual(['firing'])
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
  const { data } = await ask<{ data: { method: string; alerts: number; windows: number; judged: number } }>(
    one,
    previewAlertRule,
    { rule: { ...RULE, cooldown_minutes: 0 } },
  )
  const ended = await app.meta.db
    .selectFrom('monitor_runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('task_id', '=', task)
    .where('ended_at', 'is not', null)
    .executeTakeFirstOrThrow()
  expect(data).toMatchObject({ method: 'every', judged: Number(ended.count) })
  // clone-1 (repackaged-1 was judged genuine), clone-2, after-stop with stopped-1, seen.
  expect([data.alerts, data.windows]).toEqual([4, 4])
  const off = (await save(one, { name: 'off', enabled: false })).data
  await makeRun(() => addCopy('late', 'clone'))
  expect(await alertsOf(one, off.id)).toEqual([])
  const rules = (await ask<{ data: Rule[] }>(one, alertRules)).data
  expect(rules.find(({ id }) => id === off.id)).toMatchObject({ window: 'run', firing: 0 })
})
