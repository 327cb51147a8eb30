import { verify } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePass, userGroup } from '#contracts/http/accounts.ts'
import { createHttp } from '#server/http/create-http.ts'
import { ensureFirstAdministrator } from '#server/modules/accounts/first-administrator.ts'
import { checkPassword } from '#server/modules/accounts/password-hash.ts'
import { HTTP_MODULES } from '#server/processes/http-modules.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

/** Items of docs/security.md about accounts, passwords and sessions that no other test proves. */

let app: HttpApp
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
})
afterAll(() => app.close())

const storedHash = async (username: string) =>
  (
    await app.meta.db
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).password_hash

/** Changes the password of a signed-in client and signs in with the new one; answers the refusal, if any. */
async function change(client: ConsoleClient, username: string, from: string, to: string) {
  const body = { old_password: from, new_password1: to, new_password2: to }
  const { key } = (await client.call(changePass, { body })).body
  if (key === undefined) await client.signIn(username, to, CODE)
  return key
}

test('a fresh installation has one account, whose generated password is not a usual one', async () => {
  const fresh = await startHttpApp()
  try {
    const config = { ...fresh.config, adminEmail: 'first@example.com' }
    const { password } = await ensureFirstAdministrator({ config, meta: fresh.meta, now: Date.now })
    const users = await fresh.meta.db.selectFrom('users').select(['username', 'password_hash']).execute()
    expect(users.map(({ username }) => username)).toEqual(['first@example.com'])
    const stored = users[0]?.password_hash as string
    expect(await verify(stored, password as string)).toBe(true)
    for (const usual of ['', 'admin', 'Admin@123', 'P@ssw0rd', 'appwarden', 'changeme', '12345678', 'first'])
      expect(await verify(stored, usual)).toBe(false)
  } finally {
    await fresh.close()
  }
})

test('[PASS-01] the last five passwords are refused, the sixth may come back, and a password is stored as argon2id with 64 MiB and three passes', async () => {
  const username = 'history@example.com'
  await app.addUser(username, 'operator')
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  const used = [PASSWORD, ...[1, 2, 3, 4].map((n) => `Meadow-Lantern-3${n}`)]
  for (const [at, next] of used.slice(1).entries())
    expect([next, await change(client, username, used[at] as string, next)]).toEqual([next, undefined])
  const current = used[4] as string
  for (const old of used.slice(0, 4))
    expect([old, await change(client, username, current, old)]).toEqual([old, 'password.reused'])
  expect(await change(client, username, current, 'Orchard-Signal-48')).toBeUndefined()
  expect(await change(client, username, 'Orchard-Signal-48', PASSWORD)).toBeUndefined()
  expect(await storedHash(username)).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
}, 60_000)

test('[PASS-01] a password of 64 characters counts to its last one, and its spaces at the ends are not cut', async () => {
  const username = 'long@example.com'
  await app.addUser(username, 'operator')
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  const long = `Aa1-${'x'.repeat(59)}y`
  expect(await change(client, username, PASSWORD, long)).toBeUndefined()
  expect((await client.call(userGroup)).status).toBe(200)
  for (const near of [`${long.slice(0, -1)}z`, long.slice(0, -1), `${long}y`, ` ${long}`, `${long} `]) {
    const { body } = await new ConsoleClient(app.url).signIn(username, near, CODE)
    expect(body['key']).toMatch(/^login\.(?:wrong|locked)$/)
    await app.meta.db.deleteFrom('login_failures').execute()
  }
}, 60_000)

test('an unknown account costs a whole argon2 computation, as a known one does', async () => {
  const known = await app.deps.meta.db.selectFrom('users').select('password_hash').execute()
  expect(known.length).toBeGreaterThan(0)
  const time = async (stored: string | undefined) => {
    const begin = performance.now()
    expect(await checkPassword(stored, 'Nope-Nope-1')).toBe(false)
    return performance.now() - begin
  }
  const whole = await storedHash('history@example.com')
  await time(undefined)
  const pairs = []
  for (let n = 0; n < 5; n++) pairs.push((await time(undefined)) / (await time(whole)))
  const median = pairs.sort((a, b) => a - b)[2] as number
  // A missing computation would be a thousandth; the bounds leave room for a loaded machine.
  expect(median).toBeGreaterThan(0.4)
  expect(median).toBeLessThan(2.5)
})

test('[LOGIN-04] every sign-in gives a new session, also to a browser that brings a cookie of its own choice', async () => {
  const client = new ConsoleClient(app.url)
  client.cookies.set('aw_sid', 'F'.repeat(43))
  await client.signIn('admin@example.com', PASSWORD, CODE)
  const first = client.cookies.get('aw_sid') as string
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(first).not.toBe('F'.repeat(43))
  await client.signIn('admin@example.com', PASSWORD, CODE)
  expect(client.cookies.get('aw_sid')).not.toBe(first)
  const ids = (await app.meta.db.selectFrom('sessions').select('id').execute()).map(({ id }) => id)
  expect(ids.every((id) => /^[0-9a-f]{64}$/.test(id))).toBe(true)
})

test('[LOGIN-06] a second sign-in at another web process ends the session at the first one with its next request', async () => {
  const other = await createHttp(app.deps, HTTP_MODULES)
  await other.listen({ host: '127.0.0.1', port: 0 })
  try {
    const { port } = other.server.address() as { port: number }
    const first = new ConsoleClient(app.url)
    await first.signIn('admin@example.com', PASSWORD, CODE)
    expect((await first.call(userGroup)).status).toBe(200)
    const second = new ConsoleClient(`http://127.0.0.1:${port}`)
    await second.signIn('admin@example.com', PASSWORD, CODE)
    expect((await first.call(userGroup)).status).toBe(403)
    expect((await second.call(userGroup)).status).toBe(200)
  } finally {
    await other.close()
  }
})
