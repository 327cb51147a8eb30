import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signin, userGroup, verifyImage } from '#contracts/http/accounts.ts'
import {
  beginPasskey,
  beginSigninPasskey,
  confirmPasskey,
  removePasskey,
  resetSecondFactor,
  secondFactorState,
  signinPasskey,
  signinSecondFactor,
} from '#contracts/http/second-factor.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { SoftAuthenticator } from '#tests/support/authenticator.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let url = ''
beforeAll(async () => {
  app = await startHttpApp()
  url = app.url.replace('127.0.0.1', 'localhost')
  await app.addUser('admin@example.com', 'administrator')
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.offset = 0
  await app.meta.db.deleteFrom('login_failures').execute()
})

type Data = Record<string, unknown>
const password = PASSWORD
let accounts = 0
/** A signed-in account that was just made. */
async function fresh(role = 'operator') {
  const username = `passkey${accounts++}@example.com`
  const id = await app.addUser(username, role)
  const client = new ConsoleClient(url)
  await client.signIn(username, PASSWORD, CODE)
  return { id, username, client }
}
/** Adds a passkey to the account; answers the recovery codes. */
async function register(client: ConsoleClient, key: SoftAuthenticator, name = 'key'): Promise<string[]> {
  const begun = await client.call(beginPasskey, { body: { password } })
  const response = key.create(begun.body['data'] as Data, url)
  const kept = await client.call(confirmPasskey, { body: { name, response } })
  expect(kept.body['code']).toBe(0)
  return kept.body['recovery_codes'] as string[]
}
/** Password and verification code: the refusal that asks for the second step. */
async function firstStep(username: string, at = url) {
  const client = new ConsoleClient(at)
  await client.call(verifyImage)
  const { body } = await client.call(signin, { body: { username, password, verify_code: CODE } })
  return { client, ...(body as { key: string; step: string; one_time: boolean; passkeys: boolean }) }
}
const askOptions = async (client: ConsoleClient, step: string) =>
  (await client.call(beginSigninPasskey, { body: { step } })).body['data'] as Data

test('[LOGIN-02] an account adds a passkey with its password, gets recovery codes once, and signs in with it', async () => {
  const { username, client } = await fresh()
  const key = new SoftAuthenticator()
  expect((await client.call(beginPasskey, { body: { password: 'wrong' } })).body['key']).toBe('password.old_wrong')
  expect(await register(client, key, '办公室笔记本')).toHaveLength(10)
  expect(await register(client, new SoftAuthenticator(), 'second')).toEqual([])
  const { data } = (await client.call(secondFactorState)).body as { data: { passkeys: Data[]; one_time: boolean } }
  expect(data.one_time).toBe(false)
  expect(data.passkeys.map(({ name, host }) => [name, host])).toEqual([
    ['second', 'localhost'],
    ['办公室笔记本', 'localhost'],
  ])
  const begun = await firstStep(username)
  expect(begun).toMatchObject({ key: 'login.second_factor', passkeys: true, one_time: false })
  const response = key.get(await askOptions(begun.client, begun.step), url)
  const done = await begun.client.call(signinPasskey, { body: { step: begun.step, response } })
  expect(done.body).toMatchObject({ username })
  await begun.client.boot()
  expect((await begun.client.call(userGroup)).body['username']).toBe(username)
})

test('[LOGIN-02] an answer for another challenge, origin, host or account, a copied key and a replay are refused', async () => {
  const { username, client } = await fresh()
  const key = new SoftAuthenticator()
  await register(client, key)
  const other = await fresh()
  const foreign = new SoftAuthenticator()
  await register(other.client, foreign)
  const attempts: [string, (options: Data) => Data][] = [
    [
      'another challenge',
      (options) => key.get(options, url, { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
    ],
    ['another origin', (options) => key.get(options, 'https://localhost.evil.example')],
    ['plain HTTP of another port', (options) => key.get(options, 'http://localhost:1')],
    ['another host', (options) => key.get(options, url, { rp: 'evil.example' })],
    ['key of another account', (options) => foreign.get(options, url)],
    ['no answer at all', () => ({})],
    ['text instead of bytes', () => ({ id: key.id.toString('base64url'), response: 'x' })],
  ]
  for (const [name, answer] of attempts) {
    await app.meta.db.deleteFrom('login_failures').execute()
    const begun = await firstStep(username)
    const response = answer(await askOptions(begun.client, begun.step))
    const reply = await begun.client.call(signinPasskey, { body: { step: begun.step, response } })
    expect([name, reply.body['key']]).toEqual([name, 'passkey.wrong'])
  }
  await app.meta.db.deleteFrom('login_failures').execute()
  const begun = await firstStep(username)
  const response = key.get(await askOptions(begun.client, begun.step), url)
  const body = { step: begun.step, response }
  expect((await begun.client.call(signinPasskey, { body })).body).toMatchObject({ username })
  expect((await begun.client.call(signinPasskey, { body })).body['key']).toBe('login.second_expired')
  // The same answer for the next sign-in's step.
  const next = await firstStep(username)
  await askOptions(next.client, next.step)
  const replayed = await next.client.call(signinPasskey, { body: { step: next.step, response } })
  expect(replayed.body['key']).toBe('passkey.wrong')
  // A copy of the key, whose counter is behind.
  key.counter = 0
  const copied = await firstStep(username)
  const late = key.get(await askOptions(copied.client, copied.step), url)
  expect((await copied.client.call(signinPasskey, { body: { step: copied.step, response: late } })).body['key']).toBe(
    'passkey.wrong',
  )
})

test('a challenge serves once and for five minutes, and the tries of a step are counted', async () => {
  const { username, client } = await fresh()
  const key = new SoftAuthenticator()
  await register(client, key)
  const begun = await firstStep(username)
  const options = await askOptions(begun.client, begun.step)
  app.clock.offset = 301_000
  const now = () => Date.now() + app.clock.offset
  const late = new ConsoleClient(url, now)
  const reply = await late.call(signinPasskey, { body: { step: begun.step, response: key.get(options, url) } })
  expect(reply.body['key']).toBe('login.second_expired')
  app.clock.offset = 0
  const again = await firstStep(username)
  for (let n = 0; n < 5; n++) {
    await app.meta.db.deleteFrom('login_failures').execute()
    await again.client.call(signinPasskey, { body: { step: again.step, response: {} } })
  }
  const sixth = await askOptions(again.client, again.step)
  expect(sixth).toBeUndefined()
})

test('a recovery code opens an account whose passkey is lost', async () => {
  const { username, client } = await fresh()
  const [code] = await register(client, new SoftAuthenticator())
  const begun = await firstStep(username)
  const done = await begun.client.call(signinSecondFactor, { body: { step: begun.step, code } })
  expect(done.body).toMatchObject({ username })
})

test('under an IP address the server says that passkeys need a host name', async () => {
  const { username, client } = await fresh()
  await register(client, new SoftAuthenticator())
  const begun = await firstStep(username, app.url)
  const reply = await begun.client.call(beginSigninPasskey, { body: { step: begun.step } })
  expect(reply.body['key']).toBe('passkey.host')
  const signedIn = new ConsoleClient(app.url)
  const plain = await fresh()
  await signedIn.signIn(plain.username, PASSWORD, CODE)
  expect((await signedIn.call(beginPasskey, { body: { password } })).body['key']).toBe('passkey.host')
})

test('a key that was made for another challenge, origin or host is not kept, and no key twice', async () => {
  const { client } = await fresh()
  const key = new SoftAuthenticator()
  const bends: [string, { challenge?: string; rp?: string }][] = [
    [url, { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['https://evil.example', {}],
    [url, { rp: 'evil.example' }],
  ]
  for (const [origin, bend] of bends) {
    const { body } = await client.call(beginPasskey, { body: { password } })
    const response = key.create(body['data'] as Data, origin, bend)
    const reply = await client.call(confirmPasskey, { body: { name: 'x', response } })
    expect(reply.body['key']).toBe('passkey.wrong')
  }
  await register(client, key)
  const { body } = await client.call(beginPasskey, { body: { password } })
  const response = key.create(body['data'] as Data, url)
  expect((await client.call(confirmPasskey, { body: { name: 'x', response } })).body['key']).toBe('data.conflict')
})

test('[ROLE-01] a passkey of another account is not found', async () => {
  const owner = await fresh()
  await register(owner.client, new SoftAuthenticator())
  const { data } = (await owner.client.call(secondFactorState)).body as { data: { passkeys: { id: string }[] } }
  const stranger = await fresh('administrator')
  const reply = await stranger.client.call(removePasskey, { body: { password, id: data.passkeys[0]?.id } })
  expect(reply.body['key']).toBe('data.missing')
  const after = (await owner.client.call(secondFactorState)).body as { data: { passkeys: unknown[] } }
  expect(after.data.passkeys).toHaveLength(1)
})

test('where the role requires a second factor the last passkey stays; an administrator can remove it', async () => {
  const admin = new ConsoleClient(url)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
  const { id, username, client } = await fresh()
  await register(client, new SoftAuthenticator())
  await admin.call(saveSettings, { body: { second_factor_roles: ['operator'] } })
  const { data } = (await client.call(secondFactorState)).body as { data: { passkeys: { id: string }[] } }
  const passkey = data.passkeys[0]?.id
  const refused = await client.call(removePasskey, { body: { password, id: passkey } })
  expect(refused.body['key']).toBe('login.must_enrol')
  await admin.call(saveSettings, { body: { second_factor_roles: [] } })
  expect((await client.call(removePasskey, { body: { password, id: 'nosuch' } })).body['key']).toBe('data.missing')
  expect((await client.call(removePasskey, { body: { password, id: passkey } })).body['code']).toBe(0)
  const plain = await firstStep(username)
  expect(plain.key).toBeUndefined()
  await client.signIn(username, PASSWORD, CODE)
  await register(client, new SoftAuthenticator())
  expect((await admin.call(resetSecondFactor, { body: { id } })).body['code']).toBe(0)
  expect((await firstStep(username)).key).toBeUndefined()
})
