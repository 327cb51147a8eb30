import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { alertDeliveries } from '#contracts/http/alerts.ts'
import {
  environment,
  environmentHistory,
  exportEnvironment,
  saveEnvironmentSettings,
} from '#contracts/http/environment.ts'
import { EnvironmentSettingsSchema, type Values } from '#domain/environment.ts'
import { sealTarget } from '#server/modules/alerts/channel-target.ts'
import { deliverDue } from '#server/modules/alerts/deliver.ts'
import { measureDatabase } from '#server/modules/environment/measure-database.ts'
import { createSampler, type Sampler, type SamplerDeps } from '#server/modules/environment/sampler.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let app: HttpApp
let admin: ConsoleClient
let operator: ConsoleClient

async function signedIn(username: string, role: string): Promise<ConsoleClient> {
  await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}
beforeAll(async () => {
  app = await startHttpApp()
  admin = await signedIn('admin@example.com', 'administrator')
  operator = await signedIn('operator@example.com', 'operator')
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const table of ['environment_nodes', 'environment_samples', 'environment_alerts'] as const)
    await app.meta.db.deleteFrom(table).execute()
})

/** A sampler on the real metadata store, on a clock of its own; `values` are what the machine says. */
function sampler(clock: { ms: number }, values: () => Values, more: Partial<SamplerDeps> = {}): Sampler {
  return createSampler({
    meta: app.meta,
    node: 'node-1:8080',
    version: '1.5.3',
    roles: ['web', 'ingest', 'relay', 'jobs'],
    settings: () => EnvironmentSettingsSchema.parse({ open_after: 2, close_after: 2 }),
    machine: async () => ({
      machine: {
        processors: 4,
        load: 1,
        cpu_of: 'machine',
        memory_of: 'machine',
        memory_total: 1000,
        memory_used: 500,
        disk_total: 1000,
        disk_free: 500,
      },
      values: values(),
    }),
    processes: async () => [
      {
        name: 'supervisor',
        pid: 10,
        since: 5,
        restarts: 0,
        last_end: null,
        cpu: 1,
        memory: 1000,
        count: 1,
      },
    ],
    database: (now) => measureDatabase(app.meta, now),
    figures: async () => ({ stores: { events: 'ok', journal: 'ok' }, values: { lag: 1, clients: 3 } }),
    sizes: async () => ({ size_files: 100 }),
    endsSince: () => 0,
    now: () => clock.ms,
    ...more,
  })
}
async function rounds(one: Sampler, clock: { ms: number }, count: number, everyMs = 15_000): Promise<void> {
  for (let index = 0; index < count; index++) {
    clock.ms += everyMs
    await one.round()
    await one.settled()
  }
}
/** On a full minute, so that spans begin where they are expected. */
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE
const show = async (query = {}) => (await admin.call(environment, { query })).body

test('[ENV-01] a new installation says that nothing was measured, and the preset limits', async () => {
  const answer = await show()
  expect(answer).toMatchObject({ code: 0, data: null, nodes: [], alerts: [] })
  expect(answer['settings']).toMatchObject({ limits: { cpu: 90, disk: 85, lag: 60 }, open_after: 8, channels: [] })
  const history = (await admin.call(environmentHistory, { query: { range: '24h' } })).body
  expect(history).toMatchObject({ code: 0, step_ms: 300_000, series: {} })
  expect((await admin.call(environment, { query: { node: 'other' } })).body).toMatchObject({ code: 501300 })
})

test('[ENV-01] only who may maintain the platform sees the environment and changes the limits', async () => {
  expect((await operator.call(environment, {})).body).toMatchObject({ code: 500018 })
  expect((await operator.call(environmentHistory, {})).body).toMatchObject({ code: 500018 })
  const body = EnvironmentSettingsSchema.parse({})
  expect((await operator.call(saveEnvironmentSettings, { body })).body).toMatchObject({ code: 500018 })
})

test('[ENV-01] samples become a snapshot and a history of minutes; a pause is a gap, never 0', async () => {
  const clock = { ms: NOW - 30 * MINUTE }
  const one = sampler(clock, () => ({ cpu: 40, memory: 50, disk: 60 }))
  await rounds(one, clock, 9)
  clock.ms += 5 * MINUTE
  await rounds(one, clock, 5)
  const answer = await show()
  expect(answer['nodes']).toMatchObject([{ name: 'node-1:8080' }])
  expect(answer['data']).toMatchObject({
    node: 'node-1:8080',
    snapshot: {
      at: clock.ms,
      started_at: 5,
      values: { cpu: 40, lag: 1, clients: 3, queue: 0, size_files: 100, restarts: 0 },
      stores: { events: 'ok', metadata: 'ok', journal: 'ok' },
    },
  })
  const { snapshot } = answer['data'] as { snapshot: { values: Record<string, number> } }
  expect(snapshot.values['connections']).toBeGreaterThan(0)
  expect(snapshot.values['size_metadata']).toBeGreaterThan(1_000_000)
  const history = (await admin.call(environmentHistory, { query: { range: '1h' } })).body as unknown as {
    series: { cpu: { mean: (number | null)[] } }
  }
  const known = history.series.cpu.mean.flatMap((value, index) => (value === null ? [] : [index]))
  expect(known.length).toBeGreaterThanOrEqual(3)
  expect((known.at(-1) as number) - (known[0] as number) + 1).toBeGreaterThan(known.length)
  expect(new Set(history.series.cpu.mean)).toEqual(new Set([null, 40]))
})

test('[ENV-01] sampling goes on while the metadata store is away, and what was measured then is stored afterwards', async () => {
  const clock = { ms: NOW - 40 * MINUTE }
  let isAway = true
  const away = new Proxy(app.meta, {
    get: (target, name) => {
      if (name === 'db' && isAway) throw new Error('connection refused')
      return Reflect.get(target, name)
    },
  })
  const one = sampler(clock, () => ({ cpu: 95 }), {
    meta: away,
    database: (now) => measureDatabase(away, now),
  })
  await rounds(one, clock, 20)
  expect(one.alerts()).toEqual(['cpu'])
  expect(await show()).toMatchObject({ data: null })
  isAway = false
  await rounds(one, clock, 5)
  const rows = await app.meta.db
    .selectFrom('environment_samples')
    .select(['at', 'stats'])
    .where('step', '=', 60)
    .orderBy('at')
    .execute()
  // 25 samples: whole minutes, none missing in the middle.
  expect(rows).toHaveLength(6)
  expect(rows.every(({ at }, index) => at === (rows[0]?.at ?? 0) + index * MINUTE)).toBe(true)
  expect(rows[1]?.stats).toMatchObject({ cpu: [4, 380, 95] })
  expect(rows[1]?.stats.queue).toBeUndefined()
  const { alerts } = (await show()) as unknown as { alerts: object[] }
  expect(alerts).toMatchObject([{ metric: 'cpu', opened_at: NOW - 40 * MINUTE + 30_000, closed_at: null }])
})

test('[ENV-01] an alert opens and closes once, also over a restart of the process that samples', async () => {
  const clock = { ms: NOW - 20 * MINUTE }
  let cpu = 95
  await rounds(
    sampler(clock, () => ({ cpu })),
    clock,
    3,
  )
  const restarted = sampler(clock, () => ({ cpu }))
  await rounds(restarted, clock, 3)
  const list = async () => ((await show()) as unknown as { alerts: object[] }).alerts
  expect(await list()).toMatchObject([{ metric: 'cpu', closed_at: null, peak: 95, limit: 90 }])
  cpu = 10
  await rounds(restarted, clock, 3)
  const [alert, ...others] = await list()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ closed_at: clock.ms - 15_000 })
})

test('[ENV-01] a span that a restart cut in two is stored as one, and old spans go', async () => {
  const clock = { ms: NOW - 10 * MINUTE }
  const before = NOW - 26 * HOUR
  await app.meta.db
    .insertInto('environment_samples')
    .values({ node: 'node-1:8080', step: 60, at: before, stats: JSON.stringify({ cpu: [1, 1, 1] }) })
    .execute()
  const values = () => ({ cpu: 20 })
  await rounds(sampler(clock, values), clock, 2)
  await rounds(sampler(clock, values), clock, 4)
  const rows = await app.meta.db.selectFrom('environment_samples').selectAll().where('step', '=', 60).execute()
  expect(rows).toHaveLength(1)
  // The first process had not ended its minute when it was killed: its two samples are lost, nothing is counted twice.
  expect(rows[0]?.stats.cpu?.[0]).toBe(1)
})

test('[ENV-01] the history is exported as CSV with means and highest values, in the language of the caller', async () => {
  const clock = { ms: NOW - 10 * MINUTE }
  const one = sampler(clock, () => ({ cpu: 40 }))
  await rounds(one, clock, 9)
  const answer = await admin.call(exportEnvironment, { query: { range: '1h' } })
  expect(answer.status).toBe(200)
  const [head, ...lines] = String(answer.text).trim().split('\r\n')
  expect(head).toContain('时间')
  expect(head).toContain('CPU (%) 平均')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:00\.000\+08:00,40,40,/)
  const entry = app.meta.db.selectFrom('audit_log').select('detail').where('action', '=', 'exportEnvironment')
  expect(await entry.executeTakeFirstOrThrow()).toEqual({ detail: '1h' })
})

test('[ENV-01] limits are saved with an audit entry that says what changed; unknown channels and impossible limits are refused', async () => {
  const body = EnvironmentSettingsSchema.parse({ limits: { cpu: 70, lag: null }, open_after: 4 })
  expect((await admin.call(saveEnvironmentSettings, { body })).body).toMatchObject({ code: 0, data: body })
  expect((await show())['settings']).toEqual(body)
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'saveEnvironmentSettings')
    .where('result', '=', 'ok')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const changes = JSON.parse(entry.changes) as { field: string; before: unknown; after: unknown }[]
  expect(changes).toEqual(
    expect.arrayContaining([
      { field: 'cpu', before: 90, after: 70 },
      { field: 'lag', before: 60, after: null },
      { field: 'open_after', before: 8, after: 4 },
    ]),
  )
  expect(changes).toHaveLength(3)
  const bad = { ...body, channels: ['nobody'] }
  expect((await admin.call(saveEnvironmentSettings, { body: bad })).body).toMatchObject({ code: 501301 })
  const wrong = { ...body, limits: { ...body.limits, cpu: 0 } }
  expect((await admin.call(saveEnvironmentSettings, { body: wrong })).body['code']).not.toBe(0)
})

test('[ENV-01] an alert goes out by the channels of the settings when it opens and when it closes, once each, with what to do', async () => {
  const received: { body: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      received.push({ body })
      response.end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const channel = async (id: string, owner: string) => {
    const { id: owner_id } = await app.meta.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', owner)
      .executeTakeFirstOrThrow()
    await app.meta.db
      .insertInto('alert_channels')
      .values({
        id,
        kind: 'webhook',
        name: id,
        target: sealTarget(app.deps.secret, `http://127.0.0.1:${port}/hook`),
        enabled: true,
        turn: 1,
        owner_id,
        shared: true,
        created_by: owner,
        created_at: 0,
        deleted_at: null,
      })
      .execute()
  }
  await channel('of-admin', 'admin@example.com')
  await channel('of-operator', 'operator@example.com')
  const body = EnvironmentSettingsSchema.parse({ channels: ['of-admin', 'of-operator'], open_after: 2, close_after: 2 })
  expect((await admin.call(saveEnvironmentSettings, { body })).body).toMatchObject({ code: 0 })
  const clock = { ms: NOW - 10 * MINUTE }
  let disk = 91
  const one = sampler(clock, () => ({ disk }), { settings: () => body })
  await rounds(one, clock, 4)
  disk = 10
  await rounds(one, clock, 4)
  const made = await deliverDue({
    meta: app.meta,
    secret: app.deps.secret,
    internal: () => true,
    smtpUrl: undefined,
    names: async () => (_field, key) => key,
    now: Date.now,
  })
  receiver.close()
  expect(made).toBe(4)
  const messages = received.map((one) => JSON.parse(one.body) as Record<string, unknown>)
  expect(messages).toHaveLength(2)
  expect(messages.map(({ event }) => event).sort()).toEqual(['firing', 'resolved'])
  const firing = messages.find(({ event }) => event === 'firing')
  expect(firing).toMatchObject({
    path: '/platform/environment',
    alert: null,
    environment: { node: 'node-1:8080', metric: 'disk', value: 91, limit: 85 },
  })
  expect(firing?.['text']).toMatchObject({ zh: expect.stringContaining('磁盘 91%（阈值 85%）。清理旧备份') })
  // An operator may not see the page: the channel is refused, and its log says why.
  const refused = await app.meta.db
    .selectFrom('alert_deliveries')
    .select(['state', 'answer'])
    .where('channel_id', '=', 'of-operator')
    .execute()
  expect(refused).toEqual(
    Array(2).fill({ state: 'failed', answer: 'the owner of the channel may not maintain the platform' }),
  )
  const log = (await admin.call(alertDeliveries, { query: { channel: 'of-admin' } })).body
  expect(log['data']).toMatchObject([{ alert: null, rule: '磁盘 · node-1:8080', state: 'sent' }, { state: 'sent' }])
})
