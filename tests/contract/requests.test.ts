import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type SecureVersion } from 'node:tls'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ERRORS, type ErrorKey } from '#contracts/errors.ts'
import { isLogin, logout, pTags, userGroup, verifyImage } from '#contracts/http/accounts.ts'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { auditLog } from '#contracts/http/audit-log.ts'
import { healthz } from '#contracts/http/health.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { licenseRemind } from '#contracts/http/licence.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { fromBase64url, toBase64url } from '#engines/gm/bytes.ts'
import { randomBytes } from '#src/shared/api/gm-browser.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let client: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  client = new ConsoleClient(app.url)
  await client.signIn('admin@example.com', PASSWORD, CODE)
})
afterAll(() => app.close())

const body = { name: 'Wallet', mimetype_list: [1] }
const refusedWith = (key: ErrorKey) => ({ status: ERRORS[key].status, body: { code: ERRORS[key].code } })

test('every endpoint of the contract is mounted', () => {
  expect(app.unmounted).toEqual([])
})

test('[REQ-01] POST and GET carry signature and tstamp, and the server checks both', async () => {
  expect((await client.call(createApplication, { body })).body['code']).toBe(0)
  expect((await client.call(applicationList)).body['code']).toBe(0)
  const none = { signature: undefined, tstamp: undefined }
  for (const endpoint of [createApplication, applicationList])
    expect(await client.call(endpoint, { body }, { headers: none })).toMatchObject(refusedWith('request.signature'))
  for (const signature of ['', 'x', '1.a.b', `2.${'A'.repeat(22)}.${'A'.repeat(43)}`])
    expect(await client.call(userGroup, {}, { headers: { signature } })).toMatchObject(refusedWith('request.signature'))
})

test('[REQ-01] what was signed is what must arrive: body, query order, method, time, key', async () => {
  const refused = refusedWith('request.signature')
  expect(
    await client.call(createApplication, { body }, { sentBody: JSON.stringify({ ...body, name: 'Walle7' }) }),
  ).toMatchObject(refused)
  expect(await client.call(createApplication, { body }, { sentBody: `${JSON.stringify(body)} ` })).toMatchObject(
    refused,
  )
  const target = `${auditLog.path}?limit=5&search=a`
  const swapped = `${auditLog.path}?search=a&limit=5`
  expect((await client.call(auditLog, { query: { limit: 5, search: 'a' } })).body['code']).toBe(0)
  const bend = { sentTarget: swapped }
  expect(await client.call({ ...auditLog, path: target as `/${string}` }, {}, bend)).toMatchObject(refused)
  const tstamp = Math.floor(Date.now() / 1000) + 3
  expect(await client.call(userGroup, {}, { headers: { tstamp: String(tstamp) } })).toMatchObject(refused)
  expect(await client.call(userGroup, {}, { key: randomBytes(32) })).toMatchObject(refused)
  const anonymous = client.signed('GET', userGroup.path, '', true)
  expect(await client.call(userGroup, {}, { headers: anonymous })).toMatchObject(refused)
})

test('[REQ-01] a time outside the window answers the server time and does not end the session', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  for (const tstamp of [seconds - 61, seconds + 62, 1_000_000_000]) {
    const late = await client.call(userGroup, {}, { tstamp })
    expect(late).toMatchObject(refusedWith('request.time'))
    expect(Math.abs((late.body['server_time'] as number) - seconds)).toBeLessThan(5)
  }
  expect(await client.call(userGroup, {}, { headers: { tstamp: 'soon' } })).toMatchObject(refusedWith('request.time'))
  expect((await client.call(userGroup)).status).toBe(200)
})

test("a server whose clock was set back takes the sessions and the clients' time that follow it", async () => {
  app.clock.offset = -3_600_000
  const tstamp = Math.floor((Date.now() + app.clock.offset) / 1000)
  expect((await client.call(userGroup, {}, { tstamp })).status).toBe(200)
  app.clock.offset = 0
})

test('a request is accepted once and its replay refused', async () => {
  const headers = client.signed('POST', createApplication.path, JSON.stringify(body), false)
  const send = () => client.send('POST', createApplication.path, JSON.stringify(body), headers)
  expect((await send()).status).toBe(200)
  expect(await send()).toMatchObject(refusedWith('request.replay'))
  const nonce = randomBytes(16)
  expect((await client.whoAmI({ nonce })).status).toBe(200)
  expect(await client.whoAmI({ nonce })).toMatchObject(refusedWith('request.replay'))
})

test('another site reaches nothing, not even by navigation', async () => {
  for (const fetchSite of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': fetchSite }
    expect(await client.call(userGroup, {}, { headers })).toMatchObject(refusedWith('request.cross_site'))
    expect(await client.call(verifyImage, {}, { headers })).toMatchObject(refusedWith('request.cross_site'))
  }
  expect((await client.call(verifyImage, {}, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200)
})

test('is_login: every way to break its envelope has its answer', async () => {
  const bytes = (text: string) => fromBase64url(text) as Uint8Array
  const set = (at: number, value: number) => (text: string) =>
    toBase64url(bytes(text).map((byte, i) => (i === at ? byte ^ value : byte)))
  const cases: [ErrorKey, Parameters<ConsoleClient['whoAmI']>[0]][] = [
    ['envelope.malformed', { change: (text) => text.slice(0, 100) }],
    ['envelope.malformed', { change: (text) => `${text}=` }],
    ['envelope.malformed', { change: () => '!!!' }],
    ['envelope.version', { change: set(0, 3) }],
    ['envelope.version', { change: set(1, 3) }],
    ['envelope.key', { kid: 7 }],
    ['request.time', { envelopeTime: Math.floor(Date.now() / 1000) - 5 }],
    ['envelope.tampered', { change: set(15, 1) }],
    ['envelope.tampered', { change: set(28, 1) }],
    ['envelope.tampered', { change: set(40, 1) }],
    ['envelope.tampered', { change: set(70, 1) }],
    ['envelope.tampered', { change: set(100, 1) }],
    ['envelope.tampered', { change: set(130, 1) }],
    ['envelope.tampered', { change: set(160, 1) }],
    ['envelope.tampered', { change: set(175, 1) }],
    [
      'envelope.tampered',
      { change: (text) => toBase64url(bytes(text).map((byte, i, all) => (i === all.length - 1 ? byte ^ 1 : byte))) },
    ],
    ['envelope.tampered', { path: '/api/accounts/signin/' }],
    ['envelope.tampered', { sid: 'other' }],
  ]
  for (const [key, bend] of cases) {
    const reply = await client.whoAmI(bend)
    expect([key, reply.status, reply.body['code']]).toEqual([key, ERRORS[key].status, ERRORS[key].code])
  }
  expect((await client.call(isLogin, { query: { encrypt_data: 'x'.repeat(5000) } })).status).toBe(400)
  expect((await client.whoAmI()).body['is_login']).toBe(true)
})

test('input that two readers could understand differently is refused', async () => {
  const twice = { ...auditLog, path: `${auditLog.path}?limit=1&limit=2` as const }
  expect(await client.call(twice as never)).toMatchObject(refusedWith('envelope.malformed'))
  const unknown = await client.call(auditLog, { query: { limit: 5, nosuch: 1 } })
  expect(unknown).toMatchObject({ status: 200, body: { code: 500001 } })
  const more = await client.call(createApplication, { body: { ...body, admin: true } })
  expect(more.body['code']).toBe(500001)
  const text = '{"name":"x","mimetype_list":[1],"__proto__":{"a":1}}'
  const headers = client.signed('POST', createApplication.path, text, false)
  expect(await client.send('POST', createApplication.path, text, headers)).toMatchObject(
    refusedWith('envelope.malformed'),
  )
})

test('protocol statuses: unknown path, method, size, media type; all as JSON', async () => {
  expect(await client.send('GET', '/api/nowhere/', '', {})).toMatchObject(refusedWith('request.unknown_path'))
  for (const method of ['DELETE', 'PUT', 'POST'])
    expect(await client.send(method, userGroup.path, '', {})).toMatchObject(refusedWith('request.method'))
  const big = { ...body, name: 'x'.repeat(1_100_000) }
  expect(await client.call(createApplication, { body: big })).toMatchObject(refusedWith('request.too_large'))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await client.call(createApplication, { body }, { headers: form })).toMatchObject(
    refusedWith('request.media_type'),
  )
})

test('[REQ-06] every path of the call table answers with its payload', async () => {
  const user = (await client.call(userGroup)).body
  expect(user).toMatchObject({
    code: 0,
    codemsg: '',
    data: { code: 0, is_encrypt: false, role: 'administrator', expire_day: null },
  })
  expect((user['data'] as { auth_list: string[] }).auth_list).toContain('maps')
  expect(user['auth_list']).toEqual((user['data'] as { auth_list: string[] }).auth_list)
  expect((await client.call(pTags)).body).toMatchObject({ code: 0, tags: [{ p_tag: 'AppWarden' }] })
  await client.call(saveSettings, { body: { product: 'security_management' } })
  expect((await client.call(pTags)).body).toMatchObject({ tags: [{ p_tag: '移动应用安全管理系统' }] })
  await client.call(saveSettings, { body: { product: 'AppWarden', product_name: '某某平台' } })
  expect((await client.call(pTags)).body).toMatchObject({ tags: [{ p_tag: '某某平台' }] })
  await client.call(saveSettings, { body: { product_name: '' } })
  expect((await client.call(licenseRemind)).body).toMatchObject({ status: 200, message: '', days: 90 })
  await client.call(createApplication, { body })
  const list = (await client.call(applicationList)).body['object_list'] as Record<string, unknown>[]
  expect(list[0]).toMatchObject({
    id: expect.any(String),
    name: 'Wallet',
    uuid: expect.any(String),
    mime_type: 1,
    has_file: false,
  })
})

test('[REQ-06] answers have the shape that the contract says', async () => {
  for (const endpoint of [userGroup, pTags, licenseRemind, applicationList, auditLog, healthz]) {
    const reply = await client.call(endpoint)
    const { code, codemsg, ...fields } = reply.body
    const shape = endpoint.response.safeParse(fields)
    expect([endpoint.path, shape.error?.issues ?? []]).toEqual([endpoint.path, []])
    if (!('bare' in endpoint && endpoint.bare)) expect([code, codemsg]).toEqual([0, ''])
  }
})

test('[REQ-06] what the server answers agrees with the OpenAPI document that it gives out', async () => {
  const document = (await client.send('GET', '/api/openapi.json', '', {})).body
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const answered: string[] = []
  const wrong: unknown[] = []
  for (const [name, endpoint] of ENDPOINTS) {
    if (endpoint.method !== 'GET' || endpoint.changes || endpoint.enveloped) continue
    const reply = await client.call(endpoint)
    if (reply.status !== 200 || !reply.headers.get('content-type')?.startsWith('application/json')) continue
    const isRefused = (reply.body['code'] ?? 0) !== 0
    const path = endpoint.path
      .replaceAll(/:(\w+)/g, '{$1}')
      .replaceAll('/', '~1')
      .replaceAll('{', '%7B')
      .replaceAll('}', '%7D')
    const schema = isRefused
      ? '#/components/schemas/Refusal'
      : `#/paths/${path}/get/responses/200/content/application~1json/schema`
    const check = ajv.getSchema(`api${schema}`)
    if (!check?.(reply.body)) wrong.push([name, check?.errors])
    if (!isRefused) answered.push(name)
  }
  expect(wrong).toEqual([])
  expect(answered.length).toBeGreaterThan(40)
})

test('metrics are for this machine or a token, never through a proxy', async () => {
  expect((await client.send('GET', '/metrics', '', {})).text).toContain('appwarden_up')
  expect((await client.send('GET', '/metrics', '', { 'x-forwarded-for': '10.0.0.1' })).status).toBe(404)
})

test('every answer has the headers that restrict caching and embedding', async () => {
  for (const path of ['/api/accounts/p-tags', '/nowhere.js', '/healthz']) {
    const { headers } = await client.send('GET', path, '', {})
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('strict-transport-security')).toBeNull()
  }
  expect((await client.call(userGroup)).headers.get('cache-control')).toBe('no-store')
})

test('the console is served with its policy, compressed, and for every page path', async () => {
  const own = await startWithWeb()
  try {
    const page = await fetch(`${own.url}/statistics/user_num?x=1`, { headers: { 'accept-encoding': 'br' } })
    expect(await page.text()).toContain('<title>console</title>')
    expect(page.headers.get('content-encoding')).toBe('br')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'(;| 'sha256)/)
    const script = await fetch(`${own.url}/assets/index-AbCd1234.js`)
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect(script.headers.get('content-type')).toContain('text/javascript')
    const again = await fetch(`${own.url}/assets/index-AbCd1234.js`, {
      headers: { 'if-none-match': script.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    expect((await fetch(`${own.url}/assets/gone.js`)).status).toBe(404)
    expect((await fetch(`${own.url}/assets/apps`)).status).toBe(200)
    for (const path of ['/..%2f..%2fetc/passwd.txt', '/%2e%2e/keys/kek.js', '/assets/../../x.js'])
      expect((await fetch(own.url + path)).status).toBe(404)
  } finally {
    await own.close()
  }
})

async function startWithWeb(): Promise<HttpApp> {
  const web = mkdtempSync(join(tmpdir(), 'appwarden-web-'))
  onTestFinished(() => rmSync(web, { recursive: true }))
  mkdirSync(`${web}/assets`, { recursive: true })
  writeFileSync(`${web}/index.html`, '<!doctype html><title>console</title><script>document.title</script>')
  writeFileSync(`${web}/assets/index-AbCd1234.js`, 'export {}')
  return startHttpApp({ APPWARDEN_WEB: web })
}

test('logging out by GET needs the signature like any call', async () => {
  const other = new ConsoleClient(app.url)
  await other.signIn('admin@example.com', PASSWORD, CODE)
  expect((await other.call(logout, {}, { headers: { signature: undefined } })).status).toBe(400)
  expect((await other.call(userGroup)).status).toBe(200)
  expect((await other.signOut()).body['code']).toBe(0)
})

test('off loopback the server speaks TLS: strict transport, secure cookies', async () => {
  const own = await startHttpApp({ HOST: '0.0.0.0', APPWARDEN_CAPTCHA_FIXED: '' })
  try {
    const target = own.url.replace('http:', 'https:') + verifyImage.path
    const { headers } = await new Promise<IncomingMessage>((answer, fail) =>
      get(target, { rejectUnauthorized: false }, (response) => answer(response.resume())).on('error', fail),
    )
    expect(headers['strict-transport-security']).toContain('max-age')
    expect(headers['set-cookie']?.[0]).toMatch(/^aw_pre=.*; Secure/)
  } finally {
    await own.close()
  }
})

test('off loopback TLS 1.2 is the oldest version that is accepted, and plain HTTP gets no answer of the product', async () => {
  const own = await startHttpApp({ HOST: '0.0.0.0', APPWARDEN_CAPTCHA_FIXED: '' })
  try {
    const { hostname: host, port } = new URL(own.url)
    const versionOf = (maxVersion: SecureVersion) =>
      new Promise<string | null>((answer, fail) => {
        // Level 0, so that it is the server that refuses.
        const options = {
          minVersion: 'TLSv1',
          maxVersion,
          ciphers: 'DEFAULT@SECLEVEL=0',
          rejectUnauthorized: false,
        } as const
        const socket = connect({ host, port: Number(port), ...options }, () => {
          answer(socket.getProtocol())
          socket.destroy()
        }).on('error', fail)
      })
    expect(await versionOf('TLSv1.3')).toBe('TLSv1.3')
    expect(await versionOf('TLSv1.2')).toBe('TLSv1.2')
    for (const old of ['TLSv1.1', 'TLSv1'] as const) await expect(versionOf(old)).rejects.toThrow(/protocol version/i)
    await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow()
  } finally {
    await own.close()
  }
})
