import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { createTasks } from '#contracts/http/detection/tasks.ts'
import {
  deleteSchedule,
  enableSchedule,
  reportSchedules,
  runSchedule,
  saveSchedule,
  scheduleRuns,
} from '#contracts/http/reports/schedules.ts'
import { runSchedules } from '#server/modules/reports/run-schedules.ts'
import { sendReportMails } from '#server/modules/reports/send-report-mails.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'

const HOUR = 3_600_000
let bed: DetectionBed
let appid = ''
let empty = ''
const who = {} as Record<'owner' | 'stranger' | 'admin', ConsoleClient>

beforeAll(async () => {
  bed = await detectionBed()
  for (const [name, role] of Object.entries({ owner: 'operator', stranger: 'operator', admin: 'administrator' }))
    who[name as keyof typeof who] = await bed.signIn(name, role)
  const create = async (name: string) => {
    const { object_list } = await good(who.owner, createApplication, { body: { name, mimetype_list: [1] } })
    return object_list.find((one) => one.name === name)?.id ?? ''
  }
  appid = await create('Wallet')
  empty = await create('Nothing yet')
  const { owner_id } = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', Number(appid))
    .executeTakeFirstOrThrow()
  const owned = { application: Number(appid), owner: owner_id, kind: 'apk', packageName: 'com.example.wallet' } as const
  const file = await bed.addFile(apkBytes({ id: 'com.example.wallet', application: {} }), owned)
  const { data } = await good(who.owner, createTasks, { body: { files: [file], kinds: ['static'] } })
  const task = await bed.ended(who.owner, data[0]?.id ?? '')
  expect(task.state, task.note).toBe('detected')
  ;(bed.http.deps.config as { smtpUrl: string | undefined }).smtpUrl = 'smtp://localhost:1?tls=none'
}, 180_000)
afterAll(() => bed?.close())

const bodyOf = (more: object = {}) => ({
  ...{ name: 'Weekly', cron: '0 8 * * 1', zone: 'Asia/Shanghai', appids: [appid], format: 'csv' as const },
  ...{ reader: 'manager' as const, language: 'zh' as const, addresses: '', enabled: true },
  ...more,
})
const tick = (now: number) => {
  const { meta, deps } = bed.http
  return runSchedules({ meta, files: deps.files, settings: () => deps.settings(), now: () => now, audit: deps.audit })
}
const jobs = async () =>
  (await bed.http.meta.db.selectFrom('jobs').selectAll().where('kind', '=', 'report').execute()).length
const clear = async () => {
  await bed.http.meta.db.deleteFrom('jobs').execute()
  await bed.http.meta.db.deleteFrom('report_schedules').execute()
}
const listed = async (client = who.owner) => (await good(client, reportSchedules)).data
/** What the schedule was changed to, as time or an administrator would have. */
const user = (set: object) =>
  bed.http.meta.db.updateTable('users').set(set).where('username', '=', 'owner@example.com').execute()

test('a schedule shows its next run in its own zone and runs once when it is due; what was missed is made up for once', async () => {
  await clear()
  const { data } = await good(who.owner, saveSchedule, { body: bodyOf({ addresses: 'a@example.com' }) })
  const next = data.next_at as number
  expect(new Date(next + 8 * HOUR).toISOString()).toMatch(/T08:00:00/)
  expect(new Date(next + 8 * HOUR).getUTCDay()).toBe(1)
  expect(data).toMatchObject({ app_names: ['Wallet'], addresses: ['a@example.com'], own: true, results: [] })
  expect(await tick(next - 1)).toBe(0)
  // Three weeks off: one run, and the next Monday after that.
  const late = next + 21 * 24 * HOUR + 5 * HOUR
  expect(await tick(late)).toBe(1)
  expect(await tick(late)).toBe(0)
  const [after] = await listed()
  expect(after?.next_at).toBe(next + 28 * 24 * HOUR)
  expect(after?.results).toEqual([{ at: late, reports: 1, problem: '' }])
  expect(await jobs()).toBe(1)
  // The mail waits until the report is written.
  const { meta, deps } = bed.http
  const mail = () =>
    sendReportMails({
      meta,
      files: deps.files,
      now: () => late,
      settings: () => deps.settings(),
      smtpUrl: deps.config.smtpUrl,
      audit: deps.audit,
    })
  expect(await mail()).toBe(0)
  await meta.db.updateTable('jobs').set({ state: 'done' }).execute()
  expect(await mail()).toBe(1)
  const audit = await meta.db
    .selectFrom('audit_log')
    .select(['account', 'target', 'result'])
    .where('action', '=', 'report.schedule')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(audit).toEqual({ account: 'owner@example.com', target: 'Weekly', result: 'ok' })
})

test('two processes that meet a due schedule at the same time run it once', async () => {
  await clear()
  const { data } = await good(who.owner, saveSchedule, { body: bodyOf() })
  await Promise.all([tick(data.next_at as number), tick(data.next_at as number)])
  expect(await jobs()).toBe(1)
})

test('[ROLE-01] a run has the rights that its creator has then: without them the schedule pauses and says why', async () => {
  await clear()
  const { data } = await good(who.owner, saveSchedule, { body: bodyOf() })
  const due = data.next_at as number
  const { meta } = bed.http
  const paused = async (set: object, back: object, pause: string) => {
    await good(who.admin, enableSchedule, { body: { id: data.id, enabled: true } })
    await user(set)
    await tick(due)
    await user(back)
    const [schedule] = await listed(who.admin)
    expect(schedule).toMatchObject({ enabled: false, pause, next_at: null })
  }
  await paused({ disabled: true }, { disabled: false }, 'disabled')
  await paused({ expires_at: 1 }, { expires_at: null }, 'expired')
  await paused({ role: 'trial' }, { role: 'operator' }, 'permission')
  expect(await jobs()).toBe(0)
  // Who no longer sees the application gets no report of it.
  await good(who.admin, enableSchedule, { body: { id: data.id, enabled: true } })
  const app = meta.db.updateTable('applications').where('id', '=', Number(appid))
  const { owner_id } = await meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', Number(appid))
    .executeTakeFirstOrThrow()
  const admin = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'admin@example.com')
    .executeTakeFirstOrThrow()
  await app.set({ owner_id: admin.id }).execute()
  await tick(due)
  await app.set({ owner_id }).execute()
  expect(await jobs()).toBe(0)
  expect((await listed(who.admin))[0]?.results[0]).toMatchObject({ reports: 0 })
})

test('an application without a result is named as the problem; the others are written; it can be run by hand', async () => {
  await clear()
  const { data } = await good(who.owner, saveSchedule, { body: bodyOf({ appids: [appid, empty] }) })
  const ran = (await good(who.owner, runSchedule, { body: { id: data.id } })).data
  expect(ran.results[0]).toMatchObject({ reports: 1 })
  expect(ran.results[0]?.problem).not.toBe('')
  expect(ran.next_at).toBe(data.next_at)
})

test('[ROLE-01] schedules of others are invisible, but for those who manage all reports; what is not visible is not scheduled', async () => {
  await clear()
  const { data } = await good(who.owner, saveSchedule, { body: bodyOf() })
  expect(await listed(who.stranger)).toEqual([])
  expect((await listed(who.admin)).map(({ id }) => id)).toEqual([data.id])
  for (const reply of [
    await who.stranger.call(enableSchedule, { body: { id: data.id, enabled: false } }, ENGLISH),
    await who.stranger.call(runSchedule, { body: { id: data.id } }, ENGLISH),
    await who.stranger.call(deleteSchedule, { body: { id: data.id } }, ENGLISH),
    await who.stranger.call(saveSchedule, { body: bodyOf({ id: data.id }) }, ENGLISH),
    await who.stranger.call(saveSchedule, { body: bodyOf() }, ENGLISH),
    // An administrator pauses a schedule of somebody else and does not change what it does.
    await who.admin.call(saveSchedule, { body: bodyOf({ id: data.id }) }, ENGLISH),
  ])
    expect(reply.body['key']).toBe('data.missing')
  expect((await good(who.owner, enableSchedule, { body: { id: data.id, enabled: false } })).data).toMatchObject({
    ...{ enabled: false, pause: null, next_at: null },
  })
  await good(who.owner, deleteSchedule, { body: { id: data.id } })
  expect(await listed()).toEqual([])
})

test('wrong expressions, zones and addresses, and runs that are too often, are refused in words; five runs are shown before', async () => {
  const key = async (more: object) => (await who.owner.call(saveSchedule, { body: bodyOf(more) }, ENGLISH)).body['key']
  expect(await key({ cron: 'every day' })).toBe('report.schedule_cron')
  expect(await key({ zone: 'Nowhere' })).toBe('report.schedule_zone')
  expect(await key({ cron: '* * * * *' })).toBe('report.schedule_often')
  expect(await key({ addresses: 'none' })).toBe('report.mail_addresses')
  expect(await key({ appids: [] })).toBe('input.invalid')
  const { data } = await good(who.owner, scheduleRuns, { body: { cron: '0 8 * * 1', zone: 'Asia/Shanghai' } })
  expect(data).toHaveLength(5)
  expect(data.map((at, index) => at - (data[index - 1] ?? at)).slice(1)).toEqual(Array(4).fill(7 * 24 * HOUR))
})
