import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  acknowledgeAlert,
  alertChannels,
  alertDeliveries,
  alertDetail,
  alertRules,
  alerts,
  deleteAlertChannel,
  deleteAlertRule,
  redeliverAlert,
  saveAlertChannel,
  saveAlertRule,
  silenceAlertRule,
  testAlertChannel,
} from '#contracts/http/alerts.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { createDisplayToken } from '#contracts/http/tokens.ts'
import type { Alert, Channel, Rule, RuleInput } from '#domain/alerts.ts'
import { alertRow } from '#tests/support/alert-row.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let [one, two, admin] = [] as unknown as [ConsoleClient, ConsoleClient, ConsoleClient]
let [appOne, appTwo] = [0, 0]
beforeAll(async () => {
  app = await startHttpApp()
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
  const addApp = async (owner: number) =>
    (
      await app.meta.db
        .insertInto('applications')
        .values({
          uuid: randomUUID(),
          name: 'a',
          mime_type: 1,
          protect_type: '0',
          has_file: false,
          owner_id: owner,
          site_id: null,
          created_at: 0,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  ;[appOne, appTwo] = [await addApp(first.id), await addApp(second.id)]
})
afterAll(() => app.close())

const RULE: RuleInput = {
  name: 'hooks',
  measure: 'attacks',
  filters: [],
  by: 'province',
  window: '1m',
  condition: { kind: 'threshold', op: 'at_least', value: 100 },
  severity: 'critical',
  cooldown_minutes: 5,
  enabled: true,
  channels: [],
}
const filter = (id: number) => ({ field: 'app' as const, op: 'is' as const, values: [String(id)] })
async function ask<T>(client: ConsoleClient, endpoint: Endpoint, input: Record<string, unknown> = {}): Promise<T> {
  const given = endpoint.method === 'POST' ? { body: input } : Object.keys(input).length > 0 ? { query: input } : {}
  return (await client.call(endpoint, given)).body as T
}
const save = (client: ConsoleClient, rule: Partial<RuleInput>, more: Record<string, unknown> = {}) =>
  ask<{ code: number; data: Rule }>(client, saveAlertRule, { rule: { ...RULE, ...rule }, ...more })
async function raise(rule: Rule, apps: number[] | null): Promise<string> {
  const row = alertRow({ rule_id: rule.id, rule_name: rule.name, apps, condition: JSON.stringify(RULE.condition) })
  await app.meta.db.insertInto('alerts').values(row).execute()
  return row.id
}
const ids = async (client: ConsoleClient) =>
  (await ask<{ data: Alert[] }>(client, alerts, { limit: '200' })).data.map(({ id }) => id)

test('[STAT-02] a rule counts no more than its editor may see, and is hidden from users who may not see all of it', async () => {
  const mine = (await save(one, {})).data
  expect(mine.apps).toEqual([String(appOne)])
  expect((await save(one, { filters: [filter(appTwo)] })).code).not.toBe(0)
  const everything = (await save(admin, {})).data
  expect(everything.apps).toBeNull()
  const rules = async (client: ConsoleClient) =>
    (await ask<{ data: Rule[] }>(client, alertRules)).data.map(({ id }) => id)
  expect(await rules(one)).toEqual([mine.id])
  expect(await rules(two)).toEqual([])
  expect((await rules(admin)).sort()).toEqual([mine.id, everything.id].sort())
  for (const [endpoint, body] of [
    [deleteAlertRule, { id: mine.id }],
    [silenceAlertRule, { rule: mine.id, until: Date.now() + 60_000 }],
    [saveAlertRule, { id: mine.id, rule: RULE }],
  ] as const)
    expect((await ask<{ code: number }>(two, endpoint, body)).code).toBe(500002)

  const [ofOne, ofAll] = [await raise(mine, [appOne]), await raise(everything, null)]
  expect(await ids(one)).toEqual([ofOne])
  expect(await ids(two)).toEqual([])
  expect((await ids(admin)).sort()).toEqual([ofOne, ofAll].sort())
  expect((await ask<{ code: number }>(two, alertDetail, { id: ofOne })).code).toBe(500002)
  expect((await ask<{ code: number }>(two, acknowledgeAlert, { id: ofOne })).code).toBe(500002)
})

test('an alert is acknowledged once, with a note that the audit log keeps; a wall reads it without names and cannot acknowledge', async () => {
  const rule = (await save(one, { name: 'ack' })).data
  const id = await raise(rule, [appOne])
  const done = await ask<{ data: Alert }>(one, acknowledgeAlert, { id, note: 'looked at it' })
  expect(done.data).toMatchObject({
    state: 'acknowledged',
    acknowledged: { by: 'one@example.com', note: 'looked at it' },
  })
  expect((await ask<{ code: number }>(one, acknowledgeAlert, { id })).code).toBe(500003)
  const log = await app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'acknowledgeAlert')
    .where('result', '=', 'ok')
    .execute()
  expect(log.map(({ account, target, detail }) => [account, target, detail])).toEqual([
    ['one@example.com', 'alert ack / 440000', 'looked at it'],
  ])

  const wall = await ask<{ token: string }>(admin, createDisplayToken, { name: 'wall', views: [] })
  const bearer = { authorization: `Bearer ${wall.token}` }
  const bare = new ConsoleClient(app.url)
  const alertAnswer = await bare.send('GET', `${alertDetail.path}?id=${id}`, '', bearer)
  expect(alertAnswer.body).toMatchObject({ data: { state: 'acknowledged', acknowledged: { by: '', note: '' } } })
  expect(JSON.stringify(alertAnswer.body)).not.toContain('one@example.com')
  for (const endpoint of [acknowledgeAlert, saveAlertRule, silenceAlertRule])
    expect(
      (await bare.send('POST', endpoint.path, JSON.stringify({ id, rule: rule.id, until: null }), bearer)).status,
    ).toBe(403)
})

test('only a user who saw the newest version of a rule can change it; silences end; nonsense is refused by name', async () => {
  const rule = (await save(one, { name: 'versions' })).data
  expect((await save(one, { name: 'new' }, { id: rule.id, version: 1 })).data.version).toBe(2)
  expect((await save(one, { name: 'old' }, { id: rule.id, version: 1 })).code).toBe(500003)
  const until = Date.now() + 3_600_000
  const silenced = await ask<{ data: Rule }>(one, silenceAlertRule, { rule: rule.id, key: '440000', until })
  expect(silenced.data.silences).toMatchObject([{ key: '440000', until, by: 'one@example.com' }])
  expect(
    (await ask<{ data: Rule }>(one, silenceAlertRule, { rule: rule.id, key: '440000', until: null })).data.silences,
  ).toEqual([])
  for (const bad of [
    { by: 'province' as const, condition: { kind: 'threshold' as const, op: 'below' as const, value: 5 } },
    { filters: [{ field: 'origin' as const, op: 'is' as const, values: ['imported'] }] },
    { filters: [{ field: 'app' as const, op: 'is' as const, values: ['1 or 1'] }] },
    { channels: ['nobody'] },
    { name: ' ' },
    { cooldown_minutes: -1 },
  ])
    expect((await save(one, bad)).code).not.toBe(0)
})

test('[REQ-05] a channel takes no address that leads inside; its secret is shown once; a test reports its result', async () => {
  for (const target of [
    'http://127.0.0.1/',
    'http://[::1]/',
    'ftp://example.com/',
    'http://10.0.0.1/x',
    'javascript:1',
    'http://localhost/',
  ])
    expect(
      (
        await ask<{ code: number }>(one, saveAlertChannel, {
          channel: { kind: 'webhook', name: 'x', target, enabled: true },
        })
      ).code,
    ).not.toBe(0)
  expect(
    (
      await ask<{ code: number }>(one, saveAlertChannel, {
        channel: { kind: 'mail', name: 'x', target: 'nobody', enabled: true },
      })
    ).code,
  ).not.toBe(0)
  const made = await ask<{ data: { id: string }; secret: string }>(one, saveAlertChannel, {
    channel: { kind: 'webhook', name: 'SOC', target: 'https://hooks.invalid/x', enabled: true },
  })
  expect(made.secret).toMatch(/^aw_wh_[\w-]{43}$/)
  expect(JSON.stringify(await ask(one, alertChannels))).not.toContain(made.secret)
  const again = await ask<{ secret: string | null }>(one, saveAlertChannel, {
    id: made.data.id,
    channel: { kind: 'webhook', name: 'SOC', target: 'https://hooks.invalid/y', enabled: true },
  })
  expect(again.secret).toBeNull()
  const rotated = await ask<{ secret: string }>(one, saveAlertChannel, {
    id: made.data.id,
    channel: { kind: 'webhook', name: 'SOC', target: 'https://hooks.invalid/y', enabled: true },
    rotate: true,
  })
  expect(rotated.secret).not.toBe(made.secret)
  const tried = await ask<{ data: { sent: boolean; status: null; answer: string } }>(one, testAlertChannel, {
    id: made.data.id,
  })
  expect(tried.data).toMatchObject({ sent: false, status: null })
  expect(tried.data.answer).not.toBe('')
})

test('[REQ-05] an operator neither reads, changes, tests nor deletes the channel of another account', async () => {
  type Listed = { data: Channel[] }
  const address = 'https://hooks.example.com/T0/private-token'
  const channel = { kind: 'webhook' as const, name: 'SOC', target: address, enabled: true, shared: true }
  const created = await ask<{ data: Channel; secret: string }>(admin, saveAlertChannel, { channel })
  const { id } = created.data
  expect(created.data).toMatchObject({ target: address, mine: true, manageable: true })
  const stored = await app.meta.db.selectFrom('alert_channels').select('target').where('id', '=', id).execute()
  expect(JSON.stringify(stored)).not.toContain('private-token')

  const shown = (await ask<Listed>(one, alertChannels)).data.find((row) => row.id === id)
  expect(shown).toMatchObject({ target: 'https://hooks.example.com/•••', mine: false, manageable: false })
  const refused = [
    await ask<{ key: string }>(one, saveAlertChannel, { id, channel, rotate: true }),
    await ask<{ key: string }>(one, saveAlertChannel, { id, channel: { ...channel, target: 'https://evil.example/' } }),
    await ask<{ key: string }>(one, testAlertChannel, { id }),
    await ask<{ key: string }>(one, deleteAlertChannel, { id }),
    await ask<{ key: string }>(one, alertDeliveries, { channel: id }),
  ]
  expect(refused.map(({ key }) => key)).toEqual(Array(5).fill('permission.missing'))
  expect(JSON.stringify(refused)).not.toContain('private-token')
  // A shared channel may be named in a rule; a private one does not exist for others.
  expect((await save(one, { name: 'uses a shared channel', channels: [id] })).code).toBe(0)
  await ask(admin, saveAlertChannel, { id, channel: { ...channel, shared: false } })
  expect((await ask<Listed>(one, alertChannels)).data.some((row) => row.id === id)).toBe(false)
  expect((await ask<{ key: string }>(one, deleteAlertChannel, { id })).key).toBe('data.missing')
  expect((await save(one, { name: 'uses a private channel', channels: [id] })).code).not.toBe(0)
  expect(
    JSON.stringify(await app.meta.db.selectFrom('audit_log').selectAll().execute()).includes('private-token'),
  ).toBe(false)
})

test('the owner of a channel, and no other account, sends an ended delivery once more with the same id', async () => {
  const channel = { kind: 'webhook' as const, name: 'again', target: 'https://hooks.example.com/T2/x', enabled: true }
  const { data } = await ask<{ data: Channel }>(one, saveAlertChannel, {
    channel: { ...channel, notices: ['detection'] },
  })
  expect(data.notices).toEqual(['detection'])
  const notice = { kind: 'detection' as const, state: 'good' as const, title: { zh: '检测完成', en: 'Detection done' } }
  await app.meta.db
    .insertInto('alert_deliveries')
    .values({
      ...{ id: 'again-1', channel_id: data.id, alert_id: null, event: 'notice', state: 'failed', attempts: 8 },
      ...{ next_at: null, status: 500, answer: 'down', created_at: 1, done_at: 2, notice_key: 'detection:1:1' },
      notice: JSON.stringify({ ...notice, note: { zh: '', en: '' }, path: '/detection/tasks/1/', facts: {} }),
    })
    .execute()
  const log = await ask<{ data: object[] }>(one, alertDeliveries, { channel: data.id })
  expect(log.data).toMatchObject([{ id: 'again-1', path: '/detection/tasks/1/', event: 'notice', rule: '检测完成' }])
  const [line] = log.data
  expect(Object.keys(line ?? {})).not.toContain('notice')
  expect((await ask<{ key: string }>(two, redeliverAlert, { id: 'again-1' })).key).toBe('data.missing')
  expect((await ask<{ key: string }>(admin, redeliverAlert, { id: 'again-1' })).key).toBe('permission.missing')
  expect((await ask<{ key: string }>(one, redeliverAlert, { id: 'none' })).key).toBe('data.missing')
  // An administrator manages the channel, and does not see what its owner is notified of.
  expect((await ask<{ data: object[] }>(admin, alertDeliveries, { channel: data.id })).data).toEqual([])
  expect((await ask<{ code: number }>(one, redeliverAlert, { id: 'again-1' })).code).toBe(0)
  const row = await app.meta.db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('id', '=', 'again-1')
    .executeTakeFirst()
  expect(row).toMatchObject({ state: 'waiting', attempts: 0, done_at: null, next_at: expect.any(Number) })
  expect((await ask<{ key: string }>(one, redeliverAlert, { id: 'again-1' })).key).toBe('data.conflict')
  // Another owner of the channel does not find the notices of the one before.
  await ask(admin, saveAlertChannel, { id: data.id, channel: { ...channel, target: 'https://hooks.example.com/T3/y' } })
  expect((await ask<{ data: object[] }>(admin, alertDeliveries, { channel: data.id })).data).toEqual([])
})

test('an administrator switches off a channel of another account, sees its target masked, and owns it only with a new target', async () => {
  const target = 'https://hooks.example.com/T1/operator-token'
  const channel = { kind: 'webhook' as const, name: 'team', target, enabled: true, shared: false }
  const { data, secret } = await ask<{ data: Channel; secret: string }>(one, saveAlertChannel, { channel })
  const masked = { ...channel, target: 'https://hooks.example.com/•••', enabled: false }
  const off = await ask<{ data: Channel; secret: string | null }>(admin, saveAlertChannel, {
    id: data.id,
    channel: masked,
  })
  expect(off).toMatchObject({ secret: null, data: { enabled: false, mine: false, target: masked.target } })
  const rotated = await ask<{ key: string }>(admin, saveAlertChannel, { id: data.id, channel: masked, rotate: true })
  expect(rotated.key).toBe('permission.missing')
  expect((await ask<{ key: string }>(admin, testAlertChannel, { id: data.id })).key).toBe('permission.missing')
  const own = (await ask<{ data: Channel[] }>(one, alertChannels)).data.find((row) => row.id === data.id)
  expect(own).toMatchObject({ target, enabled: false, mine: true })
  const taken = await ask<{ data: Channel; secret: string }>(admin, saveAlertChannel, {
    id: data.id,
    channel: { ...masked, target: 'https://soc.example.com/new' },
  })
  expect(taken.data).toMatchObject({ mine: true, created_by: 'admin@example.com' })
  expect(taken.secret).not.toBe(secret)
  expect((await ask<{ data: Channel[] }>(one, alertChannels)).data.some((row) => row.id === data.id)).toBe(false)
})
