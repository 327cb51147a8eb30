import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { makeMinuteCounts } from '#server/modules/communication/gateway/minute-counts.ts'
import type { RunningGateway } from '#server/modules/communication/gateway/start-gateway.ts'
import { writeGatewayPolicy } from '#server/modules/communication/gateway-policy.ts'
import { closeKey, revokeKey, rotateKey } from '#server/modules/communication/key-rows.ts'
import { type GatewayBed, GatewayClient, gatewayBed } from '#tests/support/gateway-bed.ts'
import { waitFor } from '#tests/support/running-server.ts'

/** The gateway on a real PostgreSQL, with a server behind that repeats what it gets. */
let bed: GatewayBed
let gateway: RunningGateway
beforeAll(async () => {
  bed = await gatewayBed()
  gateway = await bed.gateway()
}, 60_000)
afterAll(() => bed?.close())

async function connected(on: { url: string } = gateway): Promise<GatewayClient> {
  const client = new GatewayClient(on.url, bed.now)
  expect(await client.connect(bed.key)).toBe(200)
  return client
}
const words = async (answer: Response) => ({ status: answer.status, text: await answer.text() })
const REFUSED = { status: 400, text: '{"error":"refused"}' }

test('[COMM-01] a sealed request reaches the server behind as plain HTTP, and its answer comes back sealed', async () => {
  const client = await connected()
  const { status, text, sealed } = await client.request('/pay/transfer', '{"amount":1}', 'from=a&to=b')
  expect({ status, sealed }).toEqual({ status: 200, sealed: true })
  expect(JSON.parse(text)).toEqual({ method: 'POST', target: '/pay/transfer?from=a&to=b', body: '{"amount":1}' })
  const { headers } = bed.received.at(-1) ?? { headers: {} }
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-forwarded-for': '127.0.0.1',
    'aw-key': String(bed.key.kid),
    'aw-application': String(bed.application),
  })
})

test('[COMM-01] GET and HEAD carry message and answer as the protocol says; other headers pass', async () => {
  const client = await connected()
  const { message } = client.seal('/list', '', { method: 'GET' })
  const header = Buffer.from(message).toString('base64url')
  const answer = await fetch(`${gateway.url}/list`, { headers: { [SESSION_HTTP.messageHeader]: header, 'x-own': '1' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe(SESSION_HTTP.mediaType)
  expect(answer.headers.get('x-from')).toBe('behind')
  expect(bed.received.at(-1)).toMatchObject({ method: 'GET', target: '/list', headers: { 'x-own': '1' } })
  const head = client.seal('/list', '', { method: 'HEAD' })
  const headers = { [SESSION_HTTP.messageHeader]: Buffer.from(head.message).toString('base64url') }
  const second = await fetch(`${gateway.url}/list`, { method: 'HEAD', headers })
  expect(second.status).toBe(200)
  expect(second.headers.get(SESSION_HTTP.messageHeader)).toMatch(/^[\w-]{100,}$/)
})

test('[COMM-01] every broken message gets one status and text, and reaches nothing; only unknown key and clock differ', async () => {
  const client = await connected()
  const before = bed.received.length
  const flip = (at: number) => {
    const { message } = client.seal('/a', 'x')
    const place = at < 0 ? message.length + at : at
    message[place] = (message[place] as number) ^ 1
    return message
  }
  const broken: Record<string, Uint8Array> = {
    head: flip(0),
    session: flip(5),
    sequence: flip(23),
    time: flip(31),
    iv: flip(40),
    text: flip(50),
    tag: flip(-1),
    short: client.seal('/a', 'x').message.subarray(0, 60),
    empty: new Uint8Array(0),
    'other path': client.seal('/a', 'x', { sealedPath: '/b' }).message,
    'other method': client.seal('/a', 'x', { method: 'PUT' }).message,
    'number 0 is out of range': (() => {
      const { message } = client.seal('/a', 'x')
      return message.fill(0, 20, 24)
    })(),
  }
  for (const [name, message] of Object.entries(broken))
    expect(await words(await client.post('/a', message)), name).toEqual(REFUSED)
  // A query outside of the message.
  expect(await words(await client.post('/a?x=1', client.seal('/a', 'x').message))).toEqual(REFUSED)
  const stale = client.seal('/a', 'x', { time: Math.floor(bed.now() / 1000) - 600 })
  const clock = await client.post('/a', stale.message)
  expect(clock.status).toBe(400)
  expect(await clock.json()).toEqual({ error: 'clock', server_time: expect.any(Number) })
  const unknown = client.hello({ ...bed.key, kid: 999_999 })
  expect(await words(await client.post(SESSION_HTTP.handshakePath, unknown.hello))).toEqual({
    status: 409,
    text: '{"error":"unknown_key"}',
  })
  expect(bed.received.length).toBe(before)
})

test('[COMM-01] of 500 messages sent twice no copy is accepted, also after a restart and at a second gateway', async () => {
  const client = await connected()
  const messages = Array.from({ length: 500 }, () => client.seal('/once', 'x').message)
  const send = async (url: string) => {
    client.url = url
    const statuses: number[] = []
    for (let at = 0; at < messages.length; at += 50)
      statuses.push(
        ...(await Promise.all(
          messages.slice(at, at + 50).map(async (message) => {
            const answer = await client.post('/once', message)
            await answer.arrayBuffer()
            return answer.status
          }),
        )),
      )
    return statuses
  }
  const count = () => bed.received.filter(({ target }) => target === '/once').length
  expect(new Set(await send(gateway.url))).toEqual(new Set([200]))
  expect(count()).toBe(500)
  expect(new Set(await send(gateway.url))).toEqual(new Set([400]))
  const second = await bed.gateway()
  expect(new Set(await send(second.url))).toEqual(new Set([400]))
  await gateway.close()
  gateway = await bed.gateway()
  expect(new Set(await send(gateway.url))).toEqual(new Set([400]))
  expect(count()).toBe(500)
  // The session itself goes on, at either.
  client.url = second.url
  expect((await client.request('/after', 'x')).status).toBe(200)
}, 60_000)

test('[COMM-01] of one message at two gateways at the same moment one alone is accepted', async () => {
  const client = await connected()
  const second = await bed.gateway()
  for (let round = 0; round < 30; round++) {
    const { message } = client.seal('/race', 'x')
    const statuses = await Promise.all(
      [gateway.url, second.url, gateway.url, second.url].map(async (url) => {
        const answer = await fetch(`${url}/race`, {
          method: 'POST',
          headers: { 'content-type': SESSION_HTTP.mediaType },
          body: message as Uint8Array<ArrayBuffer>,
        })
        return answer.status
      }),
    )
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400])
  }
})

test('[COMM-01] a replayed hello makes no second session, at no gateway', async () => {
  const client = new GatewayClient(gateway.url, bed.now)
  const second = await bed.gateway()
  const { hello } = client.hello(bed.key)
  expect((await client.post(SESSION_HTTP.handshakePath, hello)).status).toBe(200)
  expect(await words(await client.post(SESSION_HTTP.handshakePath, hello))).toEqual(REFUSED)
  client.url = second.url
  expect(await words(await client.post(SESSION_HTTP.handshakePath, hello))).toEqual(REFUSED)
})

test('[COMM-01] a number 1,024 below the highest is refused at every gateway, although it was not used', async () => {
  const client = await connected()
  const second = await bed.gateway()
  const at = async (url: string, sequence: number) =>
    (
      await fetch(`${url}/window`, {
        method: 'POST',
        headers: { 'content-type': SESSION_HTTP.mediaType },
        body: client.seal('/window', 'x', { sequence }).message as Uint8Array<ArrayBuffer>,
      })
    ).status
  // The second one has the session in memory before the first one moves the window.
  expect(await at(second.url, 1)).toBe(200)
  expect(await at(gateway.url, 3000)).toBe(200)
  expect(await at(second.url, 1976)).toBe(400)
  expect(await at(second.url, 1977)).toBe(200)
  expect(await at(gateway.url, 1977)).toBe(400)
  expect(await at(gateway.url, 1978)).toBe(200)
})

test('[COMM-01] a session whose row is deleted is accepted by no gateway, also where it is in memory, and leaves no rows', async () => {
  const client = await connected()
  expect((await client.request('/gone', 'x')).status).toBe(200)
  const id = Buffer.from(client.session?.id ?? []).toString('hex')
  const { number } = await bed.meta.db
    .deleteFrom('communication_sessions')
    .where('id', '=', id)
    .returning('number')
    .executeTakeFirstOrThrow()
  expect((await client.request('/gone', 'x')).status).toBe(400)
  const rows = await bed.meta.db
    .selectFrom('communication_used')
    .select('sequence')
    .where('session', '=', number)
    .execute()
  expect(rows).toEqual([{ sequence: 1 }])
})

describe('policy', () => {
  test('[COMM-01] enforce refuses plain requests, observe lets them through and counts them; a change arrives by itself', async () => {
    const plain = () => fetch(`${gateway.url}/open`, { method: 'POST', body: 'hello', headers: { 'aw-key': '1' } })
    expect(await words(await plain())).toEqual(REFUSED)
    await writeGatewayPolicy(bed.meta, 'observe')
    await waitFor(async () => (await plain()).status === 200, 5000, 'the policy')
    // What a client says of itself in the gateway's own headers does not arrive.
    expect(bed.received.at(-1)).toMatchObject({ target: '/open', body: 'hello' })
    expect(bed.received.at(-1)?.headers).not.toHaveProperty('aw-key')
    expect(gateway.status().plainPassed).toBeGreaterThan(0)
    await writeGatewayPolicy(bed.meta, 'enforce')
    await waitFor(async () => (await plain()).status === 400, 5000, 'the policy')
  })

  test('a gateway that was started with a policy of its own keeps it', async () => {
    const own = await bed.gateway({ policy: 'observe' })
    expect((await fetch(`${own.url}/open`)).status).toBe(200)
  })
})

describe('keys', () => {
  const deps = () => ({ meta: bed.meta, secret: bed.secret, now: bed.now })

  test('[COMM-01] a key is replaced under load without a failed request, and the old one ends when it is closed', async () => {
    const old = bed.key
    let isOver = false
    let sent = 0
    const statuses = new Map<string, number>()
    const note = (key: string) => statuses.set(key, (statuses.get(key) ?? 0) + 1)
    // Apps with the old public key: each makes sessions and requests all the time.
    const apps = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const client = new GatewayClient(gateway.url, bed.now)
        note(`handshake ${await client.connect(old)}`)
        for (let at = 0; at < 10 && !isOver; at++) {
          const { status, sealed } = await client.request('/load', 'x')
          note(`${status} ${sealed}`)
          sent++
        }
      }
    })
    await waitFor(() => sent > 50, 20_000, 'load')
    const next = await rotateKey(deps(), old.kid, { days: 365, overlapDays: 30, user: 0 })
    const atRotation = sent
    await waitFor(() => sent > atRotation + 100, 20_000, 'load after the rotation')
    const fresh = new GatewayClient(gateway.url, bed.now)
    expect(await fresh.connect(next)).toBe(200)
    expect((await fresh.request('/load', 'x')).status).toBe(200)
    isOver = true
    await Promise.all(apps)
    expect([...statuses.keys()].toSorted()).toEqual(['200 true', 'handshake 200'])

    const client = new GatewayClient(gateway.url, bed.now)
    expect(await client.connect(old)).toBe(200)
    await closeKey(deps(), old.kid, 0)
    await waitFor(async () => (await new GatewayClient(gateway.url, bed.now).connect(old)) === 409, 5000, 'the end')
    // Its sessions go on to their own end: no request fails because a key ended.
    expect(await client.request('/load', 'x')).toMatchObject({ status: 200, sealed: true })
    bed.key = next
  }, 60_000)

  test('[COMM-01] a revoked key is refused within seconds, with its sessions', async () => {
    const client = await connected()
    await revokeKey(deps(), bed.key.kid)
    await waitFor(async () => (await client.request('/x', 'x')).status === 409, 5000, 'the revocation')
    expect(await new GatewayClient(gateway.url, bed.now).connect(bed.key)).toBe(409)
    const { createKey } = await import('#server/modules/communication/key-rows.ts')
    bed.key = await createKey(deps(), bed.application, 365, 0)
    await gateway.refresh()
  })
})

test('a key that a wrong clock ended is accepted again when the clock is right', async () => {
  let ahead = 1000 * 86_400_000
  const wrong = await bed.gateway({ now: () => Date.now() + ahead })
  expect(await new GatewayClient(wrong.url, () => Date.now() + ahead).connect(bed.key)).toBe(409)
  ahead = 0
  await wrong.refresh()
  expect(await new GatewayClient(wrong.url).connect(bed.key)).toBe(200)
})

describe('limits', () => {
  test('too many requests of an address, of a session, and too many handshakes get 429', async () => {
    const tight = { burst: 3, perSecond: 0.001 }
    const byAddress = await bed.gateway({ limits: { addresses: tight } })
    const first = await connected(byAddress)
    const statuses = []
    for (let at = 0; at < 5; at++) statuses.push((await first.request('/x', 'x')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const bySession = await bed.gateway({ limits: { sessions: tight } })
    const second = await connected(bySession)
    for (let at = 0; at < 3; at++) await second.request('/x', 'x')
    expect((await second.request('/x', 'x')).status).toBe(429)
    const byHandshake = await bed.gateway({ limits: { handshakes: tight } })
    for (let at = 0; at < 3; at++) await connected(byHandshake)
    expect(await new GatewayClient(byHandshake.url, bed.now).connect(bed.key)).toBe(429)
  })

  test('a body beyond the limit is refused before it is read, and holds no memory afterwards', async () => {
    const small = await bed.gateway({ limits: { maxBodyBytes: 2000 } })
    const client = await connected(small)
    expect((await client.request('/x', 'y'.repeat(1900))).status).toBe(200)
    expect((await client.request('/x', 'y'.repeat(5000))).status).toBe(413)
    await waitFor(() => small.status().bytesHeld === 0, 2000, 'the memory')
  })

  test('sealed and opened copies of request and answer are in the memory limit; without room the answer is a sealed 503', async () => {
    const small = await bed.gateway({ limits: { memoryBytes: 350_000 } })
    const client = await connected(small)
    expect((await client.request('/x', 'y'.repeat(80_000))).status).toBe(200)
    // Request twice, the answer once: its sealed copy has no room.
    expect(await client.request('/x', 'y'.repeat(100_000))).toEqual({
      status: 503,
      text: '{"error":"busy"}',
      sealed: true,
    })
    // The opened copy of the request has none: nothing is accepted, and nothing sent.
    const before = bed.received.length
    expect(await client.request('/x', 'y'.repeat(200_000))).toMatchObject({ status: 503, sealed: false })
    expect(bed.received.length).toBe(before)
    await waitFor(() => small.status().bytesHeld === 0, 2000, 'the memory')
  })

  test('counts that wait for the database are bounded', async () => {
    const counts = makeMinuteCounts(bed.meta, bed.now)
    for (let kid = 1; kid <= 25_000; kid++)
      counts.add({ applicationId: 777, kid, outcome: 'busy', sdk: 'test/1', micros: 0 })
    await counts.flush()
    const { rows } = await bed.meta.db
      .selectFrom('communication_minutes')
      .select((eb) => eb.fn.countAll<string>().as('rows'))
      .where('application_id', '=', 777)
      .executeTakeFirstOrThrow()
    expect(Number(rows)).toBe(20_000)
  })

  test('a client that sends its body too slowly is cut off', async () => {
    const { connect } = await import('node:net')
    const quick = await bed.gateway({ limits: { requestMs: 500 } })
    const socket = connect(quick.port, '127.0.0.1')
    socket.write(
      `POST /x HTTP/1.1\r\nhost: x\r\ncontent-type: ${SESSION_HTTP.mediaType}\r\ncontent-length: 1000\r\n\r\nabc`,
    )
    const began = performance.now()
    await new Promise((resolve) =>
      socket
        .on('close', resolve)
        .on('error', () => {})
        .resume(),
    )
    expect(performance.now() - began).toBeLessThan(5000)
    expect(quick.status().bytesHeld).toBe(0)
  })

  test('a server behind that hangs or is away gives a sealed 504 or 502', async () => {
    const { createServer } = await import('node:http')
    const hanging = createServer(() => {})
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', () => resolve()))
    const { port } = hanging.address() as { port: number }
    const slow = await bed.gateway({ upstream: new URL(`http://127.0.0.1:${port}`), limits: { upstreamMs: 300 } })
    expect(await (await connected(slow)).request('/x', 'x')).toEqual({
      status: 504,
      text: '{"error":"upstream_slow"}',
      sealed: true,
    })
    hanging.closeAllConnections()
    hanging.close()
    await sleep(50)
    const away = await bed.gateway({ upstream: new URL(`http://127.0.0.1:${port}`) })
    expect((await (await connected(away)).request('/x', 'x')).status).toBe(502)
  })
})

test('[COMM-02] what a gateway counts reaches the table of the console: by key, outcome and SDK', async () => {
  const counting = await bed.gateway()
  const client = new GatewayClient(counting.url, bed.now)
  expect(await client.connect(bed.key, 'android/9.4.0')).toBe(200)
  const { message } = client.seal('/counted', 'x')
  await client.post('/counted', message)
  await client.post('/counted', message)
  await counting.close()
  const rows = await bed.meta.db
    .selectFrom('communication_minutes')
    .select(['kid', 'application_id', 'outcome', 'sdk', 'count'])
    .where('sdk', '=', 'android/9.4.0')
    .orderBy('outcome')
    .execute()
  const of = { kid: bed.key.kid, application_id: bed.application, sdk: 'android/9.4.0', count: 1 }
  expect(rows).toEqual(['accepted', 'handshake', 'replayed'].map((outcome) => ({ ...of, outcome })))
  const key = await bed.meta.db
    .selectFrom('communication_keys')
    .select('last_seen_at')
    .where('kid', '=', bed.key.kid)
    .executeTakeFirstOrThrow()
  expect(key.last_seen_at).toBeGreaterThan(bed.now() - 60_000)
})
