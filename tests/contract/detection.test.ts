import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import { deleteOwnRule, ownRules, saveOwnRule, tryOwnRule } from '#contracts/http/detection/rules.ts'
import {
  createTasks,
  type DetectionTask,
  deleteStrategy,
  deleteTasks,
  detectionItem,
  detectionItems,
  detectionKinds,
  detectionOffers,
  detectionTask,
  detectionTasks,
  downloadTaskLog,
  retryTask,
  saveDetectionOffers,
  saveStrategy,
  stopTasks,
  strategies,
} from '#contracts/http/detection/tasks.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'

const PACKAGE = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
const ID = 'io.appium.settings'
const SURFACE = { kinds: ['static'], strategy: 'surface' }

let bed: DetectionBed
let app = 0
let owner = 0
const who = {} as Record<'owner' | 'member' | 'stranger' | 'admin', ConsoleClient>

beforeAll(async () => {
  bed = await detectionBed()
  for (const [name, role] of Object.entries({
    owner: 'operator',
    member: 'trial',
    stranger: 'operator',
    admin: 'administrator',
  }))
    who[name as keyof typeof who] = await bed.signIn(name, role)
  const created = await good(who.owner, createApplication, { body: { name: 'Settings', mimetype_list: [1] } })
  app = Number(created.object_list[0]?.id)
  await good(who.owner, setApplicationMembers, { body: { appid: String(app), usernames: ['member@example.com'] } })
  const row = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', app)
    .executeTakeFirst()
  owner = row?.owner_id ?? 0
})
afterAll(() => bed?.close())

let made = 0
/** Each is another content: bytes behind the archive change nothing of what is found. */
const addPackage = (version: string, bytes: Uint8Array = PACKAGE, kind = 'apk') =>
  bed.addFile(Buffer.concat([bytes, Buffer.from(`${made++}`)]), {
    application: app,
    owner,
    kind,
    version,
    packageName: ID,
    name: 'Appium Settings',
  })
const create = async (client: ConsoleClient, body: object): Promise<DetectionTask> => {
  const { data } = await good(client, createTasks, { body })
  return data[0] as DetectionTask
}
const refusal = async (client: ConsoleClient, endpoint: Parameters<ConsoleClient['call']>[0], input: object) =>
  (await client.call(endpoint, input, ENGLISH)).body

describe('[DET-01] what is offered', () => {
  test('is a table by package kind: libraries and iOS get static and compliance alone, until an administrator changes it', async () => {
    const apk = await addPackage('0.1')
    const jar = await addPackage('0.1', Buffer.from('jar'), 'jar')
    const asked = await good(who.owner, detectionKinds, { body: { files: [apk, jar] } })
    const offered = asked.data.map((file) => file.kinds.filter((one) => one.offered).map((one) => one.kind))
    expect(offered).toEqual([
      ['vulnerability', 'static', 'dynamic', 'compliance', 'sdk', 'privacy', 'content'],
      ['static', 'compliance'],
    ])
    const body = { files: [jar], kinds: ['sdk'] }
    expect(await refusal(who.owner, createTasks, { body })).toMatchObject({ key: 'detection.not_offered' })

    const line = { package_kind: 'jar', application_type: null, kinds: ['static', 'sdk'] }
    expect(await refusal(who.owner, saveDetectionOffers, { body: { data: [line] } })).toMatchObject({
      key: 'permission.missing',
    })
    await good(who.admin, saveDetectionOffers, { body: { data: [line] } })
    const { data } = await good(who.owner, detectionOffers)
    expect(data.find((one) => one.package_kind === 'jar')).toEqual(line)
    expect(data.find((one) => one.package_kind === 'so')?.kinds).toEqual(['static', 'compliance'])
    const again = await good(who.owner, detectionKinds, { body: { files: [jar] } })
    expect(again.data[0]?.kinds.find((one) => one.kind === 'sdk')?.offered).toBe(true)
    await good(who.admin, saveDetectionOffers, { body: { data: [] } })
  })

  test('each kind needs its item, and a file that is not the caller`s does not exist for him', async () => {
    const file = await addPackage('0.2')
    const asked = await good(who.member, detectionKinds, { body: { files: [file] } })
    const allowed = asked.data[0]?.kinds.filter((one) => one.allowed).map((one) => one.kind)
    expect(allowed).toEqual(['vulnerability', 'static', 'dynamic', 'compliance', 'content'])
    const body = { files: [file], kinds: ['static', 'privacy'] }
    expect(await refusal(who.member, createTasks, { body })).toMatchObject({ key: 'permission.missing' })
    expect(await refusal(who.stranger, createTasks, { body })).toMatchObject({ key: 'data.missing' })
  })
})

test('[DET-07] strategies are chosen from the catalogue, kept, copied, changed by one at a time, and deleted', async () => {
  const { data: items } = await good(who.owner, detectionItems)
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  const [first, second] = items.map(({ id }) => id) as [string, string]
  const { data: item } = await good(who.owner, detectionItem, { query: { id: first } })
  expect(item.threat.zh.length).toBeGreaterThan(4)
  const rules = {
    items: [first, second],
    levels: { [first]: 'low' },
    gate: { max: { high: 1, middle: null, low: null } },
  }
  const { data: made } = await good(who.owner, saveStrategy, { body: { name: 'Nightly', ...rules } })
  expect(made).toMatchObject({ ...rules, built_in: false, rev: 1, by: 'owner@example.com' })
  const change = { ...rules, id: made.id, name: 'Nightly 2', rev: 1 }
  expect((await good(who.owner, saveStrategy, { body: change })).data.rev).toBe(2)
  expect(await refusal(who.owner, saveStrategy, { body: change })).toMatchObject({ key: 'data.conflict' })
  expect(await refusal(who.owner, saveStrategy, { body: { name: 'x', items: ['no-such'] } })).toMatchObject({
    key: 'input.invalid',
  })
  expect(await refusal(who.member, saveStrategy, { body: { name: 'x' } })).toMatchObject({ key: 'permission.missing' })
  expect(await refusal(who.owner, deleteStrategy, { body: { id: 'full' } })).toMatchObject({ key: 'input.invalid' })
  await good(who.owner, deleteStrategy, { body: { id: made.id } })
  expect((await good(who.member, strategies)).data.map(({ id }) => id)).toEqual(['full', 'release', 'surface'])
})

test('own rules are read, tried on a package, asked of packages by strategies that take them, and deleted', async () => {
  const file = await addPackage('0.9')
  const broken = await good(who.owner, tryOwnRule, { body: { expression: 'permission("x") and' } })
  expect(broken.data).toMatchObject({ kind: 'error', position: expect.any(Number) })
  const expression = 'permission("android.permission.CHANGE_WIFI_STATE") and not debuggable()'
  expect(await refusal(who.owner, saveOwnRule, { body: { name: 'x', level: 'low', expression } })).toMatchObject({
    key: 'input.invalid',
    field: 'expression',
  })
  const rule = { name: 'Changes Wi-Fi', level: 'low', expression: 'permission("android.permission.CHANGE_WIFI_STATE")' }
  const trial = await good(who.owner, tryOwnRule, { body: { expression: rule.expression, file } })
  expect(trial.data).toMatchObject({ kind: 'answer', holds: true, hits: 1 })
  const { data: kept } = await good(who.owner, saveOwnRule, { body: rule })
  expect(kept.id).toMatch(/^own-/)
  expect((await good(who.member, ownRules)).data.map(({ id }) => id)).toEqual([kept.id])
  expect((await good(who.member, detectionItem, { query: { id: kept.id } })).data.category).toBe('own')
  expect(await refusal(who.member, saveOwnRule, { body: rule })).toMatchObject({ key: 'permission.missing' })

  const { data: strategy } = await good(who.owner, saveStrategy, { body: { name: 'Own', items: [kept.id] } })
  const task = await create(who.owner, { files: [file], kinds: ['static'], strategy: strategy.id })
  const done = await bed.ended(who.owner, task.id)
  expect(done, done.note).toMatchObject({ state: 'detected', counts: { high: 0, middle: 0, low: 1, info: 0 } })
  // The same question of other rules is another one.
  await good(who.owner, saveOwnRule, { body: { ...rule, id: kept.id, level: 'high' } })
  const again = await create(who.owner, { files: [file], kinds: ['static'], strategy: strategy.id })
  expect((await bed.ended(who.owner, again.id)).counts).toMatchObject({ high: 1 })
  await good(who.owner, deleteOwnRule, { body: { id: kept.id } })
  await good(who.owner, deleteStrategy, { body: { id: strategy.id } })
})

describe('[DET-02] a task', () => {
  test('waits, is detected with its stages and log, and returns a score; the same question exists already', async () => {
    const file = await addPackage('1.0')
    const task = await create(who.owner, { files: [file], ...SURFACE, priority: 'high' })
    expect(task).toMatchObject({
      state: 'waiting',
      stage: 'queued',
      priority: 'high',
      score: null,
      name: 'Appium Settings',
    })
    const done = await bed.ended(who.owner, task.id)
    expect(done, done.note).toMatchObject({ state: 'detected', progress: 1, appid: String(app), version: '1.0' })
    expect(done.score).toBeGreaterThan(0)
    expect(done.score).toBeLessThan(100)

    const taskDetail = await good(who.owner, detectionTask, { query: { id: task.id } })
    expect(taskDetail.stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['queued', 'unpack', 'manifest', 'code', 'rules', 'result']),
    )
    for (const { from, to } of taskDetail.stages) expect(to).toBeGreaterThanOrEqual(from)
    expect(taskDetail.log.length).toBeGreaterThan(4)
    expect(taskDetail.isolation.length).toBeGreaterThan(0)
    const rest = await good(who.owner, detectionTask, { query: { id: task.id, after: taskDetail.log_length } })
    expect(rest.log).toEqual([])

    const again = await refusal(who.owner, createTasks, { body: { files: [file], ...SURFACE } })
    expect(again).toMatchObject({ key: 'task.exists', codemsg: 'task already exists', task: task.id })
    // Other rules are another question.
    const other = await create(who.owner, { files: [file], kinds: ['static'], strategy: 'release' })
    await good(who.owner, stopTasks, { body: { ids: [other.id] } })
  })

  test('stays stopped, and is done when tried again', async () => {
    const file = await addPackage('1.1')
    const task = await create(who.owner, { files: [file], ...SURFACE })
    const { data } = await good(who.owner, stopTasks, { body: { ids: [task.id] } })
    expect(data[0]?.state).toBe('stopped')
    expect(await refusal(who.stranger, stopTasks, { body: { ids: [task.id] } })).toMatchObject({ key: 'data.missing' })
    await good(who.owner, retryTask, { body: { id: task.id } })
    expect((await bed.ended(who.owner, task.id)).state).toBe('detected')
    expect(await refusal(who.owner, retryTask, { body: { id: task.id } })).toMatchObject({ key: 'task.exists' })
  })

  test('is listed to those of its application, searched, filtered and paged with a total', async () => {
    const page = await good(who.member, detectionTasks, { query: { limit: 1 } })
    expect(page.data).toHaveLength(1)
    expect(page.total).toBeGreaterThan(1)
    expect(Object.values(page.states).reduce((a, b) => a + b)).toBe(page.total)
    const next = await good(who.member, detectionTasks, { query: { limit: 1, offset: 1 } })
    expect(next.data[0]?.id).not.toBe(page.data[0]?.id)
    expect((await good(who.member, detectionTasks, { query: { search: 'appium' } })).total).toBe(page.total)
    expect((await good(who.member, detectionTasks, { query: { search: '%' } })).total).toBe(0)
    expect((await good(who.member, detectionTasks, { query: { kind: 'privacy' } })).total).toBe(0)
    expect((await good(who.member, detectionTasks, { query: { state: 'detected' } })).total).toBe(page.states.detected)
    expect((await good(who.member, detectionTasks, { query: { to: 1000 } })).total).toBe(0)
    expect((await good(who.stranger, detectionTasks)).total).toBe(0)
  })
})

describe('[DET-05] what goes wrong', () => {
  test('an unreadable package fails with its reason, and its log says that the detection failed', async () => {
    const file = await addPackage('2.0', Buffer.from('PK\u0003\u0004 this is no package at all'))
    const task = await create(who.owner, { files: [file], ...SURFACE })
    const failed = await bed.ended(who.owner, task.id)
    expect(failed.state).toBe('failed')
    expect(failed.note).toContain('The package cannot be read')
    const log = await who.owner.call(downloadTaskLog, { query: { id: task.id } }, ENGLISH)
    expect(log.headers.get('content-disposition')).toContain('attachment')
    expect(log.text).toContain('Your app detection failed!')
    expect(log.text).toContain(task.id)
    const hidden = await who.stranger.call(downloadTaskLog, { query: { id: task.id } })
    expect(hidden.body['key']).toBe('data.missing')
    expect(await refusal(who.member, deleteTasks, { body: { ids: [task.id] } })).toMatchObject({
      key: 'permission.missing',
    })
    expect((await good(who.owner, deleteTasks, { body: { ids: [task.id] } })).deleted).toBe(1)
    expect(await refusal(who.owner, detectionTask, { query: { id: task.id } })).toMatchObject({ key: 'data.missing' })
  })

  test('dynamic detection without a phone says so; the rest of what was asked is made', async () => {
    const file = await addPackage('2.1')
    const alone = await refusal(who.owner, createTasks, { body: { files: [file], kinds: ['dynamic'] } })
    expect(alone).toMatchObject({
      key: 'detection.no_phone',
      codemsg: 'The computer is not connected to the mobile phone...',
    })
    const both = await good(who.owner, createTasks, {
      body: { files: [file], ...SURFACE, kinds: ['static', 'dynamic'] },
    })
    expect(both.data.map(({ kinds }) => kinds)).toEqual([['static']])
    expect(both.refused.map(({ kinds }) => kinds)).toEqual([['dynamic']])
    bed.phones.push(new SimulatedPhone({ serial: 'emulator-5554', model: 'Pixel 8' }))
    const asked = await good(who.owner, detectionKinds, { body: { files: [file] } })
    expect(asked.phones).toEqual([{ serial: 'emulator-5554', model: 'Pixel_8' }])
    const other = await refusal(who.owner, createTasks, {
      body: { files: [file], kinds: ['dynamic'], phone: 'emulator-5556' },
    })
    expect(other).toMatchObject({ key: 'detection.no_phone' })
    bed.phones.length = 0
    await bed.ended(who.owner, both.data[0]?.id ?? '')
  })
})
