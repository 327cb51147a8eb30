import { createPublicKey } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import {
  type CommunicationKey,
  closeCommunicationKey,
  communicationOverview,
  createCommunicationKey,
  exportCommunicationKey,
  OWN_GATEWAY,
  revokeCommunicationKey,
  rotateCommunicationKey,
  runCommunicationTest,
  setGatewayPolicy,
} from '#contracts/http/communication.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { fromHex } from '#engines/gm/bytes.ts'
import { HELLO_BYTES, startHandshake } from '#engines/session/handshake.ts'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { sm2PublicKey } from '#server/http/gm-node.ts'
import { openPrivateKey } from '#server/modules/communication/key-rows.ts'
import { lookAfterKeys } from '#server/modules/communication/look-after-keys.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY_MS = 86_400_000

let app: HttpApp
const who = {} as Record<'admin' | 'owner' | 'other', ConsoleClient>
let appid: string
let kid: number

beforeAll(async () => {
  app = await startHttpApp()
  for (const [name, role] of [
    ['admin', 'administrator'],
    ['owner', 'operator'],
    ['other', 'operator'],
  ] as const) {
    await app.addUser(`${name}@example.com`, role)
    who[name] = new ConsoleClient(app.url)
    await who[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
  const made = await who.owner.call(createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  appid = (made.body['object_list'] as { id: string }[])[0]?.id as string
}, 60_000)
afterAll(() => app?.close())

type Overview = ResponseOf<typeof communicationOverview>['data']
const overview = async (client: ConsoleClient, query: object = {}) =>
  (await client.call(communicationOverview, { query: query as Record<string, unknown> })).body['data'] as Overview
const made = async (client: ConsoleClient, endpoint: Parameters<ConsoleClient['call']>[0], body: object) =>
  (await client.call(endpoint, { body })).body as { code: number; data: CommunicationKey }

test('[COMM-02] an application gets one key; its private part is encrypted at rest and appears in no answer', async () => {
  expect((await overview(who.owner)).without_key).toEqual([{ appid, name: 'Wallet' }])
  const { code, data } = await made(who.owner, createCommunicationKey, { appid, days: 100 })
  expect({ code, state: data.state, appid: data.appid }).toEqual({ code: 0, state: 'active', appid })
  kid = data.kid
  const row = await app.meta.db
    .selectFrom('communication_keys')
    .selectAll()
    .where('kid', '=', kid)
    .executeTakeFirstOrThrow()
  const privateKey = openPrivateKey(app.deps.secret, row)
  expect(Buffer.from(sm2PublicKey(privateKey)).toString('hex')).toBe(data.public_key)
  expect(row.sealed_private_key).toMatch(/^aw_sealed\.1\./)
  expect(row.sealed_private_key).not.toContain(Buffer.from(privateKey).toString('hex'))
  const { text } = await who.owner.call(communicationOverview)
  expect(text).not.toContain('private')
  expect(text).not.toContain('aw_sealed')
  expect((await made(who.owner, createCommunicationKey, { appid })).code).toBe(502000)
})

test('[COMM-02] the public part is exported as PEM that OpenSSL reads, and as hex', async () => {
  const pem = await who.owner.call(exportCommunicationKey, { query: { kid } })
  expect(pem.headers.get('content-disposition')).toContain(`k-${String(kid).padStart(4, '0')}-public.pem`)
  const [{ public_key } = { public_key: '' }] = (await overview(who.owner)).keys
  const spki = createPublicKey(pem.text).export({ format: 'der', type: 'spki' })
  expect(spki.subarray(-65).toString('hex')).toBe(public_key)
  const hex = await who.owner.call(exportCommunicationKey, { query: { kid, format: 'hex' } })
  expect(hex.text.trim()).toBe(public_key)
})

test('[COMM-02] keys of an application are neither seen nor changed by who does not see it', async () => {
  expect((await overview(who.other)).keys).toEqual([])
  expect((await who.other.call(communicationOverview, { query: { appid } })).body['code']).toBe(500002)
  for (const [endpoint, body] of [
    [rotateCommunicationKey, { kid }],
    [closeCommunicationKey, { kid, days: 1 }],
    [revokeCommunicationKey, { kid }],
    [createCommunicationKey, { appid }],
  ] as const)
    expect((await who.other.call(endpoint, { body })).body['code']).toBe(500002)
  expect((await who.other.call(exportCommunicationKey, { query: { kid } })).status).toBe(404)
})

test('[COMM-02] a replaced key stays valid for the overlap, can be prolonged and closed, and each step is in the audit trail', async () => {
  const { data: next } = await made(who.owner, rotateCommunicationKey, { kid, overlap_days: 20 })
  let keys = new Map((await overview(who.owner)).keys.map((one) => [one.kid, one]))
  expect(keys.get(kid)).toMatchObject({ state: 'retiring', replaced_by: next.kid })
  expect(keys.get(next.kid)).toMatchObject({ state: 'active' })
  const closes = keys.get(kid)?.closes_at as number
  expect(Math.abs(closes - (app.deps.now() + 20 * DAY_MS))).toBeLessThan(60_000)
  expect((await made(who.owner, rotateCommunicationKey, { kid })).code).toBe(502001)
  expect((await made(who.owner, closeCommunicationKey, { kid, days: 30 })).data.closes_at).toBeGreaterThan(closes)
  // An overlap never outlives the key itself.
  expect((await made(who.owner, closeCommunicationKey, { kid, days: 180 })).data.closes_at).toBe(
    keys.get(kid)?.expires_at,
  )
  expect((await made(who.owner, closeCommunicationKey, { kid, days: 0 })).data.state).toBe('expired')
  expect((await made(who.owner, revokeCommunicationKey, { kid })).code).toBe(502001)
  expect((await made(who.owner, revokeCommunicationKey, { kid: next.kid })).data.state).toBe('revoked')
  keys = new Map((await overview(who.owner)).keys.map((one) => [one.kid, one]))
  expect([...keys.values()].map(({ state }) => state)).toEqual(['revoked', 'expired'])
  const trail = await app.meta.db
    .selectFrom('audit_log')
    .select(['action', 'target', 'detail'])
    .where('action', 'like', '%CommunicationKey')
    .orderBy('id')
    .execute()
  const own = trail.filter(({ target }) => target === 'Wallet').map(({ action }) => action)
  expect(new Set(own)).toEqual(
    new Set(['createCommunicationKey', 'rotateCommunicationKey', 'closeCommunicationKey', 'revokeCommunicationKey']),
  )
  kid = (await made(who.owner, createCommunicationKey, { appid, days: 20 })).data.kid
})

test('[COMM-01] ended sessions, with their keys and numbers, and ended hellos are deleted while no gateway runs', async () => {
  const now = app.deps.now()
  const session = (id: string, expires_at: number) => ({
    ...{ id, application_id: 1, kid, sealed: 'x', sdk: '', created_at: expires_at - 1_800_000, expires_at },
  })
  const { db } = app.meta
  const rows = await db
    .insertInto('communication_sessions')
    .values([session('ended', now - 600_000), session('live', now + 600_000)])
    .returning('number')
    .execute()
  await db
    .insertInto('communication_used')
    .values(rows.map(({ number }) => ({ session: number, sequence: 1 })))
    .execute()
  await db
    .insertInto('communication_hellos')
    .values([
      { digest: 'ended', until: now - 600_000 },
      { digest: 'live', until: now + 60_000 },
    ])
    .execute()
  await lookAfterKeys(app.meta, now)
  expect(await db.selectFrom('communication_sessions').select('id').execute()).toEqual([{ id: 'live' }])
  expect(await db.selectFrom('communication_used').select('session').execute()).toEqual([{ session: rows[1]?.number }])
  expect(await db.selectFrom('communication_hellos').select('digest').execute()).toEqual([{ digest: 'live' }])
  await db.deleteFrom('communication_sessions').execute()
})

test('[COMM-02] a key that ends soon is announced to its owner, once a step', async () => {
  const now = app.deps.now()
  await lookAfterKeys(app.meta, now)
  await lookAfterKeys(app.meta, now + 1000)
  await lookAfterKeys(app.meta, now + 14 * DAY_MS)
  const notices = await app.meta.db
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .select(['users.username', 'key'])
    .where('key', 'like', `communication:${kid}:%`)
    .execute()
  const of = (name: string) =>
    notices.filter(({ username }) => username === `${name}@example.com`).map(({ key }) => key)
  expect(of('owner').toSorted()).toEqual([`communication:${kid}:30`, `communication:${kid}:7`])
  expect(of('other')).toEqual([])
})

test('[COMM-02] the policy of all gateways is set by who sees every application', async () => {
  expect((await who.owner.call(setGatewayPolicy, { body: { policy: 'observe' } })).body['code']).toBe(502003)
  expect((await overview(who.owner)).may_set_policy).toBe(false)
  expect((await who.admin.call(setGatewayPolicy, { body: { policy: 'observe' } })).body['code']).toBe(0)
  expect(await overview(who.admin)).toMatchObject({ policy: 'observe', may_set_policy: true })
  await who.admin.call(setGatewayPolicy, { body: { policy: 'enforce' } })
})

test('[COMM-02] counts of gateways are shown for the applications of the caller, by time, reason, key and SDK', async () => {
  const minute = Math.floor(app.deps.now() / 60_000) * 60_000
  const row = (outcome: string, sdk: string, count: number, more = {}) => ({
    ...{ minute, application_id: Number(appid), kid, outcome, sdk, count, micros: count * 400 },
    ...more,
  })
  await app.meta.db
    .insertInto('communication_minutes')
    .values([
      row('accepted', 'android/9.4.0', 90),
      row('accepted', 'android/9.3.0', 10),
      row('replayed', 'android/9.3.0', 3),
      row('tag', '', 2),
      row('handshake', 'android/9.4.0', 5),
      row('accepted', 'android/9.3.0', 50, { minute: minute - 30 * 3_600_000 }),
      row('plain', '', 7, { application_id: 0, kid: 0 }),
    ])
    .execute()
  const data = await overview(who.admin)
  expect(data.figures).toEqual({
    ...{ requests: 112, refused: 12, replayed: 3, plain: 7, handshakes: 5, mean_micros: 400 },
    before: { requests: 50, refused: 0 },
  })
  expect(data.reasons).toEqual([
    { reason: 'plain', count: 7 },
    { reason: 'replayed', count: 3 },
    { reason: 'tag', count: 2 },
  ])
  expect(data.slots.length).toBe(48)
  expect(data.slots.reduce((sum, one) => sum + one.requests, 0)).toBe(112)
  expect(data.keys.find((one) => one.kid === kid)).toMatchObject({
    requests: 105,
    refused: 5,
    versions: [
      { sdk: 'android/9.4.0', count: 95 },
      { sdk: 'android/9.3.0', count: 10 },
    ],
  })
  // Plain requests name no application.
  expect((await overview(who.admin, { appid })).figures).toMatchObject({ requests: 105, plain: null })
  expect((await overview(who.owner)).figures).toMatchObject({ requests: 105, refused: 5, plain: null })
  expect((await overview(who.other)).figures).toMatchObject({ requests: 0, plain: null })
})

test('[COMM-02] the live test runs the code of the gateway and shows what it did inside, to the console alone', async () => {
  const [key] = (await overview(who.owner)).keys
  const { hello } = startHandshake({
    keyId: key?.kid as number,
    publicKey: fromHex(key?.public_key as string),
    now: Math.floor(app.deps.now() / 1000),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  })
  expect(hello.length).toBe(HELLO_BYTES)
  const sealed = { method: 'POST', path: SESSION_HTTP.handshakePath, content_type: SESSION_HTTP.mediaType }
  const { body } = await who.owner.call(runCommunicationTest, {
    body: {
      gateway: OWN_GATEWAY,
      requests: [
        { ...sealed, body: Buffer.from(hello).toString('base64url') },
        { ...sealed, body: Buffer.from(hello).toString('base64url') },
        { method: 'POST', path: '/x', content_type: 'text/plain', body: 'aGFsbG8' },
      ],
    },
  })
  const answers = body['data'] as ResponseOf<typeof runCommunicationTest>['data']
  expect(answers.map(({ status, outcome }) => [status, outcome])).toEqual([
    [200, 'handshake'],
    [400, 'hello_replayed'],
    [400, 'plain'],
  ])
  expect(answers[0]?.stages).toMatchObject([{ stage: 'handshake', bytes: HELLO_BYTES }])
  const gone = await who.owner.call(runCommunicationTest, {
    body: { gateway: 'nowhere', requests: [{ ...sealed, body: '' }] },
  })
  expect(gone.body['code']).toBe(500002)
})
