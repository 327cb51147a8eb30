import { afterAll, beforeAll, expect, test } from 'vitest'
import { concat, toBase64url, uint, utf8 } from '#engines/gm/bytes.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { startHandshake } from '#engines/session/handshake.ts'
import { encodeRequestBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { openResponse, sealRequest, sealResponse } from '#engines/session/message.ts'
import { type RefusalCode, type RefusalReason, SessionRefusal } from '#engines/session/refusal.ts'
import { MAX_SEQUENCE, type Session } from '#engines/session/session.ts'
import { KEY_ID, random, SERVER_KEY, type SessionBed, startSessionBed } from '#tests/support/session/session-bed.ts'

/** Kinds of broken messages, sent to a server over HTTP; and broken responses, given to a client. */

let bed: SessionBed
let executed = 0
beforeAll(async () => {
  bed = await startSessionBed(
    (_request, response) => {
      executed++
      response.end('done')
    },
    { maxBody: 100_000 },
  )
})
afterAll(() => bed.close())

const TARGET = { method: 'POST', path: '/pay' }
const seconds = () => Math.floor(bed.clock.now / 1000)
const changed = (bytes: Uint8Array, at: number, by = 1) =>
  bytes.map((byte, index) => (index === (at < 0 ? bytes.length + at : at) ? byte ^ by : byte))
const hello = (over: { keyId?: number; now?: number } = {}) =>
  startHandshake({ keyId: KEY_ID, publicKey: SERVER_KEY.publicKey, now: seconds(), random, ...over }).hello
const PLAIN = encodeRequestBody({ contentType: 'application/json', query: '', body: utf8('{"amount":100,"to":"Li"}') })
const seal = (session: Session, over: Partial<Parameters<typeof sealRequest>[3]> = {}, plain = PLAIN) =>
  sealRequest(gmNode, session, plain, { sequence: 1, time: seconds(), iv: random(16), ...TARGET, ...over })

type Sending = { path?: string; method?: string; body?: Uint8Array; headers?: Record<string, string> }
async function send({ path = TARGET.path, method = 'POST', body, headers = {} }: Sending) {
  const response = await fetch(bed.origin + path, {
    method,
    headers: { ...(body && { 'content-type': SESSION_HTTP.mediaType }), ...headers },
    ...(body && { body: body as Uint8Array<ArrayBuffer> }),
  })
  return { status: response.status, text: await response.text() }
}
const greet = (body: Uint8Array): Sending => ({ path: SESSION_HTTP.handshakePath, body })

/** Seals what seal() refuses to: any head and any text, with a tag that fits. */
function forge(session: Session, head: Uint8Array, iv: Uint8Array, text: Uint8Array): Uint8Array {
  const sealed = concat(head, iv, text)
  const lp = (word: string) => concat(uint(word.length, 2), utf8(word))
  const covered = concat(utf8('req'), lp(TARGET.method), lp(TARGET.path), sealed)
  return concat(sealed, gmNode.hmacSm3(session.keys.macRequest, covered))
}

type Kind = [name: string, reason: RefusalReason, make: (session: Session) => Sending | Promise<Sending>]
const point = (message: Uint8Array, at: number, bytes: Uint8Array) =>
  concat(message.subarray(0, at), bytes, message.subarray(at + bytes.length))

const KINDS: Kind[] = [
  ['hello: empty', 'malformed', () => greet(new Uint8Array())],
  ['hello: one byte short', 'malformed', () => greet(hello().subarray(0, 161))],
  ['hello: one byte long', 'malformed', () => greet(concat(hello(), Uint8Array.of(0)))],
  ['hello: version 2', 'version', () => greet(changed(hello(), 0, 3))],
  ['hello: suite 1', 'version', () => greet(changed(hello(), 1, 2))],
  ['hello: kind of an answer', 'version', () => greet(changed(hello(), 2, 3))],
  ['hello: a flag', 'version', () => greet(changed(hello(), 3))],
  ['hello: unknown key id', 'key_unknown', () => greet(hello({ keyId: 99 }))],
  ['hello: expired key', 'key_expired', () => greet(hello({ keyId: 6 }))],
  ['hello: revoked key', 'key_revoked', () => greet(hello({ keyId: 5 }))],
  ['hello: 61 seconds old', 'clock', () => greet(hello({ now: seconds() - 61 }))],
  ['hello: 61 seconds early', 'clock', () => greet(hello({ now: seconds() + 61 }))],
  ['hello: compressed form of P_A', 'point', () => greet(changed(hello(), 32, 6))],
  ['hello: P_A outside the curve', 'point', () => greet(changed(hello(), 96))],
  ['hello: R_A outside the curve', 'point', () => greet(changed(hello(), 161))],
  ['hello: R_A of zeros', 'point', () => greet(point(hello(), 97, new Uint8Array(65)))],
  ['hello: x of R_A not below p', 'point', () => greet(point(hello(), 98, new Uint8Array(32).fill(255)))],
  [
    'hello: sent again',
    'hello_replayed',
    async () => {
      const bytes = hello()
      expect((await send(greet(bytes))).status).toBe(200)
      return greet(bytes)
    },
  ],
  ['message: empty', 'malformed', () => ({ body: new Uint8Array() })],
  ['message: one byte short', 'malformed', (s) => ({ body: seal(s).subarray(1) })],
  ['message: one byte long', 'malformed', (s) => ({ body: concat(seal(s), Uint8Array.of(0)) })],
  ['message: head and tag without text', 'malformed', (s) => ({ body: seal(s).subarray(0, 80) })],
  ['message: its last block removed', 'tag', (s) => ({ body: seal(s).subarray(0, -16) })],
  [
    'message: a block in its text removed',
    'tag',
    (s) => ({ body: concat(seal(s).subarray(0, 48), seal(s).subarray(64)) }),
  ],
  ['message: longer than the limit', 'malformed', (s) => ({ body: seal(s, {}, new Uint8Array(300_000)) })],
  ['message: version 2', 'version', (s) => ({ body: changed(seal(s), 0, 3) })],
  ['message: suite 1', 'version', (s) => ({ body: changed(seal(s), 1, 2) })],
  [
    'message: a response sent back',
    'version',
    (s) => ({
      body: sealResponse(gmNode, s, PLAIN, { status: 200, sequence: 1, time: seconds(), iv: random(16) }),
    }),
  ],
  ['message: a flag', 'version', (s) => ({ body: changed(seal(s), 3) })],
  ['message: unknown session', 'session_unknown', (s) => ({ body: changed(seal(s), 4) })],
  ['message: moved to another session', 'tag', async (s) => ({ body: point(seal(s), 4, (await bed.session()).id) })],
  [
    'message: session at its end',
    'session_unknown',
    (s) => {
      bed.clock.now += 1_800_000
      return { body: seal(s) }
    },
  ],
  [
    'message: key revoked during the session',
    'key_revoked',
    (s) => {
      bed.keys.set(KEY_ID, 'key_revoked')
      return { body: seal(s) }
    },
  ],
  ['message: sequence number changed', 'tag', (s) => ({ body: changed(seal(s), 23, 3) })],
  ['message: time changed', 'tag', (s) => ({ body: changed(seal(s), 31) })],
  ['message: IV changed', 'tag', (s) => ({ body: changed(seal(s), 32) })],
  ['message: text changed', 'tag', (s) => ({ body: changed(seal(s), 50) })],
  ['message: last byte of the text changed', 'tag', (s) => ({ body: changed(seal(s), -33) })],
  ['message: tag changed', 'tag', (s) => ({ body: changed(seal(s), -1, 128) })],
  ['message: tag of zeros', 'tag', (s) => ({ body: concat(seal(s).subarray(0, -32), new Uint8Array(32)) })],
  ['message: sent to another path', 'tag', (s) => ({ path: '/refund', body: seal(s) })],
  ['message: path in another encoding', 'tag', (s) => ({ path: '/%70ay', body: seal(s) })],
  ['message: sent with another method', 'tag', (s) => ({ method: 'PUT', body: seal(s) })],
  ['message: 61 seconds old', 'clock', (s) => ({ body: seal(s, { time: seconds() - 61 }) })],
  ['message: 61 seconds early', 'clock', (s) => ({ body: seal(s, { time: seconds() + 61 }) })],
  [
    'message: sent again',
    'replayed',
    async (s) => {
      const body = seal(s)
      expect((await send({ body })).status).toBe(200)
      return { body }
    },
  ],
  [
    'message: number used again',
    'replayed',
    async (s) => {
      await send({ body: seal(s, { sequence: 9 }) })
      return { body: seal(s, { sequence: 9 }) }
    },
  ],
  [
    'message: number below the window',
    'replayed',
    async (s) => {
      await send({ body: seal(s, { sequence: 2000 }) })
      return { body: seal(s, { sequence: 976 }) }
    },
  ],
  [
    'message: number 0',
    'sequence',
    (s) => ({
      body: forge(s, concat(seal(s).subarray(0, 20), uint(0, 4), uint(seconds(), 8)), random(16), random(16)),
    }),
  ],
  [
    'message: number above the last one',
    'sequence',
    (s) => ({
      body: forge(
        s,
        concat(seal(s).subarray(0, 20), uint(MAX_SEQUENCE + 1, 4), uint(seconds(), 8)),
        random(16),
        random(16),
      ),
    }),
  ],
  [
    'message: wrong padding under a right tag',
    'tag',
    (s) => ({
      body: forge(
        s,
        seal(s).subarray(0, 32),
        random(16),
        gmNode.sm4Encrypt(s.keys.encryptRequest, random(16), random(40)).subarray(0, 32),
      ),
    }),
  ],
  [
    'message: plaintext without media type and query',
    'body',
    (s) => ({ body: seal(s, {}, Uint8Array.of(255, 255, 1)) }),
  ],
  [
    'message: a query with a line end inside',
    'body',
    (s) => ({ body: seal(s, {}, concat(uint(0, 2), uint(4, 2), utf8('a\r\nb'))) }),
  ],
  ['message: query outside', 'malformed', (s) => ({ path: '/pay?to=Wang', body: seal(s) })],
  [
    'message: in header and body',
    'malformed',
    (s) => ({ body: seal(s), headers: { [SESSION_HTTP.messageHeader]: toBase64url(seal(s)) } }),
  ],
  [
    'message: header with padding',
    'malformed',
    (s) => ({ headers: { [SESSION_HTTP.messageHeader]: `${toBase64url(seal(s))}==` } }),
  ],
  [
    'message: header in another form of base64',
    'malformed',
    (s) => {
      // 113 bytes are 151 characters, the last of which has two unused bits.
      const text = toBase64url(seal(s).subarray(0, 113))
      const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      const last = other[other.indexOf(text.at(-1) as string) | 1] as string
      return { headers: { [SESSION_HTTP.messageHeader]: text.slice(0, -1) + last } }
    },
  ],
  ['plain request', 'plain', () => ({ headers: { 'content-type': 'application/json' } })],
]
const CODES: Partial<Record<RefusalReason, RefusalCode>> = {
  key_unknown: 'unknown_key',
  key_expired: 'unknown_key',
  key_revoked: 'unknown_key',
  clock: 'clock',
}

test('at least 38 kinds of broken messages are tried', () => {
  expect(KINDS.length).toBeGreaterThanOrEqual(38)
  expect(new Set(KINDS.map(([name]) => name)).size).toBe(KINDS.length)
})

test.each(KINDS)('a broken request is refused and not executed: %s', async (_name, reason, make) => {
  const keys = new Map(bed.keys)
  const sending = await make(await bed.session())
  const before = executed
  bed.refused.length = 0
  const { status, text } = await send(sending)
  expect(bed.refused).toEqual([reason])
  expect(executed).toBe(before)
  const code = CODES[reason] ?? 'refused'
  expect([status, text]).toEqual(
    {
      refused: [400, '{"error":"refused"}'],
      unknown_key: [409, '{"error":"unknown_key"}'],
      clock: [400, `{"error":"clock","server_time":${seconds()}}`],
    }[code],
  )
  for (const [id, key] of keys) bed.keys.set(id, key)
})

test('500 messages that were accepted are all refused when sent again, in any order', async () => {
  const session = await bed.session()
  const messages = Array.from({ length: 500 }, (_, at) => seal(session, { sequence: at + 1 }))
  for (const body of messages) expect((await send({ body })).status).toBe(200)
  const before = executed
  bed.refused.length = 0
  for (const body of messages.toReversed()) expect((await send({ body })).status).toBe(400)
  expect([executed - before, new Set(bed.refused)]).toEqual([0, new Set(['replayed'])])
})

const RESPONSES: [string, (session: Session, response: Uint8Array) => { message: Uint8Array; status?: number }][] = [
  ['status changed', (_, message) => ({ message, status: 201 })],
  [
    'of another request',
    (s) => ({ message: sealResponse(gmNode, s, PLAIN, { status: 200, sequence: 2, time: seconds(), iv: random(16) }) }),
  ],
  ['the request itself', (s) => ({ message: seal(s) })],
  ['text changed', (_, message) => ({ message: changed(message, 50) })],
  ['time changed', (_, message) => ({ message: changed(message, 31) })],
  ['tag changed', (_, message) => ({ message: changed(message, -1) })],
  ['cut', (_, message) => ({ message: message.subarray(0, -16) })],
  ['empty', () => ({ message: new Uint8Array() })],
  ['plain text', () => ({ message: utf8('{"paid":true}'.padEnd(96)) })],
]
test.each(RESPONSES)('a broken response is not opened: %s', async (_name, make) => {
  const session = await bed.session()
  const sound = sealResponse(gmNode, session, PLAIN, { status: 200, sequence: 1, time: seconds(), iv: random(16) })
  expect(openResponse(gmNode, session, sound, { status: 200, sequence: 1 }).plaintext).toEqual(Buffer.from(PLAIN))
  const { message, status = 200 } = make(session, sound)
  expect(() => openResponse(gmNode, session, message, { status, sequence: 1 })).toThrow(SessionRefusal)
})
