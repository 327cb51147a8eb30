import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ERRORS, type ErrorKey } from '#contracts/errors.ts'
import { pTags, signin, userGroup, verifyImage } from '#contracts/http/accounts.ts'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { auditLog } from '#contracts/http/audit-log.ts'
import { isSealable } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { envelopeKeys, readSettings, rotateEnvelopeKey, saveSettings } from '#contracts/http/settings.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { fromBase64url, toBase64url, utf8 } from '#engines/gm/bytes.ts'
import { openResponse, sealRequest } from '#engines/gm/envelope.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { createHttp } from '#server/http/create-http.ts'
import { openEnvelopeKeys } from '#server/http/envelope-keys.ts'
import { HTTP_MODULES } from '#server/processes/http-modules.ts'
import { randomBytes, sm2EncryptBrowser } from '#src/shared/api/gm-browser.ts'
import { ConsoleClient, type Sent } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let client: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  client = new ConsoleClient(app.url)
  await client.signIn('admin@example.com', PASSWORD, CODE)
  await client.call(saveSettings, { body: { encrypt_requests: true } })
})
afterAll(() => app.close())
beforeEach(() => {
  app.clock.offset = 0
})

const HOUR_MS = 3_600_000
const wallet = { name: 'Wallet', mimetype_list: [1] }
const refusedWith = (key: ErrorKey) => ({ status: ERRORS[key].status, body: { code: ERRORS[key].code } })
const bytes = (text: string) => fromBase64url(text) as Uint8Array
/** Changes one byte; a negative place counts from the end. */
const flip =
  (at: number, mask = 1) =>
  (text: string) =>
    toBase64url(bytes(text).map((byte, i, all) => (i === (at < 0 ? all.length + at : at) ? byte ^ mask : byte)))

test('[REQ-02] in encrypted mode requests and answers travel as encrypt_data alone, and the answer names the user', async () => {
  const made = await client.sealed(createApplication, { body: wallet })
  expect(made.body).toMatchObject({ code: 0, username: 'admin@example.com' })
  expect(Object.keys(JSON.parse(made.wire))).toEqual(['encrypt_data'])
  expect(JSON.stringify(made.sent)).not.toContain('Wallet')
  const log = await client.sealed(auditLog, { query: { limit: 5, search: 'Wallet' } })
  expect(log.body).toMatchObject({ code: 0, username: 'admin@example.com' })
  expect(JSON.stringify(log.sent[1])).not.toContain('Wallet')
  // What the product refuses is sealed as well.
  const refused = await client.sealed(createApplication, { body: { name: '', mimetype_list: [] } })
  expect(refused.body['code']).not.toBe(0)
  expect(Object.keys(JSON.parse(refused.wire))).toEqual(['encrypt_data'])
  const unknown = await client.sealed(auditLog, { query: { limit: 5, nosuch: 1 } })
  expect(unknown.body['code']).toBe(ERRORS['input.invalid'].code)
})

test('[REQ-02] settings that are saved sealed change only what the request names', async () => {
  await client.sealed(saveSettings, { body: { idle_minutes: 45 } })
  await client.sealed(saveSettings, { body: { absolute_hours: 9 } })
  const { data } = (await client.sealed(readSettings)).body as { data: Record<string, unknown> }
  expect(data).toMatchObject({ idle_minutes: 45, absolute_hours: 9, encrypt_requests: true })
})

test('[REQ-02] p-tags says that calls are sealed, and a password travels sealed or not at all', async () => {
  const other = new ConsoleClient(app.url)
  expect((await other.call(pTags)).body).toMatchObject({ data: { is_encrypt: true } })
  await other.call(verifyImage)
  const body = { username: 'admin@example.com', password: PASSWORD, verify_code: 'wrong' }
  expect(await other.call(signin, { body })).toMatchObject(refusedWith('request.plain'))
  const answer = await other.sealed(signin, { body })
  expect(answer.body['code']).toBe(ERRORS['login.code_wrong'].code)
  expect(JSON.stringify(answer.sent)).not.toContain(PASSWORD)
})

test('[REQ-02] every call that can be sealed refuses a plain session request, and no other does', async () => {
  for (const [name, endpoint] of ENDPOINTS) {
    if (endpoint.method !== 'GET' && endpoint.method !== 'POST') continue
    const { body } = await client.call(endpoint, {}).catch(() => ({ body: {} as Record<string, unknown> }))
    const isRefused = body['code'] === ERRORS['request.plain'].code
    const wanted = isSealable(endpoint) && !endpoint.enveloped
    expect([name, isRefused]).toEqual([name, wanted])
  }
})

test('requests with an access token are not sealed, since they carry no session', async () => {
  const made = await client.sealed(createAccessToken, { body: { name: 'ci', scopes: ['createapp'], days: 1 } })
  const bearer = { authorization: `Bearer ${made.body['token']}` }
  const plain = await new ConsoleClient(app.url).send('GET', userGroup.path, '', bearer)
  expect(plain).toMatchObject({ status: 200, body: { code: 0 } })
  expect(plain.body).not.toHaveProperty('encrypt_data')
})

/** The failure table: what is wrong with a request, and the refusal that it gets. */
const refusals = (seconds: number): [name: string, key: ErrorKey, bend: Parameters<ConsoleClient['sealed']>[2]][] => [
  ['encrypt_data is no text', 'envelope.malformed', { beside: { encrypt_data: 5 } }],
  ['encrypt_data is empty', 'envelope.malformed', { change: () => '' }],
  ['characters outside base64url', 'envelope.malformed', { change: () => '!!!' }],
  ['padded base64url', 'envelope.malformed', { change: (text) => `${text}=` }],
  [
    'base64url that is not canonical',
    'envelope.malformed',
    // 205 + n bytes with n = 16: 221 = 3 * 73 + 2, so the last character has two spare bits.
    { change: (text) => text.slice(0, -1) + nextCharacter(text.at(-1) as string) },
  ],
  ['cut after the head', 'envelope.malformed', { change: (text) => text.slice(0, 100) }],
  ['cut by one byte', 'envelope.malformed', { change: (text) => toBase64url(bytes(text).subarray(0, -1)) }],
  ['one byte more', 'envelope.malformed', { change: (text) => toBase64url(Uint8Array.of(...bytes(text), 0)) }],
  ['another field beside it', 'envelope.malformed', { beside: { name: 'Wallet' } }],
  ['sealed bytes that are no JSON', 'envelope.malformed', { plain: '{"name":' }],
  ['sealed JSON that reaches into prototypes', 'envelope.malformed', { plain: '{"__proto__":{"a":1}}' }],
  ['unknown version', 'envelope.version', { change: flip(0, 3) }],
  ['unknown suite', 'envelope.version', { change: flip(1, 3) }],
  ['key number that was never made', 'envelope.key', { kid: 7 }],
  ['a time 61 s ago', 'request.time', { tstamp: seconds - 61 }],
  ['a time that differs from the header', 'request.time', { envelopeTime: seconds - 5 }],
  ['time changed in the envelope', 'request.time', { change: flip(11) }],
  ['nonce of another request', 'envelope.tampered', { rid: new Uint8Array(16) }],
  ['nonce changed', 'envelope.tampered', { change: flip(15) }],
  ['point format byte changed', 'envelope.tampered', { change: flip(28) }],
  ['C1.x changed', 'envelope.tampered', { change: flip(40) }],
  ['C1.y changed', 'envelope.tampered', { change: flip(70) }],
  ['C3 changed', 'envelope.tampered', { change: flip(100) }],
  ['C2 changed', 'envelope.tampered', { change: flip(130) }],
  ['IV changed', 'envelope.tampered', { change: flip(160) }],
  ['sealed text changed', 'envelope.tampered', { change: flip(175) }],
  ['tag changed', 'envelope.tampered', { change: flip(-1) }],
  ['sealed for another path', 'envelope.tampered', { path: '/api/accounts/signin/' }],
  ['sealed for another method', 'envelope.tampered', { method: 'GET' }],
  ['sealed for another session', 'envelope.tampered', { sid: 'other' }],
  ['sealed for no session', 'envelope.tampered', { sid: '' }],
  ['signed with another key', 'request.signature', { key: new Uint8Array(32).fill(5) }],
  ['body changed after signing', 'request.signature', { sentBody: '{"encrypt_data":"AQE"}' }],
  ['target changed after signing', 'request.signature', { sentTarget: `${createApplication.path}?a=1` }],
  ['time changed after signing', 'request.signature', { headers: { tstamp: String(seconds + 30) } }],
]
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(character) ^ 1] as string
}

test('[REQ-02] the failure table: each broken request gets its one refusal, plain, and changes nothing', async () => {
  const before = ((await client.sealed(applicationList)).body['object_list'] as unknown[]).length
  for (const [name, key, bend] of refusals(Math.floor(Date.now() / 1000))) {
    const reply = await client.sealed(createApplication, { body: wallet }, bend)
    expect([name, reply.status, reply.body['code']]).toEqual([name, ERRORS[key].status, ERRORS[key].code])
    expect([name, Object.keys(JSON.parse(reply.wire))]).not.toEqual([name, ['encrypt_data']])
  }
  // With replay, a plain body and another session's request these are 38.
  expect(refusals(0).length + 3).toBe(38)
  expect(await client.call(createApplication, { body: wallet })).toMatchObject(refusedWith('request.plain'))
  const second = new ConsoleClient(app.url)
  await app.addUser('second@example.com', 'administrator')
  await sealedSignIn(second, 'second@example.com')
  const { sent } = await client.sealed(applicationList)
  expect((await second.send(...sent)).status).toBe(400)
  expect(((await client.sealed(applicationList)).body['object_list'] as unknown[]).length).toBe(before)
})

test("[REQ-02] a changed answer, another request's answer and a reflected request do not open", () => {
  const make = () => {
    const rid = randomBytes(16)
    return sealRequest(gmPortable, {
      context: { method: 'GET', path: '/x', sid: 's' },
      server: { kid: 1, publicKey: sm2Public },
      tstamp: 1,
      rid,
      random: randomBytes,
      sm2Encrypt: sm2EncryptBrowser,
      plain: utf8('{}'),
    })
  }
  const { text, channel } = make()
  expect(() => openResponse(gmPortable, channel, text, 200)).toThrow('envelope')
  expect(() => openResponse(gmPortable, make().channel, text, 200)).toThrow('envelope')
  expect(() => openResponse(gmPortable, channel, '{"code":0}', 200)).toThrow('envelope')
})
const sm2Public = Uint8Array.from(
  Buffer.from(
    '0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13',
    'hex',
  ),
)

test('[REQ-02] of 500 requests sent again none is accepted: here, by a second web process, and after a restart', async () => {
  const second = await anotherProcess()
  // Two accounts, so that no rate limit hides what the replays meet.
  const other = new ConsoleClient(app.url)
  await app.addUser('third@example.com', 'administrator')
  await sealedSignIn(other, 'third@example.com')
  const captured: { from: ConsoleClient; sent: Sent }[] = []
  for (let n = 0; n < 500; n++) {
    const from = n % 2 ? other : client
    const { sent, body } = await from.sealed(userGroup)
    expect(body['code']).toBe(0)
    captured.push({ from, sent })
  }
  /** How often each status answered the captured requests. */
  async function sendAgain(url: string): Promise<Record<number, number>> {
    const statuses: Record<number, number> = {}
    for (const { from, sent } of captured) {
      const replay = new ConsoleClient(url)
      replay.cookies = from.cookies
      const { status } = await replay.send(...sent)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return statuses
  }
  expect(await sendAgain(app.url)).toEqual({ [ERRORS['request.replay'].status]: 500 })
  expect(await sendAgain(second.url)).toEqual({ [ERRORS['request.replay'].status]: 500 })
  await second.close()
  // A restarted process whose database lost the nonces with a crash.
  await app.meta.db.deleteFrom('request_nonces').execute()
  const restarted = await anotherProcess()
  expect(await sendAgain(restarted.url)).toEqual({ [ERRORS['request.time'].status]: 500 })
  await restarted.close()
}, 180_000)

async function anotherProcess() {
  const http = await createHttp(app.deps, HTTP_MODULES)
  await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, close: () => http.close() }
}

test('[REQ-02] keys rotate without a refused request: the old key opens for 24 hours, then the refusal leads to the new one', async () => {
  const before = await client.readServerKey()
  await client.sealed(rotateEnvelopeKey)
  const after = await client.readServerKey()
  expect(after.kid).toBe(before.kid + 1)
  expect(after.public_key).not.toBe(before.public_key)
  // The open page goes on with the old key.
  expect(client.serverKey?.kid).toBe(before.kid)
  expect((await client.sealed(userGroup)).body['code']).toBe(0)
  const { data } = (await client.sealed(envelopeKeys)).body as { data: { kid: number; opens_until: number | null }[] }
  expect(data.map(({ kid, opens_until }) => [kid, opens_until === null])).toEqual([
    [after.kid, true],
    [before.kid, false],
  ])
  app.clock.offset = 25 * HOUR_MS
  const late = new ConsoleClient(app.url, () => Date.now() + app.clock.offset)
  late.serverKey = before
  const body = { username: 'admin@example.com', password: 'x', verify_code: 'x' }
  expect(await late.sealed(signin, { body })).toMatchObject(refusedWith('envelope.key'))
  late.serverKey = after
  expect((await late.sealed(signin, { body })).status).toBe(200)
})

test('[REQ-02] a key that is older than a year is replaced without anybody asking', async () => {
  const keys = await openEnvelopeKeys({ ...app.deps, now: () => Date.now() + 366 * 24 * HOUR_MS })
  const { kid } = await client.readServerKey()
  expect(keys.current().kid).toBe(kid + 1)
  keys.close()
  await app.deps.meta.db.deleteFrom('envelope_keys').where('kid', '>', kid).execute()
})

test('[REQ-02] switched off, open pages that still seal are answered sealed, and plain requests again', async () => {
  await client.sealed(saveSettings, { body: { encrypt_requests: false } })
  expect((await client.sealed(userGroup)).body['code']).toBe(0)
  expect((await client.call(userGroup)).body).toMatchObject({ code: 0, is_encrypt: false })
})

async function sealedSignIn(who: ConsoleClient, username: string): Promise<void> {
  await who.call(verifyImage)
  await who.sealed(signin, { body: { username, password: PASSWORD, verify_code: CODE } })
  await who.boot()
}
