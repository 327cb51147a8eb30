import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveMessage, Topic, WallFrame } from '#contracts/live/messages.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'
import { bareClient, isFrame, isSnapshot, type RelayBed, relayBed } from '#tests/support/relay-bed.ts'

let bed: RelayBed
beforeAll(async () => {
  bed = await relayBed()
}, 30_000)
afterAll(() => bed.close())

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

  test('[LOGIN-03] a socket of a session opens from listed addresses only, and ends when its address leaves the list; a wall stays', async () => {
    let list: string[] = ['127.0.0.0/8']
    const settings = () => ({ zone: 'Asia/Shanghai', idle_minutes: 30, absolute_hours: 12, console_addresses: list })
    const { url } = await bed.relay({ settings, subjectCheckMs: 20 })
    const { db } = bed.meta
    const user = await db
      .insertInto('users')
      .values({ ...account, username: 'addresses@example.com' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const now = Date.now()
    const times = { created_at: now, last_input_at: now, ended_at: null, end_reason: null }
    await db
      .insertInto('sessions')
      .values({ id: 'listed', user_id: user.id, label: 'listed', address: '', agent: '', ...times })
      .execute()
    await db
      .insertInto('display_tokens')
      .values({
        id: 'listed',
        user_id: user.id,
        name: 'w',
        hint: '',
        hash: 'listed',
        views: '[]',
        created_at: 0,
        expires_at: 9e12,
      })
      .execute()
    const scope = { apps: [] }
    const ticket = (kind: 'session' | 'display') => bed.ticket({ kind, id: 'listed', userId: user.id, scope })
    const session = await bareClient(url, await ticket('session'))
    const wall = await bareClient(url, await ticket('display'))
    list = ['192.0.2.0/24']
    await session.disconnected
    expect(session.heard.at(-1)).toEqual({ type: 'revoked', reason: 'scope_changed' })
    await expect(bareClient(url, await ticket('session'))).rejects.toThrow()
    expect(wall.socket.connected).toBe(true)
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
