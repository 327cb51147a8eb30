import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import {
  deleteNotifications,
  notificationSettings,
  notifications,
  readNotifications,
  saveNotificationSettings,
} from '#contracts/http/notifications.ts'
import { MOST_NOTIFICATIONS, NOTIFICATION_DAYS } from '#domain/notifications.ts'
import { type MailServer, startMailServer } from '#mocks/mail-server/mail-server.ts'
import { changeJob, createJob } from '#server/modules/jobs/job-rows.ts'
import { tellLicence } from '#server/modules/notifications/licence-notices.ts'
import { sendDigests } from '#server/modules/notifications/send-digests.ts'
import { type Notice, notify } from '#server/platform/notify.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let alice: ConsoleClient
let bob: ConsoleClient
let aliceId: number
let bobId: number
let mail: MailServer
beforeAll(async () => {
  app = await startHttpApp()
  mail = await startMailServer()
  aliceId = await app.addUser('alice@example.com', 'operator')
  bobId = await app.addUser('bob@example.com', 'operator')
  const signIn = async (name: string) => {
    const client = new ConsoleClient(app.url)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    return client
  }
  alice = await signIn('alice')
  bob = await signIn('bob')
}, 120_000)
afterAll(async () => {
  await app?.close()
  await mail?.close()
})

const words = (text: string) => ({ zh: text, en: text })
const note = (key: string, users: number[], more: Partial<Notice> = {}) =>
  notify(app.meta, { to: { users }, kind: 'platform', key, state: 'info', title: words(key), ...more }, app.deps.now())
const list = (client: ConsoleClient, query: Record<string, unknown> = {}) => good(client, notifications, { query })
const empty = () => app.meta.db.deleteFrom('notifications').execute()

test('[HOME-01] an account gets one notification of a thing, reads its own alone, marks and deletes them', async () => {
  await empty()
  expect(await note('backup', [aliceId, bobId])).toEqual([aliceId, bobId])
  expect(await note('backup', [aliceId])).toEqual([])
  await note('update', [aliceId], { kind: 'update', state: 'good' })
  const first = await list(alice)
  expect(first.data.map(({ title }) => title.en)).toEqual(['update', 'backup'])
  expect(first).toMatchObject({ unread: 2, kinds: expect.arrayContaining([{ kind: 'update', all: 1, unread: 1 }]) })
  expect((await list(alice, { kind: 'update' })).data).toHaveLength(1)
  const [his] = (await list(bob)).data
  // The number of another account's notification does nothing.
  expect(await good(alice, readNotifications, { body: { ids: [his?.id], read: true } })).toMatchObject({ changed: 0 })
  expect(await good(alice, deleteNotifications, { body: { ids: [his?.id] } })).toMatchObject({ deleted: 0 })
  expect((await list(bob)).unread).toBe(1)
  expect(await good(alice, readNotifications, { body: { ids: [first.data[0]?.id], read: true } })).toMatchObject({
    changed: 1,
    unread: 1,
  })
  expect((await list(alice, { unread: 'yes' })).data.map(({ title }) => title.en)).toEqual(['backup'])
  expect(await good(alice, readNotifications, { body: { read: true } })).toMatchObject({ changed: 1, unread: 0 })
  expect(await good(alice, readNotifications, { body: { ids: [first.data[0]?.id], read: false } })).toMatchObject({
    unread: 1,
  })
  expect(await good(alice, deleteNotifications, { body: {} })).toMatchObject({ deleted: 1 })
  expect((await list(alice)).data).toHaveLength(1)
  expect((await list(bob)).data).toHaveLength(1)
})

test('pages of the list follow each other without gap or repeat, and the oldest beyond the limit go', async () => {
  await empty()
  const now = app.deps.now()
  await app.meta.db
    .insertInto('notifications')
    .values(
      Array.from({ length: MOST_NOTIFICATIONS }, (_, n) => ({
        ...{ user_id: aliceId, kind: 'job' as const, key: `old:${n}`, state: 'good' as const },
        ...{ title: JSON.stringify(words(`${n}`)), note: JSON.stringify(words('')), path: '', created_at: now },
        read_at: null,
      })),
    )
    .execute()
  await note('newest', [aliceId])
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await list(alice, { cursor, limit: 100 })
    seen.push(...page.data.map(({ title }) => title.en))
    cursor = page.next_cursor ?? ''
  } while (cursor)
  expect(seen).toHaveLength(MOST_NOTIFICATIONS)
  expect(new Set(seen).size).toBe(MOST_NOTIFICATIONS)
  expect(seen[0]).toBe('newest')
  expect(seen).not.toContain('0')
  expect(NOTIFICATION_DAYS).toBeGreaterThan(30)
})

test('[ROLE-01] what is about applications goes to accounts that see all of them and have the permission', async () => {
  await empty()
  const made = await good(alice, createApplication, { body: { name: 'Notified', mimetype_list: [1] } })
  const admin = await app.addUser('notify.admin@example.com', 'administrator')
  const auditor = await app.addUser('notify.auditor@example.com', 'auditor')
  const appid = Number(made.object_list[0]?.id)
  const notified = await notify(
    app.meta,
    { to: { may: 'events.read', apps: [appid] }, kind: 'alert', key: 'a', state: 'bad', title: words('a') },
    1,
  )
  expect(notified).toContain(aliceId)
  expect(notified).toContain(admin)
  expect(notified).not.toContain(bobId)
  expect(notified).not.toContain(auditor) // sees all applications, but no events
  const whole = await notify(
    app.meta,
    { to: { may: 'events.read', apps: null }, kind: 'alert', key: 'b', state: 'bad', title: words('b') },
    1,
  )
  expect(whole).toContain(admin)
  expect(whole).not.toContain(aliceId)
  await app.meta.db.updateTable('users').set({ disabled: true }).where('id', '=', admin).execute()
  expect(await note('c', [admin])).toEqual([])
})

test('a muted kind is not stored; the zone must be one that exists', async () => {
  await empty()
  const settings = { muted: ['job'], mailed: ['platform'], digest_minute: null, zone: 'Asia/Shanghai' }
  await good(bob, saveNotificationSettings, { body: settings })
  expect(await note('j', [bobId], { kind: 'job' })).toEqual([])
  expect(await note('p', [bobId])).toEqual([bobId])
  const bad = await bob.call(saveNotificationSettings, { body: { ...settings, zone: 'Mars/Olympus' } })
  expect(bad.body['code']).toBe(501800)
  expect((await good(bob, notificationSettings)).data).toEqual(settings)
})

test('the end of a job that an account started is a notification for it, once and in both languages', async () => {
  await empty()
  const input = { list: { of: 'files' }, scope: { apps: [] }, language: 'zh', personal: false, now: 1 }
  const job = await createJob(app.meta, aliceId, 'My export', input as never, 1)
  expect((await list(alice)).data).toEqual([])
  await changeJob(app.meta, job.id, ['waiting'], { state: 'failed', note: 'server.store_down', ended_at: 5 })
  const [one] = (await list(alice)).data
  expect(one).toMatchObject({
    kind: 'job',
    state: 'bad',
    title: { zh: '导出失败', en: 'Export failed' },
    created_at: 5,
  })
  expect(one?.note.en).toMatch(/^My export, The event store is not available/)
})

test('[USER-04] those who manage the licence are notified at 30, 7 and 1 days and when it is over', async () => {
  await empty()
  const admin = await app.addUser('licence.admin@example.com', 'administrator')
  const status = { ...app.deps.licence.status(), daysLeft: 40, problem: null }
  const tell = (more: object) =>
    tellLicence(app.meta, { status: () => ({ ...status, ...more }) as never }, { zone: 'Asia/Shanghai', now: 1 })
  const count = async () =>
    (await app.meta.db.selectFrom('notifications').select('state').where('user_id', '=', admin).execute()).length
  await tell({})
  expect(await count()).toBe(0)
  for (const daysLeft of [30, 29, 12, 7, 6, 2, 1, 1]) await tell({ daysLeft })
  expect(await count()).toBe(3)
  await tell({ daysLeft: 0, problem: 'trial_over', kind: 'grace' })
  expect(await count()).toBe(4)
})

test('a digest comes once a day with what is unread and new, none when there is nothing, and a failure is shown', async () => {
  await empty()
  await app.meta.db.deleteFrom('notification_settings').execute()
  const zone = 'Asia/Shanghai'
  const body = { muted: [], mailed: ['platform', 'job'], digest_minute: 18 * 60, zone }
  const day = 86_400_000
  const at18 = Math.ceil((app.deps.now() + day) / day) * day + 10 * 3_600_000
  const send = (now: number, smtpUrl: string | undefined = `smtp://localhost:${mail.port}?tls=none`) =>
    sendDigests({ meta: app.meta, smtpUrl, now: () => now, product: 'AppWarden' })
  await good(alice, saveNotificationSettings, { body })
  expect(await send(at18)).toBe(0)
  expect(mail.taken).toEqual([])

  const write = (key: string, at: number, more: Partial<Notice> = {}) =>
    notify(app.meta, { to: { users: [aliceId] }, kind: 'platform', key, state: 'info', title: words(key), ...more }, at)
  await write('nightly backup', at18 + 60_000)
  await write('an alert', at18 + 60_000, { kind: 'alert' })
  expect(await send(at18 + 3_600_000)).toBe(0)
  expect(await send(at18 + day)).toBe(1)
  expect(await send(at18 + day + 60_000)).toBe(0)
  const [message] = mail.taken
  expect(message?.to).toEqual(['alice@example.com'])
  expect(message?.text).toContain('nightly backup')
  expect(message?.text).not.toContain('an alert')

  await write('seen at once', at18 + day + 1)
  await good(alice, readNotifications, { body: { read: true } })
  expect(await send(at18 + 2 * day)).toBe(0)

  await write('not delivered', at18 + 2 * day + 1)
  expect(await send(at18 + 3 * day, 'smtp://127.0.0.1:1/?tls=none')).toBe(0)
  const failed = await good(alice, notificationSettings)
  expect(failed.last.error).toMatch(/ECONNREFUSED/)
  // The next day's mail holds what was not delivered.
  expect(await send(at18 + 4 * day)).toBe(1)
  expect(mail.taken.at(-1)?.text).toContain('not delivered')
  expect((await good(alice, notificationSettings)).last).toEqual({ sent_at: at18 + 4 * day, error: '' })
}, 60_000)
