import { afterAll, beforeAll, expect, test } from 'vitest'
import { signin, userGroup } from '#contracts/http/accounts.ts'
import { applicationList } from '#contracts/http/applications.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import {
  accessTokens,
  createAccessToken,
  createDisplayToken,
  revokeAccessToken,
  revokeDisplayToken,
  wallSelf,
} from '#contracts/http/tokens.ts'
import { ALL_ITEMS } from '#contracts/permissions.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
beforeAll(async () => {
  app = await startHttpApp()
})
afterAll(() => app.close())

async function signedIn(
  username: string,
  role: string,
  more?: Parameters<HttpApp['addUser']>[2],
): Promise<ConsoleClient> {
  await app.addUser(username, role, more)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const plain = (endpoint: Endpoint, headers: Record<string, string>, body: unknown = {}) =>
  new ConsoleClient(app.url).send(
    endpoint.method,
    endpoint.path,
    endpoint.method === 'POST' ? JSON.stringify(body) : '',
    headers,
  )

test('no endpoint is reachable without a session', async () => {
  const stranger = new ConsoleClient(app.url)
  for (const endpoint of ENDPOINTS.values()) {
    if (endpoint.access === 'public') continue
    const reply = await stranger.call(endpoint)
    const code = endpoint.method === 'HEAD' ? undefined : 500111
    expect([endpoint.path, reply.status, reply.body['code']]).toEqual([endpoint.path, 401, code])
  }
})

test('a first password opens nothing but the way to change it', async () => {
  const client = await signedIn('fresh@example.com', 'administrator', { must_change_password: true })
  expect((await client.call(userGroup)).body).toMatchObject({ code: 0, data: { must_change_password: true } })
  expect(await client.call(applicationList)).toMatchObject({ status: 200, body: { code: 500210 } })
})

test('an account whose authorisation has expired keeps noEmpower alone', async () => {
  const client = await signedIn('expired@example.com', 'operator', { expires_at: Date.now() - 1000 })
  expect((await client.call(userGroup)).body).toMatchObject({ data: { auth_list: ['noEmpower'], expire_day: 0 } })
  expect((await client.call(accessTokens)).body['code']).toBe(500018)
})

test('access tokens: natural statuses, scopes within the rights of the owner, revoked at once, expired in time', async () => {
  const owner = await signedIn('owner@example.com', 'operator')
  const make = (scopes: string[]) => owner.call(createAccessToken, { body: { name: 'ci', scopes, days: 1 } })
  expect((await make(['events.read', 'platform.settings'])).body).toMatchObject({
    code: 500018,
    codemsg: '没有权限：platform.settings',
  })
  const made = await make(['application.create', 'log.view'])
  expect(made.body['code']).toBe(500018)
  const { token, data } = (await make(['application.create', 'token.create'])).body as {
    token: string
    data: { id: string; hint: string }
  }
  expect(token).toMatch(/^aw_at_[\w-]{43}$/)
  expect(JSON.stringify((await owner.call(accessTokens)).body)).not.toContain(token)

  expect((await plain(applicationList, bearer(token))).status).toBe(200)
  const create = ENDPOINTS.get('createApplication') as Endpoint
  expect(await plain(create, bearer(token), { name: ' ', mimetype_list: [1] })).toMatchObject({
    status: 422,
    body: { code: 500301 },
  })
  expect((await plain(create, bearer(token), { name: 'CI', mimetype_list: [1] })).body['code']).toBe(0)
  expect(await plain(ENDPOINTS.get('auditLog') as Endpoint, bearer(token))).toMatchObject({
    status: 403,
    body: { code: 500018 },
  })
  // A token makes no tokens, and opens no wall.
  expect((await plain(createAccessToken, bearer(token), { name: 'x', scopes: ['events.read'], days: 1 })).status).toBe(
    403,
  )
  expect((await plain(wallSelf, bearer(token))).status).toBe(403)
  for (const bad of ['', 'Bearer', `Bearer aw_at_${'A'.repeat(43)}`, `Basic ${token}`, `Bearer ${token}x`])
    expect((await plain(applicationList, { authorization: bad || 'x' })).status).toBe(401)

  await app.meta.db
    .updateTable('users')
    .set({ role: 'multi_channel' })
    .where('username', '=', 'owner@example.com')
    .execute()
  expect((await plain(create, bearer(token), { name: 'CI', mimetype_list: [1] })).status).toBe(403)
  await app.meta.db.updateTable('users').set({ role: 'operator' }).where('username', '=', 'owner@example.com').execute()

  expect((await owner.call(revokeAccessToken, { body: { id: data.id } })).body['code']).toBe(0)
  expect((await plain(applicationList, bearer(token))).status).toBe(401)
  expect((await owner.call(revokeAccessToken, { body: { id: data.id } })).body['code']).toBe(500002)

  const second = (await make(['events.read'])).body['token'] as string
  app.clock.offset = 86_400_000 + 1000
  expect((await plain(applicationList, bearer(second))).status).toBe(401)
  app.clock.offset = 0
})

test('display tokens open what walls need and nothing else, and say when they are revoked', async () => {
  const maker = await signedIn('maker@example.com', 'administrator')
  const made = (await maker.call(createDisplayToken, { body: { name: 'Lobby' } })).body as {
    token: string
    data: { id: string }
  }
  const headers = bearer(made.token)
  expect((await plain(wallSelf, headers)).body).toMatchObject({ code: 0, data: { name: 'Lobby', views: [] } })
  for (const [name, endpoint] of ENDPOINTS) {
    if (endpoint.access === 'public') continue
    const reply = await plain(endpoint, headers)
    expect([name, reply.status === 403]).toEqual([name, endpoint.tokens?.display !== true])
  }
  expect((await maker.call(userGroup)).status).toBe(200)
  const revoked: unknown[] = []
  const stop = await app.meta.listen('aw_revoked', (payload) => revoked.push(payload))
  await maker.call(revokeDisplayToken, { body: { id: made.data.id } })
  expect(await plain(wallSelf, headers)).toMatchObject({ status: 401, body: { code: 500502 } })
  await expect.poll(() => revoked).toEqual([{ kind: 'display', id: made.data.id, reason: 'revoked' }])
  stop()
})

test('metrics.read opens /metrics from anywhere', async () => {
  const owner = await signedIn('metrics@example.com', 'administrator')
  const token = async (scopes: string[]) =>
    (await owner.call(createAccessToken, { body: { name: 'm', scopes, days: 1 } })).body['token'] as string
  const proxied = { 'x-forwarded-for': '203.0.113.5' }
  const get = (text: string) => new ConsoleClient(app.url).send('GET', '/metrics', '', { ...proxied, ...bearer(text) })
  expect((await get(await token(['metrics.read']))).status).toBe(200)
  expect((await get(await token(['events.read']))).status).toBe(403)
})

test('a refused permission is recorded in the audit trail, and scopes that exist are the permission items', async () => {
  const client = await signedIn('curious@example.com', 'multi_channel')
  await client.call(ENDPOINTS.get('readSettings') as Endpoint)
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('account', '=', 'curious@example.com')
    .where('action', '=', 'readSettings')
    .executeTakeFirst()
  expect(entry).toMatchObject({ result: 'permission.missing', role: 'multi_channel' })
  expect(ALL_ITEMS).toContain('metrics.read')
})

test('signin stays open to a browser that still holds another session', async () => {
  const client = await signedIn('again@example.com', 'operator')
  expect((await client.signIn('again@example.com', PASSWORD, CODE)).body['username']).toBe('again@example.com')
  expect(signin.access).toBe('public')
})
