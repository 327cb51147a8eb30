import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { exportTakedowns, moveTakedowns, type TakedownState, takedowns } from '#contracts/http/monitoring/takedowns.ts'
import {
  createMonitorTask,
  monitorCopies,
  monitorDetail,
  startMonitorTasks,
  stopMonitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { SHAPES } from '#mocks/app-markets/market-shapes.ts'
import { CopySpace } from '#server/modules/monitoring/copy-space.ts'
import { type MonitorDeps, runMonitoring } from '#server/modules/monitoring/monitor-job.ts'
import { printIsolation } from '#server/modules/monitoring/package-prints.ts'
import { makeAudit } from '#server/platform/audit/audit-trail.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { makeCopy, makeKeys, published } from '#tests/monitoring-report/make-copies.ts'
import { type AssetBed, assetBed } from '#tests/support/asset-bed.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { exportedText } from '#tests/support/exported.ts'
import { CODE, PASSWORD } from '#tests/support/http-app.ts'
import { madeApplication } from '#tests/support/made-application.ts'

/** One pirated copy in two markets, run after run: asked for removal, removed, kept, hidden behind failures, and put back. */
const KEYS = makeKeys()
const BANK = published(madeApplication(1, 'com.canglan.bank', 'Pocket Bank'), KEYS)
const offerOf = (bytes: Uint8Array, name = 'Pocket Bank'): Offer => ({
  ...{ name, package: 'com.canglan.bank', version: '1.7', downloads: 500, developer: 'someone' },
  bytes,
})
const PIRATED = offerOf(makeCopy('signed again', BANK, BANK, KEYS, new Random(7))!)
const GENUINE = offerOf(BANK)
/** More items than one run looks at. */
const CROWD = Array.from({ length: 110 }, () => GENUINE)
const REPLACED = offerOf(Buffer.from('no package any more'))
const LIMITS = { pageBytes: 2 ** 20, fileBytes: 2 ** 20, pageSeconds: 1, fileSeconds: 3, redirects: 5, ratio: 100 }

let bed: AssetBed
let deps: MonitorDeps
let task = ''
let copy = ''
let hangs = false
const markets: RunningMarket[] = []

beforeAll(async () => {
  bed = await assetBed()
  const { app } = bed
  const shape = (prefix: string) => SHAPES['store-json']({ prefix, charset: 'utf-8', depth: 0 })
  const habits = { pageSize: 50, rate: 0, robots: '', gzip: false }
  const misbehave = (_: unknown, __: unknown, path: string) => hangs && path !== '/robots.txt'
  for (const [name, more] of [['first', {}] as const, ['second', { misbehave }] as const]) {
    const market = await startMarket(name, shape(name), { ...habits, ...more }, [GENUINE, PIRATED])
    markets.push(market)
    await app.meta.db
      .insertInto('monitor_markets')
      .values({
        ...{ id: name, built_in: false, name_zh: `${name} 市场`, name_en: `${name} market`, kind: 'download' },
        ...{ region: 'cn', home: '', hosts: [], interval_ms: 1, enabled: true, by_user: null, updated_at: 0 },
        connector: JSON.stringify(market.connector),
      })
      .execute()
  }
  deps = {
    ...{ meta: app.meta, files: app.deps.files, now: app.deps.now, audit: makeAudit(app.meta, app.deps.now) },
    isolation: () => printIsolation(app.config.dataFolder),
    space: new CopySpace(app.meta, { bytes: 50 * 2 ** 20, copies: 1000 }, async () => true),
    origins: markets.map(({ origin }) => origin),
    proxy: '',
    fetchLimits: LIMITS,
  }
  const made = await good(bed.owner, createApplication, { body: { name: 'Pocket Bank', mimetype_list: [1] } })
  const appid = made.object_list[0]!.id
  expect((await bed.upload(BANK, 'bank.apk', { appid })).body['code']).toBe(0)
  task = (await good(bed.owner, createMonitorTask, { body: { appid, markets: ['first', 'second'] } })).data.id
  await runMonitoring(deps, task, signals())
  const found = await good(bed.owner, monitorCopies, { query: { id: task, verdict: 'pirated' } })
  expect(found.data.map(({ markets: count }) => count)).toEqual([2])
  copy = found.data[0]!.id
}, 120_000)
afterAll(async () => {
  for (const one of markets) await one.close()
  await bed?.app.close()
})

const signals = () => ({ stop: new AbortController().signal, quit: new AbortController().signal })

/** Another run, with what the two markets offer; answers the states of the requests of both. */
async function run(first: readonly Offer[], second: readonly Offer[], change: Partial<MonitorDeps> = {}) {
  for (const [at, offers] of [first, second].entries()) markets[at]!.offers = offers
  await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
  await runMonitoring({ ...deps, ...change }, task, signals())
  return states()
}

const list = async (query: { state?: TakedownState; copy?: string } = {}) =>
  good(bed.owner, takedowns, { query: { id: task, limit: 200, ...query } })
async function states(): Promise<string[]> {
  const { data } = await list()
  return data.toSorted((a, b) => (a.market < b.market ? -1 : 1)).map(({ state }) => state)
}
const idOf = async (market: string) => (await list()).data.find((one) => one.market === market)!.id
const lastStep = async (market: string) => (await list()).data.find((one) => one.market === market)!.steps.at(-1)
const keyOf = async (body: object, who = bed.owner) =>
  (await who.call(moveTakedowns, { body: body as never })).body['key']
const order = () =>
  good(bed.owner, makeReport, { body: { of: 'takedown', copy, market: '', format: 'pdf', language: 'zh' } })

test('[MON-02] a letter whose requests cannot be stored is not ordered either', async () => {
  const { db } = bed.app.meta
  const jobs = async () => (await db.selectFrom('jobs').select('id').where('kind', '=', 'report').execute()).length
  await sql`alter table monitor_takedown_steps add constraint full_disk check (false) not valid`.execute(db)
  const body = { of: 'takedown', copy, market: '', format: 'pdf', language: 'zh' } as const
  expect((await bed.owner.call(makeReport, { body })).body['code']).not.toBe(0)
  await sql`alter table monitor_takedown_steps drop constraint full_disk`.execute(db)
  expect([await jobs(), (await list()).total]).toEqual([0, 0])
})

test('[MON-02] a letter to all markets makes one request for each, once, and a person says when and how they were sent', async () => {
  expect((await list()).total).toBe(0)
  await order()
  expect(await states()).toEqual(['drafted', 'drafted'])
  // The same letter in another language is no other request.
  await good(bed.owner, makeReport, { body: { of: 'takedown', copy, market: 'first', format: 'docx', language: 'en' } })
  const { data, states: counts } = await list({ copy })
  expect([data.length, counts]).toEqual([2, { drafted: 2 }])
  expect(data[0]).toMatchObject({ copy, verdict: 're-signed', package: 'com.canglan.bank' })
  expect(data[0]!.steps).toEqual([
    { state: 'drafted', at: data[0]!.created_at, by: 'owner@example.com', run: null, way: null, note: '' },
  ])
  const ids = data.map(({ id }) => id)
  const at = Date.now() - 60_000
  const sent = { ids, state: 'sent', at, way: 'mail', note: 'to the abuse desk' }
  expect(await keyOf({ ...sent, at: Date.now() + 3_600_000 })).toBe('input.invalid')
  expect(await keyOf({ ...sent, way: null })).toBe('input.invalid')
  expect(await keyOf({ ...sent, state: 'removed' })).toBe('input.invalid')
  expect(await keyOf({ ...sent, state: 'answered', way: null })).toBe('monitor.takedown_state')
  expect(await keyOf({ ...sent, ids: [...ids, '00000000-0000-4000-8000-000000000000'] })).toBe('data.missing')
  expect(await keyOf(sent, bed.stranger)).toBe('data.missing')
  expect(await states()).toEqual(['drafted', 'drafted'])
  expect(await good(bed.owner, moveTakedowns, { body: sent as never })).toMatchObject({ moved: 2 })
  expect(await lastStep('first')).toMatchObject({ state: 'sent', at, way: 'mail', note: 'to the abuse desk' })
})

test('[MON-02] only a later run in which a market gave a whole answer without the copy says that it was removed', {
  timeout: 120_000,
}, async () => {
  // Asked before the request was made: says nothing about what the request did.
  expect(await run([GENUINE], [GENUINE], { now: () => Date.now() - 3_600_000 })).toEqual(['sent', 'sent'])
  expect(await run([GENUINE, PIRATED], [GENUINE, PIRATED])).toEqual(['sent', 'sent'])
  hangs = true
  expect(await run([GENUINE], [GENUINE])).toEqual(['removed', 'sent'])
  const { data } = await good(bed.owner, monitorDetail, { query: { id: task } })
  expect([data.asked, data.unasked]).toEqual([1, 1])
  expect(await lastStep('first')).toMatchObject({ state: 'removed', by: '', run: data.run })
  hangs = false
  expect(await run([GENUINE], CROWD), 'a part of an answer').toEqual(['removed', 'sent'])
  const answered = { ids: [await idOf('second')], state: 'answered', at: Date.now(), note: 'they look at it' }
  await good(bed.owner, moveTakedowns, { body: answered as never })
  await good(bed.owner, moveTakedowns, { body: { ...answered, state: 'refused', note: 'asks for a licence' } as never })
  expect(await states()).toEqual(['removed', 'refused'])
  // A file that cannot be downloaded may be the copy, at its old address or at a new one. Other content at its address is another file.
  const limits = { ...LIMITS, fileBytes: 100 }
  expect(await run([GENUINE], [GENUINE, PIRATED], { fetchLimits: limits })).toEqual(['removed', 'refused'])
  expect(await run([GENUINE], [GENUINE, ...CROWD.slice(0, 90), PIRATED], { fetchLimits: limits })).toEqual([
    'removed',
    'refused',
  ])
  expect(await run([GENUINE], [GENUINE, REPLACED])).toEqual(['removed', 'removed'])
  expect(await keyOf({ ...answered, ids: [await idOf('first')] })).toBe('monitor.takedown_state')
})

test('[MON-02] a copy that a run finds again is back on offer in that market alone, and can be asked about again', {
  timeout: 60_000,
}, async () => {
  expect(await run([GENUINE, PIRATED], [GENUINE])).toEqual(['returned', 'removed'])
  const first = await idOf('first')
  expect(await keyOf({ ids: [first], state: 'refused', at: Date.now() })).toBe('monitor.takedown_state')
  await good(bed.owner, moveTakedowns, { body: { ids: [first], state: 'sent', at: Date.now(), way: 'form' } as never })
  expect(await run([GENUINE], [GENUINE])).toEqual(['removed', 'removed'])
  const { data } = await list()
  expect(data.find(({ id }) => id === first)!.steps.map(({ state }) => state)).toEqual(
    ['drafted', 'sent', 'removed', 'returned', 'sent', 'removed'], // oldest first
  )
  const lines = await bed.app.meta.db
    .selectFrom('audit_log')
    .select(['action', 'account', 'target', 'detail'])
    .where('action', 'in', ['monitoring.takedown', 'moveTakedowns'])
    .where('result', '=', 'ok')
    .orderBy('id')
    .execute()
  expect(lines.filter(({ account }) => account === 'system').map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^Removed in first, run \d+$/),
    expect.stringMatching(/^Removed in second, run \d+$/),
    expect.stringMatching(/^Back on offer in first, run \d+$/),
    expect.stringMatching(/^Removed in first, run \d+$/),
  ])
  expect(lines.filter(({ action }) => action === 'moveTakedowns')).toHaveLength(4)
})

test('[MON-02] requests are narrowed to a state, paged, and exported whole by who may write letters', async () => {
  const page = await good(bed.owner, takedowns, { query: { id: task, limit: 1, offset: 1 } })
  expect([page.data.length, page.total, page.states]).toEqual([1, 2, { removed: 2 }])
  expect((await list({ state: 'sent' })).total).toBe(0)
  const body = (state: TakedownState | '') => ({
    list: { id: task, state },
    format: 'csv' as const,
    title: `of ${state}`,
  })
  const lines = async (state: TakedownState | '') => {
    const { job } = await good(bed.owner, exportTakedowns, { body: body(state) })
    return (await exportedText(bed.app, job.id)).split('\r\n').slice(1, -1)
  }
  expect(await lines('sent')).toEqual([])
  const [line, ...more] = (await lines('')).filter((one) => one.includes('first'))
  expect(more).toEqual([])
  expect(line).toMatch(/Pocket Bank,com\.canglan\.bank,.*owner@example\.com/)
  // Who only looks reads the requests, and neither exports nor changes them.
  await bed.app.addUser('reader@example.com', 'multi_channel')
  const reader = new ConsoleClient(bed.app.url)
  await reader.signIn('reader@example.com', PASSWORD, CODE)
  expect((await reader.call(exportTakedowns, { body: body('') })).body['key']).toBe('permission.missing')
  expect(await keyOf({ ids: [await idOf('first')], state: 'sent', at: 1, way: 'mail' }, reader)).toBe(
    'permission.missing',
  )
  for (const [endpoint, input] of [
    [takedowns, { query: { id: task } }],
    [exportTakedowns, { body: body('') }],
  ] as const)
    expect((await bed.stranger.call(endpoint as typeof takedowns, input as never)).body['key']).toBe('data.missing')
})

test('[MON-02] a run that is stopped in between changes no request', async () => {
  await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
  await good(bed.owner, stopMonitorTasks, { body: { ids: [task] } })
  await runMonitoring(deps, task, signals())
  expect(await states()).toEqual(['removed', 'removed'])
})

test('[MON-02] a request takes 100 steps of people, and says so when it is full', async () => {
  const { db } = bed.app.meta
  const id = await idOf('second')
  await db.updateTable('monitor_takedowns').set({ state: 'sent' }).where('id', '=', id).execute()
  const { count } = await db
    .selectFrom('monitor_takedown_steps')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('takedown_id', '=', id)
    .where('run', 'is', null)
    .executeTakeFirstOrThrow()
  const step = {
    takedown_id: id,
    state: 'sent' as const,
    at: 1,
    by_user: null,
    run: null,
    way: 'mail' as const,
    note: '',
  }
  await db
    .insertInto('monitor_takedown_steps')
    .values(Array.from({ length: 99 - Number(count) }, () => step))
    .execute()
  const answered = { ids: [id], state: 'answered', at: Date.now() - 1000, note: 'last' }
  expect(await keyOf(answered)).toBeUndefined()
  expect(await keyOf({ ...answered, note: 'one more' })).toBe('monitor.takedown_steps')
  expect((await lastStep('second'))?.note).toBe('last')
})
