import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorKey, ProductError } from '#contracts/errors.ts'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { proofHolds } from '#realtime/ingest/enrol.ts'
import { signDeviceRequest } from '#realtime/ingest/installs.ts'
import { recentEntries } from '#realtime/ingest/recent-entries.ts'
import type { PlacedEntry } from '#storage/journal/port.ts'
import { type Collector, openCollector, PEPPER, type TestDatabase, testDatabase } from '#tests/support/collector.ts'

const MINUTE = 60_000
const DAY = 86_400_000
let folder: string
let database: TestDatabase
let collector: Collector
let appId: number
let key: string
let clock = Date.UTC(2026, 10, 21, 6, 0, 0)
let journals = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aw-collector-'))
  database = await testDatabase(folder)
  appId = await database.makeApp(true)
  key = (await database.makeKey(appId, 'server')).text
  collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: () => clock })
  await collector.ingest.ready
})
afterAll(async () => {
  await collector?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  clock += 20 * MINUTE
})

function attack(change: Partial<WireEvent> & Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event_id: randomUUID(),
    type: 'risk',
    risk_type: 'hook',
    action: 'block',
    device_id: 'device-1',
    reported_at: clock,
    occurred_at: clock - 1000,
    ...change,
  }
}
type Headers = Record<string, string>
async function post(payload: unknown, headers: Headers = {}, to = collector, url = '/collect/v1/events') {
  const answer = await to.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    remoteAddress: '114.114.114.114',
  })
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
}
/** What a refused or replayed request must leave as it was. */
function numbers(of = collector) {
  const { accepted, pending, quarantined, imported, dedup } = of.ingest.status()
  return {
    accepted,
    pending,
    quarantined: { ...quarantined },
    imported,
    entries: dedup.entries,
    durable: of.journal.durable(),
    events: of.events.length,
  }
}
async function expectRefused(
  answer: Awaited<ReturnType<typeof post>>,
  error: ErrorKey,
  before: ReturnType<typeof numbers>,
) {
  expect(answer.body).toMatchObject({ key: error, code: ERRORS[error].code, server_time: clock })
  expect(answer.status).toBe(ERRORS[error].status)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(numbers()).toEqual(before)
}

describe('[OBS-01] an event through the collector', () => {
  test('comes out complete: codes, hashes, place, level, site', async () => {
    const event = attack({
      user_id: 'zhang',
      platform: 'android',
      app_version: '3.1',
      channel: 'huawei',
      os: '14',
      model: 'Mate 60',
      brand: 'HUAWEI',
      network: 'wifi',
      sdk_version: '1.2',
      package_name: 'cn.example',
      signer: 'AB'.repeat(32),
      session_id: 's"1',
      detail: { framework: 'frida' },
      x_own: 'dropped',
    })
    const answer = await post([event])
    expect(answer.body).toEqual({
      accepted: 1,
      pending: 0,
      duplicates: 0,
      quarantined: 0,
      rejected: [],
      server_time: clock,
    })
    expect(answer.status).toBe(202)
    const hash = (text: string) => createHmac('sha256', PEPPER).update(text).digest('hex').slice(0, 32)
    expect(collector.events.at(-1)).toEqual({
      id: event['event_id'],
      app: appId,
      type: 2,
      risk: 2,
      level: 5,
      action: 4,
      platform: 1,
      occurredAt: clock - 1000,
      receivedAt: clock,
      reportedAt: clock,
      device: hash('device-1'),
      user: hash('zhang'),
      version: '3.1',
      channel: 'huawei',
      os: '14',
      model: 'Mate 60',
      brand: 'HUAWEI',
      network: 'wifi',
      sdk: '1.2',
      country: 'CN',
      province: 320000,
      city: 320100,
      placeSource: 2,
      placePrecision: 3,
      lon: expect.closeTo(118.8, 0),
      lat: expect.closeTo(32, 0),
      site: 1,
      flags: EVENT_FLAGS.trusted,
      address: '114.114.114.114',
      extra: JSON.stringify({
        package_name: 'cn.example',
        signer: 'ab'.repeat(32),
        session_id: 's"1',
        detail: { framework: 'frida' },
      }),
      group: '',
    })
  })

  test('least of an event: no times, no place; it is pending, since memory cannot decide it', async () => {
    const answer = await post([{ event_id: 'order.1', type: 'start', device_id: 'd', client_ip: '10.0.0.1' }])
    expect(answer.body).toMatchObject({ accepted: 0, pending: 1 })
    const event = collector.events.at(-1)
    expect(event).toMatchObject({
      occurredAt: clock,
      receivedAt: clock,
      reportedAt: null,
      country: '',
      lon: null,
      lat: null,
      placeSource: 0,
      flags: EVENT_FLAGS.trusted | EVENT_FLAGS.pending,
      extra: '{"id":"order.1"}',
    })
    expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('three forms of a body, gzip or not, say the same', async () => {
    const batches = [0, 1, 2, 3].map(() => [attack(), attack()])
    const ndjson = `${batches[2]?.map((event) => JSON.stringify(event)).join('\n')}\n\n`
    expect((await post(batches[0])).body.accepted).toBe(2)
    expect((await post({ events: batches[1] })).body.accepted).toBe(2)
    expect((await post(ndjson, { 'content-type': 'application/x-ndjson' })).body.accepted).toBe(2)
    const zipped = gzipSync(JSON.stringify(batches[3]))
    expect((await post(zipped, { 'content-encoding': 'gzip' })).body.accepted).toBe(2)
    expect((await post([])).body).toMatchObject({ accepted: 0, rejected: [] })
  })

  test('a forwarded address counts only behind a trusted proxy', async () => {
    await post([attack()], { 'x-forwarded-for': '8.8.8.8' })
    expect(collector.events.at(-1)).toMatchObject({ address: '114.114.114.114', country: 'CN' })
    const answer = await collector.app.inject({
      method: 'POST',
      url: '/collect/v1/events',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-forwarded-for': '1.2.3.4, 8.8.8.8',
      },
      payload: JSON.stringify([attack()]),
      remoteAddress: '127.0.0.1',
    })
    expect(answer.statusCode).toBe(202)
    expect(collector.events.at(-1)).toMatchObject({ address: '8.8.8.8', country: 'US', placePrecision: 1 })
  })

  test('one log line a request, refused ones too', async () => {
    const before = collector.log.length
    await post([attack()])
    await post('{', { authorization: 'Bearer nonsense' })
    expect(collector.log.slice(before)).toMatchObject([
      { applicationId: appId, address: '114.114.114.114', status: 202, path: '/collect/v1/events' },
      { applicationId: null, status: 401 },
    ])
    expect(collector.log.at(-2)?.size).toBeGreaterThan(100)
  })
})

describe('[OBS-01] a replay changes no number', () => {
  test('the same batch again, in one batch twice, and after a restart', async () => {
    const batch = [
      attack(),
      attack({ reported_at: undefined }),
      attack({ occurred_at: clock - 8 * DAY }),
      attack({ event_id: 'text-1' }),
    ]
    const first = await post([...batch, batch[0]])
    expect(first.body).toMatchObject({ accepted: 2, pending: 1, quarantined: 1, duplicates: 1 })
    const before = numbers()
    expect((await post(batch)).body).toMatchObject({ accepted: 0, pending: 0, quarantined: 0, duplicates: 4 })
    expect(numbers()).toEqual(before)

    await collector.close()
    collector = await openCollector({ meta: database.meta, folder: join(folder, 'journal'), now: () => clock })
    await collector.ingest.ready
    const durable = collector.journal.durable()
    expect((await post(batch)).body).toMatchObject({ accepted: 0, pending: 0, quarantined: 0, duplicates: 4 })
    expect(collector.journal.durable()).toBe(durable)
  })

  test('the same id with another reported_at is quarantined, once', async () => {
    const event = attack()
    const other = { ...event, reported_at: clock - 5000 }
    await post([event])
    expect((await post([other])).body).toMatchObject({ quarantined: 1, duplicates: 0 })
    expect(collector.quarantined.at(-1)).toMatchObject({ reason: 'id_conflict', eventId: event['event_id'] })
    const before = numbers()
    expect((await post([other, event])).body).toMatchObject({ quarantined: 0, duplicates: 2 })
    expect(numbers()).toEqual(before)
  })

  test('the same id in another application is another event', async () => {
    const other = (await database.makeKey(await database.makeApp(), 'server')).text
    const event = attack()
    await post([event])
    expect((await post([event], { authorization: `Bearer ${other}` })).body).toMatchObject({ accepted: 1 })
    expect(collector.events.at(-1)?.site).toBe(0)
  })

  test('what was reported before the window is pending, what was reported inside is decided', async () => {
    const answer = await post([
      attack({ reported_at: clock - 17 * MINUTE }),
      attack({ reported_at: clock - 15 * MINUTE }),
    ])
    expect(answer.body).toMatchObject({ accepted: 1, pending: 1 })
  })
})

describe('[OBS-01] bad input gets its documented answer and changes nothing', () => {
  const broken: [name: string, error: ErrorKey, payload: () => string | Buffer, headers?: Headers][] = [
    ['no JSON', 'collect.unreadable', () => '[{]'],
    ['empty body', 'collect.unreadable', () => ''],
    ['a number', 'collect.unreadable', () => '1'],
    ['null', 'collect.unreadable', () => 'null'],
    ['a single event', 'collect.unreadable', () => JSON.stringify(attack())],
    ['unknown field beside events', 'collect.unreadable', () => '{"events":[],"event":[]}'],
    ['a byte order mark', 'collect.unreadable', () => '\ufeff[]'],
    ['broken UTF-8', 'collect.unreadable', () => Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
    [
      'one bad line',
      'collect.unreadable',
      () => `${JSON.stringify(attack())}\n{`,
      { 'content-type': 'application/x-ndjson' },
    ],
    ['no gzip', 'collect.unreadable', () => '[]', { 'content-encoding': 'gzip' }],
    ['truncated gzip', 'collect.unreadable', () => gzipSync('[]').subarray(0, 12), { 'content-encoding': 'gzip' }],
    ['deep nesting without end', 'collect.unreadable', () => '['.repeat(1_000_000)],
    [
      'gzip bomb',
      'request.too_large',
      () => gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)),
      { 'content-encoding': 'gzip' },
    ],
    ['large body', 'request.too_large', () => Buffer.alloc(2 * 1024 * 1024 + 1, 0x20)],
    ['1001 events', 'request.too_large', () => JSON.stringify(Array.from({ length: 1001 }, () => attack()))],
    ['other type', 'request.media_type', () => '[]', { 'content-type': 'text/plain' }],
    ['other charset', 'request.media_type', () => '[]', { 'content-type': 'application/json; charset=gbk' }],
    ['other coding', 'request.media_type', () => '[]', { 'content-encoding': 'br' }],
    ['unknown key', 'collect.key', () => '[]', { authorization: `Bearer aw_sk_${'x'.repeat(43)}` }],
    ['no key shape', 'collect.key', () => '[]', { authorization: 'Basic abc' }],
    ['history without the scope', 'permission.missing', () => '[]', { 'x-aw-import': '1' }],
  ]
  test.each(broken)('%s: %s', async (_name, error, payload, headers = {}) => {
    const before = numbers()
    await expectRefused(await post(payload(), headers), error, before)
  })

  test('an enrolment key posts no events; a revoked key nothing', async () => {
    const enrolment = (await database.makeKey(appId, 'enrolment')).text
    const before = numbers()
    await expectRefused(await post([attack()], { authorization: `Bearer ${enrolment}` }), 'collect.key', before)
    const revoked = await database.makeKey(appId, 'server')
    const header = { authorization: `Bearer ${revoked.text}` }
    expect((await post([], header)).status).toBe(202)
    await database.meta.db.updateTable('ingest_keys').set({ revoked_at: 1 }).where('id', '=', revoked.id).execute()
    await database.meta.notify('aw_changed', { what: 'ingest_keys' })
    await expect.poll(async () => (await post([], header)).status).toBe(401)
  })

  test('unknown path and other methods answer JSON', async () => {
    for (const [method, url, status] of [
      ['GET', '/collect/v1/events', 405],
      ['POST', '/collect/v2/events', 404],
      ['GET', '/collect/', 404],
    ] as const) {
      const answer = await collector.app.inject({ method, url })
      expect([answer.statusCode, answer.json().server_time]).toEqual([status, clock])
    }
  })

  test('texts come in the language asked for', async () => {
    const answer = await post('x', { 'accept-language': 'zh-CN' })
    expect(answer.body.codemsg).toMatch(/^批次无法读取：/)
  })

  const rejected: [field: string, change: Record<string, unknown>][] = [
    ['event_id', { event_id: undefined }],
    ['event_id', { event_id: 'with space' }],
    ['event_id', { event_id: 'x'.repeat(65) }],
    ['event_id', { event_id: 7 }],
    ['type', { type: 'constructor' }],
    ['type', { type: undefined }],
    ['risk_type', { risk_type: undefined }],
    ['risk_type', { risk_type: '__proto__' }],
    ['action', { action: 'explode' }],
    ['platform', { platform: ['android'] }],
    ['device_id', { device_id: '' }],
    ['device_id', { device_id: 'd'.repeat(129) }],
    ['device_id', { device_id: 'a\u0000b' }],
    ['model', { model: 'x'.repeat(257) }],
    ['model', { model: '\ud83d' }],
    ['model', { model: { toString: 'x' } }],
    ['occurred_at', { occurred_at: '2026-11-21' }],
    ['occurred_at', { occurred_at: 1_700_000_000 }],
    ['occurred_at', { occurred_at: 1e300 }],
    ['occurred_at', { occurred_at: '2026-13-45T00:00:00Z' }],
    ['reported_at', { reported_at: Date.UTC(2026, 11, 31) }],
    ['signer', { signer: 'nothex' }],
    ['client_ip', { client_ip: '1.2.3' }],
    ['place', { place: { country: 'XX' } }],
    ['place', { place: { country: 'CN', longitude: 999, latitude: 1 } }],
    ['place', { place: { country: 'CN', longitude: 1 } }],
    ['place', { place: { lon: 1 } }],
    ['place', { place: [] }],
    ['consent', { consent: { location: 'yes' } }],
    ['detail', { detail: [1] }],
    ['detail', { detail: { text: 'x'.repeat(5000) } }],
    ['detail', { detail: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) }],
    ['detail', { detail: { broken: '\udc00' } }],
    ['event', { user: 'typing error' }],
  ]
  test.each(rejected)('one event is rejected for %s, the others are taken: %j', async (field, change) => {
    const before = collector.ingest.status().rejected[field] ?? 0
    const answer = await post([attack(), attack(change), attack()])
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ accepted: 2, pending: 0, quarantined: 0, rejected: [{ index: 1 }] })
    expect(answer.body.rejected[0].error).toMatch(new RegExp(`^${field}[ .]`))
    expect(answer.body.rejected[0].error).not.toContain('\n')
    expect(collector.ingest.status().rejected[field]).toBe(before + 1)
  })

  test('raw JSON tricks touch nothing but their own event', async () => {
    const id = randomUUID()
    const tricks = [
      `{"__proto__":{"type":"risk"},"event_id":"a","type":"start","device_id":"d"}`,
      `{"event_id":"b","type":"start","device_id":"d","detail":{"__proto__":{"polluted":1}}}`,
      `{"event_id":"x","event_id":"${id}","type":"start","device_id":"d","reported_at":${clock}}`,
      `{"event_id":"c","type":"start","device_id":"d","occurred_at":1e999}`,
      'null',
      '[]',
      '"text"',
    ]
    const answer = await post(`[${tricks.join(',')}]`)
    expect(answer.body).toMatchObject({ accepted: 1, pending: 1 })
    expect(answer.body.rejected.map((one: { index: number }) => one.index)).toEqual([0, 3, 4, 5, 6])
    expect(collector.events.at(-1)?.id).toBe(id)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('[OBS-01] over a real connection', () => {
  /** Sends what it is given and answers with the status and the JSON that came back. */
  async function exchange(
    port: number,
    head: string[],
    body: (socket: Socket) => void,
  ): Promise<[number, { key?: string }]> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {}) // the server may cut a body that it refused
    socket.write(
      `POST /collect/v1/events HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${head.join('\r\n')}\r\n\r\n`,
    )
    body(socket)
    let text = ''
    for await (const chunk of socket.setEncoding('utf8')) text += chunk
    return [Number(text.split(' ')[1]), JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? 'null')]
  }

  test('a body that is too large is refused before it came in, announced or not', async () => {
    await collector.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = collector.app.server.address() as AddressInfo
    const auth = `authorization: Bearer ${key}`
    const before = numbers()
    const announced = await exchange(port, [auth, 'content-length: 1000000000'], () => {})
    expect(announced).toMatchObject([413, { key: 'request.too_large' }])
    const chunked = await exchange(port, [auth, 'transfer-encoding: chunked'], (socket) => {
      for (let n = 0; n < 40; n++) socket.write(`10000\r\n${' '.repeat(0x10000)}\r\n`)
    })
    expect(chunked).toMatchObject([413, { key: 'request.too_large' }])
    const unknown = await exchange(port, ['authorization: Bearer x', 'content-length: 1000000000'], () => {})
    expect(unknown).toMatchObject([401, { key: 'collect.key' }])
    expect(numbers()).toEqual(before)
    const good = JSON.stringify([attack()])
    const taken = await exchange(port, [auth, `content-length: ${good.length}`], (socket) => socket.write(good))
    expect(taken).toMatchObject([202, { accepted: 1 }])
  })
})

describe('[OBS-01] two times', () => {
  test('ahead of the clock is clamped and flagged, long ago is quarantined', async () => {
    await post([attack({ occurred_at: clock + 6 * MINUTE }), attack({ occurred_at: clock + 4 * MINUTE })])
    expect(collector.events.slice(-2)).toMatchObject([
      { occurredAt: clock, flags: EVENT_FLAGS.trusted | EVENT_FLAGS.corrected },
      { occurredAt: clock + 4 * MINUTE, flags: EVENT_FLAGS.trusted },
    ])
    const answer = await post([
      attack({ occurred_at: clock - 7 * DAY - 1, user_id: 'secret-user' }),
      attack({ occurred_at: clock - 7 * DAY }),
    ])
    expect(answer.body).toMatchObject({ accepted: 1, quarantined: 1 })
    const last = collector.quarantined.at(-1)
    expect(last).toMatchObject({ reason: 'too_old', receivedAt: clock, app: appId })
    expect(last?.raw).not.toMatch(/secret-user|device-1/)
  })

  test('ISO 8601 with a zone is read', async () => {
    await post([attack({ occurred_at: new Date(clock - 5000).toISOString() })])
    expect(collector.events.at(-1)?.occurredAt).toBe(clock - 5000)
    await post([attack({ occurred_at: '2026-11-21T14:00:00.500+08:00' })])
    expect(collector.events.at(-1)?.occurredAt).toBe(Date.UTC(2026, 10, 21, 6, 0, 0, 500))
  })

  test('history: received when it occurred, within retention, marked', async () => {
    const authorization = `Bearer ${(await database.makeKey(appId, 'server', ['import'])).text}`
    const answer = await post(
      [
        attack({ occurred_at: clock - 100 * DAY }),
        attack({ occurred_at: clock - 185 * DAY }),
        attack({ occurred_at: undefined }),
        attack({ occurred_at: clock + 3 * MINUTE }),
      ],
      { authorization },
    )
    expect(answer.body).toMatchObject({ accepted: 2, quarantined: 1, rejected: [{ index: 2 }] })
    expect(collector.quarantined.at(-1)?.reason).toBe('outside_retention')
    expect(collector.events.slice(-2)).toMatchObject([
      {
        occurredAt: clock - 100 * DAY,
        receivedAt: clock - 100 * DAY,
        flags: EVENT_FLAGS.trusted | EVENT_FLAGS.imported,
      },
      { receivedAt: clock },
    ])
    clock += 1000 // an unknown key has the table read again at most once a second
    const both = `Bearer ${(await database.makeKey(appId, 'server', ['events', 'import'])).text}`
    await post([attack()], { authorization: both })
    expect(collector.events.at(-1)?.flags).toBe(EVENT_FLAGS.trusted)
    await post([attack()], { authorization: both, 'x-aw-import': '1' })
    expect(collector.events.at(-1)?.flags).toBe(EVENT_FLAGS.trusted | EVENT_FLAGS.imported)
  })

  test('fields that contradict each other are quarantined', async () => {
    expect((await post([attack({ type: 'start' })])).body).toMatchObject({ quarantined: 1 })
    expect(collector.quarantined.at(-1)?.reason).toBe('implausible')
  })
})

describe('[OBS-01] an enrolled device', () => {
  function enrolment(keyText: string, device: string, salt = Math.floor(clock / MINUTE)) {
    for (let n = 0; ; n++) {
      const request = { enrolment_key: keyText, device_id: device, proof: { salt, nonce: String(n) } }
      if (proofHolds(request)) return request
    }
  }
  const enrol = (payload: unknown) => post(payload, { authorization: '' }, collector, '/collect/v1/enrol')
  let sequence = 0
  function signed(
    install: string,
    deviceKeyText: string,
    payload: Buffer,
    change: { tstamp?: number; sequence?: number } = {},
  ) {
    const tstamp = change.tstamp ?? Math.floor(clock / 1000)
    const nonce = randomBytes(16).toString('base64url')
    const mac = signDeviceRequest(Buffer.from(deviceKeyText, 'base64url'), {
      method: 'POST',
      target: '/collect/v1/events',
      tstamp,
      nonce,
      body: payload,
    })
    return {
      'content-type': 'application/json',
      'x-aw-install': install,
      'x-aw-seq': String(change.sequence ?? ++sequence),
      'x-aw-tstamp': String(tstamp),
      'x-aw-signature': `2.${nonce}.${mac.toString('base64url')}`,
    }
  }
  async function send(payload: Buffer, headers: Headers) {
    const answer = await collector.app.inject({
      method: 'POST',
      url: '/collect/v1/events',
      headers,
      payload,
      remoteAddress: '202.96.128.86',
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }

  test('enrols with a proof, once a proof, and a bounded number an hour and network', async () => {
    const { text } = await database.makeKey(appId, 'enrolment')
    const request = enrolment(text, 'phone-1')
    const answer = await enrol(request)
    expect(answer.status).toBe(201)
    expect(Buffer.from(answer.body.device_key, 'base64url')).toHaveLength(32)
    expect(
      await database.meta.db.selectFrom('installs').selectAll().where('id', '=', answer.body.install).execute(),
    ).toMatchObject([{ application_id: appId, revoked_at: null }])
    const before = numbers()
    await expectRefused(await enrol(request), 'collect.replay', before)
    await expectRefused(await enrol({ ...request, device_id: 'phone-2' }), 'collect.proof', before)
    await expectRefused(
      await enrol(enrolment(text, 'phone-1', Math.floor(clock / MINUTE) - 11)),
      'collect.proof',
      before,
    )
    await expectRefused(await enrol(enrolment(key, 'phone-1')), 'collect.key', before)
    await expectRefused(await enrol({ enrolment_key: text }), 'collect.unreadable', before)
    await expectRefused(await enrol([]), 'collect.unreadable', before)
    collector.settings.enrolments_per_hour = 1
    clock += 60 * MINUTE
    expect((await enrol(enrolment(text, 'phone-3'))).status).toBe(201)
    const refused = await enrol(enrolment(text, 'phone-4'))
    await expectRefused(refused, 'request.rate', before)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    collector.settings.enrolments_per_hour = 20
  }, 30_000)

  test('signs its batches; what does not verify, is late, repeated or too fast is refused', async () => {
    const { text, id: keyId } = await database.makeKey(appId, 'enrolment')
    const { install, device_key } = (await enrol(enrolment(text, 'phone-9'))).body
    const body = () => Buffer.from(JSON.stringify([attack({ device_id: 'phone-9' })]))
    const payload = body()
    const headers = signed(install, device_key, payload, { sequence: 100 })
    expect((await send(payload, headers)).body).toMatchObject({ accepted: 1 })
    expect(collector.events.at(-1)).toMatchObject({ flags: 0, province: 440000, city: 440100, site: 1 })

    const before = numbers()
    await expectRefused(await send(payload, headers), 'collect.replay', before)
    await expectRefused(await send(payload, { ...headers, 'x-aw-seq': '101' }), 'collect.replay', before)
    await expectRefused(
      await send(payload, signed(install, device_key, payload, { sequence: 100 })),
      'collect.replay',
      before,
    )
    await expectRefused(
      await send(payload, signed(install, device_key, payload, { sequence: 30 })),
      'collect.replay',
      before,
    )
    await expectRefused(await send(body(), headers), 'collect.signature', before)
    await expectRefused(await send(payload, { ...headers, 'x-aw-signature': '2.a.b' }), 'collect.signature', before)
    await expectRefused(await send(payload, { ...headers, 'x-aw-install': randomUUID() }), 'collect.key', before)
    for (const off of [-601, 601]) {
      const tstamp = Math.floor(clock / 1000) + off
      await expectRefused(
        await send(payload, signed(install, device_key, payload, { tstamp, sequence: 102 })),
        'collect.time',
        before,
      )
    }
    await expectRefused(await send(payload, { 'content-type': 'application/json' }), 'collect.key', before)

    for (let n = 0; n < 4; n++) {
      const more = body()
      expect((await send(more, signed(install, device_key, more, { sequence: 110 - n }))).status).toBe(202)
    }
    const fast = body()
    const now = numbers()
    const tooFast = await send(fast, signed(install, device_key, fast, { sequence: 120 }))
    await expectRefused(tooFast, 'request.rate', now)
    expect(tooFast.headers['retry-after']).toBe('10')
    clock += 10_000
    expect((await send(fast, signed(install, device_key, fast, { sequence: 120 }))).status).toBe(202)

    await database.meta.db.updateTable('ingest_keys').set({ revoked_at: 1 }).where('id', '=', keyId).execute()
    await database.meta.notify('aw_changed', { what: 'ingest_keys' })
    clock += MINUTE
    await expect
      .poll(async () => (await send(body(), signed(install, device_key, body()))).body.key)
      .toBe('collect.key')
  }, 30_000)

  test('its clock is corrected, its claims are not believed', async () => {
    const { text } = await database.makeKey(appId, 'enrolment')
    const { install, device_key } = (await enrol(enrolment(text, 'phone-7'))).body
    const post = async (event: Record<string, unknown>, change: { tstamp?: number } = {}) => {
      clock += MINUTE
      const payload = Buffer.from(JSON.stringify([{ ...event, reported_at: clock }]))
      return send(payload, signed(install, device_key, payload, change))
    }
    const behind = clock + MINUTE - 300_000
    await post(attack({ device_id: 'phone-7', occurred_at: behind - 1000 }), { tstamp: behind / 1000 })
    expect(collector.events.at(-1)).toMatchObject({ occurredAt: clock - 1000, flags: EVENT_FLAGS.corrected })

    const place = { country: 'CN', province: '西藏', city: '拉萨' }
    await post(attack({ device_id: 'phone-7', place, client_ip: '8.8.8.8' }))
    expect(collector.events.at(-1)).toMatchObject({ address: '202.96.128.86', province: 440000, placeSource: 2 })
    await post(attack({ device_id: 'phone-7', place, consent: { location: true } }))
    expect(collector.events.at(-1)).toMatchObject({ province: 540000, city: 540100, placeSource: 1 })
    expect((await post(attack({ device_id: 'phone-8' }))).body).toMatchObject({ quarantined: 1 })
    expect(collector.quarantined.at(-1)).toMatchObject({ reason: 'implausible' })
  }, 30_000)
})

/** A journal that is read only once the test says so. */
async function* startedEntries(started: Promise<void>, since: number): AsyncGenerator<PlacedEntry> {
  await started
  yield* recentEntries(collector.journal, since)
}

describe('[OBS-01] when it cannot take more', () => {
  test('ceilings of application and platform answer 429 with Retry-After', async () => {
    const before = numbers()
    collector.settings.app_ceiling = 10
    expect((await post([attack(), attack()])).status).toBe(202)
    expect((await post(Array.from({ length: 40 }, () => attack()))).status).toBe(202)
    const answer = await post([attack()])
    expect([answer.status, answer.body.key, answer.headers['retry-after']]).toEqual([429, 'request.rate', '4'])
    clock += 4000
    expect((await post([attack()])).status).toBe(202)
    collector.settings.app_ceiling = 0
    expect(numbers().accepted).toBe(before.accepted + 43)
  })

  test('until dedup is rebuilt, with a full backlog and with a full disk', async () => {
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const disk = { fails: false }
    const journal = join(folder, `journal-${++journals}`)
    const other = await openCollector({
      meta: database.meta,
      folder: journal,
      now: () => clock,
      maxBacklogBytes: 2000,
      deps: {
        recent: (since) => startedEntries(started, since),
      },
    })
    const starting = await post([attack()], {}, other)
    expect([starting.status, starting.body.key, starting.headers['retry-after']]).toEqual([503, 'server.starting', '1'])
    start()
    await other.ingest.ready

    // The disk is the world outside: an append that fails the way the system would.
    const { append } = other.journal
    other.journal.append = (entry) => (disk.fails ? Promise.reject(new ProductError('collect.disk')) : append(entry))
    disk.fails = true
    const event = attack()
    const full = await post([event, event], {}, other)
    expect([full.status, full.body.key, full.headers['retry-after']]).toEqual([503, 'collect.disk', '5'])
    expect(numbers(other)).toMatchObject({ accepted: 0, durable: 0, events: 0 })
    disk.fails = false
    expect((await post([event], {}, other)).body).toMatchObject({ accepted: 1, duplicates: 0 })

    let last = full
    for (let n = 0; n < 20 && last.status !== 429; n++) last = await post([attack()], {}, other)
    expect([last.status, last.body.key]).toEqual([429, 'collect.busy'])
    const before = numbers(other)
    await post([attack()], {}, other)
    expect(numbers(other)).toMatchObject({ accepted: before.accepted, durable: before.durable })
    other.journal.release(other.journal.durable())
    expect((await post([attack()], {}, other)).status).toBe(202)
    await other.close()
  })

  test('a duplicate of a copy whose write fails is not acknowledged', async () => {
    const other = await openCollector({
      meta: database.meta,
      folder: join(folder, `journal-${++journals}`),
      now: () => clock,
    })
    await other.ingest.ready
    let fail = () => {}
    const { append } = other.journal
    other.journal.append = () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new Error('I/O error'))
      })
    const event = attack()
    const first = post([event], {}, other)
    await expect.poll(() => other.ingest.status().dedup.entries).toBe(1)
    other.journal.append = append
    const second = post([event, attack()], {}, other)
    await expect.poll(() => other.events.length).toBe(1)
    fail()
    expect((await first).body.key).toBe('collect.journal')
    expect((await second).body.key).toBe('collect.journal')
    expect((await post([event], {}, other)).body).toMatchObject({ accepted: 1 })
    await other.close()
  })

  test('status counts what happened', () => {
    const status = collector.ingest.status()
    expect(status).toMatchObject({ ready: true, geo: 'ok', dedup: { window_seconds: 960 } })
    expect(status.enrolled).toBeGreaterThanOrEqual(4)
    expect(status.refused['collect.replay']).toBeGreaterThanOrEqual(5)
    expect(status.quarantined.too_old).toBeGreaterThanOrEqual(1)
  })
})
