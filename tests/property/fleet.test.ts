import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import type { PolicyRules } from '#domain/policy-rules.ts'
import { backfill } from '#mocks/device-fleet/backfill.ts'
import { playBadDevice } from '#mocks/device-fleet/bad-device.ts'
import { makeCounters } from '#mocks/device-fleet/counters.ts'
import { DEMO_APPS } from '#mocks/device-fleet/demo-apps.ts'
import { startEnrolledDevices } from '#mocks/device-fleet/enrolled-devices.ts'
import { makePost } from '#mocks/device-fleet/http-post.ts'
import { startLiveFleet } from '#mocks/device-fleet/live-fleet.ts'
import { makeOutbox } from '#mocks/device-fleet/outbox.ts'
import { makeRng } from '#mocks/device-fleet/random.ts'
import { makeServerClock } from '#mocks/device-fleet/server-clock.ts'
import { makeWorld } from '#mocks/device-fleet/world.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { type Collector, openCollector, type TestDatabase, testDatabase } from '#tests/support/collector.ts'

/** The fleet against the real collector, over HTTP. */
const folder = mkdtempSync(join(tmpdir(), 'aw-fleet-'))
const world = makeWorld({ seed: 4, apps: DEMO_APPS, phones: 2000 })
const apps: number[] = []
const keys: { events: string; history: string; enrolment: string }[] = []
let database: TestDatabase
let collector: Collector
let post: ReturnType<typeof makePost>
let origin: string

beforeAll(async () => {
  database = await testDatabase(folder)
  for (const _ of DEMO_APPS) {
    const app = await database.makeApp()
    apps.push(app)
    keys.push({
      events: (await database.makeKey(app, 'server')).text,
      history: (await database.makeKey(app, 'server', ['import'])).text,
      enrolment: (await database.makeKey(app, 'enrolment')).text,
    })
  }
  collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: Date.now })
  origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
  post = makePost(origin, 6)
})
afterAll(async () => {
  post.close()
  await collector.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

function send(from: number, to: number, counters = makeCounters()) {
  return backfill({
    world,
    seed: 4,
    from,
    to,
    averageRate: 20,
    post,
    counters,
    importKeys: keys.map((one) => one.history),
    liveLatency: () => 0,
    onSent: () => {},
    signal: new AbortController().signal,
  })
}

test('history arrives whole and as it was, and a second sending brings the same ids', async () => {
  const from = Date.now() - 30 * 3_600_000
  const counters = makeCounters()
  const before = collector.events.length
  const sent = await send(from, from + 180_000, counters)
  expect(sent).toBeGreaterThan(1000)
  expect(counters).toMatchObject({ rejected: 0, quarantined: 0 })
  const first = collector.events.slice(before)
  expect(first.length).toBe(sent)
  for (const event of first) {
    expect(event.flags & EVENT_FLAGS.imported).toBe(EVENT_FLAGS.imported)
    expect(event.receivedAt).toBe(event.occurredAt)
    expect(event.occurredAt >= from && event.occurredAt < from + 180_000).toBe(true)
  }
  const placed = first.filter((event) => event.country !== '')
  expect(placed.length / sent).toBeGreaterThan(0.95)
  expect(placed.filter((event) => event.country === 'CN').length / sent).toBeGreaterThan(0.85)
  const byAddress = first.filter((event) => event.placeSource === 2)
  expect(byAddress.length / sent).toBeGreaterThan(0.1)
  for (const event of byAddress) expect(event.city, event.address).toBeGreaterThan(0)

  const again = collector.events.length
  await send(from, from + 180_000)
  const known = new Set(first.map((event) => `${event.app} ${event.id} ${event.reportedAt}`))
  for (const event of collector.events.slice(again)) {
    expect(known.has(`${event.app} ${event.id} ${event.reportedAt}`)).toBe(true)
    expect(event.flags & EVENT_FLAGS.pending).toBe(EVENT_FLAGS.pending) // the store decides, and knows them
  }
})

test('live phones are accepted as they report', async () => {
  const counters = makeCounters()
  const clock = makeServerClock(Date.now)
  const rng = makeRng(4, 'live test')
  const outboxes = keys.map(({ events: key }) =>
    makeOutbox({ post, key, clock, counters, rng, now: Date.now, onAnswer: () => {} }),
  )
  const before = collector.events.length
  const stop = startLiveFleet({ world, outboxes, scenario: 'flood', rate: 20, seed: 4, now: Date.now })
  await sleep(1500)
  stop()
  for (let turn = 0; turn < 50 && outboxes.some((outbox) => outbox.waiting() > 0); turn++) {
    for (const outbox of outboxes) outbox.flush()
    await sleep(50)
  }
  await sleep(100)
  expect(counters.sent).toBeGreaterThan(500)
  expect(counters).toMatchObject({ rejected: 0, refused: 0, lost: 0, accepted: counters.sent })
  expect(collector.events.length - before).toBe(counters.sent + counters.pending)
})

test('every bad request gets its documented answer', async () => {
  const { right, wrong } = await playBadDevice(post, keys[0]?.events ?? '', makeRng(4, 'bad'), Date.now)
  expect(wrong).toEqual([])
  expect(right).toBeGreaterThan(20)
})

test('a phone enrols with its proof and signs what it reports', async () => {
  const counters = makeCounters()
  const file = join(folder, 'installs.json')
  const notes: string[] = []
  const options = {
    world,
    seed: 4,
    origin,
    phones: 2,
    enrolmentKeys: [keys[0]?.enrolment ?? ''],
    post,
    clock: makeServerClock(Date.now),
    counters,
    now: Date.now,
    file,
    say: (text: string) => notes.push(text),
    every: 100,
  }
  const before = collector.events.length
  let stop = startEnrolledDevices(options)
  const enrolled = () => collector.ingest.status().enrolled
  for (let turn = 0; turn < 600 && (counters.accepted < 3 || enrolled() < 2); turn++) await sleep(50)
  stop()
  await sleep(100)
  expect(notes).toEqual([])
  expect(counters.accepted).toBeGreaterThanOrEqual(3)
  expect(enrolled()).toBe(2)
  for (const event of collector.events.slice(before)) expect(event.flags & EVENT_FLAGS.trusted).toBe(0)
  // A restart goes on under the same install.
  const accepted = counters.accepted
  stop = startEnrolledDevices(options)
  for (let turn = 0; turn < 600 && counters.accepted === accepted; turn++) await sleep(50)
  stop()
  expect(enrolled()).toBe(2)
})

test('[CONF-02] an enrolled phone obeys: what is deployed decides its actions, a ban stops it', async () => {
  const { db, notify } = database.meta
  const app = apps[1] as number
  const counters = makeCounters()
  collector.settings.device_batch_seconds = 1
  collector.settings.device_burst = 100
  const stop = startEnrolledDevices({
    world,
    seed: 4,
    origin,
    phones: 1,
    enrolmentKeys: ['', keys[1]?.enrolment ?? ''],
    appids: apps.map(String),
    post,
    clock: makeServerClock(Date.now),
    counters,
    now: Date.now,
    file: undefined,
    say: () => {},
    every: 150,
    policyEvery: 600,
  })
  const risksSince = (position: number) =>
    collector.events.slice(position).filter((event) => event.app === app && event.type === 2)
  /** Waits until the phone knows the change, then returns what it did about the next risks. */
  const actionsAfter = async (change: () => Promise<unknown>, what: string) => {
    await change()
    await notify(CHANNELS.changed, { what })
    await sleep(1800)
    const position = collector.events.length
    for (let turn = 0; turn < 400 && risksSince(position).length < 4; turn++) await sleep(50)
    return {
      actions: [...new Set(risksSince(position).map((event) => event.action))],
      events: collector.events.slice(position),
    }
  }
  const reports = await actionsAfter(async () => {}, 'policies')
  expect(reports.actions).toEqual([1])

  const rules: PolicyRules = {
    levels: { critical: 'block', high: 'block', medium: 'block', low: 'block', info: 'block' },
    risks: {},
  }
  const text = JSON.stringify(rules)
  const blocks = await actionsAfter(async () => {
    await db.updateTable('applications').set({ protect_type: '1' }).where('id', '=', app).execute()
    await db
      .insertInto('policies')
      .values({
        id: 'p',
        application_id: app,
        name: 'p',
        draft: text,
        rev: 1,
        archived_at: null,
        created_at: 0,
        updated_at: 0,
        updated_by: null,
      })
      .execute()
    await db
      .insertInto('policy_versions')
      .values({ policy_id: 'p', version: 1, rules: text, created_at: 0, created_by: null })
      .execute()
    await db
      .insertInto('policy_deployments')
      .values({
        id: 'd',
        application_id: app,
        policy_id: 'p',
        version: 1,
        app_versions: [],
        percent: 100,
        state: 'running',
        created_at: 1,
        created_by: null,
        changed_at: 1,
      })
      .execute()
  }, 'policies')
  expect(blocks.actions).toEqual([4])

  const device = blocks.events.find((event) => event.app === app)?.device ?? ''
  const banned = await actionsAfter(async () => {
    await db.deleteFrom('policy_deployments').where('id', '=', 'd').execute()
    await db
      .insertInto('device_verdicts')
      .values({ application_id: app, device, verdict: 'banned', by_user: null, at: 2, note: '' })
      .execute()
  }, 'verdicts')
  stop()
  expect(banned.actions).toEqual([4])
  expect(new Set(banned.events.filter((event) => event.app === app).map((event) => event.type))).not.toContain(6)
  expect(counters).toMatchObject({ refused: 0, quarantined: 0 })
}, 60_000)
