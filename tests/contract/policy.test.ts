import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorKey } from '#contracts/errors.ts'
import {
  actionOn,
  COLLECT_POLICY_PATH,
  POLICY_FETCHES,
  POLICY_SIGNATURE_HEADER,
  type PolicyDocument,
  RISK_KEYS,
} from '#contracts/telemetry/policy.ts'
import type { EnrolAnswer } from '#contracts/telemetry/wire.ts'
import type { PolicyRules } from '#domain/policy-rules.ts'
import { signDeviceRequest } from '#realtime/collect/enrol/installs.ts'
import { keyedHash } from '#realtime/collect/read/keyed-hash.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { type Collector, openCollector, PEPPER, type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { deployPolicy, type PolicyChange } from '#tests/support/deployed-policy.ts'
import { enrolDevice } from '#tests/support/enrolled-device.ts'

const REPORT: PolicyRules['levels'] = {
  critical: 'report',
  high: 'report',
  medium: 'report',
  low: 'report',
  info: 'report',
}
let folder: string
let database: TestDatabase
let collector: Collector
let clock = Date.UTC(2026, 10, 21, 6, 0, 0)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aw-policy-'))
  database = await testDatabase(folder)
  collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: () => clock })
})
afterAll(async () => {
  await collector?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

type Device = EnrolAnswer & { device: string; sequence: number }
/** An application that protects, with an enrolled device and a server key. */
async function makeApp(protectType = '1') {
  const app = await database.makeApp()
  await database.meta.db.updateTable('applications').set({ protect_type: protectType }).where('id', '=', app).execute()
  const enrolment = (await database.makeKey(app, 'enrolment')).text
  const server = (await database.makeKey(app, 'server')).text
  await changed('ingest_keys')
  return { app, enrolment, server, device: await enrol(enrolment, `device-${randomUUID()}`) }
}
async function enrol(key: string, device: string): Promise<Device> {
  return { ...(await enrolDevice(collector, { key, device, now: clock })), device, sequence: 0 }
}
/** Notifies as the console does, and waits until the collector has read. */
async function changed(what: string): Promise<void> {
  await database.meta.notify(CHANNELS.changed, { what })
  await new Promise((resume) => setTimeout(resume, 150))
}
type Bend = {
  target?: string
  signedTarget?: string
  key?: string
  headers?: Record<string, string>
  sequence?: number
}
async function fetchPolicy(device: Device, bend: Bend = {}) {
  const target = bend.target ?? `${COLLECT_POLICY_PATH}?version=1.0`
  const nonce = randomBytes(16).toString('base64url')
  const tstamp = Math.floor(clock / 1000)
  const mac = signDeviceRequest(Buffer.from(bend.key ?? device.device_key, 'base64url'), {
    method: 'GET',
    target: bend.signedTarget ?? target,
    tstamp,
    nonce,
    body: Buffer.alloc(0),
  })
  const headers = {
    'x-aw-install': device.install,
    'x-aw-seq': String(bend.sequence ?? ++device.sequence),
    'x-aw-tstamp': String(tstamp),
    'x-aw-signature': `2.${nonce}.${mac.toString('base64url')}`,
    ...bend.headers,
  }
  return { ...(await get(target, headers)), headers }
}
async function get(url: string, headers: Record<string, string>) {
  const answer = await collector.app.inject({ method: 'GET', url, headers, remoteAddress: '114.114.114.114' })
  return {
    status: answer.statusCode,
    answer,
    document: answer.body ? (JSON.parse(answer.body) as PolicyDocument & { key?: ErrorKey }) : undefined,
  }
}
async function deploy(app: number, change: Partial<PolicyChange> = {}) {
  const rules = { levels: { ...REPORT, critical: 'block' as const }, risks: {} }
  const deployed = await deployPolicy(database.meta, app, { rules, ...change }, clock)
  await changed('policies')
  return deployed
}

test('[CONF-02] a device gets its policy with a signature that the key of its enrolment verifies, and 304 afterwards', async () => {
  const { app, device } = await makeApp()
  const before = await fetchPolicy(device)
  expect(before.document).toMatchObject({
    app: String(app),
    policy: '',
    version: 0,
    verdict: 'none',
    collect: { off: [] },
  })
  expect(Object.keys(before.document?.rules ?? {})).toEqual(RISK_KEYS)
  expect(Object.values(before.document?.rules ?? {}).every(({ action }) => action === 'report')).toBe(true)

  const { policy } = await deploy(app, {
    rules: {
      levels: { ...REPORT, critical: 'block' },
      risks: { root: { action: 'warn', text: { zh: '已越狱', en: 'Rooted' } } },
    },
  })
  const { status, answer, document } = await fetchPolicy(device, {
    headers: { 'if-none-match': String(before.answer.headers['etag']) },
  })
  expect(status).toBe(200)
  expect(document).toMatchObject({ policy, version: 1, issued_at: clock })
  expect(document?.rules.hook).toEqual({ action: 'block' })
  expect(document?.rules.root).toEqual({ action: 'warn', text: { zh: '已越狱', en: 'Rooted' } })
  const key = createPublicKey({ key: Buffer.from(device.policy_key, 'base64url'), format: 'der', type: 'spki' })
  const signature = Buffer.from(String(answer.headers[POLICY_SIGNATURE_HEADER]), 'base64url')
  expect(signature).toHaveLength(64)
  const body = answer.rawPayload
  expect(verify('sha256', body, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  body[10] = (body[10] as number) ^ 1
  expect(verify('sha256', body, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(false)

  const etag = String(answer.headers['etag'])
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await fetchPolicy(device, { headers: { 'if-none-match': tag } })
    expect([again.status, again.answer.body, again.answer.headers['etag']]).toEqual([304, '', etag])
  }
  expect((await fetchPolicy(device, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('[CONF-02] strangers, forged and repeated requests, other methods and odd parameters are refused', async () => {
  const { device, server } = await makeApp()
  const other = await makeApp()
  const refused = async (expected: [number, ErrorKey], bend: Bend, from = device) => {
    const { status, document } = await fetchPolicy(from, bend)
    expect([status, document?.key]).toEqual(expected)
  }
  await refused([401, 'collect.key'], {}, { ...device, install: randomUUID() })
  await refused([401, 'collect.signature'], { key: other.device.device_key })
  await refused([401, 'collect.signature'], { signedTarget: `${COLLECT_POLICY_PATH}?version=2.0` })
  await refused([401, 'collect.time'], { headers: { 'x-aw-tstamp': '1' } })
  await refused([400, 'collect.unreadable'], { target: `${COLLECT_POLICY_PATH}?version=%00` })
  await refused([400, 'collect.unreadable'], { target: `${COLLECT_POLICY_PATH}?version=${'v'.repeat(300)}` })
  const first = await fetchPolicy(device)
  expect(first.status).toBe(200)
  const replay = await get(`${COLLECT_POLICY_PATH}?version=1.0`, first.headers)
  expect([replay.status, replay.document?.key]).toEqual([409, 'collect.replay'])

  const bearer = { authorization: `Bearer ${server}` }
  expect((await get(`${COLLECT_POLICY_PATH}?device=some`, bearer)).status).toBe(200)
  expect((await get(COLLECT_POLICY_PATH, bearer)).document?.key).toBe('collect.unreadable')
  const enrolmentKey = await get(`${COLLECT_POLICY_PATH}?device=some`, { authorization: `Bearer ${other.enrolment}` })
  expect(enrolmentKey.document?.key).toBe('collect.key')
  const posted = await collector.app.inject({ method: 'POST', url: COLLECT_POLICY_PATH, headers: bearer })
  expect(posted.statusCode).toBe(405)
})

test('[CONF-02] a device that asks too often waits, and its batches do not wait for that', async () => {
  const { device } = await makeApp()
  for (let n = 0; n < POLICY_FETCHES; n++) expect((await fetchPolicy(device)).status).toBe(200)
  const refused = await fetchPolicy(device)
  expect([refused.status, refused.document?.key]).toEqual([429, 'request.rate'])
  expect(Number(refused.answer.headers['retry-after'])).toBeGreaterThan(0)
  clock += 10_000
  expect((await fetchPolicy(device)).status).toBe(200)
})

test('[CONF-02] a share takes its devices only, and keeps them while it grows; app versions narrow it; paused reaches no device', async () => {
  const { app, server } = await makeApp()
  const { id, policy } = await deploy(app, { percent: 30, versions: ['2.0'] })
  const devices = Array.from({ length: 60 }, (_, n) => `phone-${n}`)
  const inside = async (version: string) => {
    const found = new Set<string>()
    for (const device of devices) {
      clock += 50
      const { document } = await get(`${COLLECT_POLICY_PATH}?version=${version}&device=${device}`, {
        authorization: `Bearer ${server}`,
      })
      if (document?.policy === policy) found.add(device)
    }
    return found
  }
  const set = (values: object) =>
    database.meta.db.updateTable('policy_deployments').set(values).where('id', '=', id).execute()
  const some = await inside('2.0')
  expect(some.size).toBeGreaterThan(6)
  expect(some.size).toBeLessThan(32)
  expect((await inside('1.0')).size).toBe(0)
  await set({ percent: 60 })
  await changed('policies')
  const more = await inside('2.0')
  expect(more.size).toBeGreaterThan(some.size)
  expect([...some].every((one) => more.has(one))).toBe(true)
  await set({ percent: 100 })
  await changed('policies')
  expect((await inside('2.0')).size).toBe(devices.length)
  await set({ state: 'paused' })
  await changed('policies')
  expect((await inside('2.0')).size).toBe(0)
})

test('[CONF-02] applications do not see each other`s policies; observation alone stops nothing; the list of fields that are off is sent', async () => {
  const [mine, observing] = [await makeApp(), await makeApp('0')]
  await deploy(observing.app, { rules: { levels: { ...REPORT, critical: 'block', low: 'none' }, risks: {} } })
  expect((await fetchPolicy(mine.device)).document?.version).toBe(0)
  const observed = (await fetchPolicy(observing.device)).document
  expect([observed?.version, observed?.rules.hook?.action, observed?.rules.proxy_vpn?.action]).toEqual([
    1,
    'report',
    'none',
  ])
  clock += 1000
  await database.meta.db
    .insertInto('application_collection')
    .values({ application_id: mine.app, off: ['place', 'user_id'], changed_at: clock })
    .execute()
  await changed('policies')
  expect((await fetchPolicy(mine.device)).document).toMatchObject({
    issued_at: clock,
    collect: { off: ['place', 'user_id'] },
  })
})

test('[MSSA-05] a banned device is notified, and blocks everything; taken back, it is free again', async () => {
  const { app, device } = await makeApp()
  const { db } = database.meta
  const hash = keyedHash(PEPPER)(device.device)
  await db
    .insertInto('device_verdicts')
    .values({ application_id: app, device: hash, verdict: 'banned', by_user: null, at: clock, note: '' })
    .execute()
  await changed('verdicts')
  const { document } = await fetchPolicy(device)
  expect(document?.verdict).toBe('banned')
  expect(RISK_KEYS.every((risk) => actionOn(document, risk) === 'block')).toBe(true)
  await db.deleteFrom('device_verdicts').where('device', '=', hash).execute()
  await changed('verdicts')
  expect((await fetchPolicy(device)).document?.verdict).toBe('none')
})

test('[CONF-02] which device received what is written in batches; a server key that looks leaves no trace', async () => {
  const { app, device, server } = await makeApp()
  const { policy } = await deploy(app)
  await fetchPolicy(device, { target: `${COLLECT_POLICY_PATH}?version=7.1` })
  await get(`${COLLECT_POLICY_PATH}?device=else`, { authorization: `Bearer ${server}` })
  const rows = () =>
    database.meta.db.selectFrom('policy_fetches').selectAll().where('application_id', '=', app).execute()
  await expect.poll(rows, { timeout: 8000 }).toEqual([
    {
      application_id: app,
      device: keyedHash(PEPPER)(device.device),
      app_version: '7.1',
      policy_id: policy,
      version: 1,
      fetched_at: clock,
    },
  ])
})
