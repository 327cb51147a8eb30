import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { logout, signin, userGroup, verifyImage } from '#contracts/http/accounts.ts'
import { liveTicket } from '#contracts/http/observatory.ts'
import { signinSecondFactor } from '#contracts/http/second-factor.ts'
import { readSettings, saveSettings } from '#contracts/http/settings.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { exportUsers } from '#contracts/http/users.ts'
import { runAdmin } from '#server/processes/admin/operations.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const INSIDE = '198.51.100.7'
const OUTSIDE = '203.0.113.7'
let app: HttpApp
let admin: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp({ APPWARDEN_CAPTCHA_FIXED: '', APPWARDEN_TRUST_PROXY: '127.0.0.1' })
  await app.addUser('admin@example.com', 'administrator')
  admin = new ConsoleClient(app.url)
  await signIn(admin, INSIDE)
  await admin.boot(from(INSIDE))
})
afterAll(() => app.close())
beforeEach(async () => {
  await set([])
  await app.meta.db.deleteFrom('login_failures').execute()
})

const from = (address: string) => ({ headers: { 'accept-language': 'en', 'x-forwarded-for': address } })
/** As the command line does, from no address. */
async function set(list: readonly string[]): Promise<void> {
  const options = { name: 'console_addresses', value: JSON.stringify(list) }
  await runAdmin(app.deps, { command: 'settings.set', options })
  await app.deps.refreshSettings()
}
async function signIn(client: ConsoleClient, address: string, password = PASSWORD) {
  await app.meta.db.deleteFrom('verify_codes').execute()
  await client.call(verifyImage)
  const { answer } = await app.meta.db.selectFrom('verify_codes').select('answer').executeTakeFirstOrThrow()
  const body = { username: 'admin@example.com', password, verify_code: answer }
  return (await client.call(signin, { body }, from(address))).body
}
const save = async (list: readonly string[], address = INSIDE) =>
  (await admin.call(saveSettings, { body: { console_addresses: list } }, from(address))).body

test('[LOGIN-02] a sign-in from an address that is not listed is refused before the password is looked at, and audited', async () => {
  await set(['198.51.100.0/24', '2001:db8::/32'])
  const refused = { key: 'login.address', codemsg: expect.stringContaining(OUTSIDE) }
  for (const password of [PASSWORD, 'wrong'])
    expect(await signIn(new ConsoleClient(app.url), OUTSIDE, password)).toMatchObject(refused)
  const step = { body: { step: 'x', code: '123456' } }
  expect((await new ConsoleClient(app.url).call(signinSecondFactor, step, from(OUTSIDE))).body).toMatchObject(refused)
  expect(await app.meta.db.selectFrom('login_failures').selectAll().execute()).toEqual([])
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .select(['account', 'address', 'result'])
    .where('result', '=', 'login.address')
    .executeTakeFirst()
  expect(entry).toEqual({ account: 'admin@example.com', address: OUTSIDE, result: 'login.address' })
  for (const address of [INSIDE, '2001:db8:1::5'])
    expect(await signIn(admin, address)).toMatchObject({ username: 'admin@example.com' })
  await admin.boot(from(INSIDE))
})

test('[LOGIN-03] a session that is used from another address is refused for every kind of request, and goes on from a listed one', async () => {
  await set([INSIDE])
  const outside = await admin.call(userGroup, {}, from(OUTSIDE))
  expect([outside.status, outside.body['key']]).toEqual([401, 'session.address'])
  expect((await admin.call(liveTicket, {}, from(OUTSIDE))).body['key']).toBe('session.address')
  expect((await admin.call(exportUsers, {}, from(OUTSIDE))).body['key']).toBe('session.address')
  expect((await admin.call(logout, {}, from(OUTSIDE))).body['key']).toBe('session.address')
  expect((await admin.whoAmI(from(OUTSIDE))).body).toMatchObject({ key: 'login.not_logged_in' })
  await signIn(admin, INSIDE)
  await admin.boot(from(INSIDE))
  expect((await admin.call(userGroup, {}, from(INSIDE))).status).toBe(200)
  // Only a trusted proxy may say where a request comes from: the last hop that none added counts.
  expect((await admin.call(userGroup, {}, from(`${INSIDE}, ${OUTSIDE}`))).status).toBe(401)
})

test('an administrator cannot lock themselves out: a list without the own address is refused by name, one with it is saved and audited', async () => {
  const refused = { key: 'settings.own_address', codemsg: expect.stringContaining(INSIDE), field: 'console_addresses' }
  expect(await save(['10.0.0.0/8'])).toMatchObject(refused)
  expect(await save(['10.0.0.0/8', 'somewhere'])).toMatchObject({ key: 'input.invalid' })
  expect(await save(['10.0.0.0/8', '198.51.100.0/24'])).toMatchObject({ code: 0 })
  const { detail } = await app.meta.db
    .selectFrom('audit_log')
    .select('changes as detail')
    .where('action', '=', 'saveSettings')
    .where('result', '=', 'ok')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(detail)).toContain('198.51.100.0/24')
  expect(await save([])).toMatchObject({ code: 0 })
})

test('access tokens and the collector do not depend on the list', async () => {
  const body = { name: 'script', scopes: ['platform.settings'], days: 1 }
  const { token } = (await admin.call(createAccessToken, { body }, from(INSIDE))).body as { token: string }
  await set([INSIDE])
  const headers = { ...from(OUTSIDE).headers, authorization: `Bearer ${token}` }
  expect((await new ConsoleClient(app.url).send('GET', readSettings.path, '', headers)).status).toBe(200)
})

test('the command line shows settings and changes one, whatever the list says', async () => {
  await set([INSIDE])
  const run = (command: 'settings.show' | 'settings.set', options: Record<string, string>) =>
    runAdmin(app.deps, { command, options })
  expect(await run('settings.show', { name: 'console_addresses' })).toEqual({
    lines: [`console_addresses ["${INSIDE}"]`],
  })
  expect((await run('settings.show', {})).lines.length).toBeGreaterThan(10)
  expect(await run('settings.set', { name: 'idle_minutes', value: '45' })).toEqual({ lines: ['idle_minutes 45'] })
  expect(await run('settings.set', { name: 'zone', value: 'Europe/Berlin' })).toEqual({
    lines: ['zone "Europe/Berlin"'],
  })
  await expect(run('settings.set', { name: 'idle_minutes', value: '1' })).rejects.toThrow('idle_minutes')
  await expect(run('settings.set', { name: 'nothing', value: '1' })).rejects.toThrow('no setting nothing')
  await expect(run('settings.set', { name: 'toString', value: '1' })).rejects.toThrow('no setting toString')
  await set([])
  expect((await admin.call(userGroup, {}, from(OUTSIDE))).status).toBe(200)
})
