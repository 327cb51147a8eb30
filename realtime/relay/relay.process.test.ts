import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '#contracts/errors.ts'
import type { LiveMessage, SubscribeAnswer, Topic, WallFrame } from '#contracts/live/messages.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
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

describe('[RT-01] revocation', () => {
  const account = {
    password_hash: '',
    password_history: [],
    role: 'r',
    super: false,
    must_change_password: false,
    disabled: false,
    created_at: 0,
  }
  beforeAll(async () => {
    const role = { key: 'r', zh: 'r', en: 'r', built_in: false, sees_all: false, auth: ['events.read'] }
    await bed.meta.db.insertInto('roles').values(role).execute()
  })

  test('what ended while the line to the database was down is dropped once it is back', async () => {
    const { url } = await bed.relay()
    const { db } = bed.meta
    const user = await db
      .insertInto('users')
      .values({ ...account, username: 'line@example.com' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const session = (id: string) => ({
      id,
      user_id: user.id,
      label: id,
      created_at: Date.now(),
      last_input_at: Date.now(),
      address: '',
      agent: '',
      ended_at: null,
      end_reason: null,
    })
    await db
      .insertInto('sessions')
      .values([session('line-1'), session('line-2')])
      .execute()
    const scope = { apps: [] }
    const stays = await bareClient(url, await bed.ticket({ id: 'line-1', userId: user.id, scope }))
    const goes = await bareClient(url, await bed.ticket({ id: 'line-2', userId: user.id, scope }))
    const token = {
      id: 'line-3',
      user_id: user.id,
      name: 'script',
      hint: '',
      hash: 'line-3',
      scopes: ['events.read'],
      created_at: 0,
      expires_at: 9e12,
    }
    await db.insertInto('access_tokens').values(token).execute()
    const script = await bareClient(url, await bed.ticket({ kind: 'token', id: 'line-3', userId: user.id, scope }))
    await db.updateTable('sessions').set({ ended_at: 1 }).where('id', '=', 'line-2').execute()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'`.execute(db)
    await goes.disconnected
    expect(goes.heard.at(-1)).toEqual({ type: 'revoked', reason: 'signed_out' })
    await delay(100)
    expect(stays.socket.connected).toBe(true)
    expect(script.socket.connected).toBe(true)
  })

  test('a session, a token, or all of a user end at once and say why', async () => {
    const { url } = await bed.relay()
    const open = async (subject: Parameters<RelayBed['ticket']>[0]) => bareClient(url, await bed.ticket(subject))
    const [session, other, screen, user] = await Promise.all([
      open({ id: 'a' }),
      open({ id: 'b' }),
      open({ kind: 'display', id: 'a' }),
      open({ id: 'c', userId: 9 }),
    ])
    await bed.meta.notify(CHANNELS.revoked, { kind: 'session', id: 'a', reason: 'replaced' })
    await session.disconnected
    expect(session.heard.at(-1)).toEqual({ type: 'revoked', reason: 'replaced' })
    expect([other.socket.connected, screen.socket.connected]).toEqual([true, true])
    await bed.meta.notify(CHANNELS.revoked, { kind: 'display', id: 'a' })
    await screen.disconnected
    expect(screen.heard.at(-1)).toEqual({ type: 'revoked', reason: 'token_revoked' })
    await bed.meta.notify(CHANNELS.revoked, { kind: 'user', id: 9, reason: 'signed_out' })
    await user.disconnected
    expect(user.heard.at(-1)).toEqual({ type: 'revoked', reason: 'signed_out' })
    expect(other.socket.connected).toBe(true)
    await bed.meta.notify(CHANNELS.revoked, null)
    other.socket.disconnect()
  })

  test('a changed scope ends the connection; an unchanged one does not', async () => {
    const { url } = await bed.relay()
    const { db } = bed.meta
    const user = await db
      .insertInto('users')
      .values({ ...account, username: 'u@x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const application = (name: string) =>
      db
        .insertInto('applications')
        .values({
          uuid: crypto.randomUUID(),
          name,
          mime_type: 1,
          protect_type: '',
          has_file: false,
          owner_id: user.id,
          created_at: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const { id: first } = await application('one')
    const session = { id: 'scope-1', user_id: user.id, label: '', address: '', agent: '' }
    await db
      .insertInto('sessions')
      .values({ ...session, created_at: Date.now(), last_input_at: Date.now() })
      .execute()
    const client = await bareClient(url, await bed.ticket({ id: 'scope-1', userId: user.id, scope: { apps: [first] } }))
    await bed.meta.notify(CHANNELS.changed, { what: 'applications' })
    await bed.meta.notify(CHANNELS.job, { id: 'job-1', userId: user.id })
    await client.until((m) => m.type === 'notice' && m.kind === 'job' && m.id === 'job-1')
    expect(client.socket.connected).toBe(true)
    await application('two')
    await bed.meta.notify(CHANNELS.changed, { what: 'applications' })
    await client.disconnected
    expect(client.heard.at(-1)).toEqual({ type: 'revoked', reason: 'scope_changed' })
  })

  test('sockets end within two seconds without a notification: expired and revoked tokens, idle and old sessions, expired accounts, withdrawn permissions', async () => {
    const { url } = await bed.relay({ subjectCheckMs: 1000 })
    const { db } = bed.meta
    const now = Date.now()
    const HOUR = 3_600_000
    await db
      .insertInto('roles')
      .values({
        key: 'temporary',
        zh: '',
        en: '',
        built_in: false,
        sees_all: true,
        auth: ['events.read', 'personal.reveal'],
      })
      .execute()
    const addUser = async (username: string, more: { role?: string; expires_at?: number } = {}) =>
      (
        await db
          .insertInto('users')
          .values({ ...account, role: 'temporary', username, ...more })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const ends: [
      name: string,
      reason: string,
      end: (user: number) => Promise<unknown>,
      kind: 'session' | 'token' | 'display',
    ][] = [
      [
        'idle',
        'signed_out',
        () =>
          db
            .updateTable('sessions')
            .set({ last_input_at: now - HOUR })
            .where('id', '=', 'idle')
            .execute(),
        'session',
      ],
      [
        'old',
        'signed_out',
        () =>
          db
            .updateTable('sessions')
            .set({ created_at: now - 13 * HOUR })
            .where('id', '=', 'old')
            .execute(),
        'session',
      ],
      [
        'account',
        'scope_changed',
        (user) =>
          db
            .updateTable('users')
            .set({ expires_at: now - 1 })
            .where('id', '=', user)
            .execute(),
        'session',
      ],
      [
        'disabled',
        'signed_out',
        (user) => db.updateTable('users').set({ disabled: true }).where('id', '=', user).execute(),
        'session',
      ],
      [
        'role',
        'scope_changed',
        (user) => db.updateTable('users').set({ role: 'r' }).where('id', '=', user).execute(),
        'session',
      ],
      [
        'revoked',
        'token_revoked',
        () => db.updateTable('access_tokens').set({ revoked_at: now }).where('id', '=', 'revoked').execute(),
        'token',
      ],
      [
        'expired',
        'token_revoked',
        () => db.updateTable('access_tokens').set({ expires_at: now }).where('id', '=', 'expired').execute(),
        'token',
      ],
      [
        'screen',
        'token_revoked',
        () => db.updateTable('display_tokens').set({ expires_at: now }).where('id', '=', 'screen').execute(),
        'display',
      ],
      ['stays', '', async () => {}, 'session'],
    ]
    const clients = []
    for (const [name, , , kind] of ends) {
      const user = await addUser(`${name}@example.com`)
      const common = { id: name, user_id: user, created_at: now }
      if (kind === 'session')
        await db
          .insertInto('sessions')
          .values({ ...common, label: name, last_input_at: now, address: '', agent: '' })
          .execute()
      else if (kind === 'token')
        await db
          .insertInto('access_tokens')
          .values({
            ...common,
            name,
            hint: '',
            hash: name,
            scopes: ['events.read', 'personal.reveal'],
            expires_at: now + HOUR,
          })
          .execute()
      else
        await db
          .insertInto('display_tokens')
          .values({ ...common, name, hint: '', hash: name, views: '[]', expires_at: now + HOUR })
          .execute()
      const ticket = await bed.ticket({ kind, id: name, userId: user, personal: kind !== 'display' })
      clients.push({ name, user, client: await bareClient(url, ticket) })
    }
    // An expiry that was known when the ticket was made needs no database.
    const until = await bareClient(
      url,
      await bed.ticket({ id: 'stays', userId: clients.at(-1)?.user ?? 0, personal: true, until: Date.now() + 500 }),
    )
    await delay(1200)
    expect(until.socket.connected).toBe(false)
    expect(clients.map(({ client }) => client.socket.connected)).toEqual(clients.map(() => true))
    const started = Date.now()
    for (const [index, [, , end]] of ends.entries()) await end(clients[index]?.user ?? 0)
    await Promise.all(clients.slice(0, -1).map(({ client }) => client.disconnected))
    expect(Date.now() - started).toBeLessThan(2000)
    expect(
      clients.map(({ name, client }) => [name, (client.heard.at(-1) as { reason?: string }).reason ?? '']),
    ).toEqual(ends.map(([name, reason]) => [name, reason]))
    const last = clients.at(-1)?.client
    expect(last?.socket.connected).toBe(true)
    last?.socket.disconnect()
  }, 20_000)

  test("a display token's wall gets labels of its devices with model and place, and no personal data in its feed", async () => {
    const { url, journal } = await bed.relay()
    const [screen, other, console] = [
      await bareClient(url, await bed.ticket({ kind: 'display', id: 'wall-1' })),
      await bareClient(url, await bed.ticket({ kind: 'display', id: 'wall-2' })),
      await bareClient(url, await bed.ticket()),
    ]
    const wall: Topic = { kind: 'wall', filters: [{ field: 'app', op: 'is', values: ['61'] }] }
    for (const client of [screen, other, console]) {
      await client.subscribe(wall)
      await client.wait(isSnapshot)
    }
    const event = madeEvent({
      app: 61,
      receivedAt: Date.now(),
      device: hashKey(61),
      user: hashKey(62),
      model: 'Mate 60',
      country: 'CN',
      province: 440000,
      city: 440300,
      address: '203.0.113.7',
    })
    journal.appendEvents([event], Date.now())
    const withFeed = (m: LiveMessage): m is WallFrame => isFrame(m) && m.feed.length > 0
    const withTops = (m: LiveMessage): m is WallFrame => isFrame(m) && (m.tops?.device.rows.length ?? 0) > 0
    const { feed } = await screen.wait(withFeed)
    expect(feed[0]).toMatchObject({
      id: event.id,
      level: 'high',
      city: '440300',
      app: '61',
      device: '',
      user: '',
      model: '',
      address: '',
      extra: {},
    })
    const devices = (await screen.wait(withTops)).tops?.device
    const label = devices?.rows[0]?.[0] as string
    expect(label).toMatch(/^[0-9A-F]{8}$/)
    expect(devices?.about?.[label]).toEqual({ model: 'Mate 60', country: 'CN', province: '440000', city: '440300' })
    const theirs = (await other.wait(withTops)).tops?.device.rows[0]?.[0]
    expect(theirs).toMatch(/^[0-9A-F]{8}$/)
    expect(theirs).not.toBe(label)
    expect((await console.wait(withTops)).tops?.device.rows[0]?.[0]).toBe(hashKey(61))
    for (const message of screen.heard) expect(JSON.stringify(message)).not.toContain(hashKey(61))
    for (const { socket } of [screen, other, console]) socket.disconnect()
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
