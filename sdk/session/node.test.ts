import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { toBase64url } from '#engines/gm/bytes.ts'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { KEY_ID, random, SERVER_KEY, type SessionBed, startSessionBed } from '#tests/support/session/session-bed.ts'
import { createSecureClient, keyPairOf, protect, SecureError, sessionOf } from './node.ts'

const beds: { close(): unknown }[] = []
afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.close()
})
const publicKey = toBase64url(SERVER_KEY.publicKey)

async function start(...args: Parameters<typeof startSessionBed>): Promise<SessionBed> {
  const bed = await startSessionBed(...args)
  beds.push(bed)
  return bed
}
const clientOf = (bed: { origin: string }, over = {}) =>
  createSecureClient({ origin: bed.origin, keyId: KEY_ID, publicKey, ...over })

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
/** Answers what it got. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const { method, url, headers } = request
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      method,
      url,
      type: headers['content-type'],
      length: headers['content-length'],
      body: body.toString('hex'),
    }),
  )
}

describe('client and server of Node', () => {
  test('method, path, query, media type and body arrive, and the query is not in the request line', async () => {
    const lines: string[] = []
    const bed = await start(echo)
    const spy = createServer((request, response) => {
      lines.push(`${request.method} ${request.url}`)
      void bodyOf(request).then(async (body) => {
        const got = await fetch(bed.origin + request.url, {
          method: request.method ?? 'GET',
          headers: Object.fromEntries(
            Object.entries(request.headers).filter(([name]) => /^(aw-|content-type)/.test(name)),
          ) as Record<string, string>,
          ...(body.length && { body: new Uint8Array(body) }),
        })
        response.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? '' })
        response.end(new Uint8Array(await got.arrayBuffer()))
      })
    })
    await new Promise<void>((done) => spy.listen(0, '127.0.0.1', done))
    beds.push({ close: () => void spy.close(() => {}) })
    const client = clientOf({ origin: `http://127.0.0.1:${(spy.address() as AddressInfo).port}` })
    const posted = await client.fetch('/订单/7?name=王 五&x=1', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"a":"文"}',
    })
    expect(await posted.json()).toEqual({
      method: 'POST',
      url: `${encodeURI('/订单/7?name=王 五&x=1')}`,
      type: 'application/json',
      length: '11',
      body: Buffer.from('{"a":"文"}').toString('hex'),
    })
    const got = await client.fetch('/list?secret=1')
    expect(await got.json()).toEqual({ method: 'GET', url: '/list?secret=1', body: '' })
    expect(lines).toEqual([`POST ${SESSION_HTTP.handshakePath}`, `POST ${encodeURI('/订单/7')}`, 'GET /list'])
  })

  test('statuses, empty responses, HEAD and errors of the application come back as they were', async () => {
    const bed = await start((request, response) => {
      const status = Number(request.url?.slice(1))
      response.writeHead(status, { 'content-type': 'text/plain' })
      if (status === 204 || status === 304) response.end()
      else {
        response.write('a')
        response.end('b')
      }
    })
    const client = clientOf(bed)
    for (const status of [200, 201, 404, 409, 500, 503]) {
      const response = await client.fetch(`/${status}`)
      expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
        status,
        'ab',
        'text/plain',
      ])
    }
    for (const status of [204, 304]) expect((await client.fetch(`/${status}`)).status).toBe(status)
    const head = await client.request({ method: 'HEAD', path: '/200' })
    expect([head.status, head.body.length]).toEqual([200, 0])
  })

  test('a listener learns the session, and a plain request is handed on only where that is allowed', async () => {
    const seen: (number | undefined)[] = []
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      seen.push(sessionOf(request)?.keyId)
      response.end('ok')
    }
    const bed = await start(listener, { plainRequests: 'allow' })
    expect(await (await clientOf(bed).fetch('/')).text()).toBe('ok')
    expect(await (await fetch(bed.origin)).text()).toBe('ok')
    expect(seen).toEqual([KEY_ID, undefined])
    const strict = await start(listener)
    expect((await fetch(strict.origin)).status).toBe(400)
    expect(seen.length).toBe(2)
    const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }
    expect((await fetch(strict.origin, preflight)).status).toBe(200)
  })

  test('Fastify runs behind it, with its parsing, errors and streams', async () => {
    const keys = { keyOf: () => SERVER_KEY }
    const app = fastify({ serverFactory: (handler) => createServer(protect(handler as never, keys)) })
    app.post('/sum', (request) => ({ sum: (request.body as number[]).reduce((all, one) => all + one, 0) }))
    app.get('/search', (request) => request.query)
    await app.listen({ port: 0, host: '127.0.0.1' })
    beds.push(app)
    const client = clientOf({ origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` })
    const headers = { 'content-type': 'application/json' }
    const sum = await client.fetch('/sum', { method: 'POST', headers, body: '[1,2,3]' })
    expect(await sum.json()).toEqual({ sum: 6 })
    expect((await client.fetch('/sum', { method: 'POST', headers, body: '[1,' })).status).toBe(400)
    expect(await (await client.fetch('/search?q=x')).json()).toEqual({ q: 'x' })
    expect((await client.fetch('/nothing')).status).toBe(404)
  })

  test('a hundred requests at the same time share one handshake', async () => {
    const sessions = new Set<unknown>()
    const bed = await start((request, response) => {
      sessions.add(sessionOf(request))
      response.end(request.url)
    })
    const client = clientOf(bed)
    const texts = await Promise.all(Array.from({ length: 100 }, async (_, at) => (await client.fetch(`/${at}`)).text()))
    expect(texts).toEqual(Array.from({ length: 100 }, (_, at) => `/${at}`))
    expect(sessions.size).toBe(1)
    client.end()
    await client.fetch('/')
    expect(sessions.size).toBe(2)
  })

  test('a client whose clock is two hours wrong corrects it by the handshake', async () => {
    const bed = await start(echo)
    bed.clock.now += 7_200_000
    expect((await clientOf(bed).fetch('/')).status).toBe(200)
    expect(bed.refused).toEqual(['clock'])
  })

  test('a client fetches the new key where its own is unknown, and goes on through a rotation without a failure', async () => {
    const bed = await start(echo)
    const next = keyPairOf(toBase64url(random(32).fill(1, 0, 8)))
    const reloadKey = async () => ({ keyId: 8, publicKey: toBase64url(next.publicKey) })
    const client = clientOf(bed, { reloadKey })
    const post = () => client.fetch('/', { method: 'POST', body: 'x' })
    expect((await post()).status).toBe(200)
    bed.keys.set(8, next)
    // The sessions of an expired key go on.
    bed.keys.set(KEY_ID, 'key_expired')
    expect((await post()).status).toBe(200)
    expect(bed.refused).toEqual([])
    client.end()
    expect((await post()).status).toBe(200)
    expect(bed.refused).toEqual(['key_expired'])
  })

  test('after a lost session a GET is sent again and a POST is not', async () => {
    let executed = 0
    const bed = await start((_request, response) => {
      executed++
      response.end()
    })
    const client = clientOf(bed)
    await client.fetch('/')
    bed.clock.now += 3_600_000
    const post = client.fetch('/', { method: 'POST', body: 'x' })
    await expect(post).rejects.toMatchObject({ code: 'refused' })
    expect(executed).toBe(1)
    expect((await client.fetch('/')).status).toBe(200)
    bed.clock.now += 3_600_000
    expect((await client.fetch('/')).status).toBe(200)
    expect(executed).toBe(3)
  })

  test('a client accepts neither a plain success nor a server without the private key', async () => {
    const impostor = createServer((_request, response) => response.end('{"paid":true}'))
    await new Promise<void>((done) => impostor.listen(0, '127.0.0.1', done))
    beds.push({ close: () => void impostor.close() })
    const origin = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
    await expect(clientOf({ origin }).fetch('/')).rejects.toMatchObject({ code: 'forged' })
    const bed = await start(echo)
    const other = keyPairOf(toBase64url(random(32).fill(2, 0, 8)))
    const wrong = clientOf(bed, { publicKey: toBase64url(other.publicKey) })
    await expect(wrong.fetch('/')).rejects.toMatchObject({ code: 'forged' })
    await expect(clientOf({ origin: 'http://127.0.0.1:1' }).fetch('/')).rejects.toBeInstanceOf(SecureError)
  })

  test('a response that is too long or compressed becomes a sealed error', async () => {
    const bed = await start(
      (request, response) => {
        if (request.url === '/zip') response.setHeader('content-encoding', 'gzip')
        response.end(Buffer.alloc(request.url === '/long' ? 1001 : 1000))
      },
      { maxBody: 1000 },
    )
    const client = clientOf(bed)
    expect((await client.fetch('/fits')).status).toBe(200)
    expect((await client.fetch('/long')).status).toBe(500)
    expect((await client.fetch('/zip')).status).toBe(500)
  })

  test('a failure of the store, the keys or the listener is a plain or sealed 500 and is reported', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const failing = () => {
      throw new Error('broken')
    }
    const bed = await start(failing, { onError })
    expect((await clientOf(bed).fetch('/')).status).toBe(500)
    const keyless = await start(echo, { onError, keyOf: failing })
    await expect(clientOf(keyless).fetch('/')).rejects.toMatchObject({ code: 'plain', status: 500 })
    expect(errors).toEqual([new Error('broken'), new Error('broken')])
  })

  test('a full store refuses new sessions and leaves the others alone', async () => {
    const { memoryStore } = await import('./session-store.ts')
    const bed = await start(echo, { store: memoryStore({ now: () => Date.now(), maxSessions: 2 }) })
    const first = clientOf(bed)
    await first.fetch('/')
    await clientOf(bed).fetch('/')
    await expect(clientOf(bed).fetch('/')).rejects.toBeInstanceOf(SecureError)
    expect((await first.fetch('/')).status).toBe(200)
  })

  test('a store drops ended sessions when a new one comes, not only when it is full', async () => {
    const { memoryStore } = await import('./session-store.ts')
    let now = 0
    const store = memoryStore({ now: () => now })
    const keys = {
      encryptRequest: random(16),
      macRequest: random(32),
      encryptResponse: random(16),
      macResponse: random(32),
    }
    const session = (id: number, expires: number) => ({
      ...{ id: new Uint8Array(16).fill(id), keyId: KEY_ID, created: 0, expires, keys },
    })
    store.put(session(1, 100))
    store.put(session(2, 1800))
    now = 200_000
    store.put(session(3, 1800))
    expect([1, 2, 3].map((id) => store.claimSequence(session(id, 0).id, 1))).toEqual([false, true, true])
  })

  test('keys that are malformed are refused before anything is sent', () => {
    expect(() => createSecureClient({ origin: 'http://x', keyId: 1, publicKey: 'AAAA' })).toThrow(RangeError)
    expect(() => createSecureClient({ origin: 'x', keyId: 1, publicKey })).toThrow(TypeError)
    expect(() => keyPairOf('AAAA')).toThrow(RangeError)
  })
})
