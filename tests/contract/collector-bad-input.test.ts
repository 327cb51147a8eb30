import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ErrorKey } from '#contracts/errors.ts'
import { collectorBed, type Headers } from '#tests/support/collector-bed.ts'

const { bed, attack, post, numbers, expectRefused } = collectorBed()

describe('[OBS-01] bad input gets its documented answer and has no effect', () => {
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
    ['no type at all', 'request.media_type', () => '[]', { 'content-type': '' }],
    ['a type that is none', 'request.media_type', () => '[]', { 'content-type': ';' }],
    ['other charset', 'request.media_type', () => '[]', { 'content-type': 'application/json; charset=gbk' }],
    ['other coding', 'request.media_type', () => '[]', { 'content-encoding': 'br' }],
    ['unknown key', 'collect.key', () => '[]', { authorization: `Bearer aw_sk_${'x'.repeat(43)}` }],
    ['no key shape', 'collect.key', () => '[]', { authorization: 'Basic abc' }],
    ['history without the scope', 'permission.missing', () => '[]', { 'x-aw-import': '1' }],
  ]
  test.each(broken)('input with %s is refused with %s', async (_name, error, payload, headers = {}) => {
    const before = numbers()
    await expectRefused(await post(payload(), headers), error, before)
  })

  test('an enrolment key posts no events; a revoked key nothing', async () => {
    const enrolment = (await bed.database.makeKey(bed.appId, 'enrolment')).text
    const before = numbers()
    await expectRefused(await post([attack()], { authorization: `Bearer ${enrolment}` }), 'collect.key', before)
    const revoked = await bed.database.makeKey(bed.appId, 'server')
    const header = { authorization: `Bearer ${revoked.text}` }
    expect((await post([], header)).status).toBe(202)
    await bed.database.meta.db.updateTable('ingest_keys').set({ revoked_at: 1 }).where('id', '=', revoked.id).execute()
    await bed.database.meta.notify('aw_changed', { what: 'ingest_keys' })
    await expect.poll(async () => (await post([], header)).status).toBe(401)
  })

  test('unknown path and other methods answer JSON', async () => {
    for (const [method, url, status] of [
      ['GET', '/collect/v1/events', 405],
      ['POST', '/collect/v2/events', 404],
      ['GET', '/collect/', 404],
    ] as const) {
      const answer = await bed.collector.app.inject({ method, url })
      expect([answer.statusCode, answer.json().server_time]).toEqual([status, bed.clock])
    }
  })

  test('error texts use the requested language', async () => {
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
    ['occurred_at', { occurred_at: '2026-02-30T00:00:00Z' }],
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
    const before = bed.collector.ingest.status().rejected[field] ?? 0
    const answer = await post([attack(), attack(change), attack()])
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ accepted: 2, pending: 0, quarantined: 0, rejected: [{ index: 1 }] })
    expect(answer.body.rejected[0].error).toMatch(new RegExp(`^${field}[ .]`))
    expect(answer.body.rejected[0].error).not.toContain('\n')
    expect(bed.collector.ingest.status().rejected[field]).toBe(before + 1)
  })

  test('raw JSON tricks affect only their own event', async () => {
    const id = randomUUID()
    const tricks = [
      `{"__proto__":{"type":"risk"},"event_id":"a","type":"start","device_id":"d"}`,
      `{"event_id":"b","type":"start","device_id":"d","detail":{"__proto__":{"polluted":1}}}`,
      `{"event_id":"x","event_id":"${id}","type":"start","device_id":"d","reported_at":${bed.clock}}`,
      `{"event_id":"c","type":"start","device_id":"d","occurred_at":1e999}`,
      'null',
      '[]',
      '"text"',
    ]
    const answer = await post(`[${tricks.join(',')}]`)
    expect(answer.body).toMatchObject({ accepted: 1, pending: 1 })
    expect(answer.body.rejected.map((one: { index: number }) => one.index)).toEqual([0, 3, 4, 5, 6])
    expect(bed.collector.events.at(-1)?.id).toBe(id)
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

  test('a body that is too large is refused before it is read, announced or not', async () => {
    await bed.collector.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = bed.collector.app.server.address() as AddressInfo
    const auth = `authorization: Bearer ${bed.key}`
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
