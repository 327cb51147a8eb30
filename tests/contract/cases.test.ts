import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addEntry,
  type Case,
  type CaseEntry,
  caseById,
  cases,
  deleteCase,
  findSubjects,
  links,
  removeEntry,
  saveCase,
  trail,
} from '#contracts/http/investigation.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import {
  previewReport,
  type ReportPreview,
  type StoredReport,
  storedReports,
} from '#contracts/http/reports/stored-reports.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { Links, Trail } from '#domain/trail.ts'
import { dropExports } from '#server/modules/erasures/drop-exports.ts'
import { eraseFromCases } from '#server/modules/investigation/case-store.ts'
import { runReport } from '#server/modules/reports/report-job.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { madeEvent } from '#tests/support/made-events.ts'

const MINUTE = 60_000
const DEVICE = 'd'.repeat(32)
const OTHER = 'e'.repeat(32)
const USER = 'a'.repeat(32)
const QUERY = { range: '-7d', timeBasis: 'occurred', filters: [], compare: 'none' } as const
const subject = { kind: 'device', key: DEVICE } as const

let app: HttpApp
let store: DuckStore
let events: StoredEvent[]
const folder = mkdtempSync(join(tmpdir(), 'cases-'))
const NAMES = ['admin', 'analyst', 'colleague', 'outsider'] as const
const who = {} as Record<(typeof NAMES)[number], ConsoleClient>

beforeAll(async () => {
  app = await startHttpApp()
  store = await openDuckStore({ folder })
  app.deps.store = store
  app.deps.files = await openLocalFiles(join(folder, 'files'))
  for (const name of NAMES) await app.addUser(`${name}@example.com`, name === 'admin' ? 'administrator' : 'operator')
  const numbers = await makeApplications()
  events = story(numbers)
  await store.load(events)
  for (const name of NAMES) {
    who[name] = new ConsoleClient(app.url)
    await who[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
})
afterAll(async () => {
  await app.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `wallet` of the analyst with the colleague as member; `loan` of the analyst alone. */
async function makeApplications(): Promise<{ wallet: number; loan: number }> {
  const { db } = app.meta
  const idOf = async (name: string) =>
    (await db.selectFrom('users').select('id').where('username', '=', `${name}@example.com`).executeTakeFirstOrThrow())
      .id
  const owner = await idOf('analyst')
  const make = async (name: string) =>
    (
      await db
        .insertInto('applications')
        .values({
          uuid: crypto.randomUUID(),
          name,
          mime_type: 1,
          protect_type: '0',
          has_file: false,
          owner_id: owner,
          site_id: null,
          created_at: 1,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const [wallet, loan] = [await make('Wallet'), await make('<b>Loan</b>')]
  await db
    .insertInto('application_members')
    .values({ application_id: wallet, user_id: await idOf('colleague') })
    .execute()
  return { wallet, loan }
}

function story({ wallet, loan }: { wallet: number; loan: number }): StoredEvent[] {
  const start = Date.now() - 6 * 60 * MINUTE
  const at = (minutes: number, more: Partial<StoredEvent>) =>
    madeEvent({
      app: wallet,
      type: 2,
      risk: 2,
      level: 5,
      occurredAt: start + minutes * MINUTE,
      receivedAt: start + minutes * MINUTE,
      device: DEVICE,
      user: USER,
      country: 'CN',
      province: 440_000,
      city: 440_300,
      placePrecision: 3,
      lon: 114.06,
      lat: 22.54,
      address: '203.0.113.77',
      ...more,
    })
  return [
    at(0, {}),
    at(1, {}),
    at(20, { province: 650_000, city: 650_100, lon: 87.6, lat: 43.8, address: '198.51.100.3' }),
    at(30, { app: loan, province: 650_000, city: 650_100, lon: 87.6, lat: 43.8 }),
    at(40, { device: OTHER, province: 650_000, city: 650_100 }),
  ]
}

async function call<T>(
  client: ConsoleClient,
  endpoint: Parameters<ConsoleClient['call']>[0],
  input: object,
): Promise<T> {
  return (await client.call(endpoint, input as never)).body as T
}
type Answer<T> = { code: number; data: T }
const open = async (client: ConsoleClient, title: string) =>
  (await call<Answer<Case>>(client, saveCase, { body: { title } })).data
const add = (client: ConsoleClient, case_id: string, entry: object) =>
  call<Answer<CaseEntry>>(client, addEntry, { body: { case_id, entry } })

test('[MSSA-01] a trail obeys the scope, and an address needs the permission to read it', async () => {
  const own = await call<Answer<Trail>>(who.analyst, trail, { body: { query: QUERY, subject } })
  expect(own.data).toMatchObject({ events: 4, attacks: 4, apps: 2, shown: 4 })
  expect(own.data.stops.map((stop) => [stop.events, stop.move?.impossible ?? null])).toEqual([
    [2, null],
    [2, true],
  ])
  expect(JSON.stringify(own)).not.toContain('203.0.113.77')
  const half = await call<Answer<Trail>>(who.colleague, trail, { body: { query: QUERY, subject } })
  expect(half.data).toMatchObject({ events: 3, apps: 1 })
  const none = await call<Answer<Trail>>(who.outsider, trail, { body: { query: QUERY, subject } })
  expect(none.data).toMatchObject({ events: 0, stops: [] })
  const address = { query: QUERY, subject: { kind: 'address', key: '203.0.113.77' } }
  expect((await call<Answer<Trail>>(who.analyst, trail, { body: address })).code).toBe(500018)
  expect((await call<Answer<Trail>>(who.admin, trail, { body: address })).data.events).toBe(4)
  for (const key of ['', "x' OR 1=1", 'g'.repeat(32)])
    expect(
      (await call<Answer<Trail>>(who.admin, trail, { body: { query: QUERY, subject: { kind: 'device', key } } })).code,
    ).toBe(500001)
})

test('[MSSA-01] links tell networks to those who may not read addresses, and never another application', async () => {
  const body = { query: QUERY, subject }
  const masked = (await call<Answer<Links>>(who.analyst, links, { body })).data
  const names = masked.nodes.filter(({ kind }) => kind === 'address').map(({ key }) => key.replace(/#\d+$/, ''))
  expect(names.sort()).toEqual(['198.51.100.0/24', '203.0.113.0/24'])
  const ids = new Set(masked.nodes.map(({ kind, key }) => `${kind}:${key}`))
  expect(masked.edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true)
  expect(masked.nodes.find(({ kind, hop }) => kind === 'device' && hop === 2)?.key).toBe(OTHER)
  const whole = (await call<Answer<Links>>(who.admin, links, { body })).data
  expect(whole.nodes.some(({ key }) => key === '203.0.113.77')).toBe(true)
  const half = (await call<Answer<Links>>(who.colleague, links, { body })).data
  expect(half.totals.build).toBe(1)
  const expand = [{ kind: 'address', key: '203.0.113.77' }]
  expect((await call<Answer<Links>>(who.analyst, links, { body: { ...body, expand } })).code).toBe(500018)
})

test('[MSSA-01] a subject is found by its hash, a beginning, the short form; by address or own id with the permission', async () => {
  const find = async (client: ConsoleClient, text: string) =>
    (await call<Answer<{ subject: { key: string } }[]>>(client, findSubjects, { body: { text } })).data?.map(
      (one) => one.subject.key,
    )
  for (const text of [DEVICE, DEVICE.slice(0, 12), 'd_dddd…dddd', 'dddd...dddd'])
    expect(await find(who.colleague, text), text).toContain(DEVICE)
  expect(await find(who.outsider, DEVICE)).toEqual([])
  expect(await find(who.analyst, 'nobody knows this')).toEqual([])
  expect(await find(who.analyst, '203.0.113.77')).toBeUndefined()
  expect(await find(who.admin, '203.0.113.77')).toEqual(['203.0.113.77'])
})

test('[MSSA-01] a case freezes what is pinned with its hash, knows doubles, and shows itself to who may see all of it', async () => {
  const one = await open(who.analyst, 'Hooks in the wallet')
  const [first] = events as [StoredEvent]
  const pinned = await add(who.analyst, one.id, { kind: 'event', appid: String(first.app), id: first.id, note: 'look' })
  expect(pinned.data).toMatchObject({ rows: 1, note: 'look', author: 'analyst@example.com' })
  expect(pinned.data.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(pinned.data.body).toMatchObject({ kind: 'event', event: { address: '203.0.113.0/24' } })
  const again = await add(who.analyst, one.id, { kind: 'event', appid: String(first.app), id: first.id })
  expect(again.data.id).toBe(pinned.data.id)
  const seen = await call<Answer<Case>>(who.colleague, caseById, { query: { id: one.id } })
  expect(seen.data).toMatchObject({ entries: 1, own: false, apps: [String(first.app)] })

  const trailAnswer = (await call<Answer<Trail>>(who.analyst, trail, { body: { query: QUERY, subject } })).data
  const stop = trailAnswer.stops[1] as Trail['stops'][number]
  const asked = { query: QUERY, subject }
  const frozen = await add(who.analyst, one.id, { kind: 'stop', ...asked, from: stop.from, to: stop.to })
  expect(frozen.data).toMatchObject({ rows: 2, body: { kind: 'stop', number: 2, move: { impossible: true } } })
  const [step] = trailAnswer.stops[0]?.steps ?? []
  const { from, to, type, risk, app: appid, device } = step as Trail['stops'][number]['steps'][number]
  const folded = await add(who.analyst, one.id, { kind: 'step', ...asked, from, to, type, risk, app: appid, device })
  expect(folded.data).toMatchObject({ rows: 2, body: { kind: 'step', step: { count: 2 } } })
  expect((await add(who.analyst, one.id, { kind: 'stop', ...asked, from: 1, to: 2 })).code).toBe(500002)

  // The stop is about the second application too, which the colleague may not see: the whole case is gone for him.
  expect((await call<Answer<Case>>(who.colleague, caseById, { query: { id: one.id } })).code).toBe(500002)
  expect((await call<Answer<Case[]>>(who.colleague, cases, {})).data).toEqual([])
  expect((await add(who.colleague, one.id, { kind: 'note', note: 'x' })).code).toBe(500002)
  expect((await call<Answer<Case[]>>(who.admin, cases, { query: { subject: `device:${DEVICE}` } })).data).toHaveLength(
    1,
  )
  expect((await call<Answer<Case[]>>(who.admin, cases, { query: { subject: `device:${OTHER}` } })).data).toEqual([])
  expect((await call<Answer<Case[]>>(who.admin, cases, { query: { text: 'HOOKS' } })).data).toHaveLength(1)
})

test('[MSSA-01] a closed case stays as it is; an edit in between is a conflict; only the owner deletes', async () => {
  const one = await open(who.analyst, 'Short')
  const { data: note } = await add(who.analyst, one.id, { kind: 'note', note: 'first' })
  const change = (client: ConsoleClient, more: object) =>
    call<Answer<Case>>(client, saveCase, { body: { id: one.id, title: 'Short', version: one.version, ...more } })
  expect((await change(who.analyst, { state: 'closed' })).data).toMatchObject({ state: 'closed', version: 2 })
  expect((await change(who.analyst, { state: 'open' })).code).toBe(500003)
  expect((await add(who.analyst, one.id, { kind: 'note', note: 'late' })).code).toBe(500601)
  expect((await call<Answer<unknown>>(who.analyst, removeEntry, { body: { id: note.id } })).code).toBe(500601)
  expect((await change(who.admin, { version: 2, take: true })).data).toMatchObject({ own: true, closed_at: null })
  expect((await call<Answer<unknown>>(who.analyst, deleteCase, { body: { id: one.id } })).code).toBe(500002)
  expect((await call<Answer<unknown>>(who.admin, removeEntry, { body: { id: note.id } })).code).toBe(0)
  expect((await call<Answer<unknown>>(who.admin, deleteCase, { body: { id: one.id } })).code).toBe(0)
})

test('[MSSA-01] the report of a case is a stored report with evidence, trail, notes and hashes, as long as no data of it is erased', async () => {
  const one = await open(who.analyst, 'Case <script>alert(1)</script>')
  await add(who.analyst, one.id, { kind: 'subject', query: QUERY, subject, note: 'a "quoted" & <i>note</i>' })
  const body = { of: 'case', case: one.id, format: 'pdf', language: 'en' }
  expect(await call<Answer<unknown>>(who.outsider, makeReport, { body })).toMatchObject({ code: 500002 })
  const { id } = await call<{ id: string }>(who.analyst, makeReport, { body })
  const { meta, deps } = app
  const never = new AbortController().signal
  const own = { meta, files: deps.files, store: deps.store, settings: () => deps.settings(), now: deps.now }
  await runReport(own, id, { stop: never, quit: never })
  const job = () => meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(await job()).toMatchObject({ state: 'done', title: 'Case <script>alert(1)</script> case report PDF' })
  const chapter = async (chapter: number) => {
    const { data } = await call<{ data: ReportPreview }>(who.analyst, previewReport, { query: { id, chapter } })
    if (data.of !== 'document') throw new Error(data.of)
    return data
  }
  const first = await chapter(0)
  expect(first.subject).toBe('Case <script>alert(1)</script>')
  expect(first.chapters).toEqual(['Evidence and notes', 'Trails', 'Integrity'])
  const text = JSON.stringify([first.blocks, (await chapter(1)).blocks, (await chapter(2)).blocks])
  expect(text).toContain(JSON.stringify('a "quoted" & <i>note</i>'))
  expect(text).toContain('Impossible travel')
  expect(text).toMatch(/Score \d+ \(limit \d+/)
  expect(text).toMatch(/RT-\d+ Hook framework ×4 \+\d+/)
  expect(text).toContain(DEVICE)
  expect(text.match(/[0-9a-f]{64}/g)?.length).toBeGreaterThanOrEqual(2)
  const listed = await call<{ data: StoredReport[] }>(who.admin, storedReports, { query: { kind: 'case' } })
  expect(listed.data).toMatchObject([{ id, kind: 'case', reader: null, format: 'pdf', has_preview: true }])
  // An erasure of one of its applications takes the copy along.
  const erased = { subject: DEVICE, scope: { apps: 'all' as const } }
  expect(await dropExports({ meta, files: deps.files, now: deps.now }, erased, deps.now() + 1000)).toBe(1)
  expect(await job()).toMatchObject({ file: null, document: null, note: 'export.erased' })
})

test('the statistics report has the exact figures of the store, in the scope of who asked, and no device', async () => {
  const written = async (client: ConsoleClient) => {
    const query = { range: '-7d', compare: 'previous', filters: [] }
    const body = { of: 'statistics', query, format: 'docx', language: 'en' }
    const { id } = await call<{ id: string }>(client, makeReport, { body })
    const { meta, deps } = app
    const never = new AbortController().signal
    const own = { meta, files: deps.files, store: deps.store, settings: () => deps.settings(), now: deps.now }
    await runReport(own, id, { stop: never, quit: never })
    const chapters: ReportPreview[] = []
    for (let chapter = 0; chapter < 3; chapter++)
      chapters.push((await call<{ data: ReportPreview }>(client, previewReport, { query: { id, chapter } })).data)
    return JSON.stringify(chapters)
  }
  const attacks = async (apps: 'all' | readonly number[]) => {
    const now = Date.now()
    const span = { from: now - 7 * 86_400_000, to: now }
    const query = { span, basis: 'occurred' as const, filters: [], scope: { apps }, zone: 'Asia/Shanghai' }
    const answer = await store.answer(query, { kind: 'total', measures: ['attacks'], and: [] })
    return answer.kind === 'total' ? (answer.row.attacks ?? 0) : -1
  }
  const { id: wallet } = await app.meta.db
    .selectFrom('applications')
    .select('id')
    .where('name', 'ilike', '%wallet%')
    .executeTakeFirstOrThrow()
  const all = await written(who.admin)
  const [total, part] = [await attacks('all'), await attacks([wallet])]
  expect(total).toBeGreaterThan(part)
  expect(all).toContain(`["Attacks","${total}"`)
  expect(await written(who.colleague)).toContain(`["Attacks","${part}"`)
  expect(all).toContain('<svg')
  expect(all).not.toContain(DEVICE)
})

test('[RET-01] deletion on demand empties what cases hold about the device', async () => {
  expect(await eraseFromCases(app.meta.db, 'device', DEVICE, [])).toBe(0)
  expect(await eraseFromCases(app.meta.db, 'device', DEVICE)).toBeGreaterThan(2)
  const rows = await app.meta.db.selectFrom('case_entries').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(DEVICE)
  expect(rows.filter(({ body }) => body.kind === 'erased').length).toBeGreaterThan(2)
})
