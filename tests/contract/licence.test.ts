import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { userGroup } from '#contracts/http/accounts.ts'
import { applicationList, createApplication, deleteApplication } from '#contracts/http/applications.ts'
import { createTasks } from '#contracts/http/detection/tasks.ts'
import {
  applyLicence,
  downloadLicence,
  type LicenceAnswer,
  licenseRemind,
  previewLicence,
  showLicence,
} from '#contracts/http/licence.ts'
import { createUser, disableUsers, importUsers } from '#contracts/http/users.ts'
import type { LicenceTerms } from '#engines/licence/licence-code.ts'
import { openLicence } from '#server/platform/licence/open-licence.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { madeTerms, signedLicence, TEST_VENDOR_KEY } from '#tests/support/made-licence.ts'

const DAY = 86_400_000
let app: HttpApp
let admin: ConsoleClient
let operator: ConsoleClient
let serial = 0

async function signedIn(username: string, role: string): Promise<ConsoleClient> {
  await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}
beforeAll(async () => {
  app = await startHttpApp({ APPWARDEN_LICENCE_KEYS: TEST_VENDOR_KEY })
  admin = await signedIn('admin@example.com', 'administrator')
  operator = await signedIn('operator@example.com', 'operator')
})
afterAll(() => app.close())

/** Back to the first day of a trial. */
beforeEach(async () => {
  await app.meta.db.deleteFrom('licences').execute()
  await setRow('licence.installed', { at: Date.now() })
  await setRow('licence.clock', { highest: 0, back: false })
})

async function setRow(key: string, value: object): Promise<void> {
  await app.meta.db
    .updateTable('settings')
    .set({ value: JSON.stringify(value) })
    .where('key', '=', key)
    .execute()
  await app.deps.licence.refresh()
}
const english = { headers: { 'accept-language': 'en' } }
const show = async () => (await admin.call(showLicence, {}, english)).body['data'] as LicenceAnswer
/** A licence for this machine, as of the vendor's next day of work. */
function terms(more: Partial<LicenceTerms> = {}): LicenceTerms {
  const { product, macs } = app.deps.licence.status().machine
  return madeTerms(Date.now(), { id: `L-${++serial}`, product, macs: [...macs], ...more })
}
const submit = async (code: string, client = admin) =>
  (await client.call(applyLicence, { body: { code } }, english)).body
const apply = async (more: Partial<LicenceTerms> = {}) => {
  const answer = await submit(signedLicence(terms(more)))
  expect(answer).toMatchObject({ code: 0 })
  return answer['data'] as LicenceAnswer
}
/** What was applied once, and is stored with terms that could not be applied now. */
async function store(more: Partial<LicenceTerms>): Promise<void> {
  const code = signedLicence(terms(more))
  await app.meta.db.insertInto('licences').values({ code, applied_at: Date.now(), applied_by: 'before' }).execute()
  await app.deps.licence.refresh()
}
const addApplication = async (name: string, client = operator) =>
  (await client.call(createApplication, { body: { name, mimetype_list: [1] } }, english)).body
const remind = async (language = 'en') =>
  (await admin.call(licenseRemind, {}, { headers: { 'accept-language': language } })).body

test('[LIC-01] without a licence the page shows a trial of 90 days, the hardware addresses and a product code that stays', async () => {
  const data = await show()
  expect(data).toMatchObject({
    kind: 'trial',
    problem: null,
    days_remaining: 90,
    code: null,
    terms: null,
    history: [],
    message: '',
    apps_licensed: null,
  })
  expect(data.product_code).toMatch(/^AW(-[0-9A-Z]{4}){4}$/)
  expect(data.macs.length).toBeGreaterThan(0)
  expect(data.request).toBe(
    `AWR1/${data.product_code}/${data.macs.map((mac) => mac.replaceAll(':', '').toUpperCase()).join(',')}`,
  )
  expect(data.deadline - data.begin).toBe(90 * DAY)
  const again = await openLicence({ ...app.deps, macs: () => [] })
  expect(again.status().machine.product).toBe(data.product_code)
  await again.close()
})

test('[LIC-01] a code shows what it would bring, and is in force at once when submitted; history and audit say who', async () => {
  await addApplication('First')
  const given = terms({ applications: 20, users: 30, devices: 500, events_per_day: 10_000, modules: ['detection'] })
  const code = signedLicence(given)
  const preview = await admin.call(previewLicence, { body: { code } })
  expect(preview.body['data']).toEqual({ refusal: null, terms: given })
  expect((await show()).kind).toBe('trial')
  expect(await submit(`# a comment\n${code.match(/.{1,60}/g)?.join('\n')}\n`)).toMatchObject({
    code: 0,
    data: { kind: 'licensed' },
  })
  const data = await show()
  expect(data).toMatchObject({
    kind: 'licensed',
    days_remaining: 365,
    apps_used: 1,
    apps_licensed: 20,
    users_used: 2,
    users_licensed: 30,
    devices_used: 0,
    devices_licensed: 500,
    events_licensed: 10_000,
    code,
    terms: given,
    history: [{ applied_by: 'admin@example.com', terms: given }],
  })
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'applyLicence')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ account: 'admin@example.com', target: given.id, result: 'ok' })
  expect(entry.changes).toContain('applications')
})

test('[LIC-01] each refusal has the required words and its reason, and the audit trail has it', async () => {
  const refused = async (code: string) => {
    const { codemsg, reason } = await submit(code)
    return [codemsg, reason]
  }
  expect(await refused('')).toEqual(['Authorization code cannot be empty', undefined])
  expect(await refused('  \n')).toEqual(['Authorization code cannot be empty', undefined])
  expect(await refused('hello')).toEqual(['Wrong data format', 'format'])
  expect(await refused('A'.repeat(20_000))).toEqual(['Wrong data format', 'format'])
  const code = signedLicence(terms())
  const changed = code.slice(0, 60) + (code[60] === 'A' ? 'B' : 'A') + code.slice(61)
  expect(await refused(changed)).toEqual(['Authorization invalid', 'signature'])
  expect(await refused(code.replace('AWL1', 'AWL9'))).toEqual(['Authorization invalid', 'version'])
  expect(await refused(signedLicence(terms({ macs: ['00:11:22:33:44:55'] })))).toEqual([
    'Authorization invalid',
    'other_machine',
  ])
  expect(await refused(signedLicence(terms({ product: 'AW-FFFF-FFFF-FFFF-FFFF' })))).toEqual([
    'Authorization invalid',
    'other_product',
  ])
  expect(await refused(signedLicence(terms({ not_before: 0, not_after: Date.now() - 1 })))).toEqual([
    'Authorization invalid',
    'expired',
  ])
  expect(await refused(signedLicence(terms({ not_before: Date.now() + DAY })))).toEqual([
    'Authorization invalid',
    'not_yet',
  ])
  expect((await show()).kind).toBe('trial')
  const first = terms()
  await submit(signedLicence(first))
  expect(await refused(signedLicence(first))).toEqual(['Authorization invalid', 'applied'])
  expect(await refused(signedLicence(terms({ issued_at: first.issued_at - DAY })))).toEqual([
    'Authorization invalid',
    'older',
  ])
  const { details } = await app.meta.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.agg<string[]>('array_agg', ['detail']).as('details'))
    .where('action', '=', 'applyLicence')
    .where('result', '=', 'licence.invalid')
    .executeTakeFirstOrThrow()
  expect(details.join()).toMatch(/signature.*version.*other_machine.*other_product.*expired.*not_yet.*applied.*older/)
  const chinese = await admin.call(applyLicence, { body: {} }, { headers: { 'accept-language': 'zh' } })
  expect(chinese.body['codemsg']).toBe('授权码不能为空')
})

test('[LIC-01] the file of a licence can be downloaded and applied again elsewhere; without one it does not exist', async () => {
  expect(await admin.call(downloadLicence, {}, english)).toMatchObject({
    status: 403,
    body: { codemsg: 'Authorization does not exist' },
  })
  const { history, code } = await apply({ customer: 'Bank' })
  const file = await admin.call(downloadLicence)
  expect(file.headers.get('content-disposition')).toContain(`${history[0]?.terms?.id}.awl`)
  expect(app.deps.licence.read(file.text)).toMatchObject({ ok: true, terms: { customer: 'Bank' } })
  expect(file.text).toContain(code?.slice(0, 76))
  expect(await admin.call(downloadLicence, { query: { id: '999999' } }, english)).toMatchObject({
    status: 404,
    body: { codemsg: 'Data does not exist' },
  })
})

test('[LIC-01] the number of applications is enforced with all numbers in the words, also 20 at once; nothing that exists is deleted', async () => {
  const before = (await show()).apps_used
  await apply({ applications: before + 3 })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => addApplication(`Parallel ${i}`)))
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
  expect(answers.find(({ code }) => code !== 0)).toMatchObject({
    code: 501205,
    codemsg: `More applications than licensed: ${before + 3} exist, ${before + 3} are licensed, 1 more were asked for`,
  })
  expect((await show()).apps_used).toBe(before + 3)
  await apply({ applications: 1 })
  expect(((await admin.call(applicationList)).body['object_list'] as unknown[]).length).toBe(before + 3)
  expect((await addApplication('More'))['code']).toBe(501205)
  const [one] = (await operator.call(applicationList)).body['object_list'] as [{ id: string }]
  expect((await operator.call(deleteApplication, { body: { appid: one.id } })).body['code']).toBe(0)
})

test('[LIC-01] the number of users is enforced where accounts are created, imported and enabled; disabled ones do not count', async () => {
  const create = async (username: string) =>
    (await admin.call(createUser, { body: { username, role: 'operator' } }, english)).body
  await apply({ users: 3 })
  const third = await create('third@example.com')
  expect(third['code']).toBe(0)
  expect(await create('fourth@example.com')).toMatchObject({
    code: 501206,
    codemsg: 'More users than licensed: 3 are enabled, 3 are licensed, 1 more were asked for',
  })
  const { id } = third['data'] as { id: number }
  const disable = async (disabled: boolean) =>
    (await admin.call(disableUsers, { body: { ids: [id], disabled } }, english)).body['code']
  expect(await disable(true)).toBe(0)
  expect((await create('fourth@example.com'))['code']).toBe(0)
  expect(await disable(false)).toBe(501206)
  const csv = 'username,role\nfifth@example.com,operator\nsixth@example.com,operator\n'
  expect((await admin.call(importUsers, { body: { csv, check: false } }, english)).body).toMatchObject({ code: 501206 })
  await apply({ users: 6 })
  expect((await admin.call(importUsers, { body: { csv, check: false } }, english)).body).toMatchObject({ code: 0 })
  expect(await disable(false)).toBe(0)
})

test('[USER-04] the reminder speaks at 30 days or fewer, and has status 407 once trial or licence are over', async () => {
  expect(await remind()).toMatchObject({ status: 200, message: '', days: 90 })
  await setRow('licence.installed', { at: Date.now() - 59 * DAY + 60_000 })
  expect(await remind()).toMatchObject({ status: 200, message: '', days: 32 })
  await setRow('licence.installed', { at: Date.now() - 60 * DAY })
  expect(await remind()).toMatchObject({ status: 200, message: 'platform expires in 30 days', days: 30 })
  expect(await remind('zh')).toMatchObject({ message: '平台将在 30 天后到期' })
  await setRow('licence.installed', { at: Date.now() - 91 * DAY })
  expect(await remind('zh')).toMatchObject({
    status: 407,
    days: 0,
    message: expect.stringContaining('平台试用期已结束，宽限期至'),
  })
  const visitor = new ConsoleClient(app.url)
  expect((await visitor.call(licenseRemind, {}, english)).body).toMatchObject({ status: 407 })
})

test('[LIC-01] after the grace of a trial nothing new is created and noEmpower is added; reading goes on, and a licence ends it', async () => {
  await setRow('licence.installed', { at: Date.now() - 100 * DAY })
  expect(await show()).toMatchObject({ kind: 'grace', problem: 'trial_over', message: 'Authorization does not exist' })
  expect((await addApplication('In grace'))['code']).toBe(0)
  await setRow('licence.installed', { at: Date.now() - 106 * DAY })
  expect(await show()).toMatchObject({ kind: 'ended', message: 'Authorization does not exist' })
  const info = (await operator.call(userGroup)).body['auth_list'] as string[]
  expect(info).toContain('noEmpower')
  expect(info).toContain('application.create')
  expect(await addApplication('Late')).toMatchObject({ code: 501201, codemsg: 'Authorization does not exist' })
  const task = { files: ['1'], kinds: ['static'], strategy: 'full', priority: 'normal' }
  expect((await operator.call(createTasks, { body: task }, english)).body).toMatchObject({ code: 501201 })
  expect((await operator.call(applicationList)).body['code']).toBe(0)
  await apply()
  expect((await operator.call(userGroup)).body['auth_list']).not.toContain('noEmpower')
  expect((await addApplication('Renewed'))['code']).toBe(0)
})

test('[LIC-01] a licence that has expired, or no longer fits the machine, is invalid', async () => {
  await store({ not_before: 0, not_after: Date.now() - 16 * DAY })
  expect(await show()).toMatchObject({
    kind: 'ended',
    problem: 'expired',
    message: 'Authorization invalid',
    days_remaining: 0,
  })
  expect(await addApplication('Expired')).toMatchObject({ code: 501202, codemsg: 'Authorization invalid' })
  await store({ macs: ['00:11:22:33:44:55'] })
  expect(await show()).toMatchObject({ kind: 'grace', problem: 'other_machine', message: 'Authorization invalid' })
})

test('[LIC-01] a module that is not licensed is refused by its name, what exists stays readable', async () => {
  await apply({ modules: ['script'] })
  const task = { files: ['1'], kinds: ['static'], strategy: 'full', priority: 'normal' }
  expect((await operator.call(createTasks, { body: task }, english)).body).toMatchObject({
    code: 501207,
    codemsg: 'The licence does not include: Security detection',
  })
  expect(
    (await operator.call(createTasks, { body: task }, { headers: { 'accept-language': 'zh' } })).body,
  ).toMatchObject({ codemsg: '当前授权不包含：安全检测' })
})

test('[LIC-01] a clock that is set back wins no time, is shown and written into the audit trail once, and all is well when it is right again', async () => {
  const clock = { offset: 0 }
  const watching = await openLicence({
    ...app.deps,
    now: () => Date.now() + clock.offset,
    macs: () => app.deps.licence.status().machine.macs as string[],
  })
  const entries = async () =>
    (
      await app.meta.db
        .selectFrom('audit_log')
        .select('action')
        .where('action', 'like', 'licence.clock%')
        .orderBy('id')
        .execute()
    ).map(({ action }) => action)
  await store({ not_after: Date.now() + 10 * DAY })
  await setRow('licence.clock', { highest: Date.now() + 20 * DAY, back: false })
  await watching.refresh()
  expect(watching.status()).toMatchObject({ kind: 'grace', problem: 'expired', clock: { isBack: true } })
  await watching.close()
  const restarted = await openLicence({ ...app.deps, macs: () => [...app.deps.licence.status().machine.macs] })
  await expect.poll(entries).toEqual(['licence.clock_back'])
  await restarted.close()
  expect((await show()).clock).toMatchObject({ back: true })
  clock.offset = 19.5 * DAY
  const right = await openLicence({ ...app.deps, now: () => Date.now() + clock.offset })
  await expect.poll(entries).toEqual(['licence.clock_back', 'licence.clock_right'])
  expect(right.status().clock.isBack).toBe(false)
  await right.close()
  // A clock that once was ahead by mistake: a new code says what time it is.
  await setRow('licence.clock', { highest: Date.now() + 900 * DAY, back: true })
  expect(await show()).toMatchObject({ kind: 'ended', clock: { back: true } })
  expect(await apply()).toMatchObject({ kind: 'licensed', clock: { back: false } })
})

test('[LIC-01] only license.manage opens the licence, and a build without vendor keys says why it takes none', async () => {
  for (const endpoint of [showLicence, previewLicence, applyLicence])
    expect((await operator.call(endpoint, { body: { code: '' } }, english)).body['code']).toBe(500018)
  const bare = await openLicence({ ...app.deps, config: { licenceKeys: [] }, macs: () => [] })
  expect(bare.status().hasKeys).toBe(false)
  expect(bare.read(signedLicence(terms()))).toEqual({ ok: false, problem: 'signature' })
  await bare.close()
})
