import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '#contracts/errors.ts'
import type { SubscribeAnswer, WallFrame } from '#contracts/live/messages.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { AlertMeasure } from '#domain/alerts.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { serveEventStore } from '#storage/events/serve/serve-event-store.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { hashKey, madeEvent, memoryJournal } from '#tests/support/made-events.ts'
import {
  bareClient,
  isFrame,
  isSnapshot,
  isStatus,
  isStream,
  type RelayBed,
  relayBed,
  STREAM,
  WALL,
} from '#tests/support/relay-bed.ts'

let bed: RelayBed
beforeAll(async () => {
  bed = await relayBed()
}, 30_000)
afterAll(() => bed.close())

const nowEvent = (fields: Partial<StoredEvent> = {}) => madeEvent({ receivedAt: Date.now(), ...fields })
const idOf = (answer: SubscribeAnswer): string => {
  if (!('topic' in answer)) throw new Error(answer.codemsg)
  return answer.topic
}

describe('[RT-01] tickets', () => {
  test('open one socket, once, before they expire', async () => {
    const { url } = await bed.relay()
    const ticket = await bed.ticket()
    const client = await bareClient(url, ticket)
    expect(await client.wait(isStatus)).toMatchObject({ prerequisites: { geo: 'ok', journal: 'ok' }, demo: false })
    const refused = { data: { code: ERRORS['live.ticket'].code, codemsg: ERRORS['live.ticket'].zh } }
    await expect(bareClient(url, ticket)).rejects.toMatchObject(refused)
    await expect(bareClient(url, await bed.ticket({}, Date.now() - 1))).rejects.toMatchObject(refused)
    for (const bad of ['', 'x'.repeat(5000), '\u0000', '1 or 1=1'])
      await expect(bareClient(url, bad)).rejects.toMatchObject(refused)
    client.socket.disconnect()
  })

  test('a page of another origin is refused before its ticket is looked at', async () => {
    const { url } = await bed.relay()
    const ticket = await bed.ticket()
    await expect(bareClient(url, ticket, { origin: 'https://evil.example' })).rejects.toThrow()
    const client = await bareClient(url, ticket, { origin: url })
    expect(client.socket.connected).toBe(true)
    client.socket.disconnect()
  })
})

describe('[OBS-01] a wall over the socket', () => {
  test('snapshot, then frames without a gap; counts are exact and pending events wait for their verdict', async () => {
    const { url, journal } = await bed.relay()
    journal.appendEvents([nowEvent(), nowEvent({ type: 1, risk: 0, level: 0 })], Date.now())
    const client = await bareClient(url, await bed.ticket())
    const topic = idOf(await client.subscribe(WALL))
    const snapshot = await client.wait(isSnapshot)
    expect(snapshot).toMatchObject({ topic, counters: { attacksToday: 1, eventsToday: 2, onlineDevices: 1 } })
    const { position } = journal.appendEvents(
      [nowEvent({ user: hashKey(4) }), nowEvent({ flags: EVENT_FLAGS.pending })],
      Date.now(),
    )
    await client.until((m) => isFrame(m) && m.counters.attacksToday === 2)
    journal.append({ kind: 'verdicts', at: Date.now(), position, accepted: [1], duplicates: [], quarantined: [] })
    const last = await client.wait((m): m is WallFrame => isFrame(m) && m.counters.attacksToday === 3)
    expect(last.hops?.framed).toBeGreaterThanOrEqual(last.hops?.durable ?? Number.POSITIVE_INFINITY)
    let end = snapshot.positions[0]?.to
    let sequence = snapshot.sequence
    const frames = client.heard.filter(isFrame)
    for (const frame of frames) {
      expect(frame.positions).toEqual([{ journal: 'j1', from: end, to: expect.any(Number) }])
      expect(frame.sequence).toBe(++sequence)
      end = frame.positions[0]?.to
    }
    expect(end).toBe(journal.durable())
    expect(frames.flatMap((frame) => frame.feed)).toHaveLength(2)
    client.socket.disconnect()
  })

  test('starts from the store and adds what the journal holds; a restarted relay says the same', async () => {
    await bed.store.load([
      nowEvent({ app: 77, device: hashKey(70) }),
      nowEvent({ app: 77, device: hashKey(71), level: 5 }),
    ])
    const journal = memoryJournal('j-restart')
    journal.appendEvents([nowEvent({ app: 77, device: hashKey(71) })], Date.now())
    const topic = { kind: 'wall', filters: [{ field: 'app', op: 'is', values: ['77'] }] }
    const want = { counters: { attacksToday: 3, onlineDevices: 2, levels: { critical: 1, high: 2 } }, arcsOf: 3 }
    for (let round = 0; round < 2; round++) {
      const one = await bed.relay({ reader: journal })
      const client = await bareClient(one.url, await bed.ticket())
      await client.subscribe(topic)
      expect(await client.wait(isSnapshot)).toMatchObject(want)
      await one.close()
    }
  })

  test('a subject sees only its scope, for any filter', async () => {
    const { url, journal } = await bed.relay()
    const [one, two] = await Promise.all(
      [1, 2].map(async (app) => bareClient(url, await bed.ticket({ scope: { apps: [app + 500] } }))),
    )
    if (!one || !two) throw new Error('no clients')
    const wider = { kind: 'wall', filters: [{ field: 'app', op: 'is', values: ['501', '502'] }] }
    const [first, second] = [idOf(await one.subscribe(wider)), idOf(await two.subscribe(wider))]
    expect(first).not.toBe(second)
    await Promise.all([one.wait(isSnapshot), two.wait(isSnapshot)])
    // A topic of another subject cannot be requested by its id.
    two.socket.emit('snapshot', first)
    journal.appendEvents([nowEvent({ app: 501 }), nowEvent({ app: 501 }), nowEvent({ app: 502 })], Date.now())
    await one.until((m) => isFrame(m) && m.counters.attacksToday === 2)
    await two.until((m) => isFrame(m) && m.counters.attacksToday === 1)
    for (const message of two.heard)
      if (isFrame(message)) expect(message.feed.every((row) => row.app === '502')).toBe(true)
    expect(two.heard.some((m) => 'topic' in m && m.topic === first)).toBe(false)
    for (const { socket } of [one, two]) socket.disconnect()
  })

  test('beyond the limit a topic gets snapshots and says so; a free place is taken over', async () => {
    const { url, journal, relay } = await bed.relay({ maxTopics: 1 })
    const client = await bareClient(url, await bed.ticket())
    const first = await client.subscribe({ kind: 'wall', filters: [{ field: 'risk', op: 'is', values: ['root'] }] })
    const second = await client.subscribe({ kind: 'wall', filters: [{ field: 'app', op: 'is', values: ['901'] }] })
    expect([first, second]).toMatchObject([{ mode: 'frames' }, { mode: 'snapshots' }])
    journal.appendEvents([nowEvent({ app: 901 })], Date.now())
    await client.until((m) => isSnapshot(m) && m.topic === idOf(second))
    expect(relay.status()).toMatchObject({ clients: 1, topics: 2, snapshotTopics: 1 })
    client.socket.emit('unsubscribe', idOf(first))
    await client.until((m) => isFrame(m) && m.topic === idOf(second))
    expect(relay.status()).toMatchObject({ topics: 1, snapshotTopics: 0 })
    client.socket.disconnect()
    for (let i = 0; i < 50 && relay.status().topics > 0; i++) await delay(20)
    expect(relay.status()).toMatchObject({ clients: 0, topics: 0 })
  }, 15_000)

  test('while the store is unavailable unknown tiles are empty; the numbers are complete once it is available', async () => {
    const socketPath = join(bed.folder, 'late.sock')
    const store = connectEventStore(socketPath)
    await bed.store.load([nowEvent({ app: 88 })])
    const { url, journal } = await bed.relay({ store })
    const client = await bareClient(url, await bed.ticket())
    await client.subscribe({ kind: 'wall', filters: [{ field: 'app', op: 'is', values: ['88'] }] })
    journal.appendEvents([nowEvent({ app: 88 })], Date.now())
    const without = await client.wait(isSnapshot)
    expect(without.counters).toMatchObject({
      onlineDevices: null,
      attackedUsers: null,
      attacksYesterday: null,
      since: expect.any(Number),
    })
    expect(client.heard.filter(isStatus).at(-1)?.prerequisites.store).toBe('down')
    const served = await serveEventStore(bed.store, socketPath)
    const whole = await client.until((m) => isSnapshot(m) && m.counters.since === undefined)
    expect(whole).toMatchObject({
      counters: { attacksToday: 2, onlineDevices: 1, attackedUsers: 0, attacksYesterday: 0 },
    })
    await client.until((m) => isStatus(m) && m.prerequisites.store !== 'down')
    client.socket.disconnect()
    await served.close()
    await store.close()
  }, 15_000)
})

describe('[RT-01] streams', () => {
  test('every type of event by arrival, newest first; the network only for who may read addresses', async () => {
    const { url, journal } = await bed.relay()
    const [plain, reader] = [
      await bareClient(url, await bed.ticket()),
      await bareClient(url, await bed.ticket({ personal: true })),
    ]
    for (const client of [plain, reader]) {
      idOf(await client.subscribe(STREAM))
      await client.wait(isStream)
    }
    // The count is of the clock's minute: what is sent now must be framed in it.
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 9000) await delay(left)
    const [crash, risk] = [nowEvent({ type: 3, risk: 0, level: 0, extra: '{"detail":{"a":1}}' }), nowEvent()]
    journal.appendEvents([crash, risk, nowEvent({ flags: EVENT_FLAGS.imported })], Date.now())
    const withRows = (m: Parameters<typeof isStream>[0]) => isStream(m) && m.rows.length > 0
    expect(await plain.until(withRows)).toMatchObject({
      rowsOf: 2,
      minuteCount: 2,
      rows: [
        { id: risk.id, type: 'risk', address: '' },
        { id: crash.id, type: 'crash', address: '', extra: {} },
      ],
    })
    expect(await reader.until(withRows)).toMatchObject({
      rows: [{ address: '203.0.113.0/24' }, { extra: { detail: { a: 1 } } }],
    })
    for (const { socket } of [plain, reader]) socket.disconnect()
  })

  test('are not for display tokens, nor address filters for who may not read addresses', async () => {
    const { url } = await bed.relay()
    const screen = await bareClient(url, await bed.ticket({ kind: 'display', id: 'd1' }))
    const refused = { error: ERRORS['permission.missing'].code }
    expect(await screen.subscribe(STREAM)).toMatchObject(refused)
    expect(
      await screen.subscribe({ ...WALL, filters: [{ field: 'address', op: 'is', values: ['203.0.113.7'] }] }),
    ).toMatchObject(refused)
    expect(await screen.subscribe(WALL)).toMatchObject({ mode: 'frames' })
    screen.socket.disconnect()
  })

  test('hostile requests are refused and change nothing', async () => {
    const { url, relay } = await bed.relay()
    const client = await bareClient(url, await bed.ticket())
    const bad = [
      null,
      7,
      'wall',
      {},
      { kind: 'wall' },
      { kind: 'x', filters: [] },
      { kind: 'wall', filters: [{ field: '__proto__', op: 'is', values: ['1'] }] },
      { ...WALL, scope: { apps: 'all' } },
    ]
    for (const topic of bad)
      expect(await client.subscribe(topic)).toMatchObject({ error: ERRORS['input.invalid'].code })
    for (const topic of [null, {}, 'nothing', 7]) {
      client.socket.emit('unsubscribe', topic)
      client.socket.emit('snapshot', topic)
    }
    client.socket.emit('subscribe', { topic: WALL })
    client.socket.emit('no-such-event', {})
    await delay(50)
    expect(relay.status()).toMatchObject({ clients: 1, topics: 0 })
    for (let i = 0; i < 16; i++)
      expect(
        await client.subscribe({ ...WALL, filters: [{ field: 'app', op: 'is', values: [`${i + 1}`] }] }),
      ).toHaveProperty('topic')
    expect(await client.subscribe(WALL)).toMatchObject({ error: ERRORS['quota.reached'].code })
    for (let i = 0; i < 200; i++) client.socket.emit('snapshot', 'x')
    expect(await client.disconnected).toBe('io server disconnect')
  })
})

test('[OBS-01] alerts reach only subjects that may see all of their applications; walls get them without names', async () => {
  const { url } = await bed.relay()
  const enter = async (subject: Parameters<typeof bed.ticket>[0]) => bareClient(url, await bed.ticket(subject))
  const [all, one, other, wall] = await Promise.all([
    enter({ id: 'a' }),
    enter({ id: 'b', scope: { apps: [1, 2] } }),
    enter({ id: 'c', scope: { apps: [1] } }),
    enter({ id: 'd', kind: 'display', scope: { apps: [1, 2] } }),
  ])
  const alert = (id: string) => ({ id, acknowledged: { at: 1, by: 'a@b.cn', note: 'mine' } })
  await bed.meta.notify(CHANNELS.alert, { alert: alert('both'), apps: [1, 2] })
  await bed.meta.notify(CHANNELS.alert, { alert: alert('platform'), apps: null })
  await bed.meta.notify(CHANNELS.alert, { alert: alert('first'), apps: [1] })
  const heard = ({ heard: messages }: typeof all) => messages.flatMap((m) => (m.type === 'alert' ? [m.alert] : []))
  for (const client of [all, one, other, wall]) await client.until((m) => m.type === 'alert' && m.alert.id === 'first')
  expect(heard(all).map(({ id }) => id)).toEqual(['both', 'platform', 'first'])
  expect(heard(one).map(({ id }) => id)).toEqual(['both', 'first'])
  expect(heard(other).map(({ id }) => id)).toEqual(['first'])
  expect(heard(wall).map(({ acknowledged }) => acknowledged)).toEqual(Array(2).fill({ at: 1, by: '', note: '' }))
  expect(heard(one)[0]?.acknowledged?.by).toBe('a@b.cn')
  for (const { socket } of [all, one, other, wall]) socket.disconnect()
})

test('[MON-01] an alert about runs of monitoring reaches only those of them that may read monitoring', async () => {
  const { url } = await bed.relay()
  const enter = async (subject: Parameters<typeof bed.ticket>[0]) => bareClient(url, await bed.ticket(subject))
  const [both, events, monitoring] = await Promise.all([
    enter({ id: 'e', auth: ['events.read', 'monitor.view'] }),
    enter({ id: 'f', auth: ['events.read'] }),
    enter({ id: 'g', auth: ['monitor.view'] }),
  ])
  const alert = (measure: AlertMeasure) => ({ id: measure, measure, acknowledged: null })
  for (const measure of ['pirated_new', 'pirated_returned', 'attacks'] as const)
    await bed.meta.notify(CHANNELS.alert, { alert: alert(measure), apps: [1] })
  const heard = ({ heard: messages }: typeof both) => messages.flatMap((m) => (m.type === 'alert' ? [m.alert.id] : []))
  for (const client of [both, events]) await client.until((m) => m.type === 'alert' && m.alert.id === 'attacks')
  expect(heard(both)).toEqual(['pirated_new', 'pirated_returned', 'attacks'])
  expect(heard(events)).toEqual(['attacks'])
  expect(heard(monitoring)).toEqual([])
  for (const { socket } of [both, events, monitoring]) socket.disconnect()
})
