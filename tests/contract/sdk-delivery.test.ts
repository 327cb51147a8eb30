import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventRow } from '#domain/query.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type Collector, openCollector, type TestDatabase, testDatabase } from '#tests/support/collector.ts'
import { javaPhone, NO_JAVA, startRig } from '#tests/support/sdk/java-rig.ts'
import type { Network, SimulatedPhone } from '#tests/support/sdk/simulated-phone.ts'
import { webPhone } from '#tests/support/sdk/web-phone.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STEP = 2
const DAY_STEPS = (24 * 60) / STEP
const BEGIN = Date.UTC(2026, 10, 21, 6, 0, 0)

let folder: string
let database: TestDatabase
let collector: Collector
let store: DuckStore
let origin: string
let clock = BEGIN

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aw-sdk-'))
  database = await testDatabase(folder)
  collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: () => clock })
  store = await openDuckStore({ folder: join(folder, 'events'), memoryMb: 128, now: () => clock })
  store.follow(journalReader(collector.journal))
  await collector.ingest.ready
  origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await collector?.close()
  await store?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The same numbers for the same seed, in [0, 1). */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One day of a phone whose clock is wrong, whose network comes and goes, and whose app dies and starts again. Returns what it emitted. */
async function liveOneDay(
  phone: SimulatedPhone,
  seed: number,
): Promise<{ emitted: Map<number, number>; deaths: number }> {
  const roll = dice(seed)
  const emitted = new Map<number, number>()
  let skew = 3 * HOUR
  let mode: Network = 'offline'
  let deaths = 0
  const pass = async (minutes: number) => {
    clock += minutes * MINUTE
    await phone.setClock(clock + skew, clock - BEGIN + HOUR)
  }
  const go = async () => {
    if (!(await phone.run())) return
    deaths++
    await phone.start()
  }
  await pass(0)
  await phone.setNetwork(mode)
  await phone.start()
  for (let step = 0; step < DAY_STEPS; step++) {
    await pass(STEP)
    if (roll() < 0.04) {
      mode = (['ok', 'ok', 'offline', 'offline', 'lose', 'twice', 'die'] as const)[Math.floor(roll() * 7)] as Network
      await phone.setNetwork(mode)
    }
    // A user who sets the time; a process that the system ends.
    if (roll() < 0.004) skew = Math.round((roll() - 0.5) * 6 * HOUR)
    if (roll() < 0.02) await phone.start()
    for (let n = roll() < 0.5 ? Math.ceil(roll() * 4) : 0; n > 0; n--) {
      emitted.set(emitted.size, clock)
      await phone.emit(emitted.size - 1)
    }
    await go()
  }
  await phone.setNetwork('ok')
  for (let minute = 0; minute < 30 && (await phone.waiting()) > 0; minute++) {
    await pass(1)
    await go()
  }
  return { emitted, deaths }
}

async function storedRows(app: number): Promise<EventRow[]> {
  const until = Date.now() + 20_000
  for (let still = 0; still < 3; ) {
    const { positions, backlogEvents } = await store.status()
    still = positions[collector.journal.name] === collector.journal.durable() && backlogEvents === 0 ? still + 1 : 0
    if (Date.now() > until) throw new Error('the store does not catch up')
    await sleep(30)
  }
  const rows: EventRow[] = []
  const everything = { span: { from: BEGIN - 30 * 24 * HOUR, to: clock + HOUR }, basis: 'received' as const }
  const query = { ...everything, filters: [], scope: { apps: [app] }, zone: 'Asia/Shanghai' }
  for await (const part of store.stream(query, new AbortController().signal)) rows.push(...part)
  return rows
}

/**
 * Each number once, none more, none quarantined, and times that are right although the phone's clock was not, but for a share of events
 * that were emitted between the user's setting of the clock and the next contact.
 */
async function expectExact(
  app: number,
  phone: SimulatedPhone,
  emitted: ReadonlyMap<number, number>,
  share: number,
): Promise<void> {
  expect(await phone.waiting()).toBe(0)
  const rows = await storedRows(app)
  const numbers = rows.flatMap(({ extra, occurredAt }) => {
    const n = (extra['detail'] as { n?: number } | undefined)?.n
    return n === undefined ? [] : [[n, occurredAt] as const]
  })
  expect(numbers.map(([n]) => n).sort((a, b) => a - b)).toEqual([...emitted.keys()])
  expect(collector.quarantined.filter((one) => one.app === app)).toEqual([])
  const wrong = numbers.filter(([n, at]) => Math.abs(at - (emitted.get(n) as number)) > 2 * MINUTE)
  expect(wrong.length / emitted.size).toBeLessThan(share)
}

test('[SDK-01] web SDK: 24 hours offline, duplicated, clock-skewed, restarted: nothing lost, nothing counted twice', async () => {
  const app = await database.makeApp()
  const { text } = await database.makeKey(app, 'enrolment')
  const phone = webPhone(origin, text)
  const { emitted, deaths } = await liveOneDay(phone, 7)
  expect(emitted.size).toBeGreaterThan(500)
  expect(deaths).toBeGreaterThan(0)
  // A page has no clock that goes on in sleep and cannot be set.
  await expectExact(app, phone, emitted, 0.3)
  await phone.close()
})

test.skipIf(NO_JAVA)(
  `[SDK-01] Android SDK: 24 hours offline, duplicated, clock-skewed, restarted: nothing lost, nothing counted twice${NO_JAVA ? ` (${NO_JAVA})` : ''}`,
  async () => {
    const app = await database.makeApp()
    const { text } = await database.makeKey(app, 'enrolment')
    const rig = startRig()
    const phone = javaPhone(rig, origin, text, 'a-day')
    const { emitted, deaths } = await liveOneDay(phone, 7)
    expect(emitted.size).toBeGreaterThan(500)
    expect(deaths).toBeGreaterThan(0)
    await expectExact(app, phone, emitted, 0.15)
    await phone.close()
    await rig.close()
  },
)
