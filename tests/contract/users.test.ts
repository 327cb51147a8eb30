import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import {
  acceptInvitation,
  changeUser,
  createUser,
  deleteUsers,
  disableUsers,
  endUserSession,
  importUsers,
  invitation,
  inviteUser,
  resetUser,
  type User,
  userSessions,
  users,
} from '#contracts/http/users.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient
/** A custom role that may manage accounts and nothing else. */
let manager: ConsoleClient

async function signedIn(username: string, password = PASSWORD): Promise<ConsoleClient> {
  const client = new ConsoleClient(app.url)
  await client.signIn(username, password, CODE)
  return client
}

beforeAll(async () => {
  app = await startHttpApp()
  await app.meta.db
    .insertInto('roles')
    .values({ key: 'manager', zh: '账号管理', en: 'Manager', built_in: false, sees_all: true, auth: ['user.manage'] })
    .execute()
  await app.addUser('admin@example.com', 'administrator')
  await app.addUser('manager@example.com', 'manager')
  admin = await signedIn('admin@example.com')
  manager = await signedIn('manager@example.com')
})
afterAll(() => app.close())

const list = async (client = admin, query: Record<string, unknown> = { limit: 200 }) =>
  (await client.call(users, { query })).body as unknown as { data: User[]; total: number }
const find = async (name: string) => (await list(admin, { search: name })).data.find((one) => one.username === name)
const create = async (body: Record<string, unknown>, client = admin) => (await client.call(createUser, { body })).body
const made = async (username: string, role = 'operator') => {
  await create({ username, role })
  return (await find(username)) as User
}

test('[USER-01] an account is created with every required field, and listed with them', async () => {
  const expires_at = Date.now() + 40 * 86_400_000 - 60_000
  const answer = await create({
    username: ' New.Person@example.com ',
    role: 'operator',
    customer_type: 'trial',
    remarks: 'pilot',
    application_quota: 2,
    expires_at,
  })
  expect(answer).toMatchObject({ code: 0, password: expect.stringMatching(/^.{4}-.{4}-.{4}-.{4}$/) })
  expect(await find('New.Person@example.com')).toMatchObject({
    role: 'operator',
    customer_type: 'trial',
    remarks: 'pilot',
    application_quota: 2,
    applications: 0,
    creator: 'admin@example.com',
    last_login_at: null,
    expires_at,
    days_left: 39,
    state: 'active',
    must_change_password: true,
  })
})

test('[USER-02] a name that is taken and a form without user information are refused in the required words', async () => {
  await create({ username: 'twice@example.com', role: 'operator' })
  expect(await create({ username: 'TWICE@example.com', role: 'operator' })).toMatchObject({
    code: 500221,
    codemsg: '用户名已存在，请重新输入',
  })
  expect(await create({ username: ' ', role: 'operator' })).toMatchObject({ codemsg: '请输入要添加的用户信息！' })
  expect(await create({ username: 'no address', role: 'operator' })).toMatchObject({ code: 500202 })
  const both = await Promise.all([1, 2].map(() => create({ username: 'race@example.com', role: 'operator' })))
  expect(both.map((one) => one['code']).sort()).toEqual([0, 500221])
})

test('a given password follows the password rules', async () => {
  const of = async (password: string) =>
    (await create({ username: 'rules@example.com', role: 'operator', password }))['code']
  expect(await of('short')).toBe(500211)
  expect(await of('Has%Percent1')).toBe(500212)
  expect(await of('Password123!')).toBe(500216)
  expect(await of('Granite-Kite-41')).toBe(0)
})

test('[USER-03] the super administrator cannot be changed, disabled, reset or deleted', async () => {
  await app.meta.db.updateTable('users').set({ super: true }).where('username', '=', 'twice@example.com').execute()
  const { id } = (await find('twice@example.com')) as User
  const refused = [
    await admin.call(changeUser, { body: { id, remarks: 'x' } }),
    await admin.call(disableUsers, { body: { ids: [id], disabled: true } }),
    await admin.call(resetUser, { body: { id } }),
    await admin.call(deleteUsers, { body: { ids: [id] } }),
  ]
  expect(refused.map(({ body }) => body['code'])).toEqual([500231, 500231, 500231, 500231])
  await app.meta.db.updateTable('users').set({ super: false }).where('id', '=', id).execute()
})

test('no user can give a role, or take over an account, with more permissions than their own', async () => {
  const operator = await made('operator@example.com')
  expect((await create({ username: 'x1@example.com', role: 'administrator' }, manager))['code']).toBe(500233)
  expect((await create({ username: 'x2@example.com', role: 'manager' }, manager))['code']).toBe(0)
  const attempts = [
    await manager.call(resetUser, { body: { id: operator.id } }),
    await manager.call(changeUser, { body: { id: operator.id, role: 'manager' } }),
    await manager.call(deleteUsers, { body: { ids: [operator.id] } }),
    await manager.call(endUserSession, { body: { id: operator.id } }),
  ]
  expect(attempts.map(({ body }) => body['code'])).toEqual([500233, 500233, 500233, 500233])
  expect((await list(manager)).data.find(({ id }) => id === operator.id)?.manageable).toBe(false)
})

test('no user can disable, reset or delete their own account', async () => {
  const { id } = (await find('admin@example.com')) as User
  const attempts = [
    await admin.call(disableUsers, { body: { ids: [id], disabled: true } }),
    await admin.call(resetUser, { body: { id } }),
    await admin.call(deleteUsers, { body: { ids: [id] } }),
  ]
  expect(attempts.map(({ body }) => body['code'])).toEqual([500232, 500232, 500232])
})

test('disabling and resetting end the session; the new password works and must be changed', async () => {
  const { id } = await made('leaver@example.com')
  const { body } = await admin.call(resetUser, { body: { id } })
  const first = await signedIn('leaver@example.com', body['password'] as string)
  expect((await find('leaver@example.com'))?.must_change_password).toBe(true)
  await admin.call(disableUsers, { body: { ids: [id], disabled: true } })
  expect((await first.call(users, {})).status).toBe(401)
  expect(await find('leaver@example.com')).toMatchObject({ state: 'disabled' })
  const sessions = (await admin.call(userSessions, { query: { id } })).body['data'] as { end_reason: string }[]
  expect(sessions.map(({ end_reason }) => end_reason)).toEqual(['disabled'])
})

test('a deleted account leaves its applications to the one who deletes it', async () => {
  const { id } = await made('owner@example.com')
  const { body } = await admin.call(resetUser, { body: { id } })
  await app.meta.db.updateTable('users').set({ must_change_password: false }).where('id', '=', id).execute()
  const owner = await signedIn('owner@example.com', body['password'] as string)
  await owner.call(createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  expect((await admin.call(deleteUsers, { body: { ids: [id] } })).body).toMatchObject({ deleted: 1, applications: 1 })
  expect(await find('owner@example.com')).toBeUndefined()
  expect((await find('admin@example.com'))?.applications).toBe(1)
})

test('an account creates no more applications than its quota allows', async () => {
  await create({ username: 'quota@example.com', role: 'operator', application_quota: 1, password: 'Granite-Kite-41' })
  await app.meta.db
    .updateTable('users')
    .set({ must_change_password: false })
    .where('username', '=', 'quota@example.com')
    .execute()
  const client = await signedIn('quota@example.com', 'Granite-Kite-41')
  const make = async (mimetype_list: number[]) =>
    (await client.call(createApplication, { body: { name: 'One', mimetype_list } })).body['code']
  expect(await make([1, 2])).toBe(500006)
  expect(await make([1])).toBe(0)
  expect(await make([2])).toBe(500006)
})

test('an import names every error by line and creates all accounts or none', async () => {
  const csv = (lines: string[]) => ['username,role,expires,remarks', ...lines].join('\r\n')
  const send = async (body: object) => (await admin.call(importUsers, { body })).body
  const wrong = csv([
    'i1@example.com,operator,2027-02-31,',
    'nobody,operator,,',
    'i2@example.com,captain,,',
    'twice@example.com,auditor,,',
    'i3@example.com,操作员,2027-01-31,"a, b"',
  ])
  const refused = (await send({ csv: wrong, check: false })) as { errors: { line: number; column: string }[] }
  expect(refused.errors.map(({ line, column }) => `${line} ${column}`)).toEqual([
    '2 expires',
    '3 username',
    '4 role',
    '5 username',
  ])
  expect(await find('i3@example.com')).toBeUndefined()
  const right = csv(['i3@example.com,操作员,2027-01-31,"a, b"', 'i4@example.com,Auditor,,'])
  expect(await send({ csv: right, check: true })).toMatchObject({ count: 2, errors: [], created: [] })
  expect(await find('i3@example.com')).toBeUndefined()
  const done = (await send({ csv: right, check: false })) as { created: { username: string }[] }
  expect(done.created.map(({ username }) => username)).toEqual(['i3@example.com', 'i4@example.com'])
  expect(await find('i3@example.com')).toMatchObject({ remarks: 'a, b', role: 'operator' })
  expect(await send({ csv: 'name,role\nx,y', check: true })).toMatchObject({ errors: [{ line: 1 }, { line: 1 }] })
})

test('an invited account chooses its password once with the link, and signs in with it', async () => {
  const stranger = new ConsoleClient(app.url)
  const answer = await create({ username: 'invited@example.com', role: 'operator', invite: true })
  expect(answer).toMatchObject({ code: 0, password: null, data: { state: 'invited', must_change_password: false } })
  const { token } = answer['invitation'] as { token: string }
  const before = await stranger.signIn('invited@example.com', '', CODE)
  expect(before.body['code']).toBe(500203)
  expect((await stranger.call(invitation, { body: { token } })).body).toMatchObject({
    data: { username: 'invited@example.com', role_name: { en: 'Operator' } },
  })
  const accept = async (password: string, again = password, used = token) =>
    (await stranger.call(acceptInvitation, { body: { token: used, new_password1: password, new_password2: again } }))
      .body['code']
  expect([await accept(''), await accept('Granite-Kite-41', ''), await accept('Has%Percent1')]).toEqual([
    500219, 500220, 500212,
  ])
  expect([
    await accept('short'),
    await accept('Granite-Kite-41', 'Granite-Kite-42'),
    await accept('Password123!'),
  ]).toEqual([500211, 500214, 500216])
  const both = await Promise.all([accept('Granite-Kite-41'), accept('Granite-Kite-42')])
  expect(both.sort()).toEqual([0, 500237])
  expect(await accept('Granite-Kite-43')).toBe(500237)
  const codes = await Promise.all(
    ['Granite-Kite-41', 'Granite-Kite-42'].map(
      async (password) => (await new ConsoleClient(app.url).signIn('invited@example.com', password, CODE)).body['code'],
    ),
  )
  expect(codes.filter((code) => code === undefined)).toHaveLength(1)
  expect(await find('invited@example.com')).toMatchObject({ state: 'active', invited_until: null })
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'acceptInvitation')
    .where('result', '=', 'ok')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ account: 'invited@example.com', target: 'invited@example.com' })
  expect(JSON.stringify(await app.meta.db.selectFrom('audit_log').selectAll().execute())).not.toContain(token)
})

test('an invitation link ends after three days, with a newer link, with a reset and while the account is disabled', async () => {
  const stranger = new ConsoleClient(app.url, () => app.deps.now())
  const opens = async (token: string) => (await stranger.call(invitation, { body: { token } })).body['code']
  const first = (await create({ username: 'late@example.com', role: 'trial', invite: true }))['invitation'] as {
    token: string
    expires_at: number
  }
  const { id } = (await find('late@example.com')) as User
  const renew = async () => (await admin.call(inviteUser, { body: { id } })).body['data'] as typeof first
  app.clock.offset = 3 * 86_400_000 + 1000
  expect(await opens(first.token)).toBe(500237)
  app.clock.offset = 0
  expect(await opens(first.token)).toBe(0)
  const second = await renew()
  expect([await opens(first.token), await opens(second.token)]).toEqual([500237, 0])
  await admin.call(disableUsers, { body: { ids: [id], disabled: true } })
  expect(await opens(second.token)).toBe(500237)
  await admin.call(disableUsers, { body: { ids: [id], disabled: false } })
  expect((await list(admin, { state: 'invited' })).data.map((one) => one.username)).toEqual(['late@example.com'])
  await admin.call(resetUser, { body: { id } })
  expect(await opens(second.token)).toBe(500237)
  expect((await admin.call(inviteUser, { body: { id } })).body['code']).toBe(500238)
  expect((await manager.call(inviteUser, { body: { id } })).body['code']).toBe(500233)
})

test('the list searches, filters by role, type and state, sorts, and pages with its total', async () => {
  const all = await list(admin, { limit: 200 })
  expect(all.total).toBe(all.data.length)
  expect(
    (await list(admin, { limit: 2, offset: 1, sort: 'username', descending: 'false' })).data.map((one) => one.username),
  ).toEqual(
    all.data
      .map((one) => one.username)
      .sort()
      .slice(1, 3),
  )
  expect((await list(admin, { search: 'PILOT' })).data.map((one) => one.username)).toEqual(['New.Person@example.com'])
  expect((await list(admin, { search: '%' })).total).toBe(0)
  expect((await list(admin, { state: 'disabled' })).data.map((one) => one.username)).toEqual(['leaver@example.com'])
  expect((await list(admin, { customer_type: 'trial' })).total).toBe(1)
  expect((await list(admin, { role: 'auditor' })).data.map((one) => one.username)).toEqual(['i4@example.com'])
})

test('without user.manage every call of account management is refused', async () => {
  await app.addUser('plain@example.com', 'operator')
  const plain = await signedIn('plain@example.com')
  const answers = [
    await plain.call(users, {}),
    await plain.call(createUser, { body: { username: 'a@b.cd', role: 'trial' } }),
  ]
  expect(answers.map(({ body }) => body['code'])).toEqual([500018, 500018])
})
