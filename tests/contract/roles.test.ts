import { afterAll, beforeAll, expect, test } from 'vitest'
import { userGroup } from '#contracts/http/accounts.ts'
import { applicationList, setApplicationMembers } from '#contracts/http/applications.ts'
import { changeRole, createRole, deleteRole, type Role, roles } from '#contracts/http/roles.ts'
import { changeUser, createUser, resetUser, type User, users } from '#contracts/http/users.ts'
import { ALL_ITEMS, AUDITOR_ONLY, BUILT_IN_ROLES, SESSION_ROLES } from '#contracts/permissions.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient

async function signedIn(username: string, role?: string): Promise<ConsoleClient> {
  if (role) await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}
beforeAll(async () => {
  app = await startHttpApp()
  admin = await signedIn('admin@example.com', 'administrator')
})
afterAll(() => app.close())

const list = async (client = admin) => (await client.call(roles)).body['data'] as Role[]
const find = async (name: string) => (await list()).find((role) => role.name.en === name) as Role
const create = async (body: Record<string, unknown>, client = admin) =>
  (await client.call(createRole, { body: { administrator: false, auth: ['asset.read'], ...body } })).body
const change = async (role: Role, body: Record<string, unknown>, client = admin) =>
  (
    await client.call(changeRole, {
      body: {
        key: role.key,
        rev: role.rev,
        name: role.name.en,
        administrator: role.administrator,
        auth: role.auth,
        ...body,
      },
    })
  ).body
const lastEntry = (action: string) =>
  app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

test('[ROLE-01] the list begins with the built-in roles, which can be neither changed nor deleted', async () => {
  const all = await list()
  expect(all.map(({ key }) => key)).toEqual(BUILT_IN_ROLES.map(({ key }) => key))
  expect(all.every(({ built_in, manageable }) => built_in && !manageable)).toBe(true)
  const [administrator] = all as [Role]
  expect(administrator).toMatchObject({ users: 1, signed_in: ['admin@example.com'], signed_in_total: 1 })
  expect((await change(administrator, { auth: ['maps'] }))['code']).toBe(500244)
  expect((await admin.call(deleteRole, { body: { key: 'trial' } })).body['code']).toBe(500244)
})

test('[USER-03] a custom role has a name, the administrator mark and chosen permissions; accounts get it and lose it', async () => {
  const auth = ['asset.read', 'asset.upload', 'maps', 'events.read']
  const made = await create({ name: ' Contractor ', auth })
  expect(made).toMatchObject({ code: 0, data: { name: { zh: 'Contractor', en: 'Contractor' }, built_in: false } })
  const role = await find('Contractor')
  expect(role).toMatchObject({ auth, administrator: false, users: 0, creator: 'admin@example.com', manageable: true })
  const worker = await signedIn('worker@example.com', role.key)
  expect((await worker.call(userGroup)).body['auth_list']).toEqual(auth)
  expect(await find('Contractor')).toMatchObject({ users: 1, signed_in: ['worker@example.com'] })
  expect(await admin.call(deleteRole, { body: { key: role.key } })).toMatchObject({
    body: { code: 500246, codemsg: '仍有 1 个账号使用该角色，请先为它们更换角色' },
  })
  const found = (await admin.call(users, { query: { search: 'worker@' } })).body['data'] as User[]
  await admin.call(changeUser, { body: { id: found[0]?.id, role: 'trial' } })
  expect((await admin.call(deleteRole, { body: { key: role.key } })).body['code']).toBe(0)
  expect(await find('Contractor')).toBeUndefined()
})

test('an empty or taken name, and a role without permissions, are refused', async () => {
  await create({ name: 'Night shift' })
  expect((await create({ name: '  ' }))['code']).toBe(500240)
  expect((await create({ name: 'NIGHT shift' }))['code']).toBe(500241)
  expect((await create({ name: '操作员' }))['code']).toBe(500241)
  expect((await create({ name: 'operator' }))['code']).toBe(500241)
  expect((await create({ name: 'Empty', auth: [] }))['code']).toBe(500242)
  expect((await create({ name: 'Unknown', auth: ['everything'] }))['code']).toBe(500001)
  expect((await create({ name: 'No key', auth: ['noEmpower'] }))['code']).toBe(500001)
})

test('an administrator role sees and manages all applications', async () => {
  const { id } = await app.meta.db
    .insertInto('applications')
    .values({
      uuid: crypto.randomUUID(),
      name: 'Of somebody',
      mime_type: 1,
      protect_type: '0',
      has_file: false,
      owner_id: await app.addUser('owner@example.com', 'operator'),
      created_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const auth = ['createapp', 'application.members']
  await create({ name: 'Sees own', auth })
  await create({ name: 'Sees all', auth, administrator: true })
  const own = await signedIn('own@example.com', (await find('Sees own')).key)
  const all = await signedIn('all@example.com', (await find('Sees all')).key)
  const manage = async (client: ConsoleClient) =>
    (await client.call(setApplicationMembers, { body: { appid: String(id), usernames: [] } })).body['code']
  expect(((await own.call(applicationList)).body['object_list'] as unknown[]).length).toBe(0)
  expect(((await all.call(applicationList)).body['object_list'] as unknown[]).length).toBe(1)
  expect([await manage(own), await manage(all)]).toEqual([500002, 0])
})

test('a user can neither grant more than they have, by a role or an account, nor change a role that has more', async () => {
  await create({ name: 'Manager', auth: ['usermanage', 'user.manage', 'asset.read'] })
  const wide = (await create({ name: 'Wide', auth: ['asset.read', 'asset.delete'] }))['data'] as Role
  const all = (await create({ name: 'All', administrator: true }))['data'] as Role
  const managerKey = (await find('Manager')).key
  const manager = await signedIn('manager@example.com', managerKey)
  expect(await create({ name: 'X1', auth: ['asset.read', 'asset.delete'] }, manager)).toMatchObject({
    code: 500243,
    codemsg: '不能授予您没有的权限：asset.delete',
  })
  expect((await create({ name: 'X2', administrator: true }, manager))['code']).toBe(500243)
  expect((await create({ name: 'X3' }, manager))['code']).toBe(0)
  expect((await change(wide, { auth: ['asset.read'] }, manager))['code']).toBe(500243)
  expect((await change(all, { administrator: false }, manager))['code']).toBe(500243)
  expect((await manager.call(deleteRole, { body: { key: wide.key } })).body['code']).toBe(500243)
  expect((await manager.call(createUser, { body: { username: 'x@y.cn', role: wide.key } })).body['code']).toBe(500233)
  // Their own role neither gains nor loses by them.
  expect((await change(await find('Manager'), { auth: ['user.manage'] }, manager))['code']).toBe(500245)
  expect((await manager.call(deleteRole, { body: { key: managerKey } })).body['code']).toBe(500245)
  const seen = await list(manager)
  expect(seen.filter(({ manageable }) => manageable).map(({ name }) => name.en)).toEqual(['Night shift', 'X3'])
})

test('administrator, operator and auditor are separated: log deletion is the built-in auditor alone', async () => {
  for (const item of AUDITOR_ONLY) {
    expect(BUILT_IN_ROLES.filter(({ auth }) => auth.includes(item)).map(({ key }) => key)).toEqual(['auditor'])
    expect(await create({ name: 'Second auditor', auth: ['log.view', item] })).toMatchObject({ code: 500243 })
  }
  const auditor = BUILT_IN_ROLES.find(({ key }) => key === 'auditor')
  expect(auditor?.auth.filter((item) => !/^(log|audit|report)/.test(item))).toEqual([])
  // Administrators appoint auditors; somebody who merely manages accounts does not.
  expect(
    (await admin.call(createUser, { body: { username: 'audit@example.com', role: 'auditor' } })).body['code'],
  ).toBe(0)
  const manager = await signedIn('manager@example.com')
  const refused = await manager.call(createUser, { body: { username: 'audit2@example.com', role: 'auditor' } })
  expect(refused.body['code']).toBe(500233)
  const [account] = (await admin.call(users, { query: { role: 'auditor' } })).body['data'] as [User]
  expect((await manager.call(resetUser, { body: { id: account.id } })).body['code']).toBe(500233)
  const client = await signedIn('auditor@example.com', 'auditor')
  for (const endpoint of [roles, users]) expect((await client.call(endpoint)).body['code']).toBe(500018)
})

test('a change made from an older state of the role is refused', async () => {
  const before = (await create({ name: 'Twice' }))['data'] as Role
  expect(await change(before, { auth: ['asset.read', 'maps'] })).toMatchObject({ code: 0, data: { rev: 2 } })
  expect((await change(before, { auth: ['mssa'] }))['code']).toBe(500003)
  expect((await find('Twice')).auth).toEqual(['asset.read', 'maps'])
})

test('the audit trail holds the values of a role before and after', async () => {
  const role = (await create({ name: 'Recorded', auth: ['maps', 'asset.read'] }))['data'] as Role
  const created = await lastEntry('createRole')
  expect(created).toMatchObject({ target: 'Recorded', result: 'ok' })
  expect(JSON.parse(created.changes)).toContainEqual({ field: 'auth', before: null, after: ['asset.read', 'maps'] })
  await change(role, { name: 'Recorded 2', auth: ['mssa', 'maps'] })
  expect(JSON.parse((await lastEntry('changeRole')).changes)).toEqual([
    { field: 'name', before: 'Recorded', after: 'Recorded 2' },
    { field: 'auth', before: ['asset.read', 'maps'], after: ['maps', 'mssa'] },
  ])
  await admin.call(deleteRole, { body: { key: role.key } })
  expect(JSON.parse((await lastEntry('deleteRole')).changes)).toContainEqual({
    field: 'name',
    before: 'Recorded 2',
    after: null,
  })
})

test('every permission can be chosen: the administrator makes a role of all that is not the auditor alone', async () => {
  const auth = [...SESSION_ROLES, ...ALL_ITEMS.filter((item) => !AUDITOR_ONLY.includes(item))]
  expect(await create({ name: 'Everything', auth, administrator: true })).toMatchObject({ code: 0, data: { auth } })
})
