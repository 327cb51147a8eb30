import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, deleteApplication } from '#contracts/http/applications.ts'
import { delFile } from '#contracts/http/assets.ts'
import { markets } from '#contracts/http/monitoring/markets.ts'
import {
  COPY_VERDICTS,
  copyDetail,
  createMonitorTask,
  deleteMonitorTasks,
  judgeMonitorCopy,
  type MonitorTask,
  monitorCopies,
  monitorDetail,
  monitorTasks,
  PIRATED_VERDICTS,
  startMonitorTasks,
  stopMonitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import { COPY_VERDICTS as JUDGED, PIRATED } from '#engines/similarity/judge-copy.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { SHAPES } from '#mocks/app-markets/market-shapes.ts'
import { HOSTILE, planMarkets } from '#mocks/app-markets/markets.ts'
import { CopySpace } from '#server/modules/monitoring/copy-space.ts'
import { BUILT_IN } from '#server/modules/monitoring/market-catalogue.ts'
import { type MonitorDeps, runMonitoring, startDueTasks } from '#server/modules/monitoring/monitor-job.ts'
import { printIsolation } from '#server/modules/monitoring/package-prints.ts'
import { reportFrame } from '#server/modules/reports/report-frame.ts'
import { writeParts } from '#server/modules/reports/report-sources.ts'
import { writeReport } from '#server/modules/reports/write/write-report.ts'
import { makeAudit } from '#server/platform/audit/audit-trail.ts'
import { fileReferences } from '#server/platform/file-references.ts'
import { type JobQueue, startJobQueue } from '#server/platform/queue/job-queue.ts'
import { zonedTime } from '#server/platform/tables/zoned-time.ts'
import { monitorQueue } from '#server/processes/work-queues.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { COPY_KINDS, makeCopy, makeKeys, published, truthOf } from '#tests/monitoring-report/make-copies.ts'
import { type AssetBed, assetBed, fileOf } from '#tests/support/asset-bed.ts'
import { good } from '#tests/support/detection-bed.ts'
import { madeApplication } from '#tests/support/made-application.ts'

const KEYS = makeKeys()
const BANK = published(madeApplication(1, 'com.canglan.bank', 'Pocket Bank'), KEYS)
const GAME = published(madeApplication(2, 'com.lantern.game', 'Lantern Game'), makeKeys())
const LIMITS = { pageBytes: 2 ** 20, fileBytes: 2 ** 20, pageSeconds: 2, fileSeconds: 3, redirects: 5, ratio: 100 }

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const NO_PACKAGE = Buffer.from('no package at all')
const COPIES = COPY_KINDS.map(({ name }) => ({ name, bytes: makeCopy(name, BANK, GAME, KEYS, new Random(7))! }))
const offerOf = (name: string, id: string, bytes: Uint8Array): Offer => ({
  name,
  package: id,
  version: '1.7',
  downloads: 500,
  developer: 'someone',
  bytes,
})
const OFFERS: readonly Offer[] = [
  ...COPIES.map(({ bytes }) => offerOf('Pocket Bank', 'com.canglan.bank', bytes)),
  offerOf('Pocket Bank helper', 'com.lantern.game', GAME),
  offerOf('Pocket Bank broken', 'com.canglan.bank', NO_PACKAGE),
  offerOf('Something else', 'com.other.thing', GAME),
]

let bed: AssetBed
let queue: JobQueue
let appid = ''
const running: RunningMarket[] = []
const deps = {} as MonitorDeps & { origins: string[] }

beforeAll(async () => {
  bed = await assetBed()
  const { app } = bed
  Object.assign(deps, {
    meta: app.meta,
    files: app.deps.files,
    now: app.deps.now,
    isolation: () => printIsolation(app.config.dataFolder),
    audit: makeAudit(app.meta, app.deps.now),
    origins: [],
    proxy: '',
    fetchLimits: LIMITS,
    space: spaceOf(50 * 2 ** 20),
  })
  const made = await good(bed.owner, createApplication, { body: { name: 'Pocket Bank', mimetype_list: [1] } })
  appid = made.object_list[0]!.id
  const uploaded = await bed.upload(BANK, 'bank.apk', { appid })
  expect(uploaded.body['code']).toBe(0)
  queue = await startJobQueue({
    meta: app.meta,
    database: app.database,
    zone: 'Asia/Shanghai',
    queues: [monitorQueue(app.meta, (id, signals) => runMonitoring(deps, id, signals), app.deps.now)],
    retain: async () => {},
  })
}, 120_000)
afterAll(async () => {
  await queue?.stop()
  for (const one of running) await one.close()
  await bed?.app.close()
})

const spaceOf = (bytes: number, copies = 1000, hasFreeDisk = true) =>
  new CopySpace(bed.app.meta, { bytes, copies }, async () => hasFreeDisk)

/** A simulated market that the installation admits, as an own market. */
async function addMarket(market: RunningMarket, id = `own-${market.name}`): Promise<string> {
  running.push(market)
  deps.origins.push(market.origin)
  bed.app.config.marketOrigins.push(market.origin)
  await bed.app.meta.db
    .insertInto('monitor_markets')
    .values({
      id,
      built_in: false,
      name_zh: market.name,
      name_en: market.name,
      kind: 'download',
      region: 'cn',
      home: '',
      hosts: [],
      interval_ms: 200,
      connector: JSON.stringify(market.connector),
      enabled: true,
      by_user: null,
      updated_at: 0,
    })
    .execute()
  return id
}
const hostileMarket = (name: string) =>
  startMarket(
    name,
    SHAPES['store-json']({ prefix: 'h', charset: 'utf-8', depth: 0 }),
    { pageSize: 50, rate: 0, robots: '', gzip: false, misbehave: HOSTILE[name]! },
    OFFERS,
  )

async function ended(id: string, state = 'monitored') {
  const limit = Date.now() + 140_000
  for (;;) {
    const detail = await good(bed.owner, monitorDetail, { query: { id } })
    if (detail.data.state !== 'monitoring') {
      expect(detail.data.state, detail.data.note).toBe(state)
      return detail
    }
    if (Date.now() > limit) throw new Error('the run does not end')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Titles of the notices about new copies that the owner of the application has. */
async function copyNotices(): Promise<string[]> {
  const rows = await bed.app.meta.db
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .where('kind', '=', 'monitor')
    .where('users.username', '=', 'owner@example.com')
    .select('title')
    .execute()
  return rows.map(({ title }) => (title as { zh: string }).zh)
}

test('[MON-02] words of the contract are those of the engines', () => {
  expect(Object.keys(COPY_VERDICTS)).toEqual([...JUDGED])
  expect(new Set(PIRATED_VERDICTS)).toEqual(PIRATED)
})

describe('a task', () => {
  let task = ''

  test('[MON-01] every planted copy is found in twelve markets of different shapes and judged as what it is; no genuine copy is called pirated', {
    timeout: 150_000,
  }, async () => {
    for (const { name, shape, habits } of planMarkets(12))
      await addMarket(await startMarket(name, shape, { ...habits, rate: 0 }, OFFERS))
    await addMarket(await hostileMarket('hangs'), 'own-hangs')
    await addMarket(await hostileMarket('redirects-inside'), 'own-inside')
    // What a market offers may be a file of another record: here the icon of the package.
    await bed.app.deps.files.put(Readable.from([NO_PACKAGE]))
    await bed.app.meta.db
      .updateTable('app_files')
      .set({ icon: sha256Of(NO_PACKAGE) })
      .execute()
    const made = await good(bed.owner, createMonitorTask, { body: { appid, kinds: ['download', 'mini'] } })
    task = made.data.id
    expect(made.data).toMatchObject({ state: 'monitoring', app_name: 'Pocket Bank' })
    const { data, matrix, unasked, downloads, references } = await ended(task)
    expect(references).toHaveLength(1)
    const copies = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).data
    for (const { name, bytes } of COPIES) {
      const sha256 = sha256Of(bytes)
      const copy = copies.find((one) => one.sha256 === sha256)
      expect(copy?.verdict, name).toBe(truthOf(name))
      // Only in the twelve sound markets, whose pages alone name its file.
      expect(copy?.markets, name).toBeGreaterThanOrEqual(10)
    }
    expect(copies.find(({ package: id }) => id === 'com.lantern.game')?.verdict).toBe('unrelated')
    expect(copies.some(({ label }) => label.includes('broken'))).toBe(false)
    expect(await bed.app.deps.files.has(sha256Of(NO_PACKAGE))).toBe(true)
    expect(copies.every(({ offer }) => offer === 'offered')).toBe(true)
    const pirated = new Set(COPIES.filter(({ name }) => PIRATED.has(truthOf(name))).map(({ name }) => name)).size
    expect([data.pirated, data.genuine]).toEqual([pirated, COPIES.length - pirated])
    expect(data.fresh).toBe(pirated)
    expect(matrix.find(({ kind, verdict }) => kind === 'download' && verdict === 'clone')?.copies).toBeGreaterThan(0)
    expect(downloads).toBeGreaterThan(0)
    // What could not be asked has a reason and no count.
    const isManual = ({ connector, closed }: (typeof BUILT_IN)[number]) => connector.kind === 'manual' && !closed
    const manual = BUILT_IN.filter((one) => ['download', 'mini'].includes(one.kind) && isManual(one)).length
    expect(unasked.some(({ id }) => BUILT_IN.find((one) => one.id === id)?.closed)).toBe(false)
    expect(unasked.filter(({ problem }) => problem === 'manual')).toHaveLength(manual)
    expect(unasked.find(({ id }) => id === 'own-hangs')?.problem).toBe('time')
    expect(data.asked + data.unasked).toBe(data.markets)
    const list = await good(bed.owner, markets, { query: { limit: 1000 } })
    expect(list.data.find(({ id }) => id === 'own-hangs')).toMatchObject({ problem: 'time', pirated: null })
    // Its pages have two items each, of which the connector asks for three pages.
    const [first] = list.data.filter(({ id }) => id === 'own-m01-store-json')
    expect(first).toMatchObject({ problem: '', pirated: 3 })
    expect(list.simulated).toHaveLength(14)
    // Each new pirated copy with a certificate makes it known, once; what the run has found is one notice.
    const { db } = bed.app.meta
    const rules = await db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'monitoring.certificate')
      .execute()
    const signed = copies.filter(
      ({ verdict, certificate }) => ['re-signed', 'repackaged', 'clone'].includes(verdict) && certificate !== '',
    )
    expect(signed.length).toBeGreaterThan(0)
    expect(rules.map(({ detail }) => detail).sort()).toEqual(
      signed.map(({ certificate }) => `certificate ${certificate} is known as pirated`).sort(),
    )
    expect(await copyNotices()).toEqual([`Pocket Bank：发现 ${pirated} 个新的盗版`])
  })

  test('[MON-02] the evidence of a copy is shown beside the package it was made of, down to the class', async () => {
    const { data } = await good(bed.owner, monitorCopies, { query: { id: task, verdict: 'repackaged' } })
    const details = await Promise.all(data.map(({ id }) => good(bed.owner, copyDetail, { query: { id } })))
    const injected = details.find(({ evidence }) =>
      evidence.classes.rows.some(({ name }) => name === 'com.evil.inject.Adware'),
    )!
    expect(injected.reference).toMatchObject({ package: 'com.canglan.bank', signature: 'verified' })
    expect(injected.copy.certificates).not.toEqual(injected.reference.certificates)
    expect(injected.evidence.permissions.rows[0]).toEqual({ name: 'android.permission.SEND_SMS', difference: 'added' })
    expect(injected.parts.reduce((sum, one) => sum + one.points, 0)).toBeGreaterThan(0)
    expect(injected.listings.length).toBe(injected.data.markets)
  })

  test('[MON-02] a verdict of a person has a reason, counts, and can be taken back', async () => {
    const { data } = await good(bed.owner, monitorCopies, { query: { id: task, verdict: 'clone' } })
    const [clone] = data
    const judged = await good(bed.owner, judgeMonitorCopy, {
      body: { id: clone!.id, verdict: 'genuine', reason: 'our own edition for a partner' },
    })
    expect(judged.data).toMatchObject({ verdict: 'genuine', judged: 'clone', is_manual: true })
    const { data: counted, runs } = await good(bed.owner, monitorDetail, { query: { id: task } })
    const before = counted.pirated
    expect([counted.fresh, runs[0]!.pirated, runs[0]!.fresh]).toEqual([before, before, before])
    await good(bed.owner, judgeMonitorCopy, { body: { id: clone!.id, verdict: '', reason: 'a mistake' } })
    expect((await good(bed.owner, monitorDetail, { query: { id: task } })).data.pirated).toBe(before + 1)
    const refused = await bed.owner.call(judgeMonitorCopy, { body: { id: clone!.id, verdict: 'genuine', reason: ' ' } })
    expect(refused.body['code']).not.toBe(0)
  })

  test('[MON-02] a takedown request about a pirated copy names hashes, certificates, addresses and times, in both languages', async () => {
    const { data } = await good(bed.owner, monitorCopies, { query: { id: task, verdict: 'repackaged' } })
    const copy = data.find(({ markets: count }) => count > 1)!
    const { listings, reference, copy: facts } = await good(bed.owner, copyDetail, { query: { id: copy.id } })
    const market = listings[0]!.market
    const ask = (change: object) => ({
      body: { of: 'takedown', copy: copy.id, market, format: 'pdf', language: 'zh', ...change },
    })
    const { id } = await good(bed.owner, makeReport, ask({}))
    const { meta, deps: http } = bed.app
    const row = await meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ kind: 'report', title: 'Pocket Bank 1.7 下架函 PDF' })
    const parts = async (one: string, language: 'zh' | 'en') =>
      writeParts(
        { meta, files: http.files, settings: http.settings, now: http.now, store: http.store },
        { userId: row.user_id, username: 'owner@example.com' },
        {
          ...{ of: 'takedown', copy: copy.id, market: one, format: 'pdf', reader: 'developer', language },
          ...{ scope: { apps: [Number(appid)] as never[] }, apps: [Number(appid)] },
        },
      )
    const [zh, en, all] = [await parts(market, 'zh'), await parts(market, 'en'), await parts('', 'en')]
    expect([zh.title, en.title]).toEqual(['盗版应用下架函', 'Takedown request'])
    for (const { blocks } of [zh, en, all]) {
      const text = JSON.stringify(blocks)
      for (const one of [reference, facts])
        for (const word of [one.sha256, one.package, ...one.certificates]) expect(text).toContain(word)
      expect(text).toContain(listings[0]!.page)
      expect(text).toContain(zonedTime(listings[0]!.first_seen, http.settings().zone).slice(0, 16).replace('T', ' '))
    }
    const places = (blocks: typeof zh.blocks) =>
      blocks.filter((one) => one.kind === 'heading' && one.level === 2).length
    expect([places(zh.blocks), places(all.blocks)]).toEqual([1, listings.length])
    const framed = { ...zh, ...(await reportFrame(http, 'zh')) }
    for (const [format, magic] of [
      ['pdf', '%PDF'],
      ['docx', 'PK'],
    ] as const) {
      const bytes = await writeReport({ format, document: framed }, new AbortController().signal)
      expect(Buffer.from(bytes).subarray(0, magic.length).toString()).toBe(magic)
    }
    // Of a copy that nothing is wrong with, of a market that does not offer it, by someone who does not see the application.
    const [genuine] = (await good(bed.owner, monitorCopies, { query: { id: task, verdict: 'genuine' } })).data
    const keyOf = async (who: typeof bed.owner, change: object) => (await who.call(makeReport, ask(change))).body['key']
    expect(await keyOf(bed.owner, { copy: genuine!.id })).toBe('monitor.not_pirated')
    expect(await keyOf(bed.owner, { market: 'own-hangs' })).toBe('data.missing')
    expect(await keyOf(bed.stranger, {})).toBe('data.missing')
  }, 60_000)

  test('[MON-01] another run downloads no known file again, and says what is new and what is gone', {
    timeout: 120_000,
  }, async () => {
    const [first] = running
    const taken = () =>
      running
        .slice(0, 12)
        .flatMap(({ asked }) => asked)
        .filter((path) => path.startsWith('/file/')).length
    const before = taken()
    const copies = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).data.length
    for (const one of running.slice(0, 12))
      one.offers = one.offers.map((offer, at) => (at === 3 ? { ...offer, name: 'Gone', package: 'com.gone' } : offer))
    // Prints of an earlier version, one of them of a file that is gone.
    const [repackaged, clone] = ['code and permission added', 'other name'].map(
      (kind) => COPIES.find(({ name }) => name === kind)!.bytes,
    ) as [Uint8Array, Uint8Array]
    const old = [repackaged, clone].map(sha256Of)
    const { meta, files } = deps
    await meta.db.updateTable('package_prints').set({ format: 1, print: '{}' }).where('sha256', 'in', old).execute()
    await meta.db.updateTable('monitor_copies').set({ verdict: 'look-alike' }).where('sha256', 'in', old).execute()
    await files.remove(old[1]!)
    await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
    const { runs, data } = await ended(task)
    const judged = async () => {
      const { data: all } = await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })
      return old.map((sha256) => all.find((one) => one.sha256 === sha256)!.verdict)
    }
    expect(await judged()).toEqual(['repackaged', 'look-alike'])
    await files.put(Readable.from([clone]))
    expect(data.run).toBe(2)
    expect(runs[0]).toMatchObject({ run: 2, fresh: 0, gone: 1 })
    expect(await copyNotices()).toHaveLength(1)
    const found = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).data
    expect(found).toHaveLength(copies)
    expect(found.filter(({ offer }) => offer === 'gone').map(({ sha256 }) => sha256)).toEqual([
      sha256Of(COPIES[3]!.bytes),
    ])
    expect(found.filter(({ offer }) => offer === 'unknown')).toEqual([])
    // Each is asked for once more and answered as unchanged.
    expect(taken() - before).toBeLessThanOrEqual(before)
    expect(first!.asked.length).toBeGreaterThan(0)
  })

  test('[MON-01] without room for more copies a market with a new file is named with the reason; what it offered before is not called gone', {
    timeout: 180_000,
  }, async () => {
    const twelve = running.slice(0, 12)
    const [first] = twelve
    const before = twelve.map(({ offers }) => offers)
    const fifth = sha256Of(COPIES[5]!.bytes)
    const without = (at: number) => (offer: Offer, one: number) =>
      one === at ? { ...offer, name: 'Gone', package: 'com.gone' } : offer
    for (const one of twelve) one.offers = one.offers.map(without(5))
    const inFirst = await good(bed.owner, monitorCopies, { query: { id: task, search: fifth } })
    expect(inFirst.data[0]).toMatchObject({ offer: 'offered' })
    // A file with a new length, so that no market says that it is the known one.
    first!.offers = first!.offers.map((offer, at) =>
      at === 0 ? { ...offer, bytes: Buffer.concat([offer.bytes, Buffer.from('new')]) } : offer,
    )
    const copies = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).total
    const run = async (space: CopySpace) => {
      Object.assign(deps, { space })
      await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
      return ended(task)
    }
    for (const space of [spaceOf(1), spaceOf(2 ** 30, 1), spaceOf(2 ** 30, 1000, false)]) {
      const { unasked, data } = await run(space)
      expect(unasked.filter(({ problem }) => problem === 'space').map(({ id }) => id)).toEqual(['own-m01-store-json'])
      expect(data.asked).toBe(12)
      const found = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).data
      expect(found).toHaveLength(copies)
      expect(found.find(({ sha256 }) => sha256 === fifth)?.offer).toBe('unknown')
      // Its file at the known address could not be taken: it may be the one of before or not.
      const changed = found.find(({ sha256 }) => sha256 === sha256Of(COPIES[0]!.bytes))!
      const { listings } = await good(bed.owner, copyDetail, { query: { id: changed.id } })
      expect(listings.find(({ market }) => market === 'own-m01-store-json')?.offer).toBe('unknown')
      const list = await good(bed.owner, markets, { query: { search: 'm01-store-json' } })
      expect(list.data[0]).toMatchObject({ problem: 'space', pirated: null })
    }
    const { unasked } = await run(spaceOf(2 ** 30))
    expect(unasked.filter(({ problem }) => problem === 'space')).toEqual([])
    const found = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).data
    expect(found.find(({ sha256 }) => sha256 === fifth)?.offer).toBe('gone')
    for (const [at, one] of twelve.entries()) one.offers = before[at]!
  })

  test('[MON-01] a run that was killed goes on with the markets that were not asked', {
    timeout: 120_000,
  }, async () => {
    const { meta, deps: http } = bed.app
    const ending = new AbortController()
    await queue.stop()
    await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
    const asked = () =>
      meta.db
        .selectFrom('monitor_asks')
        .select('market')
        .where('task_id', '=', task)
        .where('state', '!=', 'waiting')
        .execute()
    const work = runMonitoring(deps, task, { stop: new AbortController().signal, quit: ending.signal })
    for (let done = 0; done < 3; done = (await asked()).length) await new Promise((resolve) => setTimeout(resolve, 10))
    ending.abort()
    await work
    const row = await meta.db.selectFrom('monitor_tasks').selectAll().where('id', '=', task).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ state: 'monitoring', run: 7 })
    const known = (await asked()).map(({ market }) => market)
    const times = async () =>
      new Map(
        (
          await meta.db.selectFrom('monitor_asks').select(['market', 'asked_at']).where('task_id', '=', task).execute()
        ).map((one) => [one.market, one.asked_at]),
      )
    const before = await times()
    await runMonitoring(deps, task, { stop: new AbortController().signal, quit: new AbortController().signal })
    const after = await times()
    for (const market of known) expect(after.get(market), market).toBe(before.get(market))
    expect((await ended(task)).data.run).toBe(7)
    queue = await startJobQueue({
      meta,
      database: bed.app.database,
      zone: 'Asia/Shanghai',
      queues: [monitorQueue(meta, (id, signals) => runMonitoring(deps, id, signals), http.now)],
      retain: async () => {},
    })
  })

  test('[MON-01] a market that takes longer than its share of a run is named, and what it offered before is not called gone', {
    timeout: 60_000,
  }, async () => {
    Object.assign(deps, { marketMs: 0 })
    await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
    const { unasked, data } = await ended(task, 'failed')
    Object.assign(deps, { marketMs: undefined })
    expect(data.asked).toBe(0)
    const late = unasked.filter(({ problem }) => problem !== 'manual')
    expect(late.length).toBeGreaterThan(0)
    expect(new Set(late.map(({ problem }) => problem))).toEqual(new Set(['time']))
    const known = (await good(bed.owner, monitorCopies, { query: { id: task, limit: 100 } })).data
    expect(known.some(({ offer }) => offer === 'offered')).toBe(false)
    expect(known.some(({ offer }) => offer === 'unknown')).toBe(true)
  })

  test('[MON-01] a run is stopped, and a schedule begins the next', { timeout: 60_000 }, async () => {
    await good(bed.owner, startMonitorTasks, { body: { ids: [task] } })
    expect(await good(bed.owner, stopMonitorTasks, { body: { ids: [task] } })).toMatchObject({ stopped: 1 })
    expect((await ended(task, 'stopped')).data.state).toBe('stopped')
    const { meta } = bed.app
    await meta.db.updateTable('monitor_tasks').set({ schedule: 'daily', next_at: 1 }).where('id', '=', task).execute()
    expect(await startDueTasks({ meta, files: deps.files, now: bed.app.deps.now })).toBe(1)
    const row = await meta.db.selectFrom('monitor_tasks').selectAll().where('id', '=', task).executeTakeFirstOrThrow()
    expect(row.state).toBe('monitoring')
    expect(row.next_at).toBeGreaterThan(bed.app.deps.now())
    await good(bed.owner, stopMonitorTasks, { body: { ids: [task] } })
  })

  test('[MON-01] someone who may not see the application sees no task, copy or count of it', async () => {
    expect((await good(bed.stranger, monitorTasks, {})).total).toBe(0)
    const { data } = await good(bed.owner, monitorCopies, { query: { id: task } })
    for (const [endpoint, input] of [
      [monitorDetail, { query: { id: task } }],
      [monitorCopies, { query: { id: task } }],
      [copyDetail, { query: { id: data[0]!.id } }],
      [startMonitorTasks, { body: { ids: [task] } }],
      [stopMonitorTasks, { body: { ids: [task] } }],
      [deleteMonitorTasks, { body: { ids: [task] } }],
      [judgeMonitorCopy, { body: { id: data[0]!.id, verdict: 'genuine', reason: 'x' } }],
      [createMonitorTask, { body: { appid } }],
    ] as const) {
      const answer = await bed.stranger.call(endpoint as typeof monitorDetail, input as never)
      expect(answer.body['codemsg'] ?? '', endpoint.path).not.toBe('')
    }
    const seen = await good(bed.stranger, markets, { query: { limit: 1000 } })
    expect(seen.data.every(({ pirated, asked_at }) => pirated === null && asked_at === null)).toBe(true)
  })

  test('[MON-02] a file of an application that is a copy too stays while the copy is there', async () => {
    const made = await good(bed.owner, createApplication, { body: { name: 'Lantern Game', mimetype_list: [1] } })
    const file = fileOf(await bed.upload(GAME, 'game.apk', { appid: made.object_list[0]!.id }))
    await good(bed.owner, delFile, { body: { id: file.id } })
    expect(await bed.app.deps.files.has(sha256Of(GAME))).toBe(true)
  })

  test('[MON-02] deleting a task removes its copies, and files that nothing else names', async () => {
    const { meta } = bed.app
    const named = async () => (await fileReferences(meta)).filter(({ record }) => record.startsWith('copy ')).length
    expect(await named()).toBeGreaterThan(0)
    const [copy] = (await good(bed.owner, monitorCopies, { query: { id: task, verdict: 'clone' } })).data
    expect(await bed.app.deps.files.has(copy!.sha256)).toBe(true)
    await good(bed.owner, deleteMonitorTasks, { body: { ids: [task] } })
    expect(await named()).toBe(0)
    expect(await bed.app.deps.files.has(copy!.sha256)).toBe(false)
    // The published package is the application's own file too.
    expect(await bed.app.deps.files.has(sha256Of(BANK))).toBe(true)
  })

  test('[MON-01] without a market that answers the run fails and counts nothing', { timeout: 60_000 }, async () => {
    // One that names no files, and two that offer iOS applications alone.
    const [{ connector }] = running as [RunningMarket]
    const { download: _, ...fields } = (connector as { fields: Record<string, unknown> }).fields
    await bed.app.meta.db
      .updateTable('monitor_markets')
      .set({ connector: JSON.stringify({ ...connector, fields }) })
      .where('id', '=', 'own-m01-store-json')
      .execute()
    const chosen = { appid, kinds: ['mini'], markets: ['own-m01-store-json', 'app-store-cn', 'altsource-utm'] }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => bed.owner.call(createMonitorTask, { body: chosen })),
    )
    // Of several requests at the same time one makes the task.
    const [made, ...more] = answers.filter(({ body }) => body['code'] === 0)
    expect(more).toEqual([])
    const { data, downloads, unasked } = await ended((made!.body['data'] as MonitorTask).id, 'failed')
    const said = (id: string) => unasked.find((one) => one.id === id)
    expect([said('app-store-cn')?.problem, said('altsource-utm')?.problem]).toEqual(['platform', 'platform'])
    const { problem, leads = [] } = said('own-m01-store-json') ?? {}
    expect(problem).toBe('nofile')
    // Each with a page to look at.
    expect(leads.length).toBeGreaterThan(0)
    for (const { name, page } of leads)
      expect([name.startsWith('Pocket Bank'), URL.canParse(page)]).toEqual([true, true])
    expect(data).toMatchObject({ asked: 0, pirated: 0, genuine: 0 })
    expect(data.note).not.toBe('')
    expect(downloads).toBeNull()
    const again = await bed.owner.call(createMonitorTask, { body: { appid } })
    expect(again.body['code']).not.toBe(0)
  })
})

test('[MON-01] the task of an application that was deleted is deleted with its files', async () => {
  const { meta, deps: http } = bed.app
  const tasks = () => meta.db.selectFrom('monitor_tasks').select('id').execute()
  expect(await tasks()).toHaveLength(1)
  await good(bed.owner, deleteApplication, { body: { appid } })
  await startDueTasks({ meta, files: deps.files, now: http.now })
  expect(await tasks()).toEqual([])
})
