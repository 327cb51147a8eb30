import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APPLICATION_TYPES } from '#contracts/detection/kinds.ts'
import { createApplication } from '#contracts/http/applications.ts'
import {
  createReinforcePolicy,
  deleteReinforcePolicy,
  exportReinforcePolicy,
  importReinforcePolicy,
  type ReinforcePolicy,
  reinforcePolicies,
  reinforcePolicy,
  reinforcePolicyFormat,
  saveReinforcePolicy,
} from '#contracts/http/reinforce-policies.ts'
import { REINFORCE_OPTION_KEYS } from '#domain/reinforce-options.ts'
import { chosenOptions } from '#domain/reinforce-policy.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
const who = {} as Record<'admin' | 'owner' | 'stranger', ConsoleClient>
let appid: string

beforeAll(async () => {
  app = await startHttpApp()
  for (const [name, role] of [
    ['admin', 'administrator'],
    ['owner', 'operator'],
    ['stranger', 'operator'],
  ] as const) {
    await app.addUser(`${name}@example.com`, role)
    who[name] = new ConsoleClient(app.url)
    await who[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
  const { object_list } = await good(who.owner, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  appid = object_list[0]?.id as string
}, 60_000)
afterAll(() => app?.close())

const create = async (body: object, by = who.owner) => (await good(by, createReinforcePolicy, { body })).data
const saved = (policy: ReinforcePolicy, change: object = {}) => {
  const { id, rev, name, general, appid: application, options, keep_rules, signature_id, schemes } = policy
  return { id, rev, name, general, appid: application, options, keep_rules, signature_id, schemes, ...change }
}
const save = async (policy: ReinforcePolicy, change: object = {}, by = who.owner, language = 'zh') =>
  (await by.call(saveReinforcePolicy, { body: saved(policy, change) }, { headers: { 'accept-language': language } }))
    .body as { code: number; codemsg: string; field?: string; data: ReinforcePolicy }

test('[HARD-01] each of the 21 application types has a template that can be saved as it is', async () => {
  expect(Object.keys(APPLICATION_TYPES)).toHaveLength(21)
  for (const template of Object.keys(APPLICATION_TYPES)) {
    const policy = await create({ name: template, template })
    expect(policy.industry).toBe(template)
    expect(chosenOptions(policy.options).length, template).toBeGreaterThan(8)
    const { code, data } = await save(policy, { keep_rules: '-keep class com.example.** { *; }' })
    expect({ code, rev: data.rev }, template).toEqual({ code: 0, rev: 2 })
  }
  const blank = await create({ name: 'Blank' })
  expect(chosenOptions(blank.options)).toEqual([])
  expect(Object.keys(blank.options).toSorted()).toEqual([...REINFORCE_OPTION_KEYS].toSorted())
})

test('[HARD-01] the name is required, and an option that is on needs its files, activities, methods or server', async () => {
  const { body } = await who.owner.call(
    createReinforcePolicy,
    { body: { name: '  ' } },
    { headers: { 'accept-language': 'en' } },
  )
  expect(body).toMatchObject({ codemsg: 'This item is required', field: 'name' })
  const policy = await create({ name: 'Release' })
  const on = (option: string, settings: object) => ({
    options: { ...policy.options, [option]: { on: true, ...settings } },
  })
  for (const [option, settings, field] of [
    ['screenshot_prevention', { patterns: [] }, 'patterns'],
    ['resource_protection', { patterns: ['!assets/fonts/**'] }, 'patterns'],
    ['dex_vmp', {}, 'patterns'],
    ['risk_control', { server: '' }, 'server'],
    ['log_removal', { levels: [] }, 'levels'],
  ] as const)
    expect(await save(policy, on(option, settings), who.owner, 'en')).toMatchObject({
      codemsg: 'This item is required',
      field: `${option}.${field}`,
    })
  for (const server of ['console.example.com', 'ftp://example.com', 'https://', 'javascript:alert(1)', 'https://a b'])
    expect(await save(policy, on('risk_control', { server })), server).toMatchObject({
      codemsg: '请输入正确的接口服务器地址（http 或 https）',
    })
  expect((await save(policy, on('unknown_option', {}))).code).toBe(500001)
  expect((await save(policy, on('risk_control', { server: 'https://console.example.com:8443/x' }))).code).toBe(0)
  expect((await save(policy, { name: 'Late' })).codemsg).toBe('数据已被他人修改，请核对最新数据后重试')
})

test('[HARD-01] a policy is copied, exported, imported again without a difference, and deleted', async () => {
  const first = await create({ name: 'Release', template: 'online_payment', appid })
  const copy = await create({ name: 'Copy', copy: first.id })
  expect(copy.options).toEqual(first.options)
  const file = await who.owner.call(exportReinforcePolicy, { query: { id: first.id } })
  expect(file.headers.get('content-disposition')).toContain('Release.json')
  expect(JSON.parse(file.text)).toMatchObject({ format: 'appwarden.reinforce-policy', version: 1, name: 'Release' })
  const { data: imported } = await good(who.owner, importReinforcePolicy, { body: { text: file.text } })
  expect(imported).toMatchObject({ name: 'Release', industry: 'online_payment', appid: null, signature_id: null })
  expect(imported.options).toEqual(first.options)
  await good(who.owner, deleteReinforcePolicy, { body: { id: first.id } })
  expect((await who.owner.call(reinforcePolicy, { query: { id: first.id } })).body['codemsg']).toBe('数据不存在')
})

test.each([
  ['no JSON', '{', '不是 JSON'],
  ['another file', '{"format":"x"}', '不是加固策略'],
  ['a list', '[]', '不是加固策略'],
  ['a later version', '{"format":"appwarden.reinforce-policy","version":2,"name":"x"}', '版本 2 不能读'],
  [
    'an unknown option',
    '{"format":"appwarden.reinforce-policy","version":1,"name":"x","options":{"dex":{}}}',
    'options.dex 未知的项',
  ],
  [
    'a value that is not allowed',
    '{"format":"appwarden.reinforce-policy","version":1,"name":"x","options":{"js_protection":{"strength":"max"}}}',
    'options.js_protection.strength 取值不对',
  ],
])('[HARD-01] the import of %s says what is wrong where', async (_, text, detail) => {
  const { body } = await who.owner.call(importReinforcePolicy, { body: { text } })
  expect(body['codemsg']).toBe(`策略文件有误：${detail}`)
})

test('[HARD-01] the published schema describes what is exported', async () => {
  const { text } = await who.owner.call(reinforcePolicyFormat)
  const schema = JSON.parse(text)
  expect(schema.properties.version).toMatchObject({ const: 1 })
  expect(Object.keys(schema.properties.options.properties ?? {})).toEqual(
    expect.arrayContaining([...REINFORCE_OPTION_KEYS]),
  )
})

test('[HARD-01] general policies are everybody`s and set by administrators; others are their owner`s or of an application', async () => {
  const own = await create({ name: 'Own' })
  const names = async (by: ConsoleClient) => (await good(by, reinforcePolicies, {})).data.map(({ id }) => id)
  expect(await names(who.stranger)).not.toContain(own.id)
  expect((await who.stranger.call(reinforcePolicy, { query: { id: own.id } })).body['code']).toBe(500002)
  expect((await save(own, { general: true })).codemsg).toContain('行业通用策略须由')
  const { data: general } = await save(own, { general: true }, who.admin)
  expect(general.general).toBe(true)
  expect(await names(who.stranger)).toContain(own.id)
  const { data: seen } = await good(who.stranger, reinforcePolicy, { query: { id: own.id } })
  expect({ manageable: seen.manageable, may: seen.may_be_general }).toEqual({ manageable: false, may: false })
  expect((await save(seen, { name: 'Taken' }, who.stranger)).code).toBe(503103)
  expect((await save(seen, { name: 'Taken' }, who.owner)).code).toBe(503103)
  expect((await who.stranger.call(deleteReinforcePolicy, { body: { id: own.id } })).body['code']).toBe(503103)
})

test('[HARD-03] a policy signs with a file that its editor may use, and does not show one that the reader may not', async () => {
  const [owner, stranger] = await Promise.all(
    ['owner', 'stranger'].map((name) =>
      app.meta.db
        .selectFrom('users')
        .select('id')
        .where('username', '=', `${name}@example.com`)
        .executeTakeFirstOrThrow(),
    ),
  )
  const file = async (owner_id: number) => {
    const id = randomUUID()
    await app.meta.db
      .insertInto('signature_files')
      .values({
        ...{ id, application_id: null, owner_id, name: 'release-2026', file_name: 'a.jks', format: 'jks', size: 1 },
        ...{ alias: 'a', sealed: 'x', certificates: '[]', sha256: '', not_before: 0, not_after: 1, checked_at: 0 },
        created_at: 0,
      })
      .execute()
    return id
  }
  const [mine, theirs] = [await file(owner!.id), await file(stranger!.id)]
  const policy = await create({ name: 'Signed' })
  expect((await save(policy, { signature_id: theirs })).codemsg).toBe('数据不存在')
  const { data } = await save(policy, { signature_id: mine, schemes: ['v3', 'v2', 'v2'] })
  expect({ file: data.signature_id, schemes: data.schemes }).toEqual({ file: mine, schemes: ['v2', 'v3'] })
  const { data: general } = await save(data, { general: true }, who.admin)
  expect(general.signature_id).toBe(mine)
  const { data: seen } = await good(who.stranger, reinforcePolicy, { query: { id: policy.id } })
  expect({ file: seen.signature_id, hidden: seen.hidden_signature }).toEqual({ file: null, hidden: true })
  const copy = await create({ name: 'Copy', copy: policy.id }, who.stranger)
  expect(copy.signature_id).toBe(null)
})
