import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePass, userGroup } from '#contracts/http/accounts.ts'
import { alerts } from '#contracts/http/alerts.ts'
import { auditLog } from '#contracts/http/audit-log.ts'
import { readSettings, saveSettings } from '#contracts/http/settings.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { readConfig } from '#server/config.ts'
import { ensureFirstAdministrator, resetAdministrator } from '#server/modules/accounts/first-administrator.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  await app.addUser('changer@example.com', 'operator')
  admin = new ConsoleClient(app.url)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
})
afterAll(() => app.close())

test('[PASS-01] changing the password: each refusal has its text, success ends the session, five old ones are remembered', async () => {
  const client = new ConsoleClient(app.url)
  await client.signIn('changer@example.com', PASSWORD, CODE)
  const change = (old_password: string, new_password1: string, new_password2 = new_password1, language = 'en') =>
    client.call(
      changePass,
      { body: { old_password, new_password1, new_password2 } },
      { headers: { 'accept-language': language } },
    )
  const first = 'Meadow-Lantern-31'
  const texts: [Awaited<ReturnType<typeof change>>, string][] = [
    [await change('', first), 'Please enter the old password'],
    [await client.call(changePass, { body: {} }, { headers: { 'accept-language': 'zh' } }), '请输入旧密码'],
    [await change(PASSWORD, 'Meadow*Lantern31', undefined, 'zh'), '输入框禁止输入%或*号等符号'],
    [
      await change(PASSWORD, 'meadow'),
      '8 to 64 characters with at least three of uppercase, lowercase, digit and special, no spaces',
    ],
    [
      await change(PASSWORD, `Aa1-${'x'.repeat(100_000)}`),
      '8 to 64 characters with at least three of uppercase, lowercase, digit and special, no spaces',
    ],
    [await change(PASSWORD, PASSWORD), 'The old and new passwords cannot match'],
    [await change(PASSWORD, first, 'Meadow-Lantern-32'), 'Two different passwords!'],
    [await change('Granite-Harbour-99', first), 'The old password is wrong'],
    [await change(PASSWORD, 'Password-2026'), 'The password is too common'],
  ]
  for (const [reply, text] of texts) expect([reply.status, reply.body['codemsg']]).toEqual([200, text])
  expect((await client.call(userGroup)).status).toBe(200)

  expect((await change(PASSWORD, first)).body['code']).toBe(0)
  expect((await client.call(userGroup)).status).toBe(401)
  expect((await client.signIn('changer@example.com', PASSWORD, CODE)).body['key']).toBe('login.wrong')
  await client.signIn('changer@example.com', first, CODE)
  expect((await change(first, PASSWORD)).body['key']).toBe('password.reused')
  expect((await change(first, 'Orchard-Signal-48')).body['code']).toBe(0)
})

test('[PASS-01] of four parallel changes one wins; a change ends all sessions and access tokens of the account', async () => {
  await app.addUser('parallel@example.com', 'operator')
  const client = new ConsoleClient(app.url)
  await client.signIn('parallel@example.com', PASSWORD, CODE)
  const { token } = (await client.call(createAccessToken, { body: { name: 't', scopes: ['events.read'], days: 1 } }))
    .body as { token: string }
  const bearer = { authorization: `Bearer ${token}` }
  const readAlerts = () => new ConsoleClient(app.url).send('GET', alerts.path, '', bearer)
  expect((await readAlerts()).status).toBe(200)
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => {
      const next = `Meadow-Lantern-3${n}`
      return client.call(changePass, { body: { old_password: PASSWORD, new_password1: next, new_password2: next } })
    }),
  )
  expect(answers.filter(({ body }) => body['code'] === 0)).toHaveLength(1)
  expect((await readAlerts()).status).toBe(401)
  expect((await client.call(userGroup)).status).toBe(401)
})

test('[PASS-01] wrong old passwords lock the account for that network like failed sign-ins', async () => {
  await app.addUser('guessed@example.com', 'operator')
  const client = new ConsoleClient(app.url)
  await client.signIn('guessed@example.com', PASSWORD, CODE)
  const guess = (old_password: string) =>
    client.call(changePass, {
      body: { old_password, new_password1: 'Meadow-Lantern-31', new_password2: 'Meadow-Lantern-31' },
    })
  const keys = (await Promise.all(Array.from({ length: 30 }, () => guess('Granite-Harbour-99')))).map(
    ({ body }) => body['key'],
  )
  expect(keys.filter((key) => key === 'password.old_wrong').length).toBeLessThanOrEqual(5)
  expect((await guess(PASSWORD)).body['key']).toBe('login.locked')
  await app.meta.db.deleteFrom('login_failures').execute()
})

test('[RET-01] settings keep six months at least, zones exist, and one change leaves the others', async () => {
  const save = (body: object) => admin.call(saveSettings, { body })
  for (const name of ['log_days', 'event_days']) expect((await save({ [name]: 183 })).body['code']).toBe(500001)
  expect((await save({ zone: 'Mars/Olympus' })).body['code']).toBe(500001)
  expect((await save({ nosuch: 1 })).body['code']).toBe(500001)
  expect((await save({ log_days: 400 })).body).toMatchObject({ code: 0, data: { log_days: 400 } })
  expect((await save({ zone: 'Europe/Berlin' })).body).toMatchObject({
    code: 0,
    data: { zone: 'Europe/Berlin', log_days: 400 },
  })
  // The user who saved sees it with the next request.
  expect((await admin.call(readSettings)).body['data']).toMatchObject({
    zone: 'Europe/Berlin',
    log_days: 400,
    event_days: 184,
  })
})

test('the audit trail records every change and every refusal, and no password', async () => {
  const entries = (await admin.call(auditLog, { query: { limit: 200 } })).body as unknown as {
    data: { action: string; result: string; account: string; target: string }[]
  }
  expect(entries.data.find(({ action, result }) => action === 'saveSettings' && result === 'ok')?.target).toContain(
    'zone',
  )
  expect(entries.data.some(({ action, result }) => action === 'changePass' && result === 'password.common')).toBe(true)
  expect(JSON.stringify(entries)).not.toContain(PASSWORD)
  const found = (await admin.call(auditLog, { query: { search: 'changer@' } })).body as unknown as typeof entries
  expect(found.data.every(({ account }) => account === 'changer@example.com')).toBe(true)
  const page = (await admin.call(auditLog, { query: { limit: 2 } })).body as {
    next_cursor: number
    data: { id: number }[]
  }
  expect(page.next_cursor).toBe(page.data[1]?.id)
})

test('the first administrator: a generated password is shown once, must be changed, and stops after a day', async () => {
  const { meta, clock } = app
  const now = () => Date.now() + clock.offset
  const config = { ...app.config, adminEmail: 'first@example.com' }
  await expect(ensureFirstAdministrator({ config: { ...config, adminPassword: 'short' }, meta, now })).rejects.toThrow(
    /APPWARDEN_ADMIN_PASSWORD/,
  )
  const made = await ensureFirstAdministrator({ config, meta, now })
  expect(made.password).toMatch(/^[\w-]{19}$/)
  expect(await ensureFirstAdministrator({ config, meta, now })).toEqual({ email: 'first@example.com' })
  const client = new ConsoleClient(app.url, now)
  const reply = await client.signIn('first@example.com', made.password as string, CODE)
  expect(reply.body).toEqual({ username: 'first@example.com', must_change_password: true })
  clock.offset = 24 * 3_600_000 + 1000
  expect((await client.signIn('first@example.com', made.password as string, CODE)).body['key']).toBe(
    'login.first_expired',
  )
  const reset = await resetAdministrator({ meta, now })
  expect((await client.signIn('first@example.com', reset.password, CODE)).body).toMatchObject({
    must_change_password: true,
  })
  clock.offset = 0
})

test('secrets: the same for every process with the key, unreadable without it, different by name', async () => {
  const open = (kek?: string) => openSecrets({ meta: app.meta, keyFolder: app.config.paths.keys, now: Date.now, kek })
  const secret = await open()
  expect(secret('session.jwt')).toEqual(app.deps.secret('session.jwt'))
  expect(secret('a')).not.toEqual(secret('b'))
  await expect(open('ab'.repeat(32))).rejects.toThrow(/key-encryption key/)
  await expect(open('short')).rejects.toThrow(/APPWARDEN_KEK/)
})

test('a fixed verification code is refused anywhere but on loopback', () => {
  expect(() => readConfig({ HOST: '0.0.0.0', APPWARDEN_CAPTCHA_FIXED: 'x' }, '1')).toThrow(/APPWARDEN_CAPTCHA_FIXED/)
  expect(() => readConfig({ APPWARDEN_TRUST_PROXY: '10.0.0.1', APPWARDEN_CAPTCHA_FIXED: 'x' }, '1')).toThrow(
    /APPWARDEN_CAPTCHA_FIXED/,
  )
})
