import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SDK_FIELDS } from '#contracts/telemetry/sdk-fields.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { PolicyRules } from '#domain/policy-rules.ts'
import { ACTIONS, EVENT_TYPES, RISK_TYPES } from '#domain/vocabulary.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { type Collector, openCollector, type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { type JavaRig, javaPhone, NO_JAVA, startRig } from '#tests/support/sdk/java-rig.ts'
import { webPhone } from '#tests/support/sdk/web-phone.ts'

/** Both SDK cores against the collector: consent, signed policies, what is sent; and the Android SDK's own checks on a JVM. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let folder: string
let database: TestDatabase
let collector: Collector
let origin: string
let clock = Date.UTC(2026, 10, 21, 6, 0, 0)
let rig: JavaRig

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aw-sdks-'))
  database = await testDatabase(folder)
  collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: () => clock })
  await collector.ingest.ready
  origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
  if (!NO_JAVA) rig = startRig()
})
afterAll(async () => {
  await rig?.close()
  await collector?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  clock += DAY
})

async function makeApp(): Promise<{ app: number; key: string }> {
  const app = await database.makeApp()
  await database.meta.db.updateTable('applications').set({ protect_type: '1' }).where('id', '=', app).execute()
  const key = (await database.makeKey(app, 'enrolment')).text
  await changed('ingest_keys')
  return { app, key }
}
async function changed(what: string): Promise<void> {
  await database.meta.notify(CHANNELS.changed, { what })
  await new Promise((resume) => setTimeout(resume, 150))
}
/** Deploys rules to all devices of an application. */
async function deploy(app: number, rules: PolicyRules): Promise<void> {
  const { db } = database.meta
  const policy = randomUUID()
  const text = JSON.stringify(rules)
  await db
    .insertInto('policies')
    .values({
      id: policy,
      application_id: app,
      name: 'p',
      draft: text,
      rev: 1,
      archived_at: null,
      created_at: 0,
      updated_at: 0,
      updated_by: null,
    })
    .execute()
  await db
    .insertInto('policy_versions')
    .values({ policy_id: policy, version: 1, rules: text, created_at: 0, created_by: null })
    .execute()
  await db
    .insertInto('policy_deployments')
    .values({
      id: randomUUID(),
      policy_id: policy,
      application_id: app,
      version: 1,
      app_versions: [],
      percent: 100,
      state: 'running',
      created_at: clock,
      created_by: null,
      changed_at: clock,
    })
    .execute()
  await changed('policies')
}
async function switchOff(app: number, off: string[]): Promise<void> {
  await database.meta.db
    .insertInto('application_collection')
    .values({ application_id: app, off, changed_at: clock })
    .execute()
  await changed('policies')
}
const eventsOf = (app: number): StoredEvent[] => collector.events.filter((one) => one.app === app)
const detailOf = (event: StoredEvent | undefined) =>
  (JSON.parse(event?.extra || '{}') as { detail?: Record<string, unknown> }).detail
const HOOK_BLOCKS: PolicyRules = {
  levels: { critical: 'report', high: 'report', medium: 'report', low: 'report', info: 'none' },
  risks: { hook: { action: 'block', text: { zh: '请卸载注入框架', en: 'Please remove the framework' } } },
}

describe('web SDK', () => {
  test('[SDK-01] before consent nothing is stored or sent; withdrawal deletes all and stops', async () => {
    const { app, key } = await makeApp()
    const phone = webPhone(origin, key)
    await phone.setClock(clock, 0)
    await phone.prepare()
    phone.client.event('web', { kind: 'early' })
    phone.client.exception({ reason: 'Error' })
    phone.client.risk('hook', {})
    await phone.run()
    expect([phone.size(), phone.names()]).toEqual([0, []])
    await phone.client.consent()
    await phone.run()
    expect(eventsOf(app).map(({ type }) => type)).toEqual([EVENT_TYPES.start.code])
    phone.client.setUser('zhang')
    await phone.setNetwork('offline')
    phone.client.event('web', { kind: 'late' })
    await phone.client.withdraw()
    expect([phone.size(), phone.names()]).toEqual([0, []])
    await phone.setNetwork('ok')
    phone.client.event('web', { kind: 'after' })
    await phone.run()
    expect(eventsOf(app)).toHaveLength(1)
  })

  test('[SDK-01] a signed policy is obeyed, kept over a restart offline, and its switched-off fields are not sent', async () => {
    const { app, key } = await makeApp()
    await deploy(app, HOOK_BLOCKS)
    await switchOff(app, ['user_id', 'os', 'model', 'session_id'])
    const phone = webPhone(origin, key)
    await phone.setClock(clock, 0)
    await phone.start()
    await phone.run()
    // Emitted before any policy was known, sent after it was: without the fields all the same.
    expect(eventsOf(app).map(({ os, model, extra }) => [os, model, extra.includes('session_id')])).toEqual([
      ['', '', false],
    ])
    await phone.setNetwork('offline')
    await phone.start()
    phone.client.setUser('zhang')
    phone.client.risk('hook', { found: 'frida' })
    phone.client.risk('hook', { found: 'frida' })
    phone.client.risk('screen_capture', {})
    phone.client.risk('root', { su: true })
    expect(phone.acted.map(({ risk, action, text }) => [risk, action, text])).toEqual([
      ['hook', 'block', '请卸载注入框架'],
    ])
    await phone.setNetwork('ok')
    clock += 10 * MINUTE
    await phone.setClock(clock, 0)
    await phone.run()
    const risks = eventsOf(app).filter(({ type }) => type === EVENT_TYPES.risk.code)
    expect(risks.map(({ risk, action, user, os }) => [risk, action, user, os])).toEqual([
      [RISK_TYPES.hook.code, ACTIONS.block.code, null, ''],
      [RISK_TYPES.root.code, ACTIONS.report.code, null, ''],
    ])
    expect(risks.map(({ extra }) => extra).join()).not.toContain('session_id')
  })

  test('[SDK-01] a policy that the installation did not sign is not obeyed', async () => {
    const { app, key } = await makeApp()
    await deploy(app, HOOK_BLOCKS)
    const phone = webPhone(origin, key)
    phone.spoil = (path, body) => {
      if (!path.startsWith('/collect/v1/policy') || body.length === 0) return body
      const text = new TextDecoder().decode(body).replace('"report"', '"exit"  ')
      return new TextEncoder().encode(text)
    }
    await phone.setClock(clock, 0)
    await phone.start()
    await phone.run()
    phone.client.risk('hook', {})
    await phone.run()
    expect(phone.acted).toEqual([])
    expect(eventsOf(app).at(-1)).toMatchObject({ risk: RISK_TYPES.hook.code, action: ACTIONS.report.code })
    expect(phone.names()).not.toContain('policy')
  })

  test('[SDK-01] every field on the wire is in the table, and the page names no field that is never sent', async () => {
    const { key } = await makeApp()
    const names = new Set<string>()
    const phone = webPhone(origin, key)
    phone.onSent = (body) => {
      for (const event of JSON.parse(body) as object[]) for (const name of Object.keys(event)) names.add(name)
    }
    await phone.setClock(clock, 0)
    await phone.start()
    phone.client.setUser('zhang')
    phone.client.setPlace({ country: 'CN' })
    phone.client.risk('root', {})
    phone.client.exception({ reason: 'Error', stack: 'x'.repeat(50_000) })
    await phone.run()
    const table = SDK_FIELDS.filter(({ platforms }) => platforms.includes('web')).map(({ name }) => name)
    // The simulated browser names neither network, model nor channel.
    expect([...names, 'network', 'model', 'channel'].sort()).toEqual([...table].sort())
    expect(collector.ingest.status().rejected).toEqual({})
  })
})

describe.skipIf(NO_JAVA)(`Android SDK${NO_JAVA ? ` (${NO_JAVA})` : ''}`, () => {
  async function started(key: string, device = 'a-1') {
    const phone = javaPhone(rig, origin, key, device)
    await phone.setNetwork('ok')
    await phone.setClock(clock, MINUTE)
    await phone.start()
    return phone
  }

  test('[SDK-01] before consent nothing is on the disk; withdrawal deletes what there was', async () => {
    const { app, key } = await makeApp()
    const phone = await started(key)
    await phone.run()
    expect(eventsOf(app)).toHaveLength(1)
    await phone.setNetwork('offline')
    await phone.emit(1)
    expect(await phone.waiting()).toBe(1)
    await rig.ask({ op: 'withdraw' })
    expect(existsSync(join(phone.folder, 'sdk'))).toBe(false)
    await phone.emit(2)
    await phone.run()
    expect(existsSync(join(phone.folder, 'sdk'))).toBe(false)
    await phone.close()
  })

  test('[SDK-01] a crash is kept before the process ends and leaves with the next start, stack and causes in it', async () => {
    const { app, key } = await makeApp()
    const phone = await started(key)
    await phone.run()
    await rig.ask({ op: 'crash' })
    expect(eventsOf(app).filter(({ type }) => type === EVENT_TYPES.crash.code)).toEqual([])
    await phone.start()
    await phone.run()
    const crash = eventsOf(app).find(({ type }) => type === EVENT_TYPES.crash.code)
    expect(detailOf(crash)).toMatchObject({
      reason: 'java.lang.IllegalStateException',
      message: 'paid twice',
      thread: 'payment',
      stack: expect.stringContaining('Caused by: java.lang.NullPointerException: order'),
    })
    expect(crash?.group).toMatch(/^[0-9a-f]{16}$/)
    await phone.close()
  })

  test('[SDK-01] a main thread that hangs for five seconds is an ANR with its stack, reported once', async () => {
    const { app, key } = await makeApp()
    const phone = await started(key)
    await rig.ask({ op: 'anr' })
    await phone.run()
    const found = eventsOf(app).filter(({ type }) => type === EVENT_TYPES.anr.code)
    expect(found).toHaveLength(1)
    expect(detailOf(found[0])?.['stack']).toContain('Rig.hang')
    await phone.close()
  })

  test('[SDK-01] a signed policy is obeyed, and its switched-off fields are not sent', async () => {
    const { app, key } = await makeApp()
    await deploy(app, HOOK_BLOCKS)
    await switchOff(app, ['user_id', 'os', 'package_name'])
    const phone = await started(key)
    await phone.run()
    await rig.ask({ op: 'user', id: 'zhang' })
    await rig.ask({ op: 'risk', risk: 'hook', evidence: { libraries: ['frida-agent'] } })
    await rig.ask({ op: 'risk', risk: 'screen_capture', evidence: {} })
    clock += MINUTE
    await phone.setClock(clock, 2 * MINUTE)
    await phone.run()
    const [hook, ...more] = eventsOf(app).filter(({ type }) => type === EVENT_TYPES.risk.code)
    expect(hook).toMatchObject({ risk: RISK_TYPES.hook.code, action: ACTIONS.block.code, user: null, os: '' })
    expect(more).toEqual([])
    expect((await rig.ask({ op: 'acted' }))['acted']).toContainEqual({
      risk: 'hook',
      action: 'block',
      text: '请卸载注入框架',
    })
    await phone.close()
  })

  const MAPS = '/proc/self/maps'
  test.each([
    [
      'root',
      { files: ['/system/xbin/su'], apps: ['com.topjohnwu.magisk'] },
      { su: ['/system/xbin/su'], apps: ['com.topjohnwu.magisk'] },
    ],
    [
      'hook',
      { lines: { [MAPS]: ['7a00-7b00 r-xp 0 0 1 /data/app/x/lib/arm64/libfrida-gadget.so', 'frida-agent-64'] } },
      { libraries: ['frida-gadget', 'frida-agent'] },
    ],
    [
      'injection',
      { lines: { [MAPS]: ['7a00-7b00 r-xp 00000000 fd:00 17 /data/local/tmp/cheat.so'] } },
      { libraries: ['/data/local/tmp/cheat.so'] },
    ],
    ['debugger', { lines: { '/proc/self/status': ['Name:\tapp', 'TracerPid:\t4711'] } }, { tracer: '4711' }],
    ['emulator', { build: { HARDWARE: 'ranchu' } }, { build: ['hardware ranchu'] }],
    ['cloud_phone', { properties: { 'ro.boot.redroid_width': '720' } }, { properties: ['ro.boot.redroid_width'] }],
    [
      'multi_open',
      { folder: '/data/data/com.lbe.parallel.intl/parallel/0/cn.example.app/files' },
      { folder: expect.any(Array) },
    ],
    ['proxy_vpn', { proxy: '10.0.0.2:8888', transports: ['wifi', 'vpn'] }, { proxy: '10.0.0.2:8888', vpn: true }],
    ['mitm', { certificates: ['charles-proxy'] }, { certificates: ['charles-proxy'] }],
    [
      'accessibility',
      { services: ['com.bad/.Clicker', 'com.google.android.marvin.talkback/.TalkBackService'] },
      { services: ['com.bad/.Clicker'] },
    ],
    ['automation', { apps: ['io.appium.settings'], monkey: true }, { monkey: true, apps: ['io.appium.settings'] }],
    ['repackaging', { signers: ['bb'], expected: { package: 'cn.example.app', signers: ['aa'] } }, { signers: ['bb'] }],
    [
      'integrity',
      { parts: { 'classes.dex': '22' }, expected: { parts: { 'classes.dex': '11' } } },
      { 'classes.dex': '22' },
    ],
    ['mock_location', { settings: ['mock_location'] }, { setting: true }],
  ])('[SDK-01] check %s: found with its evidence', async (risk, phone, evidence) => {
    expect((await rig.ask({ op: 'checks', ...phone }))['found']).toEqual({ [risk]: evidence })
  })

  test('[SDK-01] a clean phone, with a screen reader and the genuine build, shows no risk', async () => {
    const clean = {
      services: ['com.google.android.marvin.talkback/.TalkBackService'],
      signers: ['aa'],
      parts: { 'classes.dex': '11' },
      lines: { [MAPS]: ['7a00-7b00 r-xp 0 0 1 /system/lib64/libc.so'], '/proc/self/status': ['TracerPid:\t0'] },
      expected: { package: 'cn.example.app', signers: ['aa'], parts: { 'classes.dex': '11' } },
    }
    expect((await rig.ask({ op: 'checks', ...clean }))['found']).toEqual({})
  })

  test('[SDK-01] a clock that goes twice as fast as the server`s is a speed change', async () => {
    const { app, key } = await makeApp()
    const phone = await started(key)
    await phone.run()
    for (let minute = 1; minute <= 4; minute++) {
      clock += MINUTE
      await phone.setClock(clock, MINUTE + 2 * minute * MINUTE)
      await phone.emit(minute)
      await phone.run()
    }
    await phone.setClock(clock, 20 * MINUTE)
    await phone.run()
    const found = eventsOf(app).filter(({ risk }) => risk === RISK_TYPES.speed_change.code)
    expect(found.length).toBeGreaterThan(0)
    await phone.close()
  })

  test('[SDK-01] its own JSON reads and writes as others do, and refuses invalid JSON', async () => {
    const texts = [
      '{"a":[1,-2.5,1e3,true,null,"\\u00e9\\n\\"\\\\"]}',
      '[]',
      '{}',
      '"\\ud83d\\ude00"',
      '12345678901234567890',
    ]
    for (const text of texts) {
      const { json } = await rig.ask({ op: 'json', text })
      expect(JSON.parse(json as string)).toEqual(JSON.parse(text))
    }
  })
})
