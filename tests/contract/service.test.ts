import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import type { Endpoint, ResponseOf } from '#contracts/http/endpoint.ts'
import { notifications } from '#contracts/http/notifications.ts'
import {
  ATTACHMENT_LIMITS,
  addServiceMessage,
  createServiceRequest,
  deleteServiceRequest,
  downloadServiceAttachment,
  dropServiceAttachment,
  exportServiceRequest,
  moveServiceRequest,
  type ServiceAttachment,
  type ServiceRequest,
  serviceContact,
  serviceRequest,
  serviceRequests,
  uploadServiceAttachment,
} from '#contracts/http/service.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { type MailServer, startMailServer } from '#mocks/mail-server/mail-server.ts'
import { lookAfterRequests } from '#server/modules/service/look-after-requests.ts'
import { sendServiceMails } from '#server/modules/service/send-service-mails.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY_MS = 86_400_000
const MISSING = 500002
const MOVE = 503700

let app: HttpApp
let mail: MailServer
let folder: string
let appid: string
const ROLES = { admin: 'administrator', alice: 'operator', bob: 'operator', carol: 'operator2' }
const who = {} as Record<'admin' | 'alice' | 'bob' | 'carol' | 'lapsed', ConsoleClient>

/** Everybody, again after the clock was moved: sessions end while nothing is typed. */
async function signIn(): Promise<void> {
  for (const name of [...Object.keys(ROLES), 'lapsed'] as (keyof typeof who)[]) {
    who[name] = new ConsoleClient(app.url, app.deps.now)
    await who[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
}
async function pass(ms: number): Promise<void> {
  app.clock.offset += ms
  await signIn()
}

beforeAll(async () => {
  mail = await startMailServer()
  app = await startHttpApp({ APPWARDEN_SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none` })
  folder = mkdtempSync(join(tmpdir(), 'appwarden-service-'))
  app.deps.files = await openLocalFiles(folder)
  for (const [name, role] of Object.entries(ROLES)) await app.addUser(`${name}@example.com`, role)
  // Its own authorisation is over: noEmpower alone.
  await app.addUser('lapsed@example.com', 'operator', { expires_at: Date.now() - 1000 })
  await signIn()
  const made = await good(who.alice, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  appid = made.object_list[0]?.id as string
  await good(who.alice, setApplicationMembers, { body: { appid, usernames: ['carol@example.com'] } })
}, 120_000)
afterAll(async () => {
  await app?.close()
  await mail?.close()
  rmSync(folder, { recursive: true, force: true })
})

const code = async (client: ConsoleClient, endpoint: Endpoint, input: object) =>
  (await client.call(endpoint, input)).body['code'] as number
const submit = async (client: ConsoleClient, more: object = {}) =>
  (
    await good(client, createServiceRequest, {
      body: { subject: 'Hardening fails', kind: 'fault', urgency: 'urgent', text: 'Since the new map SDK.', ...more },
    })
  ).data
const detail = (client: ConsoleClient, id: string) => good(client, serviceRequest, { query: { id } })
const list = (client: ConsoleClient, query: object = {}) =>
  good(client, serviceRequests, { query: { view: 'all', ...query } as Record<string, unknown> })
const move = async (client: ConsoleClient, one: ServiceRequest, name: string, text = '', more: object = {}) =>
  (await good(client, moveServiceRequest, { body: { id: one.id, move: name, text, version: one.version, ...more } }))
    .data
const say = async (client: ConsoleClient, id: string, text: string, more: object = {}) =>
  (await good(client, addServiceMessage, { body: { id, text, ...more } })).data

async function send(client: ConsoleClient, name: string, content: string) {
  const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="${name.replaceAll('"', '%22')}"\r\ncontent-type: application/octet-stream\r\n\r\n${content}\r\n--b--\r\n`
  const { path } = uploadServiceAttachment
  return client.send('POST', path, body, {
    ...client.signed('POST', path, body, false),
    'content-type': 'multipart/form-data; boundary=b',
  })
}
async function attach(client: ConsoleClient, name: string, content: string): Promise<ServiceAttachment> {
  const { body } = await send(client, name, content)
  expect(body['code']).toBe(0)
  return body['data'] as ServiceAttachment
}

test('[SERV-01] a request goes from submitted to closed, each side makes its own moves, and every step is notified and kept', async () => {
  let one = await submit(who.alice, { appid })
  expect(one).toMatchObject({ state: 'submitted', own: true, appid, app_name: 'Wallet', version: 1 })
  expect(one.reply_due - one.created_at).toBe(30 * 60_000)
  expect((await detail(who.alice, one.id)).moves).toEqual(['withdraw'])
  const seen = await detail(who.admin, one.id)
  expect([seen.moves, seen.answers, seen.deletes]).toEqual([['accept'], true, true])
  expect(await code(who.alice, moveServiceRequest, { body: { id: one.id, move: 'accept', version: 1 } })).toBe(MOVE)

  one = await move(who.admin, one, 'accept', '', { urgency: 'high' })
  expect(one).toMatchObject({ state: 'accepted', urgency: 'high', handler: 'admin@example.com', first_reply_at: null })
  expect(one.reply_due - one.created_at).toBe(2 * 3_600_000)
  // What was read before somebody else changed it is not overwritten.
  expect(await code(who.admin, moveServiceRequest, { body: { id: one.id, move: 'start', version: 1 } })).toBe(500003)
  expect(await code(who.admin, moveServiceRequest, { body: { id: one.id, move: 'ask', version: one.version } })).toBe(
    500007,
  )

  const due = one.solve_due
  one = await move(who.admin, one, 'ask', 'Which SDK version?')
  expect(one.first_reply_at).not.toBeNull()
  await pass(3 * 3_600_000)
  one = await say(who.alice, one.id, '6.1.3')
  expect([one.state, one.waiting_since]).toEqual(['progress', null])
  expect(one.solve_due - due).toBeGreaterThanOrEqual(3 * 3_600_000)

  one = await move(who.admin, one, 'solve', 'Exclude the SDK.')
  one = await move(who.alice, one, 'return', 'It still fails.')
  expect([one.state, one.solved_at]).toEqual(['progress', null])
  one = await move(who.admin, one, 'solve', 'Try 4.2.3.')
  one = await move(who.alice, one, 'confirm')
  expect(one.state).toBe('closed')
  expect(await code(who.alice, addServiceMessage, { body: { id: one.id, text: 'Thanks' } })).toBe(503701)

  const { entries } = await detail(who.alice, one.id)
  expect(entries.map(({ side, move, state }) => `${side} ${move} ${state}`)).toEqual([
    'requester create submitted',
    'service accept accepted',
    'service ask waiting',
    'requester answer progress',
    'service solve solved',
    'requester return progress',
    'service solve solved',
    'requester confirm closed',
  ])
  const notices = (await good(who.alice, notifications, { query: { kind: 'service' } })).data
  expect(notices.map(({ note }) => note.en.split(':')[0])).toEqual([
    'admin@example.com solved it, please confirm',
    'admin@example.com solved it, please confirm',
    'admin@example.com needs something from you',
    'admin@example.com accepted it',
  ])
  expect(notices[0]?.to).toBe(`/service?id=${one.id}`)
  const trail = await app.meta.db
    .selectFrom('audit_log')
    .select(['action', 'detail'])
    .where('target', '=', `SV-${one.id}`)
    .where('result', '=', 'ok')
    .orderBy('id')
    .execute()
  expect(trail.map(({ action }) => action).filter((action) => action !== 'moveServiceRequest')).toEqual([
    'createServiceRequest',
    'addServiceMessage',
  ])
  expect(trail).toHaveLength(8)
})

test('[SERV-01] a closed request is reopened within 30 days, with new limits, and not later', async () => {
  let one = await submit(who.alice, { subject: 'Reopened' })
  one = await move(who.alice, one, 'withdraw')
  expect((await detail(who.alice, one.id)).moves).toEqual(['reopen'])
  await pass(29 * DAY_MS)
  const before = one.reply_due
  one = await move(who.alice, one, 'reopen', 'It is back.')
  expect(one).toMatchObject({ state: 'submitted', closed_at: null })
  expect(one.reply_due).toBeGreaterThan(before + 28 * DAY_MS)
  one = await move(who.alice, one, 'withdraw')
  await app.meta.db
    .updateTable('service_requests')
    .set({ closed_at: app.deps.now() - 31 * DAY_MS })
    .where('id', '=', Number(one.id))
    .execute()
  const body = { id: one.id, move: 'reopen', text: 'Again.', version: one.version }
  expect(await code(who.alice, moveServiceRequest, { body })).toBe(MOVE)
})

test('[SERV-01] who does not see a request gets nothing of it, colleagues of its application read and write, and none answers for the service side', async () => {
  const file = await attach(who.alice, 'harden.log', 'secret-of-alice')
  const shared = await submit(who.alice, { subject: 'secret-of-alice shared', appid, attachments: [file.id] })
  const own = await submit(who.alice, { subject: 'secret-of-alice alone' })
  const calls = (id: string): [Endpoint, object][] => [
    [serviceRequest, { query: { id } }],
    [addServiceMessage, { body: { id, text: 'x' } }],
    [moveServiceRequest, { body: { id, move: 'withdraw', version: 1 } }],
    [deleteServiceRequest, { body: { id, confirm: `SV-${id}` } }],
    [exportServiceRequest, { query: { id } }],
  ]
  const strangers: [ConsoleClient, string][] = [
    [who.bob, shared.id],
    [who.bob, own.id],
    [who.lapsed, shared.id],
    [who.lapsed, own.id],
    [who.carol, own.id],
  ]
  for (const [client, id] of strangers) {
    for (const [endpoint, input] of calls(id)) {
      const reply = await client.call(endpoint, input)
      const isRefused = [MISSING, 500018].includes(reply.body['code'] as number) || [403, 404].includes(reply.status)
      expect(isRefused, endpoint.path).toBe(true)
      expect(reply.text).not.toContain('secret')
    }
  }
  for (const client of [who.bob, who.lapsed]) {
    expect((await client.call(downloadServiceAttachment, { query: { id: file.id } })).status).toBe(404)
    const found = await list(client, { text: 'secret-of-alice' })
    expect([found.data, found.total, found.views]).toEqual([[], 0, { open: 0, all: 0, own: 0 }])
    // Neither a file of hers, nor her application, comes into a request of somebody else.
    const body = { subject: 's', kind: 'other', urgency: 'normal', text: 't' }
    expect(await code(client, createServiceRequest, { body: { ...body, attachments: [file.id] } })).toBe(MISSING)
    expect(await code(client, createServiceRequest, { body: { ...body, appid } })).toBe(MISSING)
    expect(await code(client, dropServiceAttachment, { body: { id: file.id } })).toBe(MISSING)
    expect((await good(client, notifications, { query: {} })).data.filter(({ kind }) => kind === 'service')).toEqual([])
  }
  expect((await list(who.carol, { text: 'secret-of-alice' })).data.map(({ id }) => id)).toEqual([shared.id])
  expect((await who.carol.call(downloadServiceAttachment, { query: { id: file.id } })).text).toBe('secret-of-alice')
  const seen = await detail(who.carol, shared.id)
  expect([seen.moves, seen.answers, seen.data.own]).toEqual([[], false, false])
  await say(who.carol, shared.id, 'I see it too.')
  const asService = { id: shared.id, text: 'I am support.', service: true }
  expect(await code(who.carol, addServiceMessage, { body: asService })).toBe(MISSING)
  expect(await code(who.alice, addServiceMessage, { body: asService })).toBe(MISSING)
  expect((await list(who.admin, { text: 'secret-of-alice' })).total).toBe(2)
})

test('[SERV-01] an account whose authorisation is over has its own requests and no others', async () => {
  const one = await submit(who.lapsed, { subject: 'Renew', kind: 'licence' })
  expect((await list(who.lapsed)).data.map(({ id }) => id)).toEqual([one.id])
  expect((await say(who.lapsed, one.id, 'Please.')).state).toBe('submitted')
  expect((await list(who.admin, { text: `SV-${one.id}` })).data.map(({ subject }) => subject)).toContain('Renew')
})

test('[SERV-01] the list pages, filters and finds by number, subject and message', async () => {
  for (const n of [1, 2, 3]) await submit(who.bob, { subject: `Paged ${n}`, urgency: 'planned', kind: 'assessment' })
  const first = await list(who.bob, { limit: 2 })
  const rest = await list(who.bob, { limit: 2, offset: 2 })
  expect([...first.data, ...rest.data].map(({ subject }) => subject)).toEqual(['Paged 3', 'Paged 2', 'Paged 1'])
  expect(first).toMatchObject({ total: 3, views: { open: 3, all: 3, own: 3 } })
  const last = rest.data[0] as ServiceRequest
  await say(who.bob, last.id, 'a word of its own: Zugzwang')
  for (const [query, subjects] of [
    [{ text: 'zugzwang' }, ['Paged 1']],
    [{ text: `sv-${last.id}` }, ['Paged 1']],
    [{ text: 'paged 2' }, ['Paged 2']],
    [{ text: "%' or 1=1 --" }, []],
    [{ state: 'closed' }, []],
    [{ kind: 'assessment', urgency: 'planned', view: 'own' }, ['Paged 1', 'Paged 3', 'Paged 2']],
    [{ urgency: 'urgent' }, []],
  ] as const)
    expect(
      (await list(who.bob, query)).data.map(({ subject }) => subject),
      JSON.stringify(query),
    ).toEqual(subjects)
})

test('[SERV-01] files are limited in size, number and kind, come back unchanged, and an unsent one can be taken back', async () => {
  expect((await send(who.bob, 'tool.exe', 'MZ')).body['code']).toBe(503703)
  expect((await send(who.bob, 'screen.png', 'not a picture')).body['code']).toBe(503703)
  expect((await send(who.bob, 'empty.log', '')).body['code']).toBe(500007)
  expect((await send(who.bob, 'large.log', 'x'.repeat(ATTACHMENT_LIMITS.bytes + 1))).body['code']).toBe(503702)
  const taken = await attach(who.bob, '../../etc/日志 "1".log', 'line 1\n')
  expect(taken).toEqual({ id: expect.any(String), name: '日志 "1".log', size: 7, kept: true })
  await good(who.bob, dropServiceAttachment, { body: { id: taken.id } })
  expect(await code(who.bob, dropServiceAttachment, { body: { id: taken.id } })).toBe(MISSING)
  for (let n = 0; n < ATTACHMENT_LIMITS.unsent; n++) await attach(who.bob, `${n}.log`, `${n}`)
  expect((await send(who.bob, 'more.log', 'more')).body['code']).toBe(500006)
  const [unsent] = await app.meta.db.selectFrom('service_attachments').selectAll().where('name', '=', '3.log').execute()
  // Unsent, it is no one's to download, not even its own account's.
  expect((await who.bob.call(downloadServiceAttachment, { query: { id: unsent?.id as string } })).status).toBe(404)
  const one = await submit(who.bob, { attachments: [unsent?.id] })
  const reply = await who.bob.call(downloadServiceAttachment, { query: { id: unsent?.id as string } })
  expect([reply.text, reply.headers.get('content-type'), reply.headers.get('x-content-type-options')]).toEqual([
    ...['3', 'application/octet-stream', 'nosniff'],
  ])
  expect(reply.headers.get('content-disposition')).toContain('attachment;')
  // A file goes with one message.
  expect(await code(who.bob, addServiceMessage, { body: { id: one.id, text: 't', attachments: [unsent?.id] } })).toBe(
    MISSING,
  )
})

test('[SERV-01] a request is exported as a ZIP with its conversation and files', async () => {
  const file = await attach(who.alice, 'trace.json', '{"a":1}')
  const one = await submit(who.alice, { subject: 'Exported', appid, attachments: [file.id] })
  await say(who.admin, one.id, 'Thank you.', { service: true })
  const answer = await fetch(`${app.url}${exportServiceRequest.path}?id=${one.id}`, {
    headers: { cookie: [...who.alice.cookies].map((pair) => pair.join('=')).join('; ') },
  })
  expect(answer.headers.get('content-disposition')).toContain(`SV-${one.id}.zip`)
  const zip = readZip(new Uint8Array(await answer.arrayBuffer()))
  const text = (name: string) => {
    const entry = zip.entries.find((each) => each.name === name)
    if (!entry) throw new Error(`${name} is not among ${zip.entries.map((each) => each.name)}`)
    return Buffer.from(entryBytes(zip, entry)).toString()
  }
  expect(zip.entries.map(({ name }) => name)).toEqual(['README.txt', 'request.json', 'attachments/01-trace.json'])
  expect(text('attachments/01-trace.json')).toBe('{"a":1}')
  const document = JSON.parse(text('request.json'))
  expect(document).toMatchObject({
    ...{ format: 'appwarden-service-request', version: 1, exported_by: 'alice@example.com' },
    request: {
      number: `SV-${one.id}`,
      subject: 'Exported',
      application: 'Wallet',
      state: 'submitted',
      detection: null,
    },
  })
  expect(document.entries.map(({ side, text }: { side: string; text: string }) => [side, text])).toEqual([
    ['requester', 'Since the new map SDK.'],
    ['service', 'Thank you.'],
  ])
  expect(document.entries[0].attachments).toEqual([
    {
      ...{ file: 'attachments/01-trace.json', name: 'trace.json', size: 7 },
      sha256: '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862',
    },
  ])
})

test('[SERV-01] messages are mailed to the other side, and to the support address where one is set', async () => {
  const smtpUrl = `smtp://127.0.0.1:${mail.port}?tls=none`
  const flush = async () => {
    while ((await sendServiceMails({ meta: app.meta, smtpUrl, now: app.deps.now })) > 0);
    return mail.taken.splice(0)
  }
  await flush()
  const contact = { service_phone: '400-000-0000', service_mail: 'support@vendor.example', service_hours: '7 × 24' }
  await good(who.admin, saveSettings, { body: contact })
  expect(await good(who.alice, serviceContact, {})).toMatchObject({
    ...{ phone: '400-000-0000', mail: 'support@vendor.example', hours: '7 × 24', mails: true, attachment_days: 30 },
  })
  expect(await code(who.admin, saveSettings, { body: { service_mail: 'not-an-address' } })).toBe(500001)
  const one = await submit(who.alice, { subject: 'Mailed' })
  const [first, ...more] = await flush()
  expect([first?.to, more]).toEqual([['support@vendor.example'], []])
  expect(first?.text).toContain(`SV-${one.id} Mailed`)
  await say(who.admin, one.id, 'An answer.', { service: true })
  expect((await flush()).map(({ to }) => to)).toEqual([['alice@example.com']])
  expect((await detail(who.alice, one.id)).mail?.state).toBe('sent')
  await good(who.admin, saveSettings, { body: { service_mail: '' } })
  await say(who.alice, one.id, 'A question.')
  expect((await flush()).map(({ to }) => to)).toEqual([['admin@example.com']])
  // A server that is away is asked again later, four times, and then the request says so.
  await say(who.alice, one.id, 'Another one.')
  let later = app.deps.now()
  for (const wait of [0, 30_001, 120_001, 600_001, 1_800_001]) {
    later += wait
    await sendServiceMails({ meta: app.meta, smtpUrl: 'smtp://127.0.0.1:1?tls=none', now: () => later })
  }
  expect((await detail(who.alice, one.id)).mail?.state).toBe('failed')
})

test('[SERV-01] files go when their time after closing is over, unsent ones after a day, and a missed limit is notified once', async () => {
  const file = await attach(who.alice, 'kept.log', 'kept')
  let one = await submit(who.alice, { subject: 'Retained', urgency: 'normal', attachments: [file.id] })
  const { sha256 } = await app.meta.db
    .selectFrom('service_attachments')
    .select('sha256')
    .where('id', '=', file.id)
    .executeTakeFirstOrThrow()
  const lookAfter = (at: number) =>
    lookAfterRequests({ ...app.deps, settings: () => ({ service_days: 30 }), now: () => at })
  const late = async () =>
    (await good(who.admin, notifications, { query: { kind: 'service' } })).data.filter(
      ({ state, title }) => state === 'bad' && title.en.startsWith(`SV-${one.id} `),
    )
  const unsent = await app.meta.db
    .selectFrom('service_attachments')
    .select('sha256')
    .where('request_id', 'is', null)
    .execute()
  expect(unsent.length).toBeGreaterThan(0)
  await lookAfter(one.reply_due)
  expect(await late()).toEqual([])
  await lookAfter(one.reply_due + 1)
  await lookAfter(one.reply_due + 60_000)
  expect((await late()).map(({ title }) => title.zh)).toEqual([`SV-${one.id} 已超过首次回复时限`])
  one = await move(who.alice, one, 'withdraw')
  const closed = one.closed_at as number
  await lookAfter(closed + 30 * DAY_MS - 1)
  expect(await app.deps.files.has(sha256 as string)).toBe(true)
  await lookAfter(closed + 30 * DAY_MS + 1)
  expect(await app.deps.files.has(sha256 as string)).toBe(false)
  expect((await detail(who.alice, one.id)).entries[0]?.attachments).toMatchObject([{ name: 'kept.log', kept: false }])
  expect((await who.alice.call(downloadServiceAttachment, { query: { id: file.id } })).status).toBe(404)
  const left = await app.meta.db
    .selectFrom('service_attachments')
    .select('id')
    .where('request_id', 'is', null)
    .execute()
  expect(left).toEqual([])
  for (const { sha256: name } of unsent) expect(await app.deps.files.has(name as string)).toBe(false)
})

test('[SERV-01] a missed limit is notified, however many open requests were answered after their own', async () => {
  const one = await submit(who.alice, { subject: 'Late among many', urgency: 'planned' })
  const table = () => app.meta.db.selectFrom('service_requests')
  const { id, ...row } = await table().selectAll().where('id', '=', Number(one.id)).executeTakeFirstOrThrow()
  const answered = { ...row, subject: 'Answered', first_reply_at: row.created_at, reply_due: row.reply_due + 1 }
  await app.meta.db
    .insertInto('service_requests')
    .values(Array.from({ length: 250 }, () => answered))
    .execute()
  await lookAfterRequests({ ...app.deps, settings: () => ({ service_days: 30 }), now: () => row.reply_due + 2 })
  const notices = (await good(who.admin, notifications, { query: { kind: 'service' } })).data
  expect(notices.map(({ title }) => title.en)).toContain(`SV-${id} has missed its first answer limit`)
  await app.meta.db.deleteFrom('service_requests').where('subject', '=', 'Answered').execute()
})

test('[SERV-01] deletion takes the permission and the name of the request, and leaves neither talk nor files', async () => {
  const file = await attach(who.alice, 'gone.log', 'gone')
  const one = await submit(who.alice, { subject: 'Deleted', attachments: [file.id] })
  const { sha256 } = await app.meta.db
    .selectFrom('service_attachments')
    .select('sha256')
    .where('id', '=', file.id)
    .executeTakeFirstOrThrow()
  expect(await code(who.alice, deleteServiceRequest, { body: { id: one.id, confirm: `SV-${one.id}` } })).toBe(500018)
  expect(await code(who.admin, deleteServiceRequest, { body: { id: one.id, confirm: 'SV-' } })).toBe(500001)
  await good(who.admin, deleteServiceRequest, { body: { id: one.id, confirm: `sv-${one.id}` } })
  expect(await code(who.alice, serviceRequest, { query: { id: one.id } })).toBe(MISSING)
  expect(await app.deps.files.has(sha256 as string)).toBe(false)
  for (const table of ['service_entries', 'service_attachments', 'service_mails'] as const) {
    const rows = await app.meta.db.selectFrom(table).select('id').where('request_id', '=', Number(one.id)).execute()
    expect(rows, table).toEqual([])
  }
})

test('[SERV-01] an account that submits or writes without end is asked to wait', async () => {
  const codes: number[] = []
  for (let n = 0; n < 12; n++) {
    const body = { subject: `Flood ${n}`, kind: 'other', urgency: 'planned', text: 't' }
    const reply = await who.carol.call(createServiceRequest, { body })
    codes.push(reply.status === 429 ? 429 : (reply.body['code'] as number))
  }
  expect(codes.filter((one) => one === 0)).toHaveLength(10)
  expect(new Set(codes.slice(10))).toEqual(new Set([429]))
})

test('[SERV-01] two answers at once end the waiting once, and a race of moves has one winner', async () => {
  let one = await submit(who.lapsed, { subject: 'Race' })
  one = await move(who.admin, one, 'accept')
  const body = { id: one.id, move: 'start', version: one.version }
  const codes = await Promise.all([1, 2, 3].map(() => code(who.admin, moveServiceRequest, { body })))
  expect(codes.filter((each) => each === 0)).toHaveLength(1)
  one = (await detail(who.admin, one.id)).data
  one = await move(who.admin, one, 'ask', 'What?')
  await Promise.all(['a', 'b'].map((text) => say(who.lapsed, one.id, text)))
  const { entries, data } = (await detail(who.lapsed, one.id)) satisfies ResponseOf<typeof serviceRequest>
  expect(entries.filter(({ move: made }) => made === 'answer')).toHaveLength(1)
  expect(data.state).toBe('progress')
})
