import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenPrivate } from '#storage/local-socket/listen-private.ts'
import { waitFor } from '#tests/support/running-server.ts'
import { readConfig } from '../config.ts'
import { createForwarder } from './forward.ts'
import { answerUnavailable, createPublicServer } from './public-server.ts'

let folder: string
let paths: { console: string; relay: string }
const closers: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'public-'))
  paths = { console: join(folder, 'console.sock'), relay: join(folder, 'relay.sock') }
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** The public port with a collector that answers 'own'; answers its port. */
async function openPort({ env = {}, roles = ['web', 'ingest', 'relay'] } = {}): Promise<number> {
  const config = readConfig({ APPWARDEN_DATA: folder, APPWARDEN_ROLES: roles.join(), ...env }, '1')
  const forwarder = (path: string) => createForwarder({ path, unavailable: answerUnavailable })
  const app: FastifyInstance = await createPublicServer({
    config,
    now: Date.now,
    back: {
      console: roles.includes('web') ? forwarder(paths.console) : undefined,
      relay: roles.includes('relay') ? forwarder(paths.relay) : undefined,
    },
    ...(roles.includes('ingest') && {
      ingestRoutes: async (scope: FastifyInstance) => {
        scope.post('/collect/v1/events', () => 'own')
      },
    }),
    health: () => Promise.reject(new Error('the cause of this failure')),
    metrics: async () => 'up 1',
    metricsAccess: { meta: undefined as never, now: Date.now },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  closers.push(() => app.close())
  return (app.server.address() as AddressInfo).port
}

/** A process behind the port. */
async function openBack(path: string, server: Server): Promise<void> {
  await listenPrivate(server, path)
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
}
const bodyOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray())

/** Bytes in, bytes out, on one connection that the server may close or not; ends after `answers` status lines. */
function talk(port: number, text: string, answers: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.setTimeout(5000, () => reject(new Error(`heard only ${heard}`)))
    socket.on('error', reject)
    const done = () => {
      socket.destroy()
      resolve(heard)
    }
    socket.on('data', (data) => {
      heard += data.toString('latin1')
      if ((heard.match(/HTTP\/1\.1 (?!100)\d/g)?.length ?? 0) >= answers && /\n\r?\n[\s\S]*$/.test(heard))
        setTimeout(done, 100)
    })
    socket.on('close', done)
    socket.write(text)
  })
}

test('one connection may ask collector, console and relay in turn', async () => {
  await openBack(
    paths.console,
    createServer((request, response) => response.end(`console ${request.url}`)),
  )
  await openBack(
    paths.relay,
    createServer((request, response) => response.end(`relay ${request.url}`)),
  )
  const port = await openPort()
  const lines = ['POST /collect/v1/events', 'GET /login', 'GET /live/?x=1', 'POST /collect/v1/events', 'GET /collected']
  const heard = await talk(
    port,
    lines.map((line) => `${line} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`).join(''),
    5,
  )
  expect(heard.match(/\b(own|console \/[a-z]+|relay \/live\/\?x=1)/g)).toEqual([
    'own',
    'console /login',
    'relay /live/?x=1',
    'own',
    'console /collected',
  ])
  expect(statSync(paths.console).mode & 0o777).toBe(0o600)
})

test('the console hears the client address from the owner of the port alone, and trusted proxies count', async () => {
  await openBack(
    paths.console,
    createServer((request, response) => response.end(JSON.stringify(request.headers))),
  )
  const forged = {
    'x-forwarded-for': '1.2.3.4',
    'x-request-id': 'mine',
    forwarded: 'for=9.9.9.9',
    'x-real-ip': '8.8.8.8',
  }
  const ask = async (port: number) =>
    (await (await fetch(`http://127.0.0.1:${port}/a`, { headers: forged })).json()) as object
  const direct = (await ask(await openPort())) as Record<string, string>
  expect(direct).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{6}-/),
  })
  expect(direct['forwarded'] ?? direct['x-real-ip']).toBe(undefined)
  const proxied = await ask(await openPort({ env: { APPWARDEN_TRUST_PROXY: '127.0.0.1' } }))
  expect(proxied).toMatchObject({ 'x-forwarded-for': '1.2.3.4' })
})

test('uploads stream through with back-pressure, 100-continue is answered, and an early refusal reaches the client', async () => {
  let [received, ahead] = [0, 0]
  await openBack(
    paths.console,
    createServer(async (request, response) => {
      if (request.url === '/refuse') return response.writeHead(413, { connection: 'close' }).end('too large')
      const hash = createHash('sha256')
      for await (const part of request) {
        hash.update(part)
        received += (part as Buffer).length
        await new Promise((wake) => setTimeout(wake, 1))
      }
      response.end(hash.digest('hex'))
    }),
  )
  const port = await openPort()
  const [part, parts] = [randomBytes(64 * 1024), 512]
  const whole = createHash('sha256')
  let sent = 0
  const call = httpRequest({ port, host: '127.0.0.1', path: '/upload', method: 'POST' })
  const answered = once(call, 'response')
  for (let index = 0; index < parts; index++) {
    whole.update(part)
    // The client sends no faster than the server reads.
    if (!call.write(part)) await once(call, 'drain')
    sent += part.length
    ahead = Math.max(ahead, sent - received)
  }
  call.end()
  const [answer] = (await answered) as [IncomingMessage]
  expect(String(await bodyOf(answer))).toBe(whole.digest('hex'))
  expect(received).toBe(part.length * parts)
  // Of 32 MB only what the buffers of sockets hold is on its way at any time.
  expect(ahead).toBeLessThan(16 * 1024 * 1024)
  const head = 'POST /upload HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\nexpect: 100-continue\r\n\r\nabc'
  expect(await talk(port, head, 1)).toMatch(/^HTTP\/1\.1 100 Continue\r\n[\s\S]*HTTP\/1\.1 200 OK[\s\S]*ba7816bf/)
  const chunked = 'POST /upload HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'
  expect(await talk(port, chunked, 1)).toContain('ba7816bf')
  const refused = 'POST /refuse HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999\r\n\r\nabc'
  expect(await talk(port, refused, 1)).toMatch(/413[\s\S]*connection: close[\s\S]*too large/)
})

test('a client that leaves ends its request in the console', async () => {
  let left = false
  await openBack(
    paths.console,
    createServer((request, response) => {
      response.on('close', () => {
        left = !response.writableFinished
      })
      void bodyOf(request)
    }),
  )
  const port = await openPort()
  const call = httpRequest({ port, host: '127.0.0.1', path: '/slow' }).on('error', () => {})
  call.end()
  setTimeout(() => call.destroy(), 100)
  await waitFor(() => left, 3000, 'the console to notice')
})

test('while a process is away its paths answer 503 with the product error, pages try again, the others are served', async () => {
  const port = await openPort()
  const url = `http://127.0.0.1:${port}`
  const api = await fetch(`${url}/api/x`, { method: 'POST', body: '{}', headers: { 'accept-language': 'en' } })
  expect([api.status, api.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await api.json()).toEqual({ code: 500118, codemsg: 'The service is starting', key: 'server.starting' })
  const page = await fetch(`${url}/login`, { headers: { accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('http-equiv="refresh"')])
  // Chromium follows no refresh of a sandboxed document.
  expect(page.headers.get('content-security-policy')).not.toContain('sandbox')
  expect(await (await fetch(`${url}/collect/v1/events`, { method: 'POST' })).text()).toBe('own')
  const upgrade = 'GET /live/ HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'
  expect(await talk(port, upgrade, 1)).toMatch(/^HTTP\/1\.1 503 /)
  await openBack(
    paths.console,
    createServer((_request, response) => response.end('back')),
  )
  expect(await (await fetch(`${url}/login`)).text()).toBe('back')
})

test('an answer of the console that breaks off breaks off for the client too', async () => {
  await openBack(
    paths.console,
    createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half')
      setTimeout(() => response.destroy(), 50)
    }),
  )
  const port = await openPort()
  await expect(fetch(`http://127.0.0.1:${port}/x`).then((answer) => answer.text())).rejects.toThrow()
})

test('upgraded connections carry bytes both ways to the relay and to nothing else', async () => {
  const relay = createServer()
  relay.on('upgrade', (request, socket, head) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n`)
    socket.write(`from ${request.headers['x-forwarded-for']} ${head}`.toUpperCase())
    socket.on('data', (data: Buffer) => socket.write(data.toString().toUpperCase()))
  })
  await openBack(paths.relay, relay)
  const port = await openPort()
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 6.6.6.6\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`
  expect(await talk(port, `${upgrade('/live/?EIO=4')}ping`, 1)).toMatch(
    /^HTTP\/1\.1 101 [\s\S]*FROM 127\.0\.0\.1 PING$/,
  )
  expect(await talk(port, upgrade('/api/x'), 1)).toMatch(/^HTTP\/1\.1 404 /)
})

test('a node without a role does not serve its paths: an ingest node has no console, no API and no live socket', async () => {
  await openBack(
    paths.console,
    createServer((_request, response) => response.end('console')),
  )
  const port = await openPort({ roles: ['ingest'] })
  for (const path of ['/login', '/api/login/', '/', '/live/', '/license-remind'])
    expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 404])
  expect((await fetch(`http://127.0.0.1:${port}/collect/v1/events`, { method: 'POST' })).status).toBe(200)
  const console = await openPort({ roles: ['web'] })
  expect((await fetch(`http://127.0.0.1:${console}/collect/v1/events`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${console}/login`)).status).toBe(200)
})

test('two Host headers are refused, and on loopback so is a name that is not of this machine (DNS rebinding)', async () => {
  await openBack(
    paths.console,
    createServer((_request, response) => response.end('console')),
  )
  const port = await openPort()
  const get = (hosts: string[], path = '/login') =>
    talk(port, `GET ${path} HTTP/1.1\r\n${hosts.map((host) => `host: ${host}\r\n`).join('')}\r\n`, 1)
  expect(await get(['localhost', 'localhost'])).toMatch(/^HTTP\/1\.1 400 /)
  for (const host of [
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    'localhost.evil.example',
  ])
    expect(await get([host])).toMatch(/^HTTP\/1\.1 421 [\s\S]*request\.host/)
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:80', 'console.localhost', 'LOCALHOST'])
    expect(await get([host])).toMatch(/^HTTP\/1\.1 200 /)
  expect(await get(['10.0.2.2'], '/collect/v1/x')).toMatch(/^HTTP\/1\.1 404 /)
  const open = await openPort({ env: { APPWARDEN_TRUST_PROXY: '127.0.0.1' } })
  expect(await talk(open, 'GET /login HTTP/1.1\r\nhost: console.example\r\n\r\n', 1)).toMatch(/^HTTP\/1\.1 200 /)
})
