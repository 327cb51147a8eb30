import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { signDeviceRequest } from '#realtime/collect/enrol/installs.ts'
import { collectorBed } from '#tests/support/collector-bed.ts'
import { enrolment } from '#tests/support/collector-enrolment.ts'

const { bed, attack, post, numbers, expectRefused } = collectorBed()

let port = 0
beforeAll(async () => {
  await bed.collector.app.listen({ host: '127.0.0.1', port: 0 })
  port = (bed.collector.app.server.address() as AddressInfo).port
})

type Device = { install: string; key: string; id: string }
let enrolled = 0
async function enrol(): Promise<Device> {
  const { text } = await bed.database.makeKey(bed.appId, 'enrolment')
  bed.clock += 1000
  const id = `hostile-${++enrolled}`
  const payload = JSON.stringify(enrolment(text, id, bed.clock))
  const headers = { 'content-type': 'application/json' }
  const url = '/collect/v1/enrol'
  const answer = await bed.collector.app.inject({ method: 'POST', url, headers, payload })
  const { install, device_key } = answer.json()
  return { install, key: device_key, id }
}
let sequence = 0
function signature(device: Device, body: Buffer, forged = false): Record<string, string> {
  const tstamp = Math.floor(bed.clock / 1000)
  const nonce = Buffer.from(`nonce ${String(++sequence).padStart(10, '0')}`)
    .toString('base64url')
    .slice(0, 22)
  const key = forged ? Buffer.alloc(32, 9) : Buffer.from(device.key, 'base64url')
  const mac = signDeviceRequest(key, { method: 'POST', target: '/collect/v1/events', tstamp, nonce, body })
  return {
    'x-aw-install': device.install,
    'x-aw-seq': String(sequence),
    'x-aw-tstamp': String(tstamp),
    'x-aw-signature': `2.${nonce}.${mac.toString('base64url')}`,
  }
}
/** A raw request head; lines exactly as given. */
async function open(lines: readonly string[], body: string | Buffer = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}) // the server may cut a refused request
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (body.length > 0) socket.write(body)
  return socket
}
const headOf = (headers: Record<string, string>) => [
  'POST /collect/v1/events HTTP/1.1',
  'host: x',
  'content-type: application/json',
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
]
async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text
}
const batch = () => JSON.stringify([attack()])

describe('[OBS-01] one sender cannot block others', () => {
  test('512 unfinished posts with forged signatures leave 25 of 25 requests of another sender accepted, and end within seconds', async () => {
    const device = await enrol()
    const head = headOf({ ...signature(device, Buffer.from('x'), true), 'content-length': '262144' })
    const started = Date.now()
    const sockets = await Promise.all(Array.from({ length: 512 }, () => open(head, '[')))
    const closed = Promise.all(sockets.map((socket) => answerOf(socket).catch(() => '')))
    await delay(300)
    expect(bed.collector.ingest.status().bodies.bytes).toBeLessThan(64 * 1024)
    const statuses: number[] = []
    for (let n = 0; n < 25; n++) {
      const body = batch()
      const answer = await fetch(`http://127.0.0.1:${port}/collect/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json' },
        body,
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual(Array(25).fill(202))
    // A second device in the same network is served as well.
    const other = await enrol()
    const body = Buffer.from(JSON.stringify([attack({ device_id: other.id })]))
    const headers = { ...signature(other, body), 'content-type': 'application/json' }
    expect((await post(body, { ...headers, authorization: '' })).status).toBe(401)
    const served = await fetch(`http://127.0.0.1:${port}/collect/v1/events`, { method: 'POST', headers, body })
    expect(served.status).toBe(202)
    const answers = await closed
    expect(Date.now() - started).toBeLessThan(20_000)
    const count = (status: number) => answers.filter((text) => text.startsWith(`HTTP/1.1 ${status}`)).length
    // At most 8 at a time are read at all, until they turn out to be too slow.
    expect(count(408) + count(429)).toBe(512)
    expect(count(408)).toBeLessThan(100)
    expect(bed.collector.ingest.status().bodies).toEqual({ bytes: 0, unfinished: 0 })
  }, 30_000)

  test('a body that arrives too slowly is refused with 408; a slow but steady one is accepted', async () => {
    const body = batch().padEnd(6000, ' ')
    const head = headOf({
      authorization: `Bearer ${bed.key}`,
      'content-length': String(body.length),
      connection: 'close',
    })
    const [stopped, steady] = [await open(head, body.slice(0, 10)), await open(head, body.slice(0, 2000))]
    const answers = [answerOf(stopped), answerOf(steady)]
    for (let at = 2000; at < body.length; at += 1000) {
      await delay(500)
      steady.write(body.slice(at, at + 1000))
    }
    await delay(100)
    steady.end()
    expect(await answers[0]).toMatch(/^HTTP\/1\.1 408 [\s\S]*collect\.slow/)
    expect(await answers[1]).toMatch(/^HTTP\/1\.1 202/)
  }, 20_000)

  test('an install with wrong signatures is refused before its body is read, others in its network are not', async () => {
    const [hostile, honest] = [await enrol(), await enrol()]
    const body = Buffer.from(batch())
    const send = async (device: Device, forged: boolean) => {
      const answer = await bed.collector.app.inject({
        method: 'POST',
        url: '/collect/v1/events',
        headers: { 'content-type': 'application/json', ...signature(device, body, forged) },
        payload: body,
        remoteAddress: '203.0.113.9',
      })
      return answer.json().key
    }
    const keys: string[] = []
    for (let n = 0; n < 21; n++) keys.push(await send(hostile, true))
    expect(keys).toEqual([...Array(20).fill('collect.signature'), 'request.rate'])
    expect(await send(honest, false)).toBeUndefined()
  })

  test('unauthenticated bodies are refused by announcement beyond their limit and keep no memory', async () => {
    const head = ['POST /collect/v1/enrol HTTP/1.1', 'host: x', 'content-type: application/json']
    const large = await Promise.all(
      Array.from({ length: 60 }, () => open([...head, 'content-length: 8388608'], Buffer.alloc(65_536, 0x61))),
    )
    const answers = await Promise.all(large.map((socket) => answerOf(socket).catch(() => '')))
    // The connection may be cut while the client still sends.
    expect(answers.filter((text) => text !== '').every((text) => text.includes(' 413 '))).toBe(true)
    const open512 = await Promise.all(Array.from({ length: 512 }, () => open([...head, 'content-length: 4096'], '{')))
    await delay(200)
    expect(bed.collector.ingest.status().bodies).toMatchObject({ unfinished: 64 })
    expect(bed.collector.ingest.status().bodies.bytes).toBeLessThan(64 * 1024)
    for (const socket of open512) socket.destroy()
    await expect.poll(() => bed.collector.ingest.status().bodies).toEqual({ bytes: 0, unfinished: 0 })
  }, 30_000)
})

describe('[OBS-01] no small body blocks the process', () => {
  test('gzip that inflates a thousandfold is refused outside of the main thread', async () => {
    const bomb = gzipSync('['.repeat(8_400_000), { level: 9 })
    expect(bomb.length).toBeLessThan(8300)
    await post(gzipSync(batch()), { 'content-encoding': 'gzip' }) // starts the reading thread
    const loop = monitorEventLoopDelay({ resolution: 5 })
    loop.enable()
    const before = numbers()
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(bomb, { 'content-encoding': 'gzip' })))
    loop.disable()
    for (const answer of answers) await expectRefused(answer, 'request.too_large', before)
    expect(loop.max / 1e6).toBeLessThan(500)
  }, 20_000)

  test('compressed bodies of brackets within the ratio are refused without building objects', async () => {
    const loop = monitorEventLoopDelay({ resolution: 5 })
    // Random digits keep the ratio below its limit, brackets make it costly to parse.
    const noise = Array.from({ length: 4000 }, () => Math.random().toString(36).slice(2)).join('')
    const nested = gzipSync(`[{"x_noise":"${noise}","x_a":${'['.repeat(900_000)}`)
    const values = gzipSync(`[{"x_noise":"${noise}"},${'{},'.repeat(900_000)}{}]`)
    loop.enable()
    const [deep, many] = await Promise.all([nested, values].map((body) => post(body, { 'content-encoding': 'gzip' })))
    loop.disable()
    expect(deep?.body.key).toBe('collect.unreadable')
    expect(deep?.body.codemsg).toContain('nested deeper than 64 levels')
    expect(many?.body).toMatchObject({ key: 'request.too_large', limit: 1000 })
    expect(loop.max / 1e6).toBeLessThan(500)
  }, 20_000)

  test('a batch in which every event conflicts is answered without parsing the body again for each', async () => {
    const events = Array.from({ length: 500 }, () => attack({ session_id: 's'.repeat(200) }))
    expect((await post(events)).body.accepted).toBe(500)
    const again = events.map((event) => ({ ...event, reported_at: bed.clock - 5000 }))
    const started = performance.now()
    const answer = await post(gzipSync(JSON.stringify(again)), { 'content-encoding': 'gzip' })
    expect(answer.body).toMatchObject({ accepted: 0, quarantined: 500 })
    expect(performance.now() - started).toBeLessThan(2000)
    const kept = bed.collector.quarantined.at(-1)
    expect(kept).toMatchObject({ reason: 'id_conflict', eventId: events.at(-1)?.['event_id'] })
    expect(JSON.parse(kept?.raw ?? '')).toMatchObject({ type: 'risk', risk: 'hook', session_id: 's'.repeat(200) })
    expect(kept?.raw).not.toContain('device-1')
  }, 20_000)
})

describe('[OBS-01] attacks that have no effect', () => {
  test.each([
    ['two different lengths', (length: number) => [`content-length: ${length}`, 'content-length: 5']],
    ['length and chunked coding', (length: number) => [`content-length: ${length}`, 'transfer-encoding: chunked']],
    ['a folded header line', (length: number) => [`content-length: ${length}`, 'x-a: b', ' content-length: 5']],
    ['an unknown transfer coding', (length: number) => [`content-length: ${length}`, 'transfer-encoding: xchunked']],
    ['a space before the colon', (length: number) => [`content-length : ${length}`]],
  ])('request smuggling with %s is refused', async (_name, lines) => {
    const before = numbers()
    const body = batch()
    const smuggled = `POST /collect/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bed.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const head = headOf({ authorization: `Bearer ${bed.key}`, connection: 'close' })
    const socket = await open([...head, ...lines(body.length)], body + smuggled)
    const answer = await answerOf(socket).catch(() => '')
    expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/)
    expect(answer.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(numbers()).toEqual(before)
  })

  test('a request with two Host headers is refused', async () => {
    const body = batch()
    const before = numbers()
    const head = headOf({ authorization: `Bearer ${bed.key}`, connection: 'close', 'content-length': `${body.length}` })
    const socket = await open([...head.slice(0, 2), 'host: y', ...head.slice(2)], body)
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 400 /)
    expect(numbers()).toEqual(before)
  })

  test('strings of 1 MB, NUL characters and 100,000 levels reject only their own event or batch', async () => {
    const long = await post([attack(), attack({ model: 'x'.repeat(1_000_000) })])
    expect(long.body).toMatchObject({ accepted: 1, rejected: [{ index: 1 }] })
    const nul = await post([attack(), attack({ device_id: 'a\u0000b' }), attack({ detail: { a: '\u0000' } })])
    expect(nul.body).toMatchObject({ accepted: 2, rejected: [{ index: 1 }] })
    const before = numbers()
    const levels = `[{"event_id":"a","type":"start","device_id":"d","x_a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`
    await expectRefused(await post(levels), 'collect.unreadable', before)
  })

  test('the same batch three times in parallel is counted once', async () => {
    const events = Array.from({ length: 200 }, () => attack())
    const body = JSON.stringify(events)
    const answers = await Promise.all([post(body), post(body), post(gzipSync(body), { 'content-encoding': 'gzip' })])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    const sum = (name: 'accepted' | 'duplicates') => answers.reduce((total, { body }) => total + body[name], 0)
    expect([sum('accepted'), sum('duplicates')]).toEqual([200, 400])
    const ids = new Set(events.map((event) => event['event_id']))
    expect(bed.collector.events.filter(({ id }) => ids.has(id))).toHaveLength(200)
  })
})
