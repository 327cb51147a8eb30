import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { abnormalReturn, abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { type Baseline, baselines, deleteBaseline, saveBaseline } from '#contracts/http/baselines.ts'
import {
  type DeviceFacts,
  type DeviceScore,
  deviceProfile,
  revealAddresses,
  setVerdict,
  suspiciousDevices,
  verdictsOf,
} from '#contracts/http/devices.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { erasePersonal, erasures } from '#contracts/http/erasures.ts'
import { eventById, revealEventAddress, statistics } from '#contracts/http/statistics.ts'
import { type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import type { EventRow } from '#domain/query.ts'
import { EVENT_TYPES, LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'
import { deviceVerdictOf } from '#server/modules/devices/device-verdicts.ts'
import { runErasure } from '#server/modules/erasures/erase-job.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-device-http-'))
const sha = (digit: string) => digit.repeat(64)
const [DEVICE, USER, OTHER] = [hashKey(901), hashKey(902), hashKey(903)]
const QUERY = { range: '-30d' }

let http: HttpApp
let store: DuckStore
let apps: number[]
const who = {} as Record<'admin' | 'owner' | 'reader' | 'stranger', ConsoleClient>
const notifications: { what: string; app?: number; device?: string }[] = []

beforeAll(async () => {
  http = await startHttpApp()
  store = await openDuckStore({ folder })
  http.deps.store = store
  await http.meta.listen(CHANNELS.changed, (payload) => notifications.push(payload as (typeof notifications)[number]))
  const roles = { admin: 'administrator', owner: 'operator', reader: 'trial', stranger: 'operator' } as const
  for (const [name, role] of Object.entries(roles)) {
    await http.addUser(`${name}@example.com`, role)
    const client = new ConsoleClient(http.url)
    await client.signIn(`${name}@example.com`, PASSWORD, CODE)
    who[name as keyof typeof who] = client
  }
  for (const name of ['Wallet', 'Mall']) await who.owner.call(createApplication, { body: { name, mimetype_list: [1] } })
  const { object_list } = (await who.owner.call(applicationList)).body as unknown as { object_list: { id: string }[] }
  apps = object_list.map(({ id }) => Number(id)).sort((a, b) => a - b)
  await store.load(events())
})
afterAll(async () => {
  await http.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A device that is hooked and runs a foreign build, one that only starts, and one of another application. */
function events(): StoredEvent[] {
  const base = { app: apps[0] as number, device: DEVICE, user: USER, version: '5.8.2', channel: 'official' }
  const at = (minutes: number) => ({
    occurredAt: Date.now() - minutes * 60_000,
    receivedAt: Date.now() - minutes * 60_000,
  })
  const risk = (name: 'hook' | 'root') => ({
    type: EVENT_TYPES.risk.code,
    risk: RISK_TYPES[name].code,
    level: LEVELS[RISK_TYPES[name].level].code,
  })
  const plain = { risk: 0, level: 0 }
  const build = (signer: string) => ({
    ...plain,
    type: EVENT_TYPES.env.code,
    extra: JSON.stringify({ package_name: 'com.hefan.wallet', signer }),
  })
  return [
    ...[10, 20, 30, 40, 50, 60].map((m) => madeEvent({ ...base, ...at(m), ...risk('hook'), address: '203.0.113.77' })),
    ...[12, 22, 32].map((m) => madeEvent({ ...base, ...at(m), ...risk('root'), address: '203.0.113.9' })),
    madeEvent({ ...base, ...at(15), ...build(sha('b')), channel: 'side_x9', address: '' }),
    madeEvent({ ...base, ...at(16), ...build(sha('a')), address: '' }),
    madeEvent({ ...base, ...at(90), ...plain, type: EVENT_TYPES.start.code, device: OTHER, address: '' }),
    madeEvent({ ...base, ...at(95), ...plain, type: EVENT_TYPES.start.code, app: 999_999, address: '' }),
  ]
}
const post = async <T>(client: ConsoleClient, endpoint: Endpoint, body: object) =>
  (await client.call(endpoint, { body })).body as T & { code: number; codemsg: string }
const audited = async () =>
  (await http.meta.db.selectFrom('audit_log').select(['action', 'target', 'detail']).orderBy('id').execute()).map(
    ({ action, target, detail }) => `${action} ${target} ${detail}`,
  )

test('[STAT-03] a device page counts what its caller may see, in networks instead of addresses', async () => {
  type Answer = { facts: DeviceFacts | null; score: DeviceScore }
  const { facts, score } = await post<Answer>(who.owner, deviceProfile, { device: DEVICE, query: QUERY })
  expect(facts).toMatchObject({ events: 11, attacks: 9 })
  expect(facts?.addresses).toEqual([expect.objectContaining({ network: '203.0.113.0/24', events: 9 })])
  expect(score.limit).toBe(60)
  expect(score.score).toBe(30 + 3 * 5 + 12 + 2)
  expect(score.reasons.map(({ rule, count }) => [rule, count])).toEqual([
    ['RT-102', 6],
    ['RT-101', 3],
  ])
  // Filters of the address cannot name another device, and strangers see nothing.
  const query = { ...QUERY, filters: [{ field: 'device', op: 'is', values: [OTHER] }] }
  expect((await post<Answer>(who.owner, deviceProfile, { device: DEVICE, query })).facts?.events).toBe(11)
  const none = await post<Answer>(who.stranger, deviceProfile, { device: DEVICE, query: QUERY })
  expect([none.facts, none.score.score]).toEqual([null, 0])
  expect((await post(who.owner, deviceProfile, { device: "' OR 1=1", query: QUERY })).code).toBe(500001)
})

test('[E2-14] whole addresses are shown to users with the permission, and each access is audited', async () => {
  expect((await post(who.owner, revealAddresses, { device: DEVICE, query: QUERY })).code).toBe(500018)
  const answer = await post<{ data: { address: string }[] }>(who.admin, revealAddresses, {
    device: DEVICE,
    query: QUERY,
  })
  expect(answer.data.map(({ address }) => address).sort()).toEqual(['203.0.113.77', '203.0.113.9'])
  expect((await audited()).some((line) => line.includes(DEVICE) && line.includes('addresses'))).toBe(true)
})

test('[E2-14] events tell networks to everybody; the whole address is a step of its own, written down', async () => {
  const parts = { rows: { kind: 'rows', and: [{ field: 'device', op: 'is', values: [DEVICE] }] } }
  for (const client of [who.admin, who.owner]) {
    const answer = await post<{ parts: { rows: { rows: EventRow[] } } }>(client, statistics, { query: QUERY, parts })
    const addresses = new Set(answer.parts.rows.rows.map((row) => row.address))
    expect([...addresses].sort()).toEqual(['', '203.0.113.0/24'])
    const [row] = answer.parts.rows.rows.filter((one) => one.address !== '')
    const event = { appid: row!.app, id: row!.id }
    const found = (await client.call(eventById, { query: event })).body as unknown as { data: EventRow }
    expect(found.data.address).toBe('203.0.113.0/24')
    const revealed = await post<{ address: string }>(client, revealEventAddress, event)
    const line = `event ${event.appid}:${event.id} address`
    if (client === who.admin) {
      expect(revealed.address).toMatch(/^203\.0\.113\.(77|9)$/)
      expect((await audited()).some((one) => one.includes(line))).toBe(true)
    } else expect([revealed.code, revealed.address]).toEqual([500018, undefined])
  }
  const [first] = events()
  const unknown = { appid: String(apps[1]), id: first!.id }
  expect((await post(who.admin, revealEventAddress, unknown)).code).toBe(500002)
})

test('[MSSA-02] verdicts: by application, with history and audit, published to every listener, taken back again', async () => {
  const appids = [String(apps[0])]
  expect((await post(who.reader, setVerdict, { device: DEVICE, appids, verdict: 'banned' })).code).toBe(500018)
  expect((await post(who.stranger, setVerdict, { device: DEVICE, appids, verdict: 'banned' })).code).toBe(500002)
  const watched = await post<{ before: unknown[] }>(who.owner, setVerdict, {
    device: DEVICE,
    appids,
    verdict: 'watched',
    note: 'first look',
  })
  expect(watched.before).toEqual([{ appid: appids[0], verdict: null, note: '' }])
  const banned = await post<{ before: unknown[] }>(who.owner, setVerdict, { device: DEVICE, appids, verdict: 'banned' })
  expect(banned.before).toEqual([{ appid: appids[0], verdict: 'watched', note: 'first look' }])
  expect(await deviceVerdictOf(http.meta.db, apps[0] as number, DEVICE)).toBe('banned')
  expect(await deviceVerdictOf(http.meta.db, apps[1] as number, DEVICE)).toBeUndefined()
  await expect.poll(() => notifications).toContainEqual({ what: 'verdicts', app: apps[0], device: DEVICE })
  type Page = { history: { verdict: string | null; by: string }[]; verdicts: unknown[] }
  const page = await post<Page>(who.owner, deviceProfile, { device: DEVICE, query: QUERY })
  expect(page.history.map(({ verdict, by }) => [verdict, by])).toEqual([
    ['banned', 'owner@example.com'],
    ['watched', 'owner@example.com'],
  ])
  const seen = await post<{ data: unknown[] }>(who.stranger, verdictsOf, { devices: [DEVICE] })
  expect(seen.data).toEqual([])
  await post(who.owner, setVerdict, { device: DEVICE, appids, verdict: null })
  expect(await deviceVerdictOf(http.meta.db, apps[0] as number, DEVICE)).toBeUndefined()
  expect((await audited()).filter((line) => line.includes(`device ${DEVICE} `)).length).toBeGreaterThanOrEqual(3)
})

test('[MSSA-01] baselines by hand make returns abnormal, and only of their version', async () => {
  const appid = String(apps[0])
  type Answer = {
    summary: { total: number; kinds: Record<string, number>; without_baseline: number }
    data: { event: { id: string }; kinds: string[] }[]
  }
  const ask = async () => post<Answer>(who.owner, abnormalReturns, { query: QUERY })
  expect((await ask()).summary).toMatchObject({ total: 0, without_baseline: 2 })
  const body = {
    appid,
    version: '5.8.2',
    package_name: 'com.hefan.wallet',
    signers: [sha('A').match(/../g)?.join(':')],
    channels: ['official'],
  }
  expect((await post(who.reader, saveBaseline, body)).code).toBe(500018)
  expect((await post(who.stranger, saveBaseline, body)).code).toBe(500002)
  for (const wrong of [
    { signers: ['zz'] },
    { package_name: '', signers: [], channels: [] },
    { hashes: { "a'b": sha('1') } },
  ])
    expect((await post(who.owner, saveBaseline, { ...body, ...wrong })).code).toBe(500001)
  expect((await post(who.owner, saveBaseline, { ...body, version: '' })).code).toBe(500007)
  const { data } = await post<{ data: Baseline }>(who.owner, saveBaseline, body)
  expect(data).toMatchObject({ signers: [sha('a')], rev: 1, by: 'owner@example.com' })
  expect((await post(who.owner, saveBaseline, body)).code).toBe(500801)

  const found = await ask()
  expect(found.summary).toMatchObject({ total: 1, kinds: { package: 0, signer: 1, hash: 0, channel: 1 } })
  expect(found.data.map(({ kinds }) => kinds)).toEqual([['signer', 'channel']])
  const id = found.data[0]?.event.id ?? ''
  const card = (await who.owner.call(abnormalReturn, { query: { appid, id } })).body
  expect(card).toMatchObject({ kinds: ['signer', 'channel'], baseline: { version: '5.8.2' }, verdict: null })
  expect((await who.stranger.call(abnormalReturn, { query: { appid, id } })).body['code']).toBe(500002)
  // The contradiction counts in the score: root and hook alone were not suspicious.
  const list = await post<{ data: { device: string; score: number }[]; total: number }>(who.owner, suspiciousDevices, {
    filters: [],
  })
  expect(list.data).toEqual([expect.objectContaining({ device: DEVICE, score: 30 + 15 + 14 + 25 })])

  const change = { ...body, id: data.id, rev: 1, signers: [sha('a'), sha('b')], channels: [] }
  expect((await post<{ data: Baseline }>(who.owner, saveBaseline, change)).data.rev).toBe(2)
  expect((await post(who.owner, saveBaseline, change)).code).toBe(500003)
  expect((await ask()).summary.total).toBe(0)
  expect((await post(who.stranger, deleteBaseline, { id: data.id })).code).toBe(500002)
  expect((await post(who.owner, deleteBaseline, { id: data.id })).code).toBe(0)
  expect((await who.owner.call(baselines)).body['data']).toEqual([])
  expect((await audited()).filter((line) => line.includes('baseline Wallet 5.8.2')).length).toBeGreaterThanOrEqual(3)
})

test('[RET-01] deleting a device: confirmed by hand, done by a job, counted, and nothing of it is left', async () => {
  await post(who.owner, setVerdict, { device: DEVICE, appids: [String(apps[0])], verdict: 'watched', note: 'x' })
  expect(
    (await post(who.owner, erasePersonal, { kind: 'device', subject: DEVICE, confirm: DEVICE.slice(0, 8) })).code,
  ).toBe(500018)
  expect((await post(who.admin, erasePersonal, { kind: 'device', subject: DEVICE, confirm: 'yes' })).code).toBe(500001)
  const ask = { kind: 'device', subject: DEVICE, confirm: DEVICE.slice(0, 8).toUpperCase() }
  const { job } = await post<{ job: { id: string; kind: string } }>(who.admin, erasePersonal, ask)
  expect(job.kind).toBe('erase')
  expect((await post(who.admin, erasePersonal, ask)).code).toBe(500005)
  // Accepted before the job begins, stored while it waits.
  const journalFolder = mkdtempSync(join(tmpdir(), 'appwarden-erasure-'))
  const journal = await openJournal(join(journalFolder, 'journal'), { maxBacklogBytes: 1e9 })
  const late = toTuple(madeEvent({ device: DEVICE, app: apps[0] as number, address: '203.0.113.99' }))
  await journal.append({ kind: 'batch', at: Date.now(), events: [late] })
  let begun = false
  const sleep = async (milliseconds: number) => {
    if (!begun) store.follow(journalReader(journal))
    begun = true
    await delay(Math.min(milliseconds, 50))
  }
  const recorded: unknown[] = []
  const record = async (erased: unknown) => void recorded.push(erased)
  const files = await openLocalFiles(join(journalFolder, 'files'))
  const deps = { meta: http.meta, store, files, now: Date.now, sleep, record }
  await runErasure(deps, job.id, new AbortController().signal)
  expect(recorded).toEqual([{ kind: 'device', subject: DEVICE, scope: { apps: 'all' } }])
  for (const name of readdirSync(join(journalFolder, 'journal')))
    expect(readFileSync(join(journalFolder, 'journal', name)).includes(DEVICE)).toBe(false)
  const { data } = (await who.admin.call(erasures)).body as unknown as { data: object[] }
  expect(data).toEqual([
    expect.objectContaining({
      kind: 'device',
      subject: DEVICE.slice(0, 8),
      events: 13,
      verdicts: 1,
      by: 'admin@example.com',
    }),
  ])
  expect(
    await post<{ facts: unknown; history: unknown[] }>(who.admin, deviceProfile, { device: DEVICE, query: QUERY }),
  ).toMatchObject({ facts: null, history: [] })
  const kept = await http.meta.db
    .selectFrom('jobs')
    .select(['state', 'input', 'rows'])
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  expect(kept).toMatchObject({ state: 'done', rows: 13 })
  expect(JSON.stringify(kept.input)).not.toContain(DEVICE)
  await expect.poll(() => notifications).toContainEqual({ what: 'erased' })
  await store.close()
  await journal.close()
  rmSync(journalFolder, { recursive: true, force: true })
})
