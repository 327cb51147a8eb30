import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signin, userGroup, verifyImage } from '#contracts/http/accounts.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  await app.addUser('operator@example.com', 'operator')
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.meta.db.deleteFrom('login_failures').execute()
  app.clock.offset = 0
})

const tab = () => new ConsoleClient(app.url, () => Date.now() + app.clock.offset)
async function attempt(
  body: { username?: string; password?: string | undefined; verify_code: string },
  language = 'en',
) {
  const client = tab()
  await client.call(verifyImage)
  return client.call(signin, { body }, { headers: { 'accept-language': language } })
}

test('[LOGIN-01] the name is trimmed, then must be there and an e-mail address', async () => {
  const form = { password: PASSWORD, verify_code: CODE }
  expect((await attempt({ ...form, username: '   ' })).body['codemsg']).toBe('The user name cannot be empty')
  expect((await attempt(form)).body['codemsg']).toBe('The user name cannot be empty')
  const long = { ...form, username: `${'a'.repeat(8000)}@example.com` }
  expect((await attempt(long)).body['codemsg']).toBe('Please enter the correct email address')
  expect((await attempt({ ...form, username: 'admin' })).body['codemsg']).toBe('Please enter the correct email address')
  expect((await attempt({ ...form, username: ' admin@example.com ' })).body).toEqual({
    username: 'admin@example.com',
    must_change_password: false,
  })
})

test('[LOGIN-02] password and code must be there; wrong code and wrong pair have their texts', async () => {
  const form = { username: 'admin@example.com', password: PASSWORD, verify_code: CODE }
  expect((await attempt({ ...form, password: '' })).body['codemsg']).toBe('Please enter the password')
  expect((await attempt({ ...form, password: undefined })).body['codemsg']).toBe('Please enter the password')
  expect((await attempt({ ...form, verify_code: ' ' })).body['codemsg']).toBe('Please enter the verification code')
  expect((await attempt({ ...form, verify_code: 'aaaaa' })).body['codemsg']).toBe('Verification code error!')
  expect((await attempt({ ...form, verify_code: 'aaaaa' }, 'zh-CN')).body['codemsg']).toBe('验证码错误！')
  const wrong = await attempt({ ...form, password: 'Granite-Harbour-28' })
  expect(wrong).toMatchObject({ status: 200, body: { codemsg: 'Wrong user name or password', key: 'login.wrong' } })
  expect((await attempt({ ...form, password: 'x'.repeat(8000) })).body).toEqual(wrong.body)
  const unknown = await attempt({ ...form, username: 'nobody@example.com' })
  expect(unknown.body).toEqual(wrong.body)
})

test('[LOGIN-02] a verification image is a PNG, good for one attempt of the browser that fetched it, for two minutes', async () => {
  const form = { username: 'admin@example.com', password: PASSWORD, verify_code: CODE }
  const client = tab()
  const image = await client.call(verifyImage)
  expect(image.headers.get('content-type')).toBe('image/png')
  expect(image.headers.get('cache-control')).toBe('no-store')
  expect(image.headers.getSetCookie()[0]).toMatch(/^aw_pre=[\w-]{43};.*HttpOnly.*SameSite=Strict/)
  await client.call(signin, { body: { ...form, verify_code: 'wrong' } })
  expect((await client.call(signin, { body: form })).body['key']).toBe('login.code_wrong')
  expect((await tab().call(signin, { body: form })).body['key']).toBe('login.code_wrong')
  await client.call(verifyImage)
  app.clock.offset = 121_000
  expect((await client.call(signin, { body: form })).body['key']).toBe('login.code_wrong')
})

test('[LOGIN-02] with a fixed code, which is for automation, no proof of work is asked', async () => {
  for (const name of ['a', 'b', 'c', 'd'])
    expect(
      (await attempt({ username: `${name}@example.com`, password: PASSWORD, verify_code: CODE })).body['key'],
    ).toBe('login.wrong')
  const form = { username: 'admin@example.com', password: PASSWORD, verify_code: CODE }
  expect((await attempt(form)).body).not.toHaveProperty('code')
})

test('[LOGIN-03] signin fails with a code field; is_login with a code means signed out', async () => {
  const refused = await attempt({ username: 'admin@example.com', password: 'x', verify_code: CODE })
  expect(refused.body['code']).toBe(500206)
  const signedOut = await tab().whoAmI()
  expect(signedOut).toMatchObject({ status: 200, body: { code: 500208 } })
  const client = tab()
  const success = await client.signIn('admin@example.com', PASSWORD, CODE)
  expect(success.body).not.toHaveProperty('code')
  const who = await client.whoAmI()
  expect(who.body).toMatchObject({ is_login: true, username: 'admin@example.com', role: 'administrator' })
  expect(who.body).not.toHaveProperty('code')
})

test('[LOGIN-04] session cookie, jwt_token and X-Token belong together', async () => {
  const client = tab()
  const answer = await client.signIn('admin@example.com', PASSWORD, CODE)
  const cookies = answer.headers.getSetCookie().join('\n')
  expect(cookies).toMatch(/aw_sid=[\w-]{43};.*HttpOnly.*SameSite=Strict/)
  expect(cookies).toMatch(/jwt_token=eyJ/)
  expect(cookies).not.toMatch(/jwt_token=[^\n]*HttpOnly/)
  expect((await client.call(userGroup)).body).toMatchObject({
    code: 0,
    data: { code: 0, username: 'admin@example.com' },
  })

  const other = tab()
  await other.signIn('operator@example.com', PASSWORD, CODE)
  const mixed = { 'x-token': other.token }
  expect((await client.call(userGroup, {}, { headers: mixed })).body['key']).toBe('request.signature')
  expect((await client.call(userGroup, {}, { headers: { jwt_token: other.jwt } })).body['key']).toBe(
    'request.signature',
  )
  const unsigned = client.jwt.replace(/\.[^.]*$/, '.')
  expect((await client.call(userGroup, {}, { headers: { jwt_token: unsigned } })).body['key']).toBe('request.signature')
  expect((await client.call(userGroup, {}, { headers: { jwt_token: undefined } })).body['key']).toBe(
    'request.signature',
  )
  // A second tab of the same browser gets the same keys.
  const second = tab()
  second.cookies = client.cookies
  await second.boot()
  expect(second.token).toBe(client.token)
  expect(second.signatureKey).toEqual(client.signatureKey)
})

test('[LOGIN-04] a jwt is renewed after five minutes, and after ten asks for is_login instead of signing out', async () => {
  const client = tab()
  await client.signIn('admin@example.com', PASSWORD, CODE)
  const first = client.jwt
  app.clock.offset = 301_000
  expect((await client.call(userGroup)).status).toBe(200)
  expect(client.jwt).not.toBe(first)
  const older = await client.call(userGroup, {}, { headers: { jwt_token: first } })
  expect(older.status).toBe(200)
  app.clock.offset = 601_000
  expect(await client.call(userGroup, {}, { headers: { jwt_token: first } })).toMatchObject({
    status: 400,
    body: { code: 500109 },
  })
  await client.boot()
  expect((await client.call(userGroup)).body['code']).toBe(0)
})

test('[LOGIN-06] a second sign-in ends the first session with 403, and only that way', async () => {
  const first = tab()
  await first.signIn('admin@example.com', PASSWORD, CODE)
  const second = tab()
  await second.signIn('admin@example.com', PASSWORD, CODE)
  const replaced = await first.call(userGroup, {}, { headers: { 'accept-language': 'zh-CN' } })
  expect(replaced).toMatchObject({ status: 403, body: { code: 500110, codemsg: '此账号重复登录，即将退出！' } })
  expect((await second.call(userGroup)).status).toBe(200)
  // is_login says it once and takes the dead cookies away, so a reload ends at the login page.
  expect((await first.whoAmI()).status).toBe(403)
  expect(first.cookies.has('aw_sid')).toBe(false)
  expect((await first.whoAmI()).body['code']).toBe(500208)
})

test('[LOGIN-07] signed out, unknown and timed out sessions answer 401', async () => {
  const client = tab()
  await client.signIn('admin@example.com', PASSWORD, CODE)
  const keys = { cookies: new Map(client.cookies), key: client.signatureKey, token: client.token, jwt: client.jwt }
  expect((await client.signOut()).body['code']).toBe(0)
  expect(client.cookies.has('aw_sid')).toBe(false)
  client.cookies = keys.cookies
  expect(await client.call(userGroup, {}, { headers: { 'accept-language': 'zh' } })).toMatchObject({
    status: 401,
    body: { codemsg: '用户已退出，需重新登录' },
  })
  client.cookies = new Map([['aw_sid', 'A'.repeat(43)]])
  expect((await client.call(userGroup)).status).toBe(401)
  client.cookies = new Map()
  expect((await client.call(userGroup)).status).toBe(401)
})

test('[LOGIN-07] idle time counts input as the client reports it; absolute time ends every session', async () => {
  const client = tab()
  await client.signIn('admin@example.com', PASSWORD, CODE)
  const minute = 60_000
  for (const at of [9, 18, 27]) {
    app.clock.offset = at * minute
    await client.boot()
    // Polls without input do not keep the session.
    const reply = await client.call(userGroup, {}, { headers: { 'x-idle': String(at * 60) } })
    expect(reply.status).toBe(200)
  }
  // boot() above counted as input at minute 27.
  app.clock.offset = 56 * minute
  await client.boot()
  app.clock.offset = 87 * minute
  expect((await client.call(userGroup)).status).toBe(401)

  app.clock.offset = 0
  await client.signIn('admin@example.com', PASSWORD, CODE)
  for (let hours = 0.4; hours < 12; hours += 0.4) {
    app.clock.offset = hours * 60 * minute
    await client.boot()
  }
  app.clock.offset = 12.1 * 60 * minute
  expect((await client.whoAmI()).body['code']).toBe(500208)
})

test('five failures lock an account for its addresses, whether it exists or not, with one text', async () => {
  for (const username of ['operator@example.com', 'ghost@example.com']) {
    const wrong = { username, password: 'Nope-Nope-1', verify_code: CODE }
    for (let n = 0; n < 5; n++) expect((await attempt(wrong)).body['key']).toBe('login.wrong')
    const locked = await attempt({ ...wrong, password: PASSWORD })
    expect(locked.body).toMatchObject({ key: 'login.locked', codemsg: 'Too many failures, try again in 15 minutes' })
  }
  app.clock.offset = 15 * 60_000 + 1000
  const back = await attempt({ username: 'operator@example.com', password: PASSWORD, verify_code: CODE })
  expect(back.body['username']).toBe('operator@example.com')
})

test('forty parallel attempts pass the limit of five no more than one after the other would', async () => {
  const attempts = Array.from({ length: 40 }, async (_, n) => {
    const client = tab()
    await client.call(verifyImage)
    return { client, password: n === 39 ? PASSWORD : 'Nope-Nope-1' }
  })
  const answers = await Promise.all(
    (await Promise.all(attempts)).map(({ client, password }) =>
      client.call(signin, { body: { username: 'operator@example.com', password, verify_code: CODE } }),
    ),
  )
  const keys = answers.map(({ body }) => body['key'] ?? 'signed in')
  expect(keys.filter((key) => key === 'login.wrong' || key === 'signed in').length).toBeLessThanOrEqual(5)
  expect(keys.filter((key) => key === 'login.locked' || key === 'request.rate').length).toBeGreaterThanOrEqual(35)
})

test('a password stored in the form that one keyboard sends is accepted, and from then on in every form', async () => {
  const [composed, decomposed] = ['Caf\u00e9-Harbour-27', 'Cafe\u0301-Harbour-27']
  const raw = await hash(decomposed, { memoryCost: 64, timeCost: 1 })
  await app.addUser('nfd@example.com', 'operator')
  await app.meta.db
    .updateTable('users')
    .set({ password_hash: raw, password_history: [raw] })
    .where('username', '=', 'nfd@example.com')
    .execute()
  const form = { username: 'nfd@example.com', verify_code: CODE }
  expect((await attempt({ ...form, password: composed })).body['key']).toBe('login.wrong')
  expect((await attempt({ ...form, password: decomposed })).body['username']).toBe('nfd@example.com')
  expect((await attempt({ ...form, password: composed })).body['username']).toBe('nfd@example.com')
  expect((await attempt({ ...form, password: decomposed })).body['username']).toBe('nfd@example.com')
})

test('no cookie, token, key or password of a sign-in appears in the audit or the network log', async () => {
  const client = tab()
  await client.signIn('operator@example.com', PASSWORD, CODE)
  await client.call(userGroup)
  // The network log is written in batches.
  const kinds = async () =>
    (await app.meta.db.selectFrom('network_log').select('kind').distinct().execute()).map(({ kind }) => kind)
  await expect.poll(kinds, { timeout: 20_000 }).toEqual(expect.arrayContaining(['signin', 'console']))
  const rows = JSON.stringify([
    await app.meta.db.selectFrom('audit_log').selectAll().execute(),
    await app.meta.db.selectFrom('network_log').selectAll().execute(),
    await app.meta.db.selectFrom('sessions').selectAll().execute(),
  ])
  expect(rows.includes('operator@example.com')).toBe(true)
  for (const secret of [PASSWORD, client.cookies.get('aw_sid') as string, client.token, client.jwt])
    expect(rows.includes(secret)).toBe(false)
})
