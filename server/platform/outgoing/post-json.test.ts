import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postJson } from './post-json.ts'
import { mayConnect, webhookProblem } from './target-check.ts'

let server: Server
let port = 0
let hits = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    hits++
    if (request.url === '/moved') return response.writeHead(302, { location: 'http://127.0.0.1/else' }).end()
    if (request.url === '/slow') return
    if (request.url === '/endless') {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(4096)), 5)
      response.on('close', () => clearInterval(more))
      return
    }
    request.resume().on('end', () => response.writeHead(200).end('taken'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const post = (path: string, more: Partial<Parameters<typeof postJson>[0]> = {}) =>
  postJson({ url: `http://127.0.0.1:${port}${path}`, body: '{}', headers: {}, internal: true, timeoutMs: 400, ...more })

test('[REQ-05] no loopback, private, link-local, mapped or reserved address is reached from outside settings', () => {
  for (const bad of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1%eth0',
    '',
    'localhost',
    '127.1',
    '0x7f000001',
  ])
    expect(mayConnect(bad, false), bad).toBe(false)
  for (const good of ['8.8.8.8', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8'])
    expect(mayConnect(good, false), good).toBe(true)
  for (const never of ['169.254.169.254', '0.0.0.0', '::ffff:169.254.169.254', 'fe80::1'])
    expect(mayConnect(never, true), never).toBe(false)
  expect(mayConnect('10.0.0.1', true)).toBe(true)
  // However an IPv4 address is wrapped in an IPv6 one, the answer is that of the IPv4 address.
  fc.assert(
    fc.property(fc.ipV4(), fc.boolean(), (four, internal) => {
      const [a, b, c, d] = four.split('.').map(Number) as [number, number, number, number]
      const hex = `::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      expect(mayConnect(hex, internal)).toBe(mayConnect(four, internal))
      expect(mayConnect(`::ffff:${four}`, internal)).toBe(mayConnect(four, internal))
    }),
  )
})

test('[REQ-05] a target that is no web address, contains a password or names an internal host is refused with its name', () => {
  expect(webhookProblem('ftp://example.com/x', false)).toBe('scheme')
  expect(webhookProblem('javascript:alert(1)', false)).toBe('url')
  expect(webhookProblem('https://user:pass@example.com', false)).toBe('url')
  expect(webhookProblem('https://example.com:8443/', false)).toBe('port')
  expect(webhookProblem('https://example.com:8443/', true)).toBeUndefined()
  expect(webhookProblem('http://localhost/', false)).toBe('private')
  expect(webhookProblem('http://[::ffff:127.0.0.1]/', false)).toBe('private')
  expect(webhookProblem('http://2130706433/', false)).toBeDefined()
  expect(webhookProblem('https://hooks.example.com/a?b=c', false)).toBeUndefined()
  fc.assert(fc.property(fc.string(), (text) => void webhookProblem(text, false)))
})

test('a name that resolves to a private address is refused before any connection is made', async () => {
  const before = hits
  const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const answer = await post('/', { url: 'http://hooks.example.com/', internal: false, lookup })
  expect(answer).toEqual({ status: null, answer: 'address refused: private', internal: false })
  expect(hits).toBe(before)
})

test('postJson returns the answer, follows no redirect, stops at its time-out and reads no endless answer', async () => {
  expect(await post('/')).toEqual({ status: 200, answer: 'taken', internal: true })
  expect((await post('/moved')).status).toBe(302)
  expect((await post('/slow')).status).toBeNull()
  const endless = await post('/endless', { timeoutMs: 3000 })
  expect(endless.status).toBe(200)
  expect(endless.answer.length).toBeLessThanOrEqual(500)
  expect((await post('/', { url: 'http://127.0.0.1:1/' })).status).toBeNull()
})
