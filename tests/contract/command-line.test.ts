import { statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userGroup } from '#contracts/http/accounts.ts'
import { applicationList } from '#contracts/http/applications.ts'
import { ensureFirstAdministrator } from '#server/modules/accounts/first-administrator.ts'
import { serveAdmin } from '#server/processes/admin/serve-admin.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { askServer } from '../../cli/run-on-server.ts'

let app: HttpApp
let admin: { close(): Promise<void> }
beforeAll(async () => {
  app = await startHttpApp({ APPWARDEN_ADMIN_PASSWORD: PASSWORD, APPWARDEN_ADMIN_EMAIL: 'root@example.com' })
  await ensureFirstAdministrator(app.deps)
  admin = await serveAdmin(app.deps)
})
afterAll(async () => {
  await admin.close()
  await app.close()
})
const ask = (command: 'token.create' | 'user.add' | 'admin.reset' | 'status', options: Record<string, string> = {}) =>
  askServer(app.config.paths.adminSocket, { command, options })

test('the socket is for its owner alone', () => {
  expect(statSync(app.config.paths.adminSocket).mode & 0o777).toBe(0o600)
})

test('token create makes a token that works, with rights that its owner has', async () => {
  const { secret } = (await ask('token.create', { name: 'fault', scopes: 'all' })) ?? {}
  const headers = { authorization: `Bearer ${secret}` }
  expect((await new ConsoleClient(app.url).send('GET', applicationList.path, '', headers)).status).toBe(200)
  await expect(ask('token.create', { scopes: 'log.delete' })).rejects.toThrow('log.delete')
  await expect(ask('token.create', { days: '0' })).rejects.toThrow('--days')
  await expect(ask('token.create', { user: 'nobody@example.com' })).rejects.toThrow('nobody@example.com')
})

test('[USER-01] user add makes an account whose generated password must be changed', async () => {
  const { lines, secret } = (await ask('user.add', { user: 'second@example.com', role: 'auditor' })) ?? {}
  expect(lines?.[0]).toContain('second@example.com with the role auditor')
  const client = new ConsoleClient(app.url)
  expect((await client.signIn('second@example.com', secret as string, CODE)).body).toMatchObject({
    username: 'second@example.com',
    must_change_password: true,
  })
  await expect(ask('user.add', { user: 'second@example.com' })).rejects.toThrow('User name already exists')
  await expect(ask('user.add', { user: 'third@example.com', role: 'captain' })).rejects.toThrow('no role captain')
  await expect(ask('user.add', { user: 'no address' })).rejects.toThrow('correct email address')
})

test('admin reset ends the session and gives a password to change', async () => {
  const client = new ConsoleClient(app.url)
  await client.signIn('root@example.com', PASSWORD, CODE)
  const { secret } = (await ask('admin.reset')) ?? {}
  expect((await client.call(userGroup)).status).toBe(401)
  expect((await client.signIn('root@example.com', secret as string, CODE)).body).toMatchObject({
    must_change_password: true,
  })
  const entries = await app.meta.db.selectFrom('audit_log').select(['action', 'address']).execute()
  expect(entries).toEqual(expect.arrayContaining([{ action: 'admin.reset', address: 'local' }]))
  expect(
    JSON.stringify(await app.meta.db.selectFrom('audit_log').selectAll().execute()).includes(secret as string),
  ).toBe(false)
})

test('status prints the version; a server that does not listen is distinguished from a refusal', async () => {
  expect((await ask('status'))?.lines[0]).toBe('AppWarden 1.5.3')
  expect(await askServer('/tmp/no-such-appwarden.sock', { command: 'status', options: {} })).toBeUndefined()
})
