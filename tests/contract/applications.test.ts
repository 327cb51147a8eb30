import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  applicationList,
  applicationMembers,
  assumeSite,
  createApplication,
  deleteApplication,
  setApplicationMembers,
  setApplicationSite,
} from '#contracts/http/applications.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { createIngestKey, ingestKeys, revokeIngestKey } from '#contracts/http/ingest.ts'
import { deleteSite, saveSite, siteList } from '#contracts/http/sites.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
const who = {} as Record<'admin' | 'owner' | 'member' | 'other' | 'auditor', ConsoleClient>
const changes: string[] = []
beforeAll(async () => {
  app = await startHttpApp()
  await app.meta.listen(CHANNELS.changed, (payload) => changes.push((payload as { what: string }).what))
  const roles = {
    admin: 'administrator',
    owner: 'operator',
    member: 'operator',
    other: 'operator',
    auditor: 'auditor',
  } as const
  for (const [name, role] of Object.entries(roles)) {
    await app.addUser(`${name}@example.com`, role)
    const client = new ConsoleClient(app.url)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    who[name as keyof typeof who] = client
  }
})
afterAll(() => app.close())

type Item = { id: string; name: string; mime_type: number; owner: string; manageable: boolean; site: string | null }
const list = async (client: ConsoleClient) => (await client.call(applicationList)).body['object_list'] as Item[]
const create = async (client: ConsoleClient, name: string, mimetype_list: number[]) =>
  (await client.call(createApplication, { body: { name, mimetype_list } })).body
const code = async (client: ConsoleClient, endpoint: Endpoint, body: object) =>
  (await client.call(endpoint, { body })).body['code']

test('[APP-01] a name and a platform are needed, in the words of the form', async () => {
  expect(await create(who.owner, '  ', [1])).toMatchObject({ code: 500301, codemsg: '请输入应用名称' })
  const nothing = await who.owner.call(createApplication, { body: {} })
  expect(nothing.body).toMatchObject({ code: 500301, codemsg: '请输入应用名称' })
  expect(await create(who.owner, 'Wallet', [])).toMatchObject({ code: 500302, codemsg: '请至少选择一个平台' })
  expect((await create(who.owner, 'Wallet', [3]))['code']).toBe(500001)
})

test('[APP-03] creating makes one application a platform, the new ones first in the returned list', async () => {
  await create(who.owner, 'Older', [1])
  const { object_list } = (await create(who.owner, ' Wallet ', [1, 2])) as { object_list: Item[] }
  expect(object_list.slice(0, 3).map(({ name, mime_type }) => [name, mime_type])).toEqual([
    ['Wallet', 1],
    ['Wallet', 2],
    ['Older', 1],
  ])
  expect(object_list[0]).toMatchObject({ owner: 'owner@example.com', manageable: true, site: null })
  await expect.poll(() => changes).toContain('applications')
})

test('scope: owners and members see, administrators and auditors see all, others may not even know', async () => {
  const [wallet] = await list(who.owner)
  const appid = (wallet as Item).id
  expect(await list(who.other)).toEqual([])
  expect((await list(who.auditor)).map(({ id }) => id)).toContain(appid)
  expect((await list(who.auditor)).every(({ manageable }) => !manageable)).toBe(true)
  expect(await code(who.other, deleteApplication, { appid })).toBe(500002)

  expect(await code(who.owner, setApplicationMembers, { appid, usernames: ['nobody@example.com'] })).toBe(500001)
  expect(await code(who.owner, setApplicationMembers, { appid, usernames: ['Member@example.com'] })).toBe(0)
  expect((await list(who.member)).map(({ id, manageable }) => [id, manageable])).toEqual([[appid, false]])
  const members = await who.member.call(applicationMembers, { query: { appid } })
  expect(members.body['data']).toEqual([
    { username: 'owner@example.com', owner: true },
    { username: 'member@example.com', owner: false },
  ])
  for (const [endpoint, body] of [
    [deleteApplication, { appid }],
    [setApplicationMembers, { appid, usernames: [] }],
    [createIngestKey, { appid, kind: 'server', name: 'x' }],
  ] as const)
    expect(await code(who.member, endpoint, body)).toBe(500303)
  expect(await code(who.admin, setApplicationMembers, { appid, usernames: [] })).toBe(0)
  expect(await list(who.member)).toEqual([])
})

test('ingest keys: server keys shown once, enrolment keys shown again, only hashes kept, revoked with their devices', async () => {
  const [wallet] = await list(who.owner)
  const appid = (wallet as Item).id
  const make = async (kind: string) =>
    (await who.owner.call(createIngestKey, { body: { appid, kind, name: kind, scopes: ['events', 'import'] } }))
      .body as {
      key: string
      data: { id: string; text: string | null; scopes: string[]; hint: string }
    }
  const server = await make('server')
  const enrolment = await make('enrolment')
  expect(server.key).toMatch(/^aw_sk_[\w-]{43}$/)
  expect(enrolment.key).toMatch(/^aw_ek_[\w-]{43}$/)
  expect([server.data.text, server.data.scopes]).toEqual([null, ['events', 'import']])
  expect([enrolment.data.text, enrolment.data.scopes]).toEqual([enrolment.key, ['events']])
  const shown = JSON.stringify((await who.owner.call(ingestKeys, { query: { appid } })).body)
  expect([shown.includes(server.key), shown.includes(enrolment.key), shown.includes('hash')]).toEqual([
    false,
    true,
    false,
  ])
  const stored = JSON.stringify(await app.meta.db.selectFrom('ingest_keys').selectAll().execute())
  expect(stored.includes(server.key)).toBe(false)

  await app.meta.db
    .insertInto('installs')
    .values({
      id: 'i1',
      ingest_key_id: enrolment.data.id,
      application_id: Number(appid),
      device: 'd',
      created_at: 1,
      revoked_at: null,
    })
    .execute()
  changes.length = 0
  expect(await code(who.other, revokeIngestKey, { id: enrolment.data.id })).toBe(500002)
  expect(await code(who.owner, revokeIngestKey, { id: enrolment.data.id })).toBe(0)
  const install = await app.meta.db.selectFrom('installs').selectAll().executeTakeFirstOrThrow()
  expect(install.revoked_at).not.toBeNull()
  await expect.poll(() => changes).toContain('ingest_keys')
})

test('sites: named, placed, given to applications, gone from them when deleted', async () => {
  const [wallet] = await list(who.owner)
  const appid = (wallet as Item).id
  const saved = await who.admin.call(saveSite, {
    body: { name: '上海', name_en: 'Shanghai', longitude: 121.47, latitude: 31.23 },
  })
  const { id } = saved.body['data'] as { id: string }
  expect(await code(who.owner, saveSite, { name: 'x', longitude: 0, latitude: 0 })).toBe(500018)
  expect(await code(who.admin, saveSite, { name: 'x', longitude: 181, latitude: 0 })).toBe(500001)
  expect(await code(who.admin, saveSite, { id: '999', name: 'x', longitude: 1, latitude: 0 })).toBe(500002)
  expect(await code(who.owner, setApplicationSite, { appid, site: '999' })).toBe(500002)
  expect(await code(who.owner, setApplicationSite, { appid, site: id })).toBe(0)
  expect((await list(who.owner)).find((one) => one.id === appid)?.site).toBe(id)
  expect((await who.other.call(siteList)).body['data']).toMatchObject([{ id, name: '上海' }])
  expect(await code(who.admin, deleteSite, { id })).toBe(0)
  expect(await code(who.admin, deleteSite, { id })).toBe(500002)
  expect((await list(who.owner)).find((one) => one.id === appid)?.site).toBeNull()
})

test('a time zone gives an application without a site one that is assumed until it is saved; no other is touched', async () => {
  const { object_list } = (await create(who.owner, 'First steps', [1, 2])) as { object_list: Item[] }
  const [first, second] = object_list as [Item, Item]
  const assume = async (client: ConsoleClient, appid: string, time_zone: string) =>
    (await client.call(assumeSite, { body: { appid, time_zone } })).body
  expect(await assume(who.owner, first.id, 'UTC')).toMatchObject({ code: 0, data: null })
  const reply = await assume(who.owner, first.id, 'Asia/Shanghai')
  expect(reply).toMatchObject({ code: 0, data: { name: '上海', name_en: 'Shanghai', assumed: true } })
  const site = (reply['data'] as { id: string }).id
  expect((reply['object_list'] as Item[]).find((one) => one.id === first.id)?.site).toBe(site)
  // The second application shares it; asked again with another zone nothing changes.
  expect(await assume(who.owner, second.id, 'PRC')).toMatchObject({ data: { id: site } })
  expect(await assume(who.owner, second.id, 'Europe/Paris')).toMatchObject({ data: { id: site } })
  expect((await who.other.call(siteList)).body['data']).toMatchObject([{ id: site, assumed: true }])
  expect((await assume(who.member, first.id, 'Asia/Tokyo'))['code']).not.toBe(0)
  expect((await assume(who.other, first.id, 'Asia/Tokyo'))['code']).toBe(500002)
  await who.admin.call(saveSite, { body: { id: site, name: '主机房', longitude: 121.5, latitude: 31.2 } })
  expect((await who.other.call(siteList)).body['data']).toMatchObject([{ id: site, name: '主机房', assumed: false }])
  expect(await code(who.admin, deleteSite, { id: site })).toBe(0)
  for (const { id } of [first, second]) await who.owner.call(deleteApplication, { body: { appid: id } })
})

test('[APP-05] deleting takes the application and its keys away and answers what remains', async () => {
  const before = await list(who.owner)
  const { id } = before[0] as Item
  const reply = (await who.owner.call(deleteApplication, { body: { appid: id } })).body as { object_list: Item[] }
  expect(reply.object_list.map((one) => one.id)).toEqual(before.slice(1).map((one) => one.id))
  expect(await code(who.owner, deleteApplication, { appid: id })).toBe(500002)
  const keys = await app.meta.db
    .selectFrom('ingest_keys')
    .select('revoked_at')
    .where('application_id', '=', Number(id))
    .execute()
  expect(keys.every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})
