import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cleanLogs,
  downloadProcessLog,
  downloadProcessLogs,
  maintenanceLogs,
  previewLogCleaning,
} from '#contracts/http/maintenance/logs.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY = 86_400_000
let app: HttpApp
let admin: ConsoleClient
const line = (at: number, msg: string) => `${JSON.stringify({ level: 30, time: at, process: 'store', msg })}\n`
const pathOf = (name: string) => join(app.config.paths.logs, name)
function write(name: string, at: number, msg = 'text'): void {
  writeFileSync(pathOf(name), line(at, msg))
  utimesSync(pathOf(name), at / 1000, at / 1000)
}

beforeAll(async () => {
  app = await startHttpApp()
  mkdirSync(app.config.paths.logs, { recursive: true })
  await app.addUser('admin@example.com', 'administrator')
  admin = new ConsoleClient(app.url)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
})
afterAll(() => app.close())

test('[MAINT-01] logs of the processes are listed with size and age, and downloaded one by one or as a ZIP archive', async () => {
  const now = Date.now()
  write('store.log', now, 'newest')
  write('store.1.log', now - 40 * DAY, 'older')
  write('supervisor.log', now)
  writeFileSync(pathOf('notes.txt'), 'no log')
  const { data } = (await admin.call(maintenanceLogs)).body as { data: { files: Record<string, unknown>[] } }
  expect(data.files.map(({ name, process, current }) => [name, process, current])).toEqual([
    ['store.1.log', 'store', false],
    ['store.log', 'store', true],
    ['supervisor.log', 'supervisor', true],
  ])
  expect(data.files[0]).toMatchObject({ first_at: now - 40 * DAY, bytes: statSync(pathOf('store.1.log')).size })

  const one = await admin.call(downloadProcessLog, { query: { name: 'store.log' } })
  expect(one.text).toBe(readFileSync(pathOf('store.log'), 'utf8'))
  for (const name of ['notes.txt', '../audit-checkpoints.jsonl', 'missing.log'])
    expect((await admin.call(downloadProcessLog, { query: { name } })).status, name).toBe(404)

  const answer = await fetch(`${app.url}${downloadProcessLogs.path}?names=store.log,store.1.log`, {
    headers: { cookie: [...admin.cookies].map((pair) => pair.join('=')).join('; '), 'sec-fetch-site': 'same-origin' },
  })
  const zip = readZip(new Uint8Array(await answer.arrayBuffer()))
  expect(zip.entries.map(({ name }) => name)).toEqual(['store.1.log', 'store.log'])
  const read = await app.meta.db
    .selectFrom('audit_log')
    .select(['account', 'target'])
    .where('action', '=', 'maintenance.logs_read')
    .orderBy('id')
    .execute()
  expect(read).toEqual([
    { account: 'admin@example.com', target: 'store.log' },
    { account: 'admin@example.com', target: 'store.1.log store.log' },
  ])
})

test('[MAINT-01] cleaning shows what it removes, removes that, and empties in place the file that a process has open', async () => {
  const old = Date.now() - 40 * DAY
  write('store.1.log', old)
  write('store.log', Date.now())
  write('jobs.log', old)
  const open = openSync(pathOf('jobs.log'), 'a')
  utimesSync(pathOf('jobs.log'), old / 1000, old / 1000)
  const preview = (await admin.call(previewLogCleaning, { query: { days: 30 } })).body['data'] as {
    before: number
    process: { files: string[]; bytes: number }
  }
  expect(preview.process).toEqual({ files: ['jobs.log', 'store.1.log'], bytes: 2 * line(old, 'text').length })
  const { body } = await admin.call(cleanLogs, { body: { logs: ['process'], before: preview.before } })
  expect(body).toMatchObject({ code: 0, data: { files: 2, lines: 0, bytes: preview.process.bytes } })
  expect([existsSync(pathOf('store.1.log')), existsSync(pathOf('store.log'))]).toEqual([false, true])
  appendFileSync(open, line(old, 'next'))
  expect(readFileSync(pathOf('jobs.log'), 'utf8')).toBe(line(old, 'next'))
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .select(['target', 'detail', 'result'])
    .where('action', '=', 'cleanLogs')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ target: 'process', result: 'ok' })
  expect(entry.detail).toMatch(/^before 20.*: 2 files, 0 lines$/)
})

test('[MAINT-01] lines of ended detections are cleaned, those of running ones and of the audit and network logs stay', async () => {
  const { db } = app.meta
  const old = Date.now() - 400 * DAY
  const task = (id: string, state: 'detected' | 'detecting') => ({
    ...{
      id,
      application_id: null,
      file_id: null,
      owner_id: null,
      by_user: null,
      name: 'n',
      package_id: 'p',
      version: '1',
    },
    ...{
      package_kind: 'apk' as const,
      platform: 'android' as const,
      size: 1,
      md5: '',
      sha256: '',
      application_type: '' as const,
    },
    ...{
      kinds: [],
      strategy_id: '',
      strategy_name: '{}',
      strategy: '{}',
      engine: '',
      identity: id,
      priority: 0,
      phone: null,
    },
    ...{
      pictures: [],
      state,
      stage: 'items' as never,
      progress: 0,
      note: '',
      note_detail: '',
      stages: '[]',
      isolation: [],
    },
    ...{
      attempt: 1,
      result_file: null,
      score: null,
      counts: null,
      gate: null,
      suppressed: 0,
      not_assessed: 0,
      packer: null,
    },
    ...{ privacy: null, created_at: old, started_at: old, ended_at: old },
  })
  await db
    .insertInto('detection_tasks')
    .values([task('ended', 'detected'), task('running', 'detecting')])
    .execute()
  const lineOf = (task_id: string, at: number) => ({
    task_id,
    at,
    stage: 'items' as never,
    level: 'info' as never,
    zh: '行',
    en: 'line',
  })
  await db
    .insertInto('detection_log')
    .values([lineOf('ended', old), lineOf('ended', Date.now()), lineOf('running', old)])
    .execute()
  const before = Date.now() - 184 * DAY
  const audit = await db.selectFrom('audit_log').select('id').execute()
  const { body } = await admin.call(cleanLogs, { body: { logs: ['jobs'], before } })
  expect(body).toMatchObject({ code: 0, data: { files: 0, lines: 1, bytes: 7 } })
  expect(await db.selectFrom('detection_log').select('task_id').orderBy('task_id').execute()).toEqual([
    { task_id: 'ended' },
    { task_id: 'running' },
  ])
  expect((await db.selectFrom('audit_log').select('id').execute()).length).toBe(audit.length + 1)
  expect((await admin.call(cleanLogs, { body: { logs: ['jobs'], before: Date.now() } })).body['code']).toBe(501401)
})
