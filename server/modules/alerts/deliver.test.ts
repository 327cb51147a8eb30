import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMailServer } from '#mocks/mail-server/mail-server.ts'
import { alertRow } from '#tests/support/alert-row.ts'
import { type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { notify } from '../../platform/notify.ts'
import { seedRoles } from '../../platform/roles.ts'
import type { ChannelRow } from './channel-target.ts'
import { maskTarget, openTarget, sealStoredTargets } from './channel-target.ts'
import { type DeliverDeps, deliverDue, nextAttempt } from './deliver.ts'
import { deliverNotification, webhookSecret } from './deliver-notification.ts'
import { readKeyNames } from './key-names.ts'

let folder = ''
let database: TestDatabase
let receiver: Server
let answers: number[] = []
let heard: { headers: IncomingHttpHeaders; body: string }[] = []
let clock = Date.UTC(2026, 10, 21, 6)
let deps: DeliverDeps
let owner = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aw-deliver-'))
  database = await testDatabase(folder)
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200).end('noted')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { db } = database.meta
  await seedRoles(database.meta)
  owner = (
    await db
      .insertInto('users')
      .values({
        username: 'a',
        password_hash: '',
        password_history: [],
        role: 'administrator',
        super: false,
        must_change_password: false,
        first_password_until: null,
        expires_at: null,
        disabled: false,
        active_session: null,
        created_at: 0,
        last_login_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  await db
    .insertInto('alert_rules')
    .values({
      id: 'r',
      name: 'Hook 框架按省',
      measure: 'attacks',
      filters: '[]',
      by_field: 'province',
      time_window: '1m',
      condition: JSON.stringify({ kind: 'threshold', op: 'at_least', value: 100 }),
      severity: 'critical',
      cooldown_minutes: 5,
      enabled: true,
      apps: null,
      channels: [],
      version: 1,
      created_by: 'a',
      updated_by: 'a',
      updated_at: 0,
      deleted_at: null,
    })
    .execute()
  await db
    .insertInto('alerts')
    .values(
      alertRow({
        id: 'alert',
        rule_id: 'r',
        rule_name: 'Hook 框架按省',
        total: 168,
        first_end: clock,
        last_end: clock,
        raised_at: clock,
      }),
    )
    .execute()
})
afterAll(async () => {
  receiver.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await database.meta.db.deleteFrom('alert_channels').execute()
  ;[answers, heard] = [[], []]
  deps = {
    meta: database.meta,
    secret: (name) => Buffer.from(name.padEnd(32).slice(0, 32)),
    internal: () => true,
    smtpUrl: undefined,
    names: () => readKeyNames(database.meta),
    now: () => clock,
    privateFailureMs: 800,
  }
})

async function give(kind: 'webhook' | 'mail', target: string): Promise<void> {
  const { db } = database.meta
  await db
    .insertInto('alert_channels')
    .values({
      id: 'c',
      kind,
      name: 'SOC',
      target,
      enabled: true,
      turn: 1,
      owner_id: owner,
      shared: false,
      created_by: 'a',
      created_at: 0,
      deleted_at: null,
    })
    .execute()
  await db
    .insertInto('alert_deliveries')
    .values({
      id: 'd',
      channel_id: 'c',
      alert_id: 'alert',
      event: 'firing',
      state: 'waiting',
      attempts: 0,
      next_at: clock,
      status: null,
      answer: '',
      created_at: clock,
      done_at: null,
    })
    .execute()
}
const hook = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
const delivery = () => database.meta.db.selectFrom('alert_deliveries').selectAll().executeTakeFirstOrThrow()

test('a webhook receives the alert once, as JSON with a signature that it can verify', async () => {
  await give('webhook', hook())
  await Promise.all([deliverDue(deps), deliverDue(deps), deliverDue(deps)])
  expect(heard).toHaveLength(1)
  const [{ headers, body }] = heard as [(typeof heard)[number]]
  const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-aw-signature'])) as unknown as string[]
  const key = webhookSecret(deps.secret, { id: 'c', turn: 1 })
  expect(createHmac('sha256', key).update(`${at}.${body}`).digest('hex')).toBe(mac)
  expect(headers['x-aw-delivery']).toBe('d')
  expect(JSON.parse(body)).toMatchObject({
    event: 'firing',
    delivery: 'd',
    path: '/awareness/alerts?alert=alert',
    text: { zh: '严重告警：Hook 框架按省，广东：1 分钟内攻击次数 168（阈值 100）' },
    alert: { key: '440000', value: 168, state: 'firing' },
  })
  expect(await delivery()).toMatchObject({ state: 'sent', status: 200, answer: '', attempts: 1, next_at: null })
})

test('a channel sends the notifications of its owner, of the chosen kinds, once each, with facts for programs', async () => {
  await give('webhook', hook())
  const { meta } = database
  await meta.db.deleteFrom('alert_deliveries').execute()
  await meta.db
    .updateTable('alert_channels')
    .set({ notices: ['detection'] })
    .execute()
  const text = (zh: string, en: string) => ({ zh, en })
  const send = (kind: 'detection' | 'job', key: string, users = [owner]) =>
    notify(
      meta,
      {
        to: { users },
        ...{
          kind,
          key,
          state: 'warn',
          title: text('检测完成', 'Detection done'),
          note: text('钱包 1.0', 'Wallet 1.0'),
        },
        path: '/detection/tasks/7/',
        facts: { task: '7', gate: 'fail', score: 61 },
      },
      clock,
    )
  await send('detection', 'detection:7:1')
  await send('detection', 'detection:7:1')
  await send('job', 'job:1')
  await send('detection', 'detection:8:1', [owner + 1000])
  // Muting the kind in the console leaves the channel as it is.
  await meta.db
    .insertInto('notification_settings')
    .values({
      ...{ user_id: owner, muted: ['detection'], mailed: [], digest_minute: null, zone: 'UTC', digest_until: 0 },
      ...{ sent_at: null, language: 'zh', error: '' },
    })
    .execute()
  await send('detection', 'detection:9:1')
  await deliverDue(deps)
  expect(heard.map(({ headers }) => headers['x-aw-event'])).toEqual(['notice', 'notice'])
  expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
    event: 'notice',
    path: '/detection/tasks/7/',
    text: { zh: '检测完成：钱包 1.0', en: 'Detection done: Wallet 1.0' },
    alert: null,
    notice: { kind: 'detection', state: 'warn', facts: { task: '7', gate: 'fail', score: 61 } },
  })
  // An owner who was disabled gets nothing any more, not even what waits.
  await send('detection', 'detection:10:1')
  await meta.db.updateTable('users').set({ disabled: true }).where('id', '=', owner).execute()
  await deliverDue(deps)
  await meta.db.updateTable('users').set({ disabled: false }).where('id', '=', owner).execute()
  expect(heard).toHaveLength(2)
})

test('the sample of docs/integration.md accepts what is sent, and refuses a changed, foreign or old message', async () => {
  const guide = readFileSync('docs/integration.md', 'utf8')
  const sample = /```js\n(import { createHmac[\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const { isFromAppWarden } = (await import(`data:text/javascript,${encodeURIComponent(sample)}`)) as {
    isFromAppWarden(secret: string, signature: string, body: string, now?: number): boolean
  }
  await give('webhook', hook())
  await deliverDue(deps)
  const signature = String(heard[0]?.headers['x-aw-signature'])
  const body = heard[0]?.body ?? ''
  const secret = webhookSecret(deps.secret, { id: 'c', turn: 1 })
  expect(isFromAppWarden(secret, signature, body, clock)).toBe(true)
  expect(isFromAppWarden(secret, signature, `${body} `, clock)).toBe(false)
  expect(isFromAppWarden(webhookSecret(deps.secret, { id: 'c', turn: 2 }), signature, body, clock)).toBe(false)
  expect(isFromAppWarden(secret, signature, body, clock + 301_000)).toBe(false)
  for (const bad of ['', 't=1', `${signature}0`, signature.replace('v1=', 'v2=')])
    expect(isFromAppWarden(secret, bad, body, clock)).toBe(false)
})

test('a refused delivery is retried with growing delays across restarts and fails after the last attempt', async () => {
  await give('webhook', hook())
  answers = Array(20).fill(503)
  const gaps: number[] = []
  for (let attempt = 1; attempt <= 8; attempt++) {
    await deliverDue({ ...deps }) // any process may continue: due deliveries are in the database
    expect(heard).toHaveLength(attempt)
    const row = await delivery()
    if (row.next_at === null) break
    expect(row).toMatchObject({ state: 'waiting', status: null, attempts: attempt })
    clock = row.next_at - 1
    await deliverDue(deps)
    expect(heard).toHaveLength(attempt)
    gaps.push(row.next_at - clock)
    clock = row.next_at
  }
  expect(await delivery()).toMatchObject({ state: 'failed', attempts: 8 })
  const waits = [1, 2, 3, 4, 5, 6, 7].map((n) => nextAttempt(n, 0) as number)
  expect(waits.every((wait, i) => i === 0 || wait > (waits[i - 1] as number))).toBe(true)
  expect(nextAttempt(8, 0)).toBeUndefined()
})

test('a delivery that a killed process had taken is sent after its lease ends, with the same id', async () => {
  await give('webhook', hook())
  await database.meta.db
    .updateTable('alert_deliveries')
    .set({ attempts: 1, next_at: clock + 60_000 })
    .execute()
  await deliverDue(deps)
  expect(heard).toHaveLength(0)
  clock += 60_000
  await deliverDue(deps)
  expect(heard[0]?.headers['x-aw-delivery']).toBe('d')
})

test('mail contains the same line; without a mail server the log names the setting; a disabled channel sends nothing', async () => {
  await give('mail', 'soc@example.com')
  await deliverDue(deps)
  expect(await delivery()).toMatchObject({ state: 'waiting', answer: expect.stringContaining('APPWARDEN_SMTP_URL') })
  const mails = await startMailServer()
  clock += 3_600_000
  await deliverDue({ ...deps, smtpUrl: `smtp://localhost:${mails.port}?tls=none` })
  expect(mails.taken).toMatchObject([{ to: ['soc@example.com'] }])
  await mails.close()
  await database.meta.db.updateTable('alert_deliveries').set({ state: 'waiting', next_at: clock }).execute()
  await database.meta.db.updateTable('alert_channels').set({ enabled: false }).execute()
  await deliverDue(deps)
  expect(await delivery()).toMatchObject({ state: 'failed', answer: 'the channel is off' })
})

test('a channel receives no alert of applications that its owner may not see', async () => {
  await give('webhook', hook())
  const { db } = database.meta
  await db.updateTable('users').set({ role: 'operator' }).where('id', '=', owner).execute()
  try {
    await deliverDue(deps)
    expect(heard).toEqual([])
    expect(await delivery()).toMatchObject({ state: 'failed', answer: expect.stringContaining('owner of the channel') })
  } finally {
    await db.updateTable('users').set({ role: 'administrator' }).where('id', '=', owner).execute()
  }
})

test('[REQ-05] a private target that refuses, closes, never answers or answers an error gives one result after one time', async () => {
  const closing = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  const silent = createTcpServer(() => {}).listen(0, '127.0.0.1')
  const banner = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1')
  await Promise.all([closing, silent, banner].map((server) => once(server, 'listening')))
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  answers = [404]
  const targets = [
    'http://127.0.0.1:1/',
    ...[closing, silent, banner].map((server) => `http://127.0.0.1:${portOf(server)}/`),
    hook(),
    'http://name.invalid/',
  ]
  const channel = { id: 'c', kind: 'webhook', turn: 1 } as ChannelRow
  const results = []
  for (const target of targets) {
    const started = performance.now()
    const result = await deliverNotification(
      deps,
      { ...channel, target },
      { event: 'test', delivery: 'd', alert: null },
    )
    results.push({ ...result, slow: performance.now() - started >= 795 })
  }
  for (const server of [closing, silent, banner]) server.close()
  const one = { sent: false, status: null, answer: 'no valid answer from a private address', slow: true }
  expect(results).toEqual(targets.map(() => one))
})

test('a stored webhook address is encrypted, and one that an older version stored in clear is encrypted at the next start', async () => {
  await give('webhook', 'https://hooks.example.com/T0/secret-part')
  await sealStoredTargets(database.meta, deps.secret)
  await sealStoredTargets(database.meta, deps.secret)
  const row = await database.meta.db.selectFrom('alert_channels').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('secret-part')
  expect(openTarget(deps.secret, row)).toBe('https://hooks.example.com/T0/secret-part')
  expect(maskTarget('webhook', openTarget(deps.secret, row))).toBe('https://hooks.example.com/•••')
  expect(maskTarget('mail', 'soc@example.com, b@example.org')).toBe('s•••@example.com, b•••@example.org')
})
