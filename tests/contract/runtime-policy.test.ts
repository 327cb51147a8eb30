import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLLECT_POLICY_PATH, POLICY_SIGNATURE_HEADER } from '#contracts/telemetry/policy.ts'
import { ACTIONS, type Action, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { hardenApk } from '#engines/harden/harden-apk.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import type { WantedChecks } from '#engines/harden/runtime-checks.ts'
import { signDeviceRequest } from '#realtime/collect/enrol/installs.ts'
import { keyedHash } from '#realtime/collect/read/keyed-hash.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { type Collector, openCollector, PEPPER, type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { deployPolicy } from '#tests/support/deployed-policy.ts'
import { element } from '#tests/support/detect-package.ts'
import { enrolDevice } from '#tests/support/enrolled-device.ts'

/** A reinforced package on the ART of this machine obeys the policy of the collector. Signatures are checked by Node's library (core/signatures.smali). */
const NO_HOST = missingForHostRuntime()
const INTERNET = element('uses-permission', { name: 'android.permission.INTERNET' })
const SAID = { zh: '请关闭调试', en: 'Please end debugging' }
const RUNS = { exit: 0, stdout: 'attached\ncreated\nrunning\n' }
const KILLED = { exit: 0x89 }

let folder: string
let database: TestDatabase
let collector: Collector
let origin: string
let crypto: Server
/** What the phone's checks of signatures answered. */
let verified: boolean[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aw-runtime-policy-'))
  database = await testDatabase(folder)
  collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: Date.now })
  await collector.ingest.ready
  origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
  crypto = createServer(async (request, answer) => {
    const [key, signature, content] = (await text(request)).split('.').map((part) => Buffer.from(part, 'base64url'))
    const isSigned = verify('sha256', content!, createPublicKey({ key: key!, format: 'der', type: 'spki' }), signature!)
    verified.push(isSigned)
    const said = String(isSigned)
    answer.writeHead(200, { connection: 'close', 'content-length': said.length }).end(said)
  })
  await new Promise<void>((listening) => crypto.listen(0, '127.0.0.1', listening))
}, 120_000)
afterAll(async () => {
  crypto?.close()
  await collector?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

async function changed(what: string): Promise<void> {
  await database.meta.notify(CHANNELS.changed, { what })
  await new Promise((resume) => setTimeout(resume, 150))
}

/** An application that protects, with a phone that is enrolled: what its app keeps. */
async function makePhone() {
  const app = await database.makeApp()
  await database.meta.db.updateTable('applications').set({ protect_type: '1' }).where('id', '=', app).execute()
  const key = (await database.makeKey(app, 'enrolment')).text
  await changed('ingest_keys')
  const device = `a-${app}`
  const { install, device_key, policy_key } = await enrolDevice(collector, { key, device, now: Date.now() })
  const { port } = crypto.address() as AddressInfo
  return {
    ...{ app, key, device },
    facts: {
      ...{
        'kept.device': device,
        'kept.install': install,
        'kept.device_key': device_key,
        'kept.policy_key': policy_key,
      },
      crypto: `http://127.0.0.1:${port}/`,
    },
  }
}
type Phone = Awaited<ReturnType<typeof makePhone>>

async function deploy({ app }: Phone, risks: Partial<Record<RiskType, { action: Action; text?: typeof SAID }>>) {
  const levels = { critical: 'report', high: 'report', medium: 'report', low: 'report', info: 'report' } as const
  const deployed = await deployPolicy(database.meta, app, { rules: { levels, risks } }, Date.now())
  await changed('policies')
  return deployed
}

async function reinforced({ key }: Phone, checks: WantedChecks, server = origin, closed = false): Promise<Uint8Array> {
  const apk = phoneApp({ others: [INTERNET], application: { usesCleartextTraffic: true } })
  const riskControl = { server, enrolmentKey: key, closed }
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 9), checks, riskControl }
  return new Uint8Array(Buffer.concat((await hardenApk(apk, 'made.apk', request)).pieces))
}

/** What the app keeps of the policy after a start that fetched it; the phone says so at its end. */
async function fetched(phone: Phone, apk: Uint8Array): Promise<Record<string, string>> {
  const { stdout } = await startOnPhone(apk, {
    wait: '6000',
    ...phone.facts,
    says: 'policy,policy_signature,policy_etag,',
  })
  const kept = [...stdout.matchAll(/^kept\.(\w+)=(.*)$/gm)].map(([, name, value]) => [`kept.${name}`, value!])
  return { ...phone.facts, ...Object.fromEntries(kept) }
}

/** The same as the collector answers the phone, for one that ends before it could say it. */
async function policyOf({ facts }: Phone) {
  const target = `${COLLECT_POLICY_PATH}?version=2.1`
  const tstamp = Math.floor(Date.now() / 1000)
  const nonce = randomBytes(16).toString('base64url')
  const key = Buffer.from(facts['kept.device_key'], 'base64url')
  const mac = signDeviceRequest(key, { method: 'GET', target, tstamp, nonce, body: Buffer.alloc(0) })
  const headers = {
    'x-aw-install': facts['kept.install'],
    'x-aw-seq': String(Date.now()),
    'x-aw-tstamp': String(tstamp),
    'x-aw-signature': `2.${nonce}.${mac.toString('base64url')}`,
  }
  const answer = await collector.app.inject({ method: 'GET', url: target, headers })
  expect(answer.statusCode).toBe(200)
  return {
    ...facts,
    'kept.policy': answer.body,
    'kept.policy_signature': String(answer.headers[POLICY_SIGNATURE_HEADER]),
    'kept.policy_etag': String(answer.headers['etag']),
  }
}

const found = ({ app }: Phone) =>
  collector.events.filter((one) => one.app === app).map(({ risk, action }) => [risk, action])
const seen = (risk: RiskType, action: Action) => [RISK_TYPES[risk].code, ACTIONS[action].code]

describe.skipIf(NO_HOST)(
  `policies of reinforced packages${NO_HOST ? `: ${NO_HOST}` : ''}`,
  { timeout: 180_000 },
  () => {
    test('[HARD-02] a policy that is deployed decides from the next start on: it lets go on what the build ends, warns in its own words, and keeps quiet', async () => {
      const phone = await makePhone()
      const apk = await reinforced(phone, { anti_debugging: 'exit', anti_emulator: 'warn' })
      // Nothing is deployed: the build decides.
      const before = await fetched(phone, apk)
      expect(JSON.parse(before['kept.policy']!)).toMatchObject({ app: String(phone.app), policy: '', version: 0 })
      expect(await startOnPhone(apk, { ...before, debugger: '1' })).toMatchObject(KILLED)

      const { policy } = await deploy(phone, { debugger: { action: 'warn', text: SAID }, emulator: { action: 'none' } })
      const kept = await fetched({ ...phone, facts: before as Phone['facts'] }, apk)
      expect(JSON.parse(kept['kept.policy']!)).toMatchObject({ policy, version: 1 })
      expect(verified).not.toContain(false)
      const emulator = { HARDWARE: 'ranchu', PRODUCT: 'sdk_gphone64_arm64' }
      const english = await startOnPhone(apk, { ...kept, ...emulator, debugger: '1', wait: '6000' })
      expect(english).toMatchObject({ exit: 0, stdout: 'attached\ncreated\ntoast:\nPlease end debugging\nrunning\n' })
      const chinese = await startOnPhone(apk, { ...kept, debugger: '1', 'user.language': 'zh' })
      expect(chinese.stdout).toContain('toast:\n请关闭调试\n')
      expect(found(phone)).toContainEqual(seen('debugger', 'warn'))
      expect(found(phone).filter(([risk]) => risk === RISK_TYPES.emulator.code)).toEqual([])
    })

    test('[HARD-02] a policy that blocks ends an app that only reports by its build, and the fields that are off are not sent', async () => {
      const phone = await makePhone()
      const apk = await reinforced(phone, { anti_debugging: 'report', proxy_check: 'report' })
      await deploy(phone, { debugger: { action: 'block' } })
      const off = ['model', 'detail', 'sdk_version']
      await database.meta.db
        .insertInto('application_collection')
        .values({ application_id: phone.app, off, changed_at: Date.now() })
        .execute()
      await changed('applications')
      const kept = await fetched(phone, apk)
      expect((await startOnPhone(apk, { ...kept, networkProxy: '10.0.0.2', wait: '8000' })).exit).toBe(0)
      const [event] = collector.events.filter((one) => one.app === phone.app)
      expect(event).toMatchObject({
        risk: RISK_TYPES.proxy_vpn.code,
        action: ACTIONS.report.code,
        model: '',
        version: '2.1',
      })
      expect(JSON.parse(event!.extra)).not.toHaveProperty('detail')
      expect(await startOnPhone(apk, { ...kept, debugger: '1' })).toMatchObject(KILLED)
    })

    test('[HARD-02] a policy that was changed, that another key signed or that is of another application is not obeyed', async () => {
      const [phone, other] = [await makePhone(), await makePhone()]
      const apk = await reinforced(phone, { anti_debugging: 'exit' })
      await deploy(phone, { debugger: { action: 'report' } })
      await deploy(other, { debugger: { action: 'report' } })
      const kept = await fetched(phone, apk)
      expect(await startOnPhone(apk, { ...kept, debugger: '1' })).toMatchObject(RUNS)
      verified = []
      const bent = { ...kept, 'kept.policy': kept['kept.policy']!.replace('"version":1', '"version":2') }
      expect(await startOnPhone(apk, { ...bent, debugger: '1' })).toMatchObject(KILLED)
      const unsigned = { ...kept, 'kept.policy_signature': 'AAAA' }
      expect(await startOnPhone(apk, { ...unsigned, debugger: '1' })).toMatchObject(KILLED)
      expect(verified).toEqual([false])
      // The app was fetched by its own install: the document of another application that comes later is refused.
      const stolen = await fetched(other, await reinforced(other, { anti_debugging: 'exit' }))
      const now = {
        ...kept,
        'kept.install': other.facts['kept.install'],
        'kept.device_key': other.facts['kept.device_key'],
      }
      const after = await fetched({ ...phone, facts: now as Phone['facts'] }, apk)
      expect(after['kept.policy']).toBe(kept['kept.policy'])
      expect(after['kept.policy']).not.toBe(stolen['kept.policy'])
    })

    test('[HARD-02] a banned install ends, asks at each start whether it still is, and runs again when the ban is withdrawn', async () => {
      const phone = await makePhone()
      const apk = await reinforced(phone, { anti_debugging: 'report' })
      const { db } = database.meta
      const device = keyedHash(PEPPER)(phone.device)
      await db
        .insertInto('device_verdicts')
        .values({ application_id: phone.app, device, verdict: 'banned', note: '', by_user: null, at: Date.now() })
        .execute()
      await changed('verdicts')
      expect(await startOnPhone(apk, { ...phone.facts, wait: '8000' })).toMatchObject(KILLED)
      const banned = await policyOf(phone)
      expect(JSON.parse(banned['kept.policy'])).toMatchObject({ verdict: 'banned' })
      expect(await startOnPhone(apk, banned)).toEqual(expect.objectContaining({ ...KILLED, stdout: '' }))
      await db.deleteFrom('device_verdicts').where('application_id', '=', phone.app).execute()
      await changed('verdicts')
      expect(await startOnPhone(apk, banned)).toMatchObject(RUNS)
    })

    test('[HARD-02] an install whose key was lost enrols again, gets its policy and reports', async () => {
      const phone = await makePhone()
      const apk = await reinforced(phone, { proxy_check: 'report' }, origin, true)
      const { policy } = await deploy(phone, { proxy_vpn: { action: 'report' } })
      const lost = {
        ...phone,
        facts: { ...phone.facts, 'kept.device_key': '', networkProxy: '10.0.0.2', wait: '20000' },
      }
      expect(JSON.parse((await fetched(lost, apk))['kept.policy']!)).toMatchObject({ policy })
      expect(found(phone)).toEqual([seen('proxy_vpn', 'report')])
    })

    test('[HARD-02] an app that must have a connection ends without one after three attempts, and goes on where the server refuses it', async () => {
      const phone = await makePhone()
      const away = await reinforced(phone, { anti_debugging: 'report' }, 'http://127.0.0.1:9', true)
      expect(await startOnPhone(away, { ...phone.facts, wait: '20000' })).toMatchObject(KILLED)
      const refusing = createServer((request, answer) => {
        request.resume().on('end', () => answer.writeHead(503, { connection: 'close' }).end('{}'))
      })
      await new Promise<void>((listening) => refusing.listen(0, '127.0.0.1', listening))
      try {
        const { port } = refusing.address() as AddressInfo
        const apk = await reinforced(phone, { anti_debugging: 'report' }, `http://127.0.0.1:${port}`, true)
        expect(await startOnPhone(apk, { ...phone.facts, wait: '14000' })).toMatchObject(RUNS)
      } finally {
        refusing.close()
      }
    })
  },
)
