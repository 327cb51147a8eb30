import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PROOF_HEADER, signin, userGroup, verifyImage } from '#contracts/http/accounts.ts'
import {
  beginSecondFactor,
  CODE_SECONDS,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorState,
  signinSecondFactor,
} from '#contracts/http/second-factor.ts'
import { readSettings, saveSettings } from '#contracts/http/settings.ts'
import { accessTokens, createAccessToken } from '#contracts/http/tokens.ts'
import { type Challenge, proofText, solveChallenge } from '#domain/proof-of-work.ts'
import { resetAdministrator } from '#server/modules/accounts/first-administrator.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient
const now = () => Date.now() + app.clock.offset
const clientOf = () => new ConsoleClient(app.url, now)

beforeAll(async () => {
  app = await startHttpApp({ APPWARDEN_CAPTCHA_FIXED: '', APPWARDEN_TRUST_PROXY: '127.0.0.1' })
  await app.addUser('admin@example.com', 'administrator')
  admin = clientOf()
  await signIn(admin, 'admin@example.com')
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.offset = 0
  await app.meta.db.deleteFrom('login_failures').execute()
})

/** What an authenticator app shows for a secret. */
const codeOf = (secret: string, at = now()) =>
  new TOTP({ secret: Secret.fromBase32(secret), period: CODE_SECONDS }).generate({ timestamp: at })

/** Password and verification code, with the proof of work where one is asked. */
async function firstStep(client: ConsoleClient, username: string, address = '203.0.113.1') {
  const { db } = app.meta
  let proof: string | undefined
  for (;;) {
    await db.deleteFrom('verify_codes').execute()
    await client.call(verifyImage)
    const { answer } = await db.selectFrom('verify_codes').select('answer').executeTakeFirstOrThrow()
    const headers = { 'accept-language': 'en', 'x-forwarded-for': address, [PROOF_HEADER]: proof }
    const body = { username, password: PASSWORD, verify_code: answer }
    const reply = (await client.call(signin, { body }, { headers })).body
    if (reply['key'] !== 'login.proof') return reply as { key?: string; step: string; recovery_left: number }
    const challenge = reply['challenge'] as Challenge
    proof = proofText(challenge, solveChallenge(challenge))
  }
}
async function signIn(client: ConsoleClient, username: string): Promise<void> {
  expect(await firstStep(client, username)).toMatchObject({ username })
  await client.boot()
}
async function secondStep(client: ConsoleClient, step: string, code: string, address = '203.0.113.1') {
  const headers = { 'accept-language': 'en', 'x-forwarded-for': address }
  return (await client.call(signinSecondFactor, { body: { step, code } }, { headers })).body
}
/** An account that has set up its second factor, signed in. */
async function enrolled(username: string, role = 'operator') {
  const id = await app.addUser(username, role)
  const client = clientOf()
  await signIn(client, username)
  const begun = (await client.call(beginSecondFactor, { body: { password: PASSWORD } })).body as {
    data: { secret: string; uri: string }
  }
  const { secret, uri } = begun.data
  const confirmed = (await client.call(confirmSecondFactor, { body: { code: codeOf(secret) } })).body
  expect(confirmed['code']).toBe(0)
  return { id, client, secret, uri, recovery: confirmed['recovery_codes'] as string[] }
}

describe('[LOGIN-02] second factor', () => {
  test('it is in use after the first code; then the password alone opens no session, and the code ends the sign-in', async () => {
    const { secret, uri, recovery } = await enrolled('one@example.com')
    expect(uri).toMatch(
      /^otpauth:\/\/totp\/AppWarden:one%40example\.com\?issuer=AppWarden&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
    )
    expect(new Set(recovery).size).toBe(10)
    const client = clientOf()
    const first = await firstStep(client, 'one@example.com')
    expect(first).toMatchObject({ key: 'login.second_factor', recovery_left: 10 })
    expect((await client.call(userGroup)).status).toBe(401)
    app.clock.offset = 60_000
    expect(await secondStep(client, first.step, codeOf(secret))).toEqual({
      username: 'one@example.com',
      must_change_password: false,
    })
    expect(await secondStep(client, first.step, codeOf(secret))).toMatchObject({ key: 'login.second_expired' })
  })

  test('a code is taken once, and only within one step of the clock; parallel requests with it open one session', async () => {
    const { secret } = await enrolled('two@example.com')
    const used = await firstStep(clientOf(), 'two@example.com')
    // The code that confirmed the set-up.
    expect(await secondStep(clientOf(), used.step, codeOf(secret))).toMatchObject({ key: 'login.second_wrong' })
    app.clock.offset = 120_000
    const steps: { step: string }[] = []
    for (const address of ['203.0.113.1', '203.0.114.1', '203.0.115.1'])
      steps.push(await firstStep(clientOf(), 'two@example.com', address))
    const late = codeOf(secret, now() - 90_000)
    expect(await secondStep(clientOf(), steps[0]?.step ?? '', late)).toMatchObject({ key: 'login.second_wrong' })
    const answers = await Promise.all(
      steps.map(({ step }, at) => secondStep(clientOf(), step, codeOf(secret), `203.0.11${3 + at}.1`)),
    )
    expect(answers.filter((one) => one['username'] === 'two@example.com')).toHaveLength(1)
  })

  test('guessing: a step takes five codes of its own address, and wrong codes lock like wrong passwords, also between right ones', async () => {
    await enrolled('three@example.com')
    app.clock.offset = 60_000
    const { step } = await firstStep(clientOf(), 'three@example.com')
    expect(await secondStep(clientOf(), step, '000000', '198.51.100.1')).toMatchObject({ key: 'login.second_expired' })
    for (let round = 0; round < 4; round++)
      expect(await secondStep(clientOf(), step, '12345')).toMatchObject({ key: 'login.second_wrong' })
    // The right password in between does not clear the count.
    const again = await firstStep(clientOf(), 'three@example.com')
    expect(again.key).toBe('login.second_factor')
    expect(await secondStep(clientOf(), again.step, '12345')).toMatchObject({ key: 'login.second_wrong' })
    expect(await secondStep(clientOf(), again.step, '12345')).toMatchObject({ key: 'login.locked' })
    expect((await firstStep(clientOf(), 'three@example.com')).key).toBe('login.locked')
    await app.meta.db.deleteFrom('login_failures').execute()
    const third = await firstStep(clientOf(), 'three@example.com')
    app.clock.offset += 300_001
    expect(await secondStep(clientOf(), third.step, '123456')).toMatchObject({ key: 'login.second_expired' })
  })

  test('a recovery code works once, however it is written; new ones void the old', async () => {
    const { client, recovery } = await enrolled('four@example.com')
    const begin = () => firstStep(clientOf(), 'four@example.com')
    const typed = (recovery[0] as string).toLowerCase().replace('-', ' ')
    expect(await secondStep(clientOf(), (await begin()).step, typed)).toMatchObject({ username: 'four@example.com' })
    const next = await begin()
    expect(next.recovery_left).toBe(9)
    expect(await secondStep(clientOf(), next.step, typed)).toMatchObject({ key: 'login.second_wrong' })
    // The sign-in above replaced the session of `client`.
    const again = clientOf()
    expect(await secondStep(again, next.step, recovery[1] as string)).toMatchObject({ username: 'four@example.com' })
    void client
    const rows = await app.meta.db.selectFrom('recovery_codes').select('hash').execute()
    for (const code of recovery) expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''))
  })

  test('setting up, renewing and removing ask for the password; access tokens end with the set-up', async () => {
    const id = await app.addUser('five@example.com', 'administrator')
    const client = clientOf()
    await signIn(client, 'five@example.com')
    await client.call(createAccessToken, { body: { name: 't', scopes: ['events.read'], days: 1 } })
    const wrong = { body: { password: 'Granite-Harbour-28' } }
    for (const endpoint of [beginSecondFactor, renewRecoveryCodes, removeSecondFactor])
      expect((await client.call(endpoint, wrong)).body['key']).toBe('password.old_wrong')
    await app.meta.db.deleteFrom('login_failures').execute()
    const right = { body: { password: PASSWORD } }
    expect((await client.call(removeSecondFactor, right)).body['key']).toBe('second_factor.none')
    expect((await client.call(confirmSecondFactor, { body: { code: '000000' } })).body['key']).toBe(
      'second_factor.none',
    )
    const { data } = (await client.call(beginSecondFactor, right)).body as { data: { secret: string } }
    expect((await client.call(confirmSecondFactor, { body: { code: '12345' } })).body['key']).toBe('login.second_wrong')
    expect((await client.call(confirmSecondFactor, { body: { code: codeOf(data.secret) } })).body['code']).toBe(0)
    const tokens = (await client.call(accessTokens)).body['data'] as { revoked_at: number | null }[]
    expect(tokens.every(({ revoked_at }) => revoked_at !== null)).toBe(true)
    expect((await client.call(secondFactorState)).body['data']).toMatchObject({ recovery_left: 10, required: false })
    const renewed = (await client.call(renewRecoveryCodes, right)).body['recovery_codes'] as string[]
    expect(renewed).toHaveLength(10)
    expect((await client.call(removeSecondFactor, right)).body['code']).toBe(0)
    expect((await client.call(secondFactorState)).body['data']).toMatchObject({ enabled_at: null, recovery_left: 0 })
    const stored = await app.meta.db.selectFrom('one_time_secrets').selectAll().where('user_id', '=', id).execute()
    expect(stored).toEqual([])
  })

  test('a role that must have one: nothing opens before it is set up, and it cannot be removed', async () => {
    expect((await admin.call(saveSettings, { body: { second_factor_roles: ['operator2'] } })).body['code']).toBe(0)
    await app.addUser('six@example.com', 'operator2')
    const client = clientOf()
    await signIn(client, 'six@example.com')
    expect((await client.call(userGroup)).body).toMatchObject({ must_enrol: true })
    expect((await client.call(readSettings)).body['key']).toBe('login.must_enrol')
    const { data } = (await client.call(beginSecondFactor, { body: { password: PASSWORD } })).body as {
      data: { secret: string }
    }
    await client.call(confirmSecondFactor, { body: { code: codeOf(data.secret) } })
    expect((await client.call(userGroup)).body).toMatchObject({ must_enrol: false })
    expect((await client.call(removeSecondFactor, { body: { password: PASSWORD } })).body['key']).toBe(
      'login.must_enrol',
    )
    await admin.call(saveSettings, { body: { second_factor_roles: [] } })
  })

  test('an administrator removes the factor of an account whose phone was lost; a command on the machine that of the super administrator', async () => {
    const { id, client, secret } = await enrolled('seven@example.com')
    expect((await client.call(resetSecondFactor, { body: { id } })).body['key']).toBe('permission.missing')
    expect((await admin.call(resetSecondFactor, { body: { id } })).body['code']).toBe(0)
    expect((await admin.call(resetSecondFactor, { body: { id } })).body['key']).toBe('second_factor.none')
    expect((await client.call(userGroup)).status).toBe(401)
    expect(await firstStep(clientOf(), 'seven@example.com')).toMatchObject({ username: 'seven@example.com' })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const owner = await enrolled('super@example.com', 'administrator')
    await app.meta.db.updateTable('users').set({ super: true }).where('id', '=', owner.id).execute()
    expect((await admin.call(resetSecondFactor, { body: { id: owner.id } })).body['key']).toBe('user.super_protected')
    await resetAdministrator({ meta: app.meta, now })
    const rows = await app.meta.db.selectFrom('one_time_secrets').select('user_id').execute()
    expect(rows.some(({ user_id }) => user_id === owner.id)).toBe(false)
  })
})
