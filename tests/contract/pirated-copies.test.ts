import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { abnormalReturn, abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { saveBaseline } from '#contracts/http/baselines.ts'
import { deviceProfile } from '#contracts/http/devices.ts'
import { piratedPlaces } from '#contracts/http/monitoring/pirated-places.ts'
import {
  judgeMonitorCopy,
  MONITOR_FIGURES,
  monitorCopies,
  monitorDetail,
  monitorDevices,
  type Verdict,
} from '#contracts/http/monitoring/tasks.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import { search } from '#contracts/http/search.ts'
import { createDisplayToken } from '#contracts/http/tokens.ts'
import type { Query } from '#domain/query.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import type { ReportDocument } from '#engines/report/document.ts'
import { reportFrame } from '#server/modules/reports/report-frame.ts'
import { type ReportDeps, writeParts } from '#server/modules/reports/report-sources.ts'
import { writeReport } from '#server/modules/reports/write/write-report.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, PASSWORD } from '#tests/support/http-app.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'

/** What monitoring found, joined with devices, baselines, search and reports. */

const sha = (digit: string) => digit.repeat(64)
const [PIRATE, OTHER, OWN] = [sha('c'), sha('d'), sha('a')]
const DEVICES = [hashKey(501), hashKey(502), hashKey(503)] as const
let bed: ScopeBed
let task = ''
let app = 0
const copies: Record<string, string> = {}

const query: Query = { range: '-30d', timeBasis: 'occurred', compare: 'none', filters: [] }
const ofApp = (): Query => ({ ...query, filters: [{ field: 'app', op: 'is', values: [String(app)] }] })

/** A copy as a run stores it. */
async function addCopy(name: string, certificates: string[], verdict: Verdict): Promise<void> {
  const { db } = bed.http.meta
  const id = randomUUID()
  copies[name] = id
  const sha256 = `${Object.keys(copies).length}`.repeat(64)
  const at = Date.now() - 60_000
  const judgement = { verdict, confidence: 90, reference: sha('9'), parts: [], notes: [] }
  const none = { manual_verdict: null, manual_reason: '', manual_by: null, manual_at: null, gone_run: null }
  await db
    .insertInto('monitor_copies')
    .values({
      ...{ id, task_id: task, sha256, size: 1000, label: `Pocket ${name}`, package_name: 'com.pocket.bank' },
      ...{ version: '2.0', version_code: '20', certificates, verdict, confidence: 90, ...none },
      ...{ judgement: JSON.stringify(judgement), first_run: 1, first_seen: at, last_seen: at },
    })
    .execute()
  await db
    .insertInto('monitor_listings')
    .values({
      ...{ task_id: task, market: 'own-bazaar', download: `https://bazaar.example/${name}.apk`, sha256 },
      ...{ page: `https://bazaar.example/${name}`, name, package_name: 'com.pocket.bank', version: '2.0' },
      ...{ developer: 'someone', downloads: 1200, etag: '', problem: '', first_seen: at, last_seen: at, last_run: 1 },
    })
    .execute()
}

beforeAll(async () => {
  bed = await startScopeBed()
  app = Number(bed.alice.appid)
  const { db } = bed.http.meta
  task = randomUUID()
  const at = Date.now() - 120_000
  await db
    .insertInto('monitor_markets')
    .values({
      ...{ id: 'own-bazaar', built_in: false, name_zh: '集市', name_en: 'Bazaar', kind: 'download', region: 'cn' },
      ...{ home: '', hosts: [], interval_ms: 200, connector: JSON.stringify({ kind: 'manual' }) },
      ...{ enabled: true, by_user: null, updated_at: 0 },
    })
    .execute()
  await db
    .insertInto('monitor_tasks')
    .values({
      ...{ id: task, application_id: app, by_user: null, keywords: [], kinds: [], markets: [], schedule: 'once' },
      ...{ state: 'monitored', note: '', run: 1, starts: 0, created_at: at, started_at: at, ended_at: at + 1000 },
      next_at: null,
    })
    .execute()
  await db
    .insertInto('monitor_runs')
    .values({
      task_id: task,
      run: 1,
      started_at: at,
      ended_at: at + 1000,
      asked: 1,
      unasked: 1,
      pirated: 2,
      fresh: 2,
      gone: 0,
    })
    .execute()
  const ask = { task_id: task, run: 1, detail: '', pages: 1, items: 3, asked_at: at }
  await db
    .insertInto('monitor_asks')
    .values([
      { ...ask, market: 'own-bazaar', state: 'asked', problem: '' },
      { ...ask, market: 'huawei', state: 'unasked', problem: 'manual' },
    ])
    .execute()
  await addCopy('repackaged', [PIRATE], 'repackaged')
  await addCopy('lookalike', [OTHER], 'look-alike')
  await addCopy('genuine', [OWN], 'genuine')
  const returns = (device: string, signer: string, version: string, province: number) =>
    madeEvent({
      ...{ app, device, version, province, city: 0, receivedAt: Date.now() - 3_600_000 },
      ...{ type: EVENT_TYPES.env.code, risk: 0, level: 0, action: 0 },
      extra: JSON.stringify({ package_name: 'com.pocket.bank', signer }),
    })
  await bed.http.deps.store.load([
    returns(DEVICES[0], PIRATE, '2.0', 330000),
    returns(DEVICES[0], PIRATE, '2.0', 330000),
    // A version that has a baseline.
    returns(DEVICES[1], PIRATE, '1.0', 440000),
    returns(DEVICES[2], OWN, '1.0', 330000),
  ])
  await good(bed.clients.alice, saveBaseline, {
    body: {
      appid: String(app),
      version: '1.0',
      package_name: 'com.pocket.bank',
      signers: [OWN],
      hashes: {},
      channels: [],
      note: '',
    },
  })
}, 120_000)
afterAll(() => bed?.close())

const signIn = async (name: string, role: string) => {
  await bed.http.addUser(`${name}@example.com`, role)
  const client = new ConsoleClient(bed.http.url)
  await client.signIn(`${name}@example.com`, PASSWORD, CODE)
  return client
}
const abnormal = (body: object = {}) =>
  good(bed.clients.alice, abnormalReturns, { body: { query: ofApp(), kinds: ['pirated'], ...body } })

test('[MON-02] the certificate of a pirated copy makes returns abnormal, of versions without baseline too, and leads to the copy', async () => {
  const { summary, data, pirated } = await abnormal()
  expect(summary).toMatchObject({ total: 3, devices: 2, kinds: { pirated: 3, signer: 1 } })
  expect(data.map(({ kinds }) => kinds)).toContainEqual(['signer', 'pirated'])
  expect(data.map(({ kinds }) => kinds)).toContainEqual(['pirated'])
  expect(pirated).toEqual([
    expect.objectContaining({
      appid: String(app),
      certificate: PIRATE,
      task,
      copy: copies['repackaged'],
      verdict: 'repackaged',
    }),
  ])
  expect((await abnormal({ signer: PIRATE })).summary?.total).toBe(3)
  expect((await abnormal({ signer: OTHER })).summary?.total).toBe(0)
  const wrong = await bed.clients.alice.call(abnormalReturns, { body: { query: ofApp(), signer: 'x' } as never })
  expect(wrong.body['code']).not.toBe(0)
  const one = data.find(({ event }) => event.version === '2.0')!
  const card = await good(bed.clients.alice, abnormalReturn, { query: { appid: String(app), id: one.event.id } })
  expect(card).toMatchObject({ baseline: null, kinds: ['pirated'], pirated: { copy: copies['repackaged'] } })
})

test('[MON-02] the page of a device that reports the copy leads to it, and its score counts the returns', async () => {
  const profile = (device: string) =>
    good(bed.clients.alice, deviceProfile, { body: { device, query: { ...query, range: '-30d' } } })
  const { facts, pirated, score } = await profile(DEVICES[0])
  expect(facts?.builds[0]?.contradictions).toEqual(['pirated'])
  expect(pirated.map(({ copy }) => copy)).toEqual([copies['repackaged']])
  expect(score.reasons).toContainEqual(expect.objectContaining({ rule: 'BL-201', count: 2 }))
  const genuine = await profile(DEVICES[2])
  expect(genuine.pirated).toEqual([])
  expect(genuine.facts?.builds[0]?.contradictions).toEqual([])
})

test('[MON-02] devices that have a copy are counted by place, for one copy and for the task', async () => {
  const devices = (copy?: string) =>
    good(bed.clients.alice, monitorDevices, { query: { id: task, ...(copy && { copy }) } })
  const all = await devices()
  expect(all).toMatchObject({ certificates: [PIRATE], devices: 2, returns: 3 })
  expect(all.places).toEqual(
    expect.arrayContaining([
      { country: 'CN', province: '330000', devices: 1 },
      { country: 'CN', province: '440000', devices: 1 },
    ]),
  )
  expect(await devices(copies['repackaged'])).toMatchObject({ devices: 2 })
  expect(await devices(copies['genuine'])).toMatchObject({ certificates: [], devices: 0 })
  expect((await bed.clients.bob.call(monitorDevices, { query: { id: task } })).body['key']).toBe('data.missing')
})

test('[OBS-01] devices with pirated copies of all applications of the caller are counted by place for the wall, whose maker must see monitoring', async () => {
  const ask = (who: 'alice' | 'bob') => good(bed.clients[who], piratedPlaces, {})
  expect(await ask('alice')).toMatchObject({
    ...{ devices: 2, apps: 1 },
    places: expect.arrayContaining([
      { country: 'CN', province: '330000', devices: 1 },
      { country: 'CN', province: '440000', devices: 1 },
    ]),
  })
  expect(await ask('bob')).toMatchObject({ devices: 0, apps: 0, places: [] })
  expect(await onWall(await wallOf(bed.clients.alice))).toMatchObject({ code: 0, devices: 2 })
})

/** A display token, and what its wall is answered. */
async function wallOf(maker: ConsoleClient): Promise<string> {
  return (await good(maker, createDisplayToken, { body: { name: 'wall' } })).token
}
async function onWall(token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(bed.http.url + piratedPlaces.path, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as Record<string, unknown>
}

test('[MON-02] a person who judges the copy as genuine takes the reason away, one who judges it as pirated brings it back; both are audited', async () => {
  const judge = (copy: string, verdict: Verdict | '') =>
    good(bed.clients.alice, judgeMonitorCopy, { body: { id: copies[copy]!, verdict, reason: 'looked at it' } })
  const lines = async () =>
    (
      await bed.http.meta.db
        .selectFrom('audit_log')
        .select('detail')
        .where('action', '=', 'judgeMonitorCopy')
        .orderBy('id')
        .execute()
    ).map(({ detail }) => detail)
  await judge('repackaged', 'genuine')
  expect((await abnormal({ kinds: [] })).summary).toMatchObject({ total: 1, kinds: { pirated: 0, signer: 1 } })
  expect(await good(bed.clients.alice, monitorDevices, { query: { id: task } })).toMatchObject({ devices: 0 })
  expect((await lines()).at(-1)).toContain(`certificate ${PIRATE} is not known as pirated`)
  await judge('repackaged', '')
  expect((await abnormal()).summary?.total).toBe(3)
  expect((await lines()).at(-1)).toContain(`certificate ${PIRATE} is known as pirated`)
  // A look-alike holds none of the application's code; a certificate of a baseline is never a pirated one.
  await judge('genuine', 'repackaged')
  expect((await abnormal()).summary?.total).toBe(3)
  expect((await lines()).at(-1)).not.toContain('certificate')
  await judge('genuine', '')
})

test('[ROLE-01] copies are named to those who may see monitoring alone', async () => {
  const analyst = await signIn('pirated.analyst', 'administrator')
  const wall = await wallOf(analyst)
  expect(await onWall(wall)).toMatchObject({ code: 0 })
  await bed.http.meta.db
    .updateTable('roles')
    .set({ auth: (await authOf('administrator')).filter((item) => item !== 'monitor.view') as never })
    .where('key', '=', 'administrator')
    .execute()
  await bed.http.meta.notify('aw_changed', { what: 'roles' })
  await expect
    .poll(async () => (await good(analyst, abnormalReturns, { body: { query: ofApp() } })).pirated, { timeout: 20_000 })
    .toEqual([])
  expect(await onWall(wall)).toMatchObject({ key: 'permission.missing' })
})
async function authOf(key: string): Promise<string[]> {
  const row = await bed.http.meta.db.selectFrom('roles').select('auth').where('key', '=', key).executeTakeFirstOrThrow()
  return row.auth
}

test('[SHELL-01] copies are found by name, package, file hash, certificate and market, within the scope', async () => {
  const found = async (text: string, who: 'alice' | 'bob' = 'alice') =>
    (await good(bed.clients[who], search, { query: { text, kinds: 'copy', limit: 20 } })).data.flatMap(
      ({ hits }) => hits,
    )
  const id = copies['repackaged']
  const sha256 = '1'.repeat(64)
  for (const text of ['Pocket repackaged', 'com.pocket.bank', sha256, sha256.slice(0, 12), PIRATE, 'Bazaar', '集市'])
    expect(
      (await found(text)).map((one) => one.id),
      text,
    ).toContain(id)
  const [first] = await found(PIRATE)
  expect(first).toMatchObject({ to: `/monitor/tasks/${task}/?copy=${id}`, exact: true, apps: [String(app)] })
  // Pirated ones stand first.
  expect((await found('com.pocket.bank')).map((one) => one.id).indexOf(copies['genuine']!)).toBe(2)
  for (const text of ['com.pocket.bank', PIRATE, 'Bazaar']) expect(await found(text, 'bob'), text).toEqual([])
})

test('[MON-02] the report of a task says the numbers and words of its page, as PDF and DOC, in both languages', async () => {
  const { deps } = bed.http
  const { data: page, downloads } = await good(bed.clients.alice, monitorDetail, { query: { id: task } })
  const devices = await good(bed.clients.alice, monitorDevices, { query: { id: task } })
  const ask = { of: 'monitoring', monitor: task, format: 'docx', language: 'zh' } as const
  expect(await good(bed.clients.alice, makeReport, { body: ask })).toMatchObject({ id: expect.any(String) })
  expect((await bed.clients.bob.call(makeReport, { body: ask })).body['key']).toBe('data.missing')
  for (const language of ['zh', 'en'] as const) {
    const input = { ...ask, language, reader: 'developer', scope: { apps: [app] }, apps: [app] } as never
    const parts = await writeParts(deps as unknown as ReportDeps, { userId: 1, username: 'alice' }, input)
    const text = (label: string) => parts.cover.find((one) => one.label === label)?.text ?? ''
    const say = (key: keyof typeof MONITOR_FIGURES) => text(MONITOR_FIGURES[key][language])
    expect([say('pirated'), say('genuine'), say('fresh')]).toEqual(
      [page.pirated, page.genuine, page.fresh].map((one) => String(one)),
    )
    expect(say('downloads')).toContain(downloads!.toLocaleString('en-US'))
    expect(say('devices')).toMatch(new RegExp(`^${devices.devices} `))
    expect(say('asked')).toContain(String(page.asked))
    expect(say('unasked')).toBe(String(page.unasked))
    const body = JSON.stringify(parts.blocks)
    for (const word of [
      PIRATE,
      language === 'zh' ? '集市' : 'Bazaar',
      language === 'zh' ? '需人工查看' : 'No connector',
    ])
      expect(body).toContain(word)
    const copyRows = (await good(bed.clients.alice, monitorCopies, { query: { id: task } })).data
    for (const one of copyRows) expect(body).toContain(one.label)
    const document: ReportDocument = { ...parts, ...(await reportFrame(deps, language)) }
    for (const [format, magic] of [
      ['pdf', '%PDF'],
      ['docx', 'PK'],
    ] as const) {
      const bytes = await writeReport({ format, document }, new AbortController().signal)
      expect(Buffer.from(bytes).subarray(0, magic.length).toString()).toBe(magic)
    }
  }
}, 90_000)

test('[MON-02] every certificate of a copy is compared with returns, but for those of the application itself', async () => {
  const [first, last] = [sha('e'), sha('f')]
  await addCopy('signed by three', [OWN, first, last].sort(), 'clone')
  const phone = hashKey(504)
  await bed.http.deps.store.load([
    madeEvent({
      ...{ app, device: phone, version: '3.0', province: 330000, city: 0, receivedAt: Date.now() - 3_600_000 },
      ...{ type: EVENT_TYPES.env.code, risk: 0, level: 0, action: 0 },
      extra: JSON.stringify({ package_name: 'com.pocket.bank', signer: last }),
    }),
  ])
  const devices = (copy?: string) =>
    good(bed.clients.alice, monitorDevices, { query: { id: task, ...(copy && { copy }) } })
  expect(await devices(copies['signed by three'])).toMatchObject({
    certificates: [first, last],
    devices: 1,
    returns: 1,
  })
  expect((await devices()).certificates).toEqual([PIRATE, first, last].sort())
  const found = () => good(bed.clients.alice, search, { query: { text: last.slice(0, 12), kinds: 'copy', limit: 20 } })
  await expect
    .poll(async () => (await found()).data.flatMap((one) => JSON.stringify(one)).join(), { timeout: 20_000 })
    .toContain(copies['signed by three'])
  await good(bed.clients.alice, judgeMonitorCopy, {
    body: { id: copies['signed by three']!, verdict: 'genuine', reason: 'a partner' },
  })
  expect(await devices(copies['signed by three'])).toMatchObject({ certificates: [], devices: 0 })
  const line = await bed.http.meta.db
    .selectFrom('audit_log')
    .select('detail')
    .where('action', '=', 'judgeMonitorCopy')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  for (const one of [first, last]) expect(line.detail).toContain(`certificate ${one} is not known as pirated`)
  expect(line.detail).not.toContain(OWN)
})
