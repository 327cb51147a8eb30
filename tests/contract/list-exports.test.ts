import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { alerts, saveAlertRule } from '#contracts/http/alerts.ts'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { saveBaseline } from '#contracts/http/baselines.ts'
import { setVerdict, suspiciousDevices } from '#contracts/http/devices.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { exceptionGroups } from '#contracts/http/exceptions.ts'
import { exportEvents, exportList } from '#contracts/http/exports.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { Job } from '#contracts/jobs.ts'
import type { Rule } from '#domain/alerts.ts'
import { EVENT_TYPES, LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { alertRow } from '#tests/support/alert-row.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { ENGLISH } from '#tests/support/detection-bed.ts'
import { exported } from '#tests/support/exported.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-list-exports-'))
const QUERY = { range: '-7d' }
const ALERTS = 1203
let http: HttpApp
let store: DuckStore
let app = 0
let ruleId = ''
const who = {} as Record<'owner' | 'stranger' | 'reader', ConsoleClient>

beforeAll(async () => {
  http = await startHttpApp()
  store = await openDuckStore({ folder })
  http.deps.store = store
  http.deps.files = await openLocalFiles(join(folder, 'files'))
  for (const [name, role] of Object.entries({ owner: 'operator', stranger: 'operator', reader: 'trial' })) {
    await http.addUser(`${name}@example.com`, role)
    const client = new ConsoleClient(http.url)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    who[name as keyof typeof who] = client
  }
  await who.owner.call(createApplication, { body: { name: '=Wallet', mimetype_list: [1] } })
  const { object_list } = (await who.owner.call(applicationList)).body as unknown as { object_list: { id: string }[] }
  app = Number(object_list[0]?.id)
  await store.load(events())
  const rule = {
    name: '=HYPERLINK("http://x")',
    measure: 'attacks',
    filters: [],
    by: 'app',
    window: '1m',
    condition: { kind: 'threshold', op: 'at_least', value: 100 },
    severity: 'critical',
    cooldown_minutes: 5,
    enabled: false,
    channels: [],
  }
  const saved = (await who.owner.call(saveAlertRule, { body: { rule } })).body as { data: Rule }
  ruleId = saved.data.id
  await http.meta.db
    .insertInto('alerts')
    .values(Array.from({ length: ALERTS }, oneAlert))
    .execute()
}, 60_000)
afterAll(async () => {
  await http?.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Three hooked devices, two crashes of which one comes four times, and builds that are not the released one. */
function events() {
  const risk = (name: 'hook' | 'root' | 'injection') => ({
    type: EVENT_TYPES.risk.code,
    risk: RISK_TYPES[name].code,
    level: LEVELS[RISK_TYPES[name].level].code,
  })
  const at = (minutes: number) => {
    const time = Date.now() - minutes * 60_000
    return { app, version: '5.8.2', occurredAt: time, receivedAt: time }
  }
  const envEvent = { type: EVENT_TYPES.env.code, risk: 0, level: 0, action: 0 }
  return [
    ...[1, 2, 3].flatMap((device) =>
      (['hook', 'root', 'injection'] as const).map((name) =>
        madeEvent({ ...at(device), ...risk(name), device: hashKey(device) }),
      ),
    ),
    ...[0, 1, 2, 3, 4].map((index) =>
      madeEvent({
        ...at(30 + index),
        type: EVENT_TYPES.crash.code,
        risk: 0,
        level: 0,
        action: 0,
        group: index < 4 ? '00000000000000aa' : '00000000000000bb',
      }),
    ),
    ...[1, 2, 3, 4].map((index) =>
      madeEvent({
        ...at(60 + index),
        ...envEvent,
        channel: 'side',
        device: hashKey(index),
        extra: JSON.stringify({ package_name: index < 4 ? '@SUM(com.evil)' : 'com.sample' }),
      }),
    ),
  ]
}

const oneAlert = (_: unknown, index: number) =>
  alertRow({
    rule_id: ruleId,
    rule_name: '=HYPERLINK("http://x")',
    apps: [app],
    by_field: 'app',
    key: String(app),
    // Many of one moment, so that paging has to go by the id too.
    raised_at: Date.now() - Math.floor(index / 400) * 1000,
    resolved_at: index % 3 === 0 ? Date.now() : null,
  })

async function answer<T>(client: ConsoleClient, endpoint: Endpoint, input: object): Promise<T & { code: number }> {
  return (await client.call(endpoint, input as never, ENGLISH)).body as T & { code: number }
}
async function exportOf(client: ConsoleClient, list: object, format: 'csv' | 'xlsx' = 'csv') {
  const { job, code } = await answer<{ job: Job }>(client, exportList, {
    body: { list, format, title: 'A list' },
  })
  expect(code).toBe(0)
  const { rows, bytes } = await exported(http, job.id)
  return { rows, bytes, lines: bytes.toString('utf8').split('\r\n').slice(0, -1) }
}

test('[EXC-01] alerts are exported whole, past every page, in the state asked for', async () => {
  const all = await answer<{ total: number }>(who.owner, alerts, { query: { limit: 1 } })
  expect(all.total).toBe(ALERTS)
  const file = await exportOf(who.owner, { of: 'alerts' })
  expect([file.rows, file.lines.length]).toEqual([ALERTS, ALERTS + 1])
  expect(new Set(file.lines.map((line) => line.slice(0, 36))).size).toBe(ALERTS + 1)
  expect(file.lines[1]).toContain('"\'=HYPERLINK(""http://x"")"')
  expect(file.lines[1]).toContain("'=Wallet")
  const over = await answer<{ total: number }>(who.owner, alerts, { query: { state: 'resolved', limit: 1 } })
  expect((await exportOf(who.owner, { of: 'alerts', state: 'resolved' })).rows).toBe(over.total)
  const book = await exportOf(who.owner, { of: 'alerts', state: 'resolved' }, 'xlsx')
  expect([book.rows, book.bytes.subarray(0, 2).toString()]).toEqual([over.total, 'PK'])
})

test('[EXC-01] groups of failures are exported as search and order leave them', async () => {
  const list = { query: QUERY, kind: 'crash' }
  const shown = await answer<{ total: number }>(who.owner, exceptionGroups, { body: list })
  const file = await exportOf(who.owner, { of: 'exception_groups', ...list, sort: 'events' })
  expect([shown.total, file.rows]).toEqual([2, 2])
  expect(file.lines[1]).toMatch(/^00000000000000aa,'=Wallet,.*,4,1,0,5\.8\.2,/)
  expect((await exportOf(who.owner, { of: 'exception_groups', ...list, search: '00bb' })).rows).toBe(1)
  expect((await exportOf(who.owner, { of: 'exception_groups', ...list, mark: 'resolved' })).rows).toBe(0)
})

test('[MSSA-01] suspicious devices are exported with reasons and verdicts', async () => {
  const judged = { device: hashKey(1), appids: [String(app)], verdict: 'banned' }
  expect((await answer(who.owner, setVerdict, { body: judged })).code).toBe(0)
  const shown = await answer<{ total: number }>(who.owner, suspiciousDevices, { body: { filters: [] } })
  const file = await exportOf(who.owner, { of: 'suspicious_devices', filters: [] })
  expect([shown.total, file.rows]).toEqual([3, 3])
  expect(file.lines.find((line) => line.startsWith(hashKey(1)))).toMatch(/×1 \+35.*=Wallet: Banned/)
  expect((await exportOf(who.owner, { of: 'suspicious_devices', filters: [], from: 100 })).rows).toBe(0)
})

test('[STAT-03] a list of devices is narrowed to a verdict on screen and in the export, which names it', async () => {
  const part = (verdict: string) => ({ kind: 'entities', entity: 'device', verdict })
  const total = async (client: ConsoleClient, verdict: string) => {
    const body = { query: QUERY, parts: { list: part(verdict) } }
    return (await answer<{ parts: { list: { total: number } } }>(client, statistics, { body })).parts.list.total
  }
  const [banned, none, watched] = [
    await total(who.owner, 'banned'),
    await total(who.owner, 'none'),
    await total(who.owner, 'watched'),
  ]
  expect([banned, none, watched]).toEqual([1, 3, 0])
  const { job } = await answer<{ job: Job }>(who.owner, exportEvents, {
    body: { query: QUERY, part: part('banned'), title: 'devices' },
  })
  const { rows, bytes } = await exported(http, job.id)
  expect(rows).toBe(1)
  expect(bytes.toString('utf8')).toMatch(new RegExp(`${hashKey(1)}.*=Wallet: Banned`))
  expect(await total(who.stranger, 'none')).toBe(0)
})

test('[MSSA-01] abnormal returns are exported with what the build reported, addresses cut without the right to them', async () => {
  const baseline = { appid: String(app), version: '5.8.2', package_name: 'com.sample', channels: ['store'] }
  expect((await answer(who.owner, saveBaseline, { body: baseline })).code).toBe(0)
  const shown = await answer<{ summary: { total: number } }>(who.owner, abnormalReturns, {
    body: { query: QUERY, kinds: ['package'] },
  })
  const file = await exportOf(who.owner, { of: 'abnormal_returns', query: QUERY, kinds: ['package'] })
  expect([shown.summary.total, file.rows]).toEqual([3, 3])
  expect(file.lines[1]).toContain("Package name; Channel,'@SUM(com.evil)")
  expect(file.bytes.toString('utf8')).not.toContain('203.0.113.7,')
  expect(file.lines[1]).toContain('203.0.113.0/24')
})

test('[PERM-01] an export knows no more than its caller, needs the right to it and is written down', async () => {
  const lists = [
    { of: 'alerts' },
    { of: 'exception_groups', query: QUERY, kind: 'crash' },
    { of: 'suspicious_devices', filters: [] },
    { of: 'abnormal_returns', query: QUERY },
  ]
  for (const list of lists) {
    expect([list.of, (await exportOf(who.stranger, list)).rows]).toEqual([list.of, 0])
    const refused = await answer(who.reader, exportList, { body: { list, title: 'x' } })
    expect([list.of, refused.code]).toEqual([list.of, 500018])
  }
  const hidden = { of: 'suspicious_devices', filters: [{ field: 'address', op: 'is', values: ['203.0.113.7'] }] }
  expect((await answer(who.owner, exportList, { body: { list: hidden, title: 'x' } })).code).toBe(500018)
  const twice = { body: { list: { of: 'alerts' }, title: 'twice' } }
  expect((await answer(who.owner, exportList, twice)).code).toBe(0)
  expect((await answer(who.owner, exportList, twice)).code).toBe(500005)
  const audit = await http.meta.db.selectFrom('audit_log').select(['target', 'detail']).execute()
  expect(audit).toContainEqual(expect.objectContaining({ target: 'export twice' }))
})
