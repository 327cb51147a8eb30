import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { logout, pTags, userGroup } from '#contracts/http/accounts.ts'
import { beginOidc, finishOidc, type OidcChange, oidcSettings, saveOidc, testOidc } from '#contracts/http/oidc.ts'
import { beginSecondFactor, confirmSecondFactor, signinSecondFactor } from '#contracts/http/second-factor.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { resetUser, type User, users } from '#contracts/http/users.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import {
  CLIENT,
  type IdentityProvider,
  signInAtProvider,
  startIdentityProvider,
} from '#tests/support/identity-provider.ts'

const CONSOLE = 'http://127.0.0.1:1'
let app: HttpApp
let provider: IdentityProvider
let admin: ConsoleClient
let settings: OidcChange
const english = { headers: { 'accept-language': 'en' } }
const now = () => Date.now() + app.clock.offset

beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  admin = new ConsoleClient(app.url, now)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
  provider = await startIdentityProvider(CONSOLE, {
    ann: { email: 'ann@example.com', email_verified: true, groups: ['staff', 'operators'] },
    bob: { email: 'bob@example.com', groups: ['staff'] },
    cleo: { email: 'cleo@example.com', groups: ['operators'] },
    dora: { email: 'dora@example.com', groups: ['operators'] },
    fake: { email: 'admin@example.com', email_verified: true, groups: ['operators'] },
    unverified: { email: 'new@example.com', email_verified: false, groups: ['operators'] },
  })
  settings = {
    enabled: true,
    label: 'Example ID',
    issuer: provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    console_url: CONSOLE,
    scopes: 'openid email groups',
    groups_claim: 'groups',
    strong_values: ['mfa'],
    ca: '',
    roles: [{ group: 'operators', role: 'operator' }],
  }
})
afterAll(async () => {
  await app.close()
  await provider.close()
})
beforeEach(async () => {
  provider.tamper = undefined
  provider.isAway = false
  provider.isForged = false
  app.clock.offset = 0
  await save()
})

const call = async (endpoint: Parameters<ConsoleClient['call']>[0], body: unknown) =>
  (await admin.call(endpoint, { body }, english)).body
async function save(change: Partial<OidcChange> = {}): Promise<Record<string, unknown>> {
  return call(saveOidc, { ...settings, ...change })
}
async function begin(client: ConsoleClient): Promise<string> {
  const { body } = await client.call(beginOidc, { body: {} }, english)
  expect(body).toMatchObject({ code: 0 })
  return body['url'] as string
}
const finish = async (client: ConsoleClient, returned: URL) =>
  (await client.call(finishOidc, { body: { answer: returned.search.slice(1) } }, english)).body
async function signIn(login: string, form: Record<string, string> = {}) {
  const client = new ConsoleClient(app.url, now)
  const body = await finish(client, await signInAtProvider(await begin(client), login, form))
  if (body['code'] === undefined) await client.boot()
  return { client, body }
}
async function find(search: string): Promise<User> {
  const { data } = (await admin.call(users, { query: { search } })).body as { data: User[] }
  return data[0] as User
}

test('[LOGIN-02] [USER-01] a sign-in with the provider makes an account with its origin, bound to issuer and subject', async () => {
  expect(((await admin.call(pTags)).body['data'] as { oidc: unknown }).oidc).toEqual({ label: 'Example ID' })
  const { client, body } = await signIn('ann')
  expect(body).toEqual({ username: 'ann@example.com', must_change_password: false })
  expect((await client.call(userGroup)).body).toMatchObject({ role: 'operator', origin: 'oidc' })
  const account = await find('ann@')
  expect(account).toMatchObject({ origin: 'oidc', state: 'active' })
  provider.people['ann'] = { email: 'anna@example.com', groups: ['operators'] }
  expect((await signIn('ann')).body).toMatchObject({ username: 'ann@example.com' })
  provider.people['ann'] = { email: 'ann@example.com', groups: ['operators'] }
  expect(await call(resetUser, { id: account.id })).toMatchObject({ key: 'user.external' })
  expect(await app.meta.db.selectFrom('external_identities').select(['issuer', 'subject']).execute()).toEqual([
    { issuer: provider.issuer, subject: 'ann' },
  ])
})

test('the authorization request has PKCE, state and nonce, each new; the cookie that binds it is HttpOnly and SameSite=Strict', async () => {
  const client = new ConsoleClient(app.url)
  const answer = await client.call(beginOidc, { body: {} })
  const one = new URL(answer.body['url'] as string).searchParams
  const two = new URL(await begin(client)).searchParams
  expect(Object.fromEntries(one)).toMatchObject({
    response_type: 'code',
    client_id: CLIENT.id,
    redirect_uri: `${CONSOLE}/auth-redirect`,
    code_challenge_method: 'S256',
    scope: 'openid email groups',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(one.get(name)).toMatch(/^[\w-]{43}$/)
    expect(one.get(name)).not.toBe(two.get(name))
  }
  expect(answer.headers.getSetCookie()[0]).toMatch(/^aw_oidc=[\w-]{43};.*HttpOnly.*SameSite=Strict/)
})

test('a wrong state, another browser, an answer that is used twice and one that is late are refused', async () => {
  const refused = { key: 'login.oidc_state' }
  const client = new ConsoleClient(app.url, now)
  const returned = await signInAtProvider(await begin(client), 'ann')
  const wrong = new URL(returned)
  wrong.searchParams.set('state', 'x'.repeat(43))
  expect(await finish(client, wrong)).toMatchObject(refused)
  expect(await finish(client, returned)).toMatchObject({ username: 'ann@example.com' })
  expect(await finish(client, returned)).toMatchObject(refused)
  const mine = await signInAtProvider(await begin(client), 'ann')
  const other = new ConsoleClient(app.url, now)
  await begin(other)
  expect(await finish(other, mine)).toMatchObject(refused)
  const late = await signInAtProvider(await begin(client), 'ann')
  app.clock.offset = 601_000
  expect(await finish(client, late)).toMatchObject(refused)
})

test('a code that was redeemed before, or belongs to another sign-in, is refused by the provider and by PKCE', async () => {
  const client = new ConsoleClient(app.url, now)
  const first = await signInAtProvider(await begin(client), 'ann')
  expect(await finish(client, first)).toMatchObject({ username: 'ann@example.com' })
  const url = await begin(client)
  const replayed = new URL(first)
  replayed.searchParams.set('state', new URL(url).searchParams.get('state') as string)
  expect(await finish(client, replayed)).toMatchObject({ key: 'login.oidc_invalid' })
  const stolen = await signInAtProvider(await begin(new ConsoleClient(app.url, now)), 'ann')
  stolen.searchParams.set('state', new URL(await begin(client)).searchParams.get('state') as string)
  expect(await finish(client, stolen)).toMatchObject({ key: 'login.oidc_invalid' })
})

test('an ID token with a wrong nonce, issuer, audience, time or signature opens nothing; a clock half a minute off does', async () => {
  const at = Math.floor(Date.now() / 1000)
  for (const [what, change] of Object.entries({
    nonce: { nonce: 'another' },
    issuer: { iss: 'https://evil.example.com' },
    audience: { aud: 'another' },
    expired: { exp: at - 120, iat: at - 600 },
    future: { nbf: at + 600 },
    subject: { sub: '' },
  })) {
    provider.tamper = (claims) => ({ ...claims, ...change })
    expect((await signIn('ann')).body, what).toMatchObject({ key: 'login.oidc_invalid' })
  }
  provider.tamper = (claims) => claims
  provider.isForged = true
  expect((await signIn('ann')).body).toMatchObject({ key: 'login.oidc_invalid' })
  provider.isForged = false
  provider.tamper = (claims) => ({ ...claims, exp: at - 10 })
  expect((await signIn('ann')).body).toMatchObject({ username: 'ann@example.com' })
  const client = new ConsoleClient(app.url, now)
  const returned = await signInAtProvider(await begin(client), 'ann')
  returned.searchParams.set('iss', 'https://evil.example.com')
  expect(await finish(client, returned)).toMatchObject({ key: 'login.oidc_invalid' })
})

test('somebody without a mapped group, an unverified e-mail address and a refusal of the provider make no account', async () => {
  expect((await signIn('bob')).body).toMatchObject({ key: 'login.no_role' })
  expect((await signIn('unverified')).body).toMatchObject({ key: 'login.oidc_email' })
  expect((await signIn('refuse')).body).toMatchObject({
    key: 'login.oidc_refused',
    codemsg: expect.stringContaining('access_denied'),
  })
  expect([await find('bob@'), await find('new@')]).toEqual([undefined, undefined])
  // The role is that of the groups at each sign-in.
  expect((await signIn('dora')).body).toMatchObject({ username: 'dora@example.com' })
  provider.people['dora'] = { email: 'dora@example.com', groups: [] }
  expect((await signIn('dora')).body).toMatchObject({ key: 'login.no_role' })
})

test('an e-mail address that a local account has gives the provider no way into that account', async () => {
  expect((await signIn('fake')).body).toMatchObject({ key: 'login.name_taken' })
  const rows = await app.meta.db
    .selectFrom('users')
    .select('origin')
    .where('username', '=', 'admin@example.com')
    .execute()
  expect(rows).toEqual([{ origin: 'local' }])
  const form = { username: 'ann@example.com', password: '' }
  expect((await new ConsoleClient(app.url).signIn(form.username, PASSWORD, CODE)).body).toMatchObject({
    key: 'login.wrong',
  })
})

test('a provider that is away: who signs in with it reads that, local accounts sign in', async () => {
  const client = new ConsoleClient(app.url, now)
  const returned = await signInAtProvider(await begin(client), 'ann')
  provider.isAway = true
  expect(await finish(client, returned)).toMatchObject({ key: 'login.oidc_away' })
  expect(await call(testOidc, settings)).toMatchObject({ data: { ok: false } })
  await save({ issuer: 'http://127.0.0.1:1' })
  expect((await client.call(beginOidc, { body: {} })).body).toMatchObject({ key: 'login.oidc_away' })
  expect((await admin.signIn('admin@example.com', PASSWORD, CODE)).body).toMatchObject({
    username: 'admin@example.com',
  })
  await save({ enabled: false })
  expect((await client.call(beginOidc, { body: {} })).body).toMatchObject({ key: 'login.oidc_off' })
  expect(((await admin.call(pTags)).body['data'] as { oidc: unknown }).oidc).toBeNull()
})

test('[LOGIN-02] a second factor that a role must have is the own one, unless the provider says that it asked for one', async () => {
  await call(saveSettings, { second_factor_roles: ['operator'] })
  const strong = await signIn('cleo', { mfa: 'on' })
  expect((await strong.client.call(userGroup)).body).toMatchObject({ must_enrol: false })
  expect((await strong.client.call(users)).body).toMatchObject({ key: 'permission.missing' })
  const { client } = await signIn('cleo')
  expect((await client.call(userGroup)).body).toMatchObject({ must_enrol: true })
  expect((await client.call(users)).body).toMatchObject({ key: 'login.must_enrol' })
  const { secret } = (await client.call(beginSecondFactor, { body: { password: '' } })).body['data'] as {
    secret: string
  }
  const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  expect((await client.call(confirmSecondFactor, { body: { code: codeAt(now()) } })).body).toMatchObject({ code: 0 })
  app.clock.offset = 60_000
  const second = await signIn('cleo')
  expect(second.body).toMatchObject({ key: 'login.second_factor', username: 'cleo@example.com' })
  const body = { step: second.body['step'], code: codeAt(now()) }
  expect((await second.client.call(signinSecondFactor, { body })).body).toMatchObject({ username: 'cleo@example.com' })
  expect((await signIn('cleo', { mfa: 'on' })).body).toMatchObject({ username: 'cleo@example.com' })
  // What has no password asks for a fresh sign-in instead.
  const old = await signIn('cleo', { mfa: 'on' })
  app.clock.offset = 700_000
  await old.client.boot()
  expect((await old.client.call(beginSecondFactor, { body: { password: '' } }, english)).body).toMatchObject({
    key: 'login.again',
  })
  app.clock.offset = 0
  await call(saveSettings, { second_factor_roles: [] })
})

test('[LOGIN-05] signing out goes on to the provider with the ID token of the session; a local account stays here', async () => {
  const { client } = await signIn('ann')
  const stored = await app.meta.db.selectFrom('sessions').select('id_token').where('id_token', '!=', '').execute()
  expect(stored.every(({ id_token }) => !/(?:^|\.)eyJ/.test(id_token))).toBe(true)
  const url = new URL((await client.call(logout)).body['redirect'] as string)
  expect(url.origin).toBe(provider.issuer)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${CONSOLE}/login`)
  expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  const local = new ConsoleClient(app.url, now)
  await app.addUser('local@example.com', 'operator')
  await local.signIn('local@example.com', PASSWORD, CODE)
  expect((await local.call(logout)).body).not.toHaveProperty('redirect')
})

test('the client secret is never answered nor logged, encrypted at rest, and not sent to another provider unless entered again', async () => {
  const answer = await admin.call(oidcSettings)
  expect(answer.body).toMatchObject({ data: { secret_set: true, client_id: CLIENT.id } })
  const stored = await app.meta.db.selectFrom('settings').selectAll().execute()
  const logged = await app.meta.db.selectFrom('audit_log').selectAll().execute()
  for (const text of [answer.text, JSON.stringify(stored), JSON.stringify(logged)])
    expect(text).not.toContain(CLIENT.secret)
  const kept = { client_secret: undefined }
  expect(await save(kept)).toMatchObject({ code: 0, data: { secret_set: true } })
  for (const moved of [{ issuer: 'https://evil.example.com' }, { client_id: 'other' }]) {
    expect(await save({ ...kept, ...moved })).toMatchObject({ key: 'source.secret_again' })
    expect(await call(testOidc, { ...settings, ...kept, ...moved })).toMatchObject({ key: 'source.secret_again' })
  }
  expect(await call(testOidc, settings)).toMatchObject({
    data: { ok: true, lines: expect.arrayContaining([`issuer: ${provider.issuer}`]) },
  })
  for (const bad of [
    { issuer: 'http://id.example.com' },
    { console_url: 'http://console.example.com' },
    { console_url: 'https://console.example.com/path' },
    { console_url: 'https://console.example.com:99999' },
    { issuer: 'https://256.1.1.1/realm' },
    { issuer: 'https://user@id.example.com' },
    { issuer: '' },
    { client_id: '' },
    { scopes: 'email' },
    { ca: 'no certificate' },
  ])
    expect(await save(bad), JSON.stringify(bad)).toMatchObject({ key: 'input.invalid' })
  // Metadata services of clouds are never asked.
  expect(await call(testOidc, { ...settings, issuer: 'https://169.254.169.254' })).toMatchObject({
    data: { ok: false },
  })
})
