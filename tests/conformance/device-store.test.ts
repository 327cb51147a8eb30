import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import {
  type BaselineFacts,
  CONTRADICTION_KINDS,
  contradictionsOf,
  type PiratedCertificates,
  reportedBuild,
} from '#domain/baseline.ts'
import { SCORE_RULES, scoreOf, USUAL_USERS } from '#domain/device-score.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { eventId, NOON, numbered, storedEvent } from './random-events.ts'

const HOUR = 3_600_000
const SPAN = { from: NOON - 200 * HOUR, to: NOON + 200 * HOUR }
const ZONE = 'Asia/Shanghai'
const sha = (digit: string) => digit.repeat(64)
const ALL: StoreQuery = { span: SPAN, basis: 'occurred', filters: [], scope: { apps: 'all' }, zone: ZONE }

/** Environment returns and build risks that tell various builds; every sixth with quotes and lines where names stand. */
const reportedExtra = fc.record({
  package_name: fc.constantFrom('com.x', 'com.y', "it's"),
  signer: fc.constantFrom(sha('a'), sha('B'), ''),
  detail: fc.record({
    hashes: fc.dictionary(
      fc.constantFrom('classes.dex', 'lib/a.so', "x'\n"),
      fc.constantFrom(sha('1'), sha('2'), 'no'),
    ),
  }),
})
const buildEvent = fc.tuple(storedEvent, reportedExtra, fc.constantFrom(6, 2)).map(([event, extra, type]) => ({
  ...event,
  type,
  risk: type === 2 ? (event.app % 2 ? 6 : 18) : 0,
  level: type === 2 ? 5 : 0,
  extra: JSON.stringify(extra),
}))
const events = numbered([
  ...fc.sample(storedEvent, { numRuns: 900, seed: 21 }),
  ...fc.sample(buildEvent, { numRuns: 500, seed: 22 }),
])
const BASELINES: BaselineFacts[] = [
  {
    app: 1,
    version: '1.0',
    packageName: 'com.x',
    signers: [sha('a')],
    hashes: { 'classes.dex': sha('1') },
    channels: [],
  },
  { app: 2, version: "2'0", packageName: "it's", signers: [sha('a'), sha('b')], hashes: {}, channels: ['huawei'] },
  { app: 3, version: '版本', packageName: '', signers: [], hashes: { 'lib/a.so': sha('2') }, channels: [] },
]
// Of a version with a baseline that leaves the signer open, and of an application without any.
const PIRATED: PiratedCertificates[] = [
  { app: 2, certificates: [sha('c')] },
  { app: 3, certificates: [sha('a'), sha('c')] },
  { app: 4, certificates: [sha('b')] },
]
const KNOWN = { baselines: BASELINES, pirated: PIRATED }

const folder = mkdtempSync(join(tmpdir(), 'appwarden-devices-'))
let store: DuckStore
beforeAll(async () => {
  store = await openDuckStore({ folder: join(folder, 'a') })
  await store.load(events)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const reportsBuild = ({ type, risk }: StoredEvent) => type === 6 || (type === 2 && (risk === 6 || risk === 18))
function contradicts(event: StoredEvent) {
  const baseline = BASELINES.find(({ app, version }) => app === event.app && version === event.version)
  if (!reportsBuild(event)) return []
  const pirated = PIRATED.find(({ app }) => app === event.app)?.certificates
  return contradictionsOf(reportedBuild(eventRow(event).extra, event.channel), baseline ?? null, pirated)
}
const deviceQuery = (device: string): StoreQuery => ({
  ...ALL,
  filters: [{ field: 'device', op: 'is', values: [device] }],
})
const devices = [...new Set(events.map(({ device }) => device))]

test('[MSSA-01] reports that contradict baselines are counted and listed by the same rule as contradictionsOf, those that name the certificate of a pirated copy too', async () => {
  const model = events.filter((event) => contradicts(event).length > 0)
  expect(model.length).toBeGreaterThan(50)
  const ask = { query: ALL, ...KNOWN, kinds: [] }
  const summary = await store.contradictions(ask)
  expect(summary.total).toBe(model.length)
  expect(summary.devices).toBe(new Set(model.map(({ device }) => device)).size)
  for (const kind of CONTRADICTION_KINDS) {
    const these = model.filter((event) => contradicts(event).includes(kind))
    expect(summary.kinds[kind]).toBe(these.length)
    expect((await store.contradictions({ ...ask, kinds: [kind] })).total).toBe(these.length)
  }
  const sum = (list: readonly { count: number }[]) => list.reduce((all, { count }) => all + count, 0)
  expect([sum(summary.versions), sum(summary.channels), sum(summary.points)]).toEqual([
    model.length,
    model.length,
    model.length,
  ])
  expect(sum(summary.places)).toBe(model.length)
  // Narrowed to the returns that name one certificate.
  const signed = model.filter((event) => reportedBuild(eventRow(event).extra, event.channel).signer === sha('b'))
  const ofSigner = await store.contradictions({ ...ask, signer: sha('b') })
  expect(signed.length).toBeGreaterThan(0)
  expect([ofSigner.total, ofSigner.devices]).toEqual([signed.length, new Set(signed.map(({ device }) => device)).size])
  expect((await store.contradicting({ ...ask, signer: sha('b') }, { limit: 5000 })).rows).toHaveLength(signed.length)
  const inBaseline = ({ app, version }: StoredEvent) =>
    BASELINES.some((one) => one.app === app && one.version === version)
  expect(summary.compared).toBe(events.filter((event) => reportsBuild(event) && inBaseline(event)).length)
  expect(summary.withoutBaseline).toBe(events.filter((event) => reportsBuild(event) && !inBaseline(event)).length)

  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.contradicting(ask, { limit: 37, ...(cursor && { cursor }) })
    for (const { row, kinds } of page.rows) {
      const event = events.find(({ id }) => id === row.id) as StoredEvent
      expect(kinds).toEqual(contradicts(event))
      seen.push(row.id)
    }
    cursor = page.nextCursor
  } while (cursor)
  const newest = [...model].sort((a, b) => b.occurredAt - a.occurredAt || (a.id < b.id ? 1 : -1))
  expect(seen).toEqual(newest.map(({ id }) => id))
})

test('[MSSA-01] without a baseline no report is abnormal', async () => {
  const summary = await store.contradictions({ query: ALL, baselines: [], pirated: [], kinds: [] })
  expect(summary).toMatchObject({ total: 0, devices: 0, compared: 0, versions: [], channels: [] })
  expect(summary.withoutBaseline).toBe(events.filter(reportsBuild).length)
  expect((await store.contradicting({ query: ALL, baselines: [], pirated: [], kinds: [] }, { limit: 9 })).rows).toEqual(
    [],
  )
})

test('[MSSA-02] device scores follow the published rules over the stored events on every page', async () => {
  const ask = { span: SPAN, scope: { apps: 'all' } as const, filters: [], zone: ZONE, ...KNOWN }
  const model = new Map<string, number>()
  for (const device of devices) {
    const own = events.filter((event) => event.device === device)
    const count = (rule: (typeof SCORE_RULES)[number]) => {
      const { counts } = rule
      if (counts.of === 'contradictions') return own.filter((event) => contradicts(event).length > 0).length
      if (counts.of === 'users')
        return Math.max(0, new Set(own.flatMap(({ user }) => (user ? [user] : []))).size - USUAL_USERS)
      return own.filter((event) => eventRow(event).risk === counts.risk).length
    }
    const counts = Object.fromEntries(SCORE_RULES.map((rule) => [rule.id, count(rule)]))
    model.set(device, scoreOf(counts))
    const hits = await store.hits(ask, device)
    expect(Object.fromEntries(hits.map((hit) => [hit.rule, hit.count]))).toEqual(
      Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0)),
    )
    for (let index = 1; index < hits.length; index++)
      expect(hits[index]?.points).toBeLessThanOrEqual(hits[index - 1]?.points as number)
  }
  for (const from of [20, 60, 95, 100]) {
    const listed: [string, number][] = []
    for (let offset = 0; ; offset += 5) {
      const page = await store.scores(ask, { from, limit: 5, offset })
      if (page.rows.length === 0) break
      expect(page.total).toBe([...model.values()].filter((score) => score >= from).length)
      for (const row of page.rows) {
        listed.push([row.device, row.score])
        expect(row.hits).toEqual(await store.hits(ask, row.device))
      }
    }
    expect(new Map(listed)).toEqual(new Map([...model].filter(([, score]) => score >= from)))
    for (let index = 1; index < listed.length; index++)
      expect(listed[index]?.[1]).toBeLessThanOrEqual(listed[index - 1]?.[1] as number)
  }
  expect((await store.scores({ ...ask, scope: { apps: [] } }, { from: 20, limit: 5, offset: 0 })).total).toBe(0)
})

test('[STAT-03] every list of a device profile counts the rows of the device', async () => {
  // Two applications: few enough builds that all of them are listed.
  const seen = events.filter(({ app }) => app <= 2)
  for (const device of devices.slice(0, 6)) {
    const own = seen.filter((event) => event.device === device)
    const profile = await store.profile({ ...deviceQuery(device), scope: { apps: [1, 2] } })
    if (!profile) throw new Error('no profile')
    expect(profile).toMatchObject({
      events: own.length,
      attacks: own.filter(({ type }) => type === 2).length,
      crashes: own.filter(({ type }) => type === 3).length,
      firstAt: Math.min(...own.map(({ occurredAt }) => occurredAt)),
      lastAt: Math.max(...own.map(({ occurredAt }) => occurredAt)),
    })
    const total = (list: readonly { events: number }[]) => list.reduce((all, line) => all + line.events, 0)
    expect(total(profile.apps)).toBe(own.length)
    expect(total(profile.builds)).toBe(own.length)
    expect(total(profile.systems)).toBe(own.length)
    expect(total(profile.users)).toBe(own.filter(({ user }) => user !== null).length)
    expect(total(profile.addresses)).toBe(own.filter(({ address }) => address !== '').length)
    expect(total(profile.places)).toBe(own.filter(({ placeSource }) => placeSource > 0).length)
    for (const user of profile.users)
      expect(user.devices).toBe(new Set(seen.filter((one) => one.user === user.user).map((one) => one.device)).size)
    for (const build of profile.builds) {
      const these = own.filter(
        (one) => `${one.app} ${one.version} ${one.channel}` === `${build.app} ${build.version} ${build.channel}`,
      )
      const signers = these.filter(reportsBuild).map((one) => reportedBuild(eventRow(one).extra, '').signer)
      expect(build.signers).toEqual([...new Set(signers)].filter((one) => one !== '').sort())
    }
    expect(profile.counts.builds).toBe(new Set(own.map((one) => `${one.app} ${one.version} ${one.channel}`)).size)
  }
  expect(await store.profile(deviceQuery('f'.repeat(32)))).toBeUndefined()
  expect(await store.profile({ ...deviceQuery(devices[0] as string), scope: { apps: [] } })).toBeUndefined()
})

test('[STAT-03] device sessions end after 15 minutes without events or 4 hours, and contain every event once', async () => {
  const device = 'e'.repeat(32)
  const other = await openDuckStore({ folder: join(folder, 'b') })
  const base = fc.sample(storedEvent, { numRuns: 1, seed: 5 })[0] as Omit<StoredEvent, 'id'>
  const at = (minute: number, app = 1) => ({ ...base, app, device, occurredAt: NOON + minute * 60_000 })
  const busy = Array.from({ length: 60 }, (_, i) => at(1000 + i * 10)) // ten hours without a gap
  await other.load(numbered([at(0), at(14), at(29), at(45), at(20, 2), ...busy]))
  const { rows, total } = await other.sessions(deviceQuery(device), { attacked: false, limit: 50, offset: 0 })
  expect(total).toBe(rows.length)
  const returned = rows.map(({ app, from, to, events: n }) => [app, (from - NOON) / 60_000, (to - NOON) / 60_000, n])
  expect(returned).toEqual([
    ['1', 1480, 1590, 12],
    ['1', 1240, 1470, 24],
    ['1', 1000, 1230, 24],
    ['1', 45, 45, 1],
    ['2', 20, 20, 1],
    ['1', 0, 29, 3],
  ])
  await other.close()
  const whole = await store.sessions(deviceQuery(devices[0] as string), { attacked: false, limit: 200, offset: 0 })
  const own = events.filter((event) => event.device === devices[0])
  expect(whole.rows.reduce((all, row) => all + row.events, 0)).toBe(own.length)
  expect((await store.profile(deviceQuery(devices[0] as string)))?.sessions).toBe(whole.total)
  const attacked = await store.sessions(deviceQuery(devices[0] as string), { attacked: true, limit: 200, offset: 0 })
  expect(attacked.total).toBe(whole.rows.filter((row) => row.attacks > 0).length)
})

test('[RET-01] erasing a device or user removes all of its rows in the scope and keeps all others', async () => {
  const path = join(folder, 'c')
  let copy = await openDuckStore({ folder: path })
  await copy.load(events)
  const [device, user] = [devices[1] as string, events.find(({ user: one }) => one !== null)?.user as string]
  const inApp = events.filter((event) => event.device === device && event.app === 1)
  expect((await copy.erase({ kind: 'device', subject: device, scope: { apps: [1] } })).events).toBe(inApp.length)
  expect(await copy.count(deviceQuery(device))).toBe(
    events.filter((event) => event.device === device).length - inApp.length,
  )
  await copy.erase({ kind: 'device', subject: device, scope: { apps: 'all' } })
  const left = events.filter((event) => event.device !== device)
  const gone = await copy.erase({ kind: 'user', subject: user, scope: { apps: 'all' } })
  expect(gone.events).toBe(left.filter((event) => event.user === user).length)
  const kept = left.filter((event) => event.user !== user)
  // Devices that lost rows with the user are new at the time of their own first row: each figure has its rows.
  const firsts = new Map<string, number>()
  for (const { device: one, occurredAt } of kept) firsts.set(one, Math.min(occurredAt, firsts.get(one) ?? occurredAt))
  const late = new Set(left.filter((event) => event.user === user).map((event) => event.device))
  expect(late.size).toBeGreaterThan(0)
  for (const one of late) {
    const first = firsts.get(one)
    const before = { ...ALL, span: { from: ALL.span.from, to: first ?? ALL.span.to } }
    const fresh = await copy.answer(before, { kind: 'total', measures: ['newDevices'], and: [] })
    const expected = [...firsts.values()].filter((at) => at < before.span.to).length
    expect(fresh).toMatchObject({ row: { newDevices: expected } })
  }
  // After a start from the file, too; and what comes again counts as new.
  for (const _again of [1, 2]) {
    expect(await copy.count(ALL)).toBe(kept.length)
    expect(await copy.count(deviceQuery(device))).toBe(0)
    expect((await copy.status()).rows).toBe(kept.length)
    await copy.close()
    copy = await openDuckStore({ folder: path })
  }
  const back = { ...(events.find((event) => event.device === device) as StoredEvent), id: eventId(9_000_001) }
  await copy.load([back])
  const answer = await copy.answer(ALL, { kind: 'total', measures: ['newDevices', 'devices'], and: [] })
  expect(answer).toMatchObject({ row: { newDevices: new Set([...kept, back].map((one) => one.device)).size } })
  expect(await copy.count(deviceQuery(device))).toBe(1)
  await expect(copy.erase({ kind: 'device', subject: "' OR 1=1", scope: { apps: 'all' } })).rejects.toThrow()
  await copy.close()
})
