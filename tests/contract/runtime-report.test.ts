import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTIONS, EVENT_TYPES, PLATFORMS, RISK_TYPES } from '#domain/vocabulary.ts'
import { hardenApk } from '#engines/harden/harden-apk.ts'
import type { HardenRequest } from '#engines/harden/harden-request.ts'
import { hardenText } from '#engines/harden/harden-texts.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { buildHostRuntime, missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { type Collector, openCollector, type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { element } from '#tests/support/detect-package.ts'

/** A reinforced package on the ART of this machine reports to the collector what its checks found. */
const NO_HOST = missingForHostRuntime()
const INTERNET = element('uses-permission', { name: 'android.permission.INTERNET' })
const CLEAR_TEXT = { usesCleartextTraffic: true }

let folder: string
let database: TestDatabase
let collector: Collector
let origin: string
/** What the collector's clock is ahead. */
let ahead = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aw-runtime-report-'))
  database = await testDatabase(folder)
  collector = await openCollector({
    meta: database.meta,
    folder: join(folder, 'journal'),
    now: () => Date.now() + ahead,
  })
  await collector.ingest.ready
  origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await collector?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeApp(): Promise<{ app: number; key: string }> {
  const app = await database.makeApp()
  await database.meta.db.updateTable('applications').set({ protect_type: '1' }).where('id', '=', app).execute()
  const key = (await database.makeKey(app, 'enrolment')).text
  await database.meta.notify(CHANNELS.changed, { what: 'ingest_keys' })
  await new Promise((resume) => setTimeout(resume, 150))
  return { app, key }
}

async function harden(
  request: Partial<HardenRequest>,
  apk = phoneApp({ others: [INTERNET], application: CLEAR_TEXT }),
) {
  const { pieces, lines } = await hardenApk(apk, 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 9) },
    ...request,
  })
  const texts = lines.map(
    ({ option, outcome, text, detail }) => `${outcome} ${option}: ${hardenText({ text, detail }, 'en')}`,
  )
  return { apk: new Uint8Array(Buffer.concat(pieces)), texts }
}

const eventsOf = (app: number) => collector.events.filter((one) => one.app === app)
const riskOf = (name: keyof typeof RISK_TYPES) => RISK_TYPES[name].code

describe.skipIf(NO_HOST)(`reports of reinforced packages${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test('[HARD-02] what is found arrives at the collector as one event of each kind, and the app goes on', async () => {
    const { app, key } = await makeApp()
    const riskControl = { server: `${origin}/`, enrolmentKey: key, closed: false }
    const { apk, texts } = await harden({
      checks: { anti_debugging: 'report', anti_emulator: 'report', proxy_check: 'warn', anti_xposed: 'report' },
      riskControl,
    })
    expect(texts).toContain(`applied risk_control: findings are sent to ${origin}/`)
    const facts = { debugger: '1', HARDWARE: 'ranchu', PRODUCT: 'sdk_gphone64_arm64', networkProxy: '10.0.0.2' }
    expect((await startOnPhone(apk, { ...facts, wait: '20000' })).exit).toBe(0)
    const events = eventsOf(app)
    expect(events.map(({ risk }) => risk).toSorted((a, b) => a - b)).toEqual(
      [riskOf('debugger'), riskOf('emulator'), riskOf('proxy_vpn')].toSorted((a, b) => a - b),
    )
    expect(new Set(events.map(({ device }) => device)).size).toBe(1)
    for (const event of events) {
      expect(event).toMatchObject({
        type: EVENT_TYPES.risk.code,
        platform: PLATFORMS.android.code,
        version: '2.1',
        model: 'M2011K2C',
      })
      expect(event.action).toBe(event.risk === riskOf('proxy_vpn') ? ACTIONS.warn.code : ACTIONS.report.code)
    }
    const proxy = events.find(({ risk }) => risk === riskOf('proxy_vpn'))
    expect(JSON.parse(proxy!.extra)).toMatchObject({
      package_name: 'org.maker.app',
      detail: { by: 'reinforcement', evidence: 'proxy 10.0.0.2' },
    })
  })

  test('[HARD-02] code that was put into the memory is reported as memory tampering, a refusal to forbid dumps too, and a clean process sends nothing', async () => {
    const { app, key } = await makeApp()
    const { apk } = await harden({
      checks: { memory_protection: 'report' },
      riskControl: { server: origin, enrolmentKey: key, closed: false },
    })
    expect(await startOnPhone(apk, { wait: '8000' })).toMatchObject({ exit: 0 })
    expect(eventsOf(app)).toEqual([])
    const library = buildHostRuntime().intruder.libraryOfMemory
    expect(await startOnPhone(apk, { library, prctl: 'refused', wait: '25000' })).toMatchObject({ exit: 0 })
    const said = eventsOf(app).map(({ risk, action, extra }) => [risk, action, JSON.parse(extra).detail.evidence])
    const [risk, action] = [riskOf('memory_tampering'), ACTIONS.report.code]
    expect(said).toHaveLength(2)
    expect(said).toContainEqual([risk, action, expect.stringContaining('dumps are not forbidden: ')])
    expect(said).toContainEqual([risk, action, 'code of /memfd:module (deleted)'])
  })

  test('[HARD-02] a process that ends reports first where its install is known, with a clock that is wrong too, and a clean one sends nothing', async () => {
    const { app, key } = await makeApp()
    const { apk } = await harden({
      checks: { anti_debugging: 'exit' },
      riskControl: { server: origin, enrolmentKey: key, closed: false },
    })
    expect(await startOnPhone(apk, { wait: '1000' })).toMatchObject({ exit: 0, stdout: 'attached\ncreated\nrunning\n' })
    expect(eventsOf(app)).toEqual([])
    ahead = 3_600_000
    try {
      for (let starts = 0; starts < 8 && eventsOf(app).length === 0; starts++)
        expect(await startOnPhone(apk, { debugger: '1' })).toMatchObject({ exit: 0x89, stdout: '' })
    } finally {
      ahead = 0
    }
    const events = eventsOf(app)
    expect(events).toMatchObject([{ risk: riskOf('debugger'), action: ACTIONS.exit.code }])
    // By the server's clock, though the app's is an hour behind.
    expect(events[0]!.occurredAt).toBeGreaterThan(Date.now() + 3_000_000)
  })

  test('[HARD-02] a server that cannot be reached stops no app', async () => {
    const { apk } = await harden({
      checks: { anti_debugging: 'report' },
      riskControl: { server: 'http://127.0.0.1:9', enrolmentKey: 'aw_ek_x', closed: false },
    })
    expect(await startOnPhone(apk, { debugger: '1' })).toMatchObject({
      exit: 0,
      stdout: 'attached\ncreated\nrunning\n',
    })
  })

  test('[HARD-02] a server that is busy is asked once by each event', async () => {
    const asked: string[] = []
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '')
      request.resume().on('end', () => answer.writeHead(429, { connection: 'close' }).end('{"key":"request.rate"}'))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    try {
      const { port } = server.address() as AddressInfo
      const riskControl = { server: `http://127.0.0.1:${port}`, enrolmentKey: 'aw_ek_x', closed: false }
      const { apk } = await harden({ checks: { anti_debugging: 'report' }, riskControl })
      expect((await startOnPhone(apk, { debugger: '1', wait: '15000' })).exit).toBe(0)
      // For the policy, and for the finding.
      expect(asked).toEqual(['/collect/v1/enrol', '/collect/v1/enrol'])
    } finally {
      server.close()
    }
  })

  test('[HARD-02] where nothing can be sent the result says why, and a check that only reports is left out', async () => {
    const checks = { anti_debugging: 'report', anti_emulator: 'exit' } as const
    const riskControl = { server: 'http://console.example.com', enrolmentKey: 'aw_ek_x', closed: true }
    const skipped = async (request: Partial<HardenRequest>, made?: Uint8Array) =>
      (await harden({ checks, riskControl, ...request }, made)).texts
    const left = 'skipped anti_debugging: it only reports, and there is nowhere to report to'
    const noNetwork = await skipped({}, phoneApp({ application: CLEAR_TEXT }))
    expect(noNetwork).toContain('skipped risk_control: the package may not use the network (no INTERNET permission)')
    expect(noNetwork).toContain(left)
    expect(noNetwork).toContain('applied anti_emulator: checked when a process starts: exits')
    const noKey = await skipped({ riskControl: { ...riskControl, enrolmentKey: '' } })
    expect(noKey).toContain('skipped risk_control: the application has no enrolment key')
    const clear = 'skipped risk_control: the server has an http address, and the package allows no clear text'
    expect(await skipped({ manifest: true })).toContain(clear)
    expect(await skipped({}, phoneApp({ others: [INTERNET] }))).toContain(clear)
    const said = await skipped({})
    expect(said).toContain('applied risk_control: the app ends while the server cannot be reached')
    expect(said).toContain('absent risk_control: keeping what could not be sent')
    expect(await skipped({ checks: {} })).toContain(
      'skipped risk_control: no check is in the package whose findings could be sent',
    )
  })
})
