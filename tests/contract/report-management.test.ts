import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import { createTasks, type DetectionTask, deleteTasks } from '#contracts/http/detection/tasks.ts'
import type { QueryOf } from '#contracts/http/endpoint.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import {
  cancelReports,
  deleteReports,
  downloadReport,
  previewReport,
  regenerateReport,
  storedReports,
} from '#contracts/http/reports/stored-reports.ts'
import { createReport, type ReportFormat } from '#contracts/http/reports/task-reports.ts'
import { runReport } from '#server/modules/reports/report-job.ts'
import { applyRetention } from '#server/platform/retention.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'

const DAY = 86_400_000
const NAMES = {
  owner: 'operator',
  member: 'operator',
  plain: 'operator2',
  stranger: 'operator',
  auditor: 'auditor',
  admin: 'administrator',
} as const
let bed: DetectionBed
let task: DetectionTask
const who = {} as Record<keyof typeof NAMES, ConsoleClient>

beforeAll(async () => {
  bed = await detectionBed()
  for (const [name, role] of Object.entries(NAMES)) who[name as keyof typeof NAMES] = await bed.signIn(name, role)
  const { object_list } = await good(who.owner, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  const appid = object_list[0]?.id ?? ''
  const usernames = ['member@example.com', 'plain@example.com']
  await good(who.owner, setApplicationMembers, { body: { appid, usernames } })
  const { owner_id } = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', Number(appid))
    .executeTakeFirstOrThrow()
  const bytes = apkBytes({ id: 'com.example.wallet', application: { debuggable: true, allowBackup: true } })
  const owned = { application: Number(appid), owner: owner_id, kind: 'apk', packageName: 'com.example.wallet' } as const
  const file = await bed.addFile(bytes, owned)
  const { data } = await good(who.owner, createTasks, { body: { files: [file], kinds: ['static', 'privacy', 'sdk'] } })
  task = await bed.ended(who.owner, data[0]?.id ?? '')
}, 180_000)
afterAll(() => bed?.close())

/** Does what the jobs process does with a waiting report. */
async function write(id: string): Promise<void> {
  const { meta, deps } = bed.http
  const never = new AbortController().signal
  const signals = { stop: never, quit: never }
  await runReport(
    { meta, files: deps.files, store: deps.store, settings: () => deps.settings(), now: deps.now },
    id,
    signals,
  )
}
async function made(format: ReportFormat, by = who.owner): Promise<string> {
  const { data } = await good(by, createReport, { body: { id: task.id, format, language: 'zh' } })
  await write(data.job.id)
  return data.job.id
}
const list = async (client: ConsoleClient, query: Partial<Record<keyof QueryOf<typeof storedReports>, string>> = {}) =>
  good(client, storedReports, { query: query as never })
const rowOf = (id: string) =>
  bed.http.meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('report management', () => {
  test('[ROLE-01] reports are seen by who asked for them, and with report.manage by those who see their application', async () => {
    const id = await made('csv')
    const seen = async (name: keyof typeof who) => (await list(who[name])).data.some((one) => one.id === id)
    expect(await seen('owner')).toBe(true)
    expect(await seen('member')).toBe(true)
    expect(await seen('auditor')).toBe(true)
    expect(await seen('admin')).toBe(true)
    // A member without report.manage has his own alone; an operator of other applications has none of it.
    expect(await seen('plain')).toBe(false)
    expect(await seen('stranger')).toBe(false)
    expect((await list(who.owner)).data[0]).toMatchObject({ own: true, kind: 'detection', app_name: 'Wallet' })
    expect((await list(who.member, { own: 'true' })).total).toBe(0)
    for (const name of ['plain', 'stranger'] as const)
      for (const call of [
        who[name].call(previewReport, { query: { id } }, ENGLISH),
        who[name].call(downloadReport, { query: { id } }, ENGLISH),
        who[name].call(cancelReports, { body: { ids: [id] } }, ENGLISH),
        who[name].call(regenerateReport, { body: { id } }, ENGLISH),
        who[name].call(deleteReports, { body: { ids: [id] } }, ENGLISH),
      ])
        expect((await call).body).toMatchObject({ key: 'data.missing' })
    expect((await rowOf(id)).state).toBe('done')
  })

  test('[ROLE-01] a list of applications contains those of the caller: none, one of two, and all', async () => {
    const id = await made('csv')
    const { meta } = bed.http
    const apps = async (apps: unknown) => {
      const { input } = await rowOf(id)
      await meta.db
        .updateTable('jobs')
        .set({ input: JSON.stringify({ ...input, apps }) })
        .where('id', '=', id)
        .execute()
    }
    const seen = async (name: keyof typeof who) => (await list(who[name])).data.some((one) => one.id === id)
    const own = ((await rowOf(id)).input as { apps: number[] }).apps[0] as number
    for (const [content, member] of [
      [[own], true],
      [[own, 999_999], false],
      [[], false],
      ['all', false],
      [null, false],
    ] as const) {
      await apps(content)
      expect(await seen('member'), JSON.stringify(content)).toBe(member)
      expect(await seen('admin')).toBe(true)
      expect(await seen('owner')).toBe(true)
    }
    await apps([own])
  })

  test('filters, counts, sorting and pages hold for all that the caller sees', async () => {
    await bed.http.meta.db.deleteFrom('jobs').execute()
    const csv = await made('csv')
    const xlsx = await made('xlsx')
    const { data } = await good(who.owner, createReport, { body: { id: task.id, format: 'cyclonedx', language: 'en' } })
    const waiting = data.job.id
    const idsOf = async (query: Parameters<typeof list>[1]) => (await list(who.owner, query)).data.map(({ id }) => id)
    expect(await idsOf({})).toEqual([waiting, xlsx, csv])
    expect(await idsOf({ descending: 'false' })).toEqual([csv, xlsx, waiting])
    expect(await idsOf({ format: 'xlsx' })).toEqual([xlsx])
    expect(await idsOf({ language: 'en' })).toEqual([waiting])
    expect(await idsOf({ state: 'waiting' })).toEqual([waiting])
    expect(await idsOf({ search: 'owner@example' })).toHaveLength(3)
    expect(await idsOf({ search: '%' })).toEqual([])
    expect(await idsOf({ kind: 'export' })).toEqual([])
    expect(await idsOf({ limit: '1', offset: '1' })).toEqual([xlsx])
    expect(await idsOf({ to: '5' })).toEqual([])
    expect(await idsOf({ appid: '999999' })).toEqual([])
    const all = await list(who.owner, { state: 'done' })
    expect(all).toMatchObject({ total: 2, kinds: { detection: 2 }, states: { done: 2, waiting: 1 }, days: 184 })
    expect(all.bytes).toBe((await rowOf(csv)).bytes + (await rowOf(xlsx)).bytes)
    expect(all.data[0]?.expires_at).toBe(((await rowOf(xlsx)).ended_at ?? 0) + 184 * DAY)
  })

  test('a report has a preview by chapter, a sheet its first lines, and a workbook none', async () => {
    const pdf = await made('pdf')
    const { data } = await good(who.member, previewReport, { query: { id: pdf } })
    if (data.of !== 'document') throw new Error(data.of)
    expect(data).toMatchObject({ language: 'zh', chapter: 0 })
    expect(data.chapters.length).toBeGreaterThan(3)
    expect(data.cover.some(({ text }) => text === 'com.example.wallet')).toBe(true)
    const second = (await good(who.member, previewReport, { query: { id: pdf, chapter: '1' } })).data
    if (second.of !== 'document') throw new Error(second.of)
    expect(second.chapter).toBe(1)
    expect(second.blocks).not.toEqual(data.blocks)
    const last = (await good(who.member, previewReport, { query: { id: pdf, chapter: '999' } })).data
    expect(last).toMatchObject({ chapter: data.chapters.length - 1 })

    const sheet = (await good(who.owner, previewReport, { query: { id: await made('csv') } })).data
    if (sheet.of !== 'sheet') throw new Error(sheet.of)
    expect(sheet.header).toContain('检测项')
    expect(sheet.rows.length).toBeGreaterThan(10)
    const text = (await good(who.owner, previewReport, { query: { id: await made('cyclonedx') } })).data
    expect(text).toMatchObject({ of: 'text' })
    const xlsx = await made('xlsx')
    const none = await who.owner.call(previewReport, { query: { id: xlsx } }, ENGLISH)
    expect(none.body).toMatchObject({ key: 'report.no_preview' })
  })

  test('a report is written again as the caller, and not while the same one waits; a waiting one is cancelled', async () => {
    const id = await made('csv')
    const again = await good(who.member, regenerateReport, { body: { id } })
    expect(again.id).not.toBe(id)
    const row = await rowOf(again.id)
    expect(row).toMatchObject({ state: 'waiting', title: (await rowOf(id)).title })
    expect((row.input as { scope: unknown }).scope).not.toEqual({ apps: 'all' })
    const twice = await who.member.call(regenerateReport, { body: { id } }, ENGLISH)
    expect(twice.body).toMatchObject({ key: 'task.exists' })
    // Without detect.report nothing is written.
    expect((await who.auditor.call(regenerateReport, { body: { id } })).body['key']).toBe('permission.missing')
    expect(await good(who.owner, cancelReports, { body: { ids: [again.id, id] } })).toMatchObject({ stopped: 1 })
    await write(again.id)
    expect((await rowOf(again.id)).state).toBe('stopped')
    expect((await rowOf(id)).state).toBe('done')
  })

  test('a deleted report takes its files along; the same bytes of another one stay', async () => {
    // Equal reports of other tests would keep the files.
    await bed.http.meta.db.deleteFrom('jobs').execute()
    const { files } = bed.http.deps
    const [first, second] = [await made('csv'), await made('csv')]
    const pdf = await made('pdf')
    const { file, document } = await rowOf(pdf)
    const shared = (await rowOf(first)).file as string
    expect((await rowOf(second)).file).toBe(shared)
    expect(await good(who.member, deleteReports, { body: { ids: [first, pdf] } })).toMatchObject({ deleted: 2 })
    expect(await files.has(shared)).toBe(true)
    expect(await files.has(file as string)).toBe(false)
    expect(await files.has(document as string)).toBe(false)
    expect((await who.owner.call(downloadReport, { query: { id: first } })).body['key']).toBe('data.missing')
    const { data } = await good(who.owner, createReport, { body: { id: task.id, format: 'xlsx', language: 'en' } })
    await good(who.owner, deleteReports, { body: { ids: [data.job.id] } })
    await write(data.job.id)
    expect(await bed.http.meta.db.selectFrom('jobs').select('id').where('id', '=', data.job.id).execute()).toEqual([])
    const logged = await bed.http.meta.db
      .selectFrom('audit_log')
      .select(['target', 'account'])
      .where('action', '=', 'deleteReports')
      .where('result', '=', 'ok')
      .orderBy('id')
      .execute()
    expect(logged[0]).toMatchObject({ account: 'member@example.com' })
    expect(logged[0]?.target).toContain('CSV')
  })

  test('reports stay for the days of the settings and within their room, the oldest going first; exports for a week', async () => {
    const { meta, deps } = bed.http
    await meta.db.deleteFrom('jobs').execute()
    const [old, middle, fresh] = [await made('csv'), await made('xlsx'), await made('cyclonedx')]
    const now = bed.http.deps.now()
    const aged = (id: string, days: number, more = {}) =>
      meta.db
        .updateTable('jobs')
        .set({ ended_at: now - days * DAY, ...more })
        .where('id', '=', id)
        .execute()
    await aged(old, 183)
    await aged(middle, 90, { bytes: 600_000_000 })
    await aged(fresh, 8, { bytes: 600_000_000 })
    const files = { meta, files: deps.files, store: { retain: async () => ({ deleted: 0, truncated: 0 }) } as never }
    const kept = async () =>
      (await meta.db.selectFrom('jobs').select(['id', 'file']).execute())
        .filter(({ file }) => file !== null)
        .map(({ id }) => id)
        .toSorted()
    await applyRetention(files, { ...deps.settings(), report_gb: 2 }, now)
    expect(await kept()).toEqual([old, middle, fresh].toSorted())
    await applyRetention(files, { ...deps.settings(), report_gb: 1 }, now)
    expect(await kept()).toEqual([fresh])
    await meta.db.updateTable('jobs').set({ kind: 'export' }).where('id', '=', fresh).execute()
    await applyRetention(files, deps.settings(), now)
    expect(await kept()).toEqual([])
  })

  test('a report outlives its task, and cannot be written again then', async () => {
    const id = await made('csv')
    await good(who.owner, deleteTasks, { body: { ids: [task.id] } })
    expect((await list(who.member)).data.some((one) => one.id === id)).toBe(true)
    const again = await who.owner.call(regenerateReport, { body: { id } }, ENGLISH)
    expect(again.body).toMatchObject({ key: 'data.missing' })
  })

  test('[ROLE-01] self-checks and statistics are reports like all others: made, previewed, written again, filtered by kind', async () => {
    await bed.http.meta.db.deleteFrom('jobs').execute()
    const appid = task.appid
    const body = { of: 'self_check', appid, format: 'docx', language: 'zh' }
    expect((await who.stranger.call(makeReport, { body }, ENGLISH)).body).toMatchObject({ key: 'data.missing' })
    expect((await who.auditor.call(makeReport, { body }, ENGLISH)).body).toMatchObject({ key: 'permission.missing' })
    const { id } = await good(who.owner, makeReport, { body })
    expect((await who.owner.call(makeReport, { body }, ENGLISH)).body).toMatchObject({ key: 'task.exists' })
    await write(id)
    const [row] = (await list(who.owner, { kind: 'self_check' })).data
    expect(row).toMatchObject({
      id,
      state: 'done',
      title: 'Wallet 违法违规自检 DOC',
      app_name: 'Wallet',
      has_preview: true,
    })
    const { data } = await good(who.member, previewReport, { query: { id } })
    if (data.of !== 'document') throw new Error(data.of)
    expect(data.title).toBe('违法违规收集使用个人信息自检报告')
    expect(data.blocks.find(({ kind }) => kind === 'verdict')).toBeTruthy()
    const again = await good(who.owner, regenerateReport, { body: { id } })
    expect((await rowOf(again.id)).input).toMatchObject({ of: 'self_check', app: Number(appid) })
    // Writing it again needs the permission of its kind.
    expect((await who.auditor.call(regenerateReport, { body: { id } }, ENGLISH)).body).toMatchObject({
      key: 'permission.missing',
    })
    const query = { range: '-7d', filters: [{ field: 'app', op: 'is', values: [appid] }] }
    const wanted = { of: 'statistics', query, format: 'pdf', language: 'en' }
    // An application of others is not even named.
    expect((await who.stranger.call(makeReport, { body: wanted }, ENGLISH)).body).toMatchObject({ key: 'data.missing' })
    const excluded = { ...wanted, query: { ...query, filters: [{ field: 'app', op: 'not', values: [appid] }] } }
    expect((await who.stranger.call(makeReport, { body: excluded }, ENGLISH)).body).toMatchObject({
      key: 'data.missing',
    })
    const odd = { ...wanted, query: { ...query, filters: [{ field: 'app', op: 'is', values: ['x'] }] } }
    expect((await who.owner.call(makeReport, { body: odd }, ENGLISH)).body).toMatchObject({ key: 'data.missing' })
    const made = await good(who.owner, makeReport, { body: wanted })
    expect(await rowOf(made.id)).toMatchObject({
      title: expect.stringMatching(/^Wallet statistics .* PDF$/),
      state: 'waiting',
    })
    expect((await list(who.owner)).kinds).toEqual({ self_check: 2, statistics: 1 })
    // The store is away in this test: the report says so.
    await write(made.id)
    expect(await rowOf(made.id)).toMatchObject({ state: 'failed', note: 'server.store_down' })
    const address = { range: '-7d', filters: [{ field: 'address', op: 'is', values: ['203.0.113.7'] }] }
    const asked = { of: 'statistics', query: address, format: 'pdf', language: 'en' }
    expect((await who.owner.call(makeReport, { body: asked }, ENGLISH)).body).toMatchObject({
      key: 'permission.missing',
    })
  })
})
