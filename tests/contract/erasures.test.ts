import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { erasures } from '#contracts/http/erasures.ts'
import { createRole } from '#contracts/http/roles.ts'
import { SESSION_ROLES } from '#contracts/permissions.ts'
import { type EraseDeps, runErasure } from '#server/modules/erasures/erase-job.ts'
import { createJob, type ErasedInput, type ExportInput, toJob } from '#server/modules/jobs/job-rows.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { openDatabase } from '#storage/postgres/database.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey } from '#tests/support/made-events.ts'

let http: HttpApp
let admin: ConsoleClient
let member: ConsoleClient
/** The application of the member, and one that he does not see. */
let own: number
let other: number

beforeAll(async () => {
  http = await startHttpApp()
  admin = await signIn('admin', 'administrator')
  const auth = [...SESSION_ROLES, 'personal.erase', 'application.create']
  const { data: role } = await good(admin, createRole, { body: { name: 'Eraser', administrator: false, auth } })
  member = await signIn('member', role.key)
  own = await application(member, 'Own')
  other = await application(admin, 'Other')
})
afterAll(() => http?.close())

async function signIn(name: string, role: string): Promise<ConsoleClient> {
  await http.addUser(`${name}@example.com`, role)
  const client = new ConsoleClient(http.url)
  await client.signIn(`${name}@example.com`, PASSWORD, CODE)
  return client
}
async function application(client: ConsoleClient, name: string): Promise<number> {
  const made = await good(client, createApplication, { body: { name, mimetype_list: [1] } })
  return Number(made.object_list[0]?.id)
}

/** A job of the kind, with its row changed as given. */
async function jobOf(kind: 'export' | 'erase', input: object, change: object = {}): Promise<string> {
  const owner = await http.meta.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
  const row = await createJob(http.meta, owner.id, kind, input as ExportInput, Date.now() - 1000, kind)
  if (Object.keys(change).length > 0)
    await http.meta.db.updateTable('jobs').set(change).where('id', '=', row.id).execute()
  return row.id
}
const jobRow = (id: string) =>
  http.meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function erasureOf(subject: string, apps: number[] | 'all'): Promise<string> {
  const erasure = randomUUID()
  const counts = { events: 0, quarantined: 0, installs: 0, verdicts: 0 }
  const applications = apps === 'all' ? [own, other] : apps
  const asked = { kind: 'device' as const, subject, by_user: null, asked_at: Date.now(), done_at: null }
  await http.meta.db
    .insertInto('erasures')
    .values({ id: erasure, applications, ...asked, ...counts })
    .execute()
  return jobOf('erase', { erasure, kind: 'device', subject, scope: { apps } })
}

describe('the job of an erasure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aw-erasures-'))
  let store: DuckStore
  let journal: DiskJournal
  let deps: EraseDeps
  beforeAll(async () => {
    store = await openDuckStore({ folder: join(folder, 'events') })
    journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9 })
    store.follow(journalReader(journal))
    const files = await openLocalFiles(join(folder, 'files'))
    const record = async () => {}
    deps = { meta: http.meta, store, files, now: Date.now, sleep: (ms) => delay(Math.min(ms, 20)), record }
  })
  afterAll(async () => {
    await store.close()
    await journal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (id: string, more: Partial<EraseDeps> = {}) =>
    runErasure({ ...deps, ...more }, id, new AbortController().signal)

  test('[A6] deletes the results of exports that may hold rows of the subject, and says so to who asked and to their owners', async () => {
    const subject = hashKey(801)
    const rows = { query: { range: '-7d', filters: [] }, part: { kind: 'rows' } }
    const named = {
      query: { range: '-7d', filters: [{ field: 'device', op: 'is', values: [subject] }] },
      part: rows.part,
    }
    const ofApp = (app: number) => ({ scope: { apps: [app] } })
    const [before, after] = [Date.now() - 500, Date.now() + 60_000]
    const cases: Record<string, { input: object; started?: number; kept: boolean }> = {
      'rows of the application': { input: { ...rows, ...ofApp(own) }, kept: false },
      'rows of all applications': { input: { ...rows, scope: { apps: 'all' } }, kept: false },
      'an earlier one whose question was deleted': { input: {}, kept: false },
      'rows of another application': { input: { ...rows, ...ofApp(other) }, kept: true },
      'another application, but it names the subject': { input: { ...named, ...ofApp(other) }, kept: false },
      'rows read after the erasure': { input: { ...rows, ...ofApp(own) }, started: after, kept: true },
      'a list of packages': { input: { list: { of: 'files', filters: {} }, ...ofApp(own) }, kept: true },
      'the audit log': { input: { list: { of: 'audit_log', filters: {} }, ...ofApp(other) }, kept: false },
      'suspicious devices': { input: { list: { of: 'suspicious_devices', filters: [] }, ...ofApp(own) }, kept: false },
    }
    const made = new Map<string, { id: string; sha256: string }>()
    for (const [name, { input, started = before }] of Object.entries(cases)) {
      const { sha256 } = await deps.files.put(Readable.from([Buffer.from(name)]))
      const id = await jobOf('export', input, { state: 'done', file: sha256, started_at: started })
      made.set(name, { id, sha256 })
    }
    const running = await jobOf('export', { ...rows, ...ofApp(own) }, { state: 'running', started_at: before })
    const elsewhere = await jobOf('export', { ...rows, ...ofApp(other) }, { state: 'running', started_at: before })
    const waiting = await jobOf('export', { ...rows, ...ofApp(own) })
    const asking = await jobOf('export', { ...named, ...ofApp(own) })

    const erase = await erasureOf(subject, [own])
    await run(erase)

    for (const [name, { id, sha256 }] of made) {
      const { kept } = cases[name] as { kept: boolean }
      const { file, note } = await jobRow(id)
      expect([name, file !== null, await deps.files.has(sha256)]).toEqual([name, kept, kept])
      expect([name, note]).toEqual([name, kept ? '' : 'export.erased'])
    }
    expect(await jobRow(running)).toMatchObject({ state: 'stopped', note: 'export.erased' })
    expect(await jobRow(elsewhere)).toMatchObject({ state: 'running', note: '' })
    expect(await jobRow(waiting)).toMatchObject({ state: 'waiting', note: '' })
    expect(await jobRow(asking)).toMatchObject({ state: 'stopped', note: 'export.erased', input: {} })
    const row = await jobRow(erase)
    expect(row).toMatchObject({ state: 'done', note: 'erase.exports' })
    expect(toJob(row, 'zh').note).toContain('导出结果')
    expect(toJob(row, 'en').note).toContain('can be exported again')
    expect(toJob(await jobRow(running), 'en').note).toContain('deleted on request')
  })

  test('[A6] a table that another session holds locked delays the rewriting, not the deletion, and hangs nothing', async () => {
    const id = await erasureOf(hashKey(802), [own])
    const holder = await openDatabase(http.database, { migrate: false, connections: 1 })
    let release: (() => void) | undefined
    const held = holder.db.transaction().execute(async (transaction) => {
      await sql`lock table saved_views in access share mode`.execute(transaction)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    await expect.poll(() => release).toBeDefined()
    const from = Date.now()
    await run(id)
    expect(Date.now() - from).toBeLessThan(30_000)
    const waiting = await jobRow(id)
    expect(waiting).toMatchObject({ state: 'running', note: 'erase.locked', input: { kind: 'device' } })
    const { rewritten } = waiting.input as ErasedInput
    expect(rewritten).toContain('installs')
    expect(rewritten).not.toContain('saved_views')
    release?.()
    await held
    await holder.close()
    await run(id)
    expect(await jobRow(id)).toMatchObject({ state: 'done', note: '' })
  }, 60_000)

  test('[A6] without space for the copy of a table the job waits for some; after a day it fails and says what remains', async () => {
    const id = await erasureOf(hashKey(803), [own])
    await run(id, { freeBytes: async () => 1024 })
    const waiting = await jobRow(id)
    expect(waiting).toMatchObject({ state: 'running', note: 'erase.space' })
    expect(waiting.input as ErasedInput).toMatchObject({ kind: 'device', rewritten: [] })
    await run(id, { freeBytes: async () => 1e12 })
    expect(await jobRow(id)).toMatchObject({ state: 'done', note: '' })

    const late = await erasureOf(hashKey(804), [own])
    await run(late, { freeBytes: async () => 1024, now: () => Date.now() + 25 * 3_600_000 })
    expect(await jobRow(late)).toMatchObject({ state: 'failed', note: 'erase.left' })
  })
})

test('[ROLE-01] the list of erasures shows a member those of his applications, without the numbers of others', async () => {
  await http.meta.db.deleteFrom('erasures').execute()
  const counts = { events: 5, quarantined: 4, installs: 3, verdicts: 2 }
  const row = (applications: number[], asked_at: number) => ({
    ...{ id: randomUUID(), kind: 'device' as const, subject: hashKey(asked_at), applications, by_user: null },
    ...{ asked_at, done_at: asked_at + 1, ...counts },
  })
  const [both, mine] = [row([own, other], 3), row([own], 1)]
  // More of others than the list is long, and newer.
  const others = Array.from({ length: 250 }, (_, n) => row([other], 10 + n))
  await http.meta.db
    .insertInto('erasures')
    .values([both, mine, ...others])
    .execute()
  const { data } = await good(member, erasures, {})
  const appids = [String(own)]
  expect(data).toEqual([
    expect.objectContaining({ id: both.id, appids, events: null, quarantined: null, installs: null, verdicts: null }),
    expect.objectContaining({ id: mine.id, appids, ...counts }),
  ])
  const all = await good(admin, erasures, {})
  expect(all.data).toHaveLength(200)
  expect(all.data[0]).toMatchObject({ appids: [String(other)], ...counts })
})
