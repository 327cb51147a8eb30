import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sm2PublicKey } from '#server/http/gm-node.ts'
import { fromHex, toHex, utf8 } from '../gm/bytes.ts'
import { gmNode } from '../gm/gm-openssl.ts'
import { answerHandshake, finishHandshake, type KeyLookup, startHandshake } from './handshake.ts'
import {
  decodeRequestBody,
  decodeResponseBody,
  encodeRequestBody,
  encodeResponseBody,
  SESSION_HTTP,
} from './http-body.ts'
import { openRequest, openResponse, sealRequest, sealResponse, sessionIdOf } from './message.ts'
import { type RefusalReason, refusalAnswer, SessionRefusal } from './refusal.ts'
import { claimSequence, emptyReplayWindow, REPLAY_WINDOW } from './replay-window.ts'
import { decodeSession, encodeSession, MAX_LIFETIME, MAX_PLAINTEXT, MAX_SEQUENCE, type Session } from './session.ts'

const privateKey = fromHex('3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8')
const server = { privateKey, publicKey: sm2PublicKey(privateKey) }
const KEY_ID = 7
const NOW = 1_764_000_000
const random = (length: number) => new Uint8Array(randomBytes(length))
const changed = (bytes: Uint8Array, at: number, by = 1) =>
  bytes.map((byte, index) => (index === (at < 0 ? bytes.length + at : at) ? byte ^ by : byte))

const keyOf = (keyId: number): KeyLookup =>
  keyId === KEY_ID ? server : keyId === 6 ? 'key_expired' : keyId === 5 ? 'key_revoked' : undefined
const start = (over = {}) => startHandshake({ keyId: KEY_ID, publicKey: server.publicKey, now: NOW, random, ...over })
/** A server that remembers its hellos. */
function answering(claimed = new Set<string>()) {
  const claimHello = (digest: Uint8Array) => !claimed.has(toHex(digest)) && Boolean(claimed.add(toHex(digest)))
  return (hello: Uint8Array, over = {}) =>
    answerHandshake(gmNode, hello, keyOf, { now: NOW, random, claimHello, ...over })
}
async function reasonOf(attempt: () => unknown): Promise<RefusalReason | 'accepted'> {
  try {
    await attempt()
    return 'accepted'
  } catch (error) {
    if (error instanceof SessionRefusal) return error.reason
    throw error
  }
}

describe('handshake', () => {
  test('both sides get the same session, and the client knows when it ends', async () => {
    const { hello, pending } = start()
    const { answer, session } = await answering()(hello, { lifetime: 900 })
    const own = finishHandshake(gmNode, pending, answer)
    expect(own).toEqual(session)
    expect([own.keyId, own.created, own.expires]).toEqual([KEY_ID, NOW, NOW + 900])
    expect(new Set(Object.values(own.keys).map(toHex)).size).toBe(4)
  })

  test('no session is longer than thirty minutes, whatever the server asks for', async () => {
    const { hello } = start()
    const { session } = await answering()(hello, { lifetime: 1e9 })
    expect(session.expires - session.created).toBe(1800)
  })

  test('the server refuses each kind of broken hello with its reason', async () => {
    const { hello } = start()
    const answer = answering()
    const cases: [RefusalReason, Uint8Array, object?][] = [
      ['malformed', hello.subarray(1)],
      ['malformed', Uint8Array.of()],
      ['malformed', new Uint8Array(163)],
      ['version', changed(hello, 0)],
      ['version', changed(hello, 1)],
      ['version', changed(hello, 2)],
      ['version', changed(hello, 3)],
      ['key_unknown', changed(hello, 4)],
      ['key_expired', start({ keyId: 6 }).hello],
      ['key_revoked', start({ keyId: 5 }).hello],
      ['clock', start({ now: NOW - 61 }).hello],
      ['clock', start({ now: NOW + 61 }).hello],
      ['point', changed(hello, 32)],
      ['point', changed(hello, 40)],
      ['point', changed(hello, 97, 6)],
      ['point', changed(hello, 161)],
    ]
    for (const [reason, bytes] of cases) expect([reason, await reasonOf(() => answer(bytes))]).toEqual([reason, reason])
    expect(await reasonOf(() => answer(hello))).toBe('accepted')
    expect(await reasonOf(() => answer(hello))).toBe('hello_replayed')
    expect(await reasonOf(() => answer(start({ now: NOW - 60 }).hello))).toBe('accepted')
  })

  test('a refused hello leaves nothing in the store', async () => {
    const claimed = new Set<string>()
    const answer = answering(claimed)
    const { hello } = start()
    for (const bad of [
      hello.subarray(2),
      changed(hello, 1),
      changed(hello, 5),
      changed(hello, 15, 128),
      changed(hello, 50),
    ])
      await reasonOf(() => answer(bad))
    expect(claimed.size).toBe(0)
  })

  test('the client accepts no answer with a changed bit, of another handshake or of another server', async () => {
    const { hello, pending } = start()
    const { answer } = await answering()(hello)
    for (let at = 0; at < answer.length; at += 3)
      expect(await reasonOf(() => finishHandshake(gmNode, pending, changed(answer, at)))).not.toBe('accepted')
    const other = await answering()(start().hello)
    expect(await reasonOf(() => finishHandshake(gmNode, pending, other.answer))).toBe('not_confirmed')
    const wrong = { privateKey: random(32), publicKey: server.publicKey }
    const impostor = await answerHandshake(gmNode, hello, () => wrong, { now: NOW, random, claimHello: () => true })
    expect(await reasonOf(() => finishHandshake(gmNode, pending, impostor.answer))).toBe('not_confirmed')
    // A hello that was changed on its way: what the server answers does not fit what the client sent.
    for (const at of [7, 15, 20]) {
      const altered = await answerHandshake(gmNode, changed(hello, at), () => server, {
        now: NOW,
        random,
        claimHello: () => true,
      })
      expect(await reasonOf(() => finishHandshake(gmNode, pending, altered.answer))).toBe('not_confirmed')
    }
  })

  test('arbitrary bytes make both sides refuse and nothing else', async () => {
    const { pending } = start()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(await reasonOf(() => answering()(bytes))).not.toBe('accepted')
        expect(await reasonOf(() => finishHandshake(gmNode, pending, bytes))).not.toBe('accepted')
      }),
    )
  })
})

test('a session is stored as 133 bytes and read back; other bytes are none', async () => {
  const { session } = await answering()(start().hello)
  const record = encodeSession(session)
  expect(record.length).toBe(133)
  expect(decodeSession(record)).toEqual(session)
  expect(decodeSession(record.subarray(1))).toBeUndefined()
  expect(decodeSession(changed(record, 0))).toBeUndefined()
})

describe('messages', () => {
  const made: Session = {
    id: random(16),
    keyId: KEY_ID,
    created: NOW,
    expires: NOW + 1800,
    keys: {
      encryptRequest: random(16),
      macRequest: random(32),
      encryptResponse: random(16),
      macResponse: random(32),
    },
  }
  const target = { method: 'POST', path: '/orders/1' }
  const seal = (plain: Uint8Array, over = {}) =>
    sealRequest(gmNode, made, plain, { sequence: 1, time: NOW, iv: random(16), ...target, ...over })
  const open = (message: Uint8Array, over = {}) => openRequest(gmNode, made, message, { ...target, now: NOW, ...over })

  test('requests and responses of any content open at the other side and nowhere else', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: MAX_SEQUENCE }),
        fc.integer({ min: 100, max: 599 }),
        (plain, sequence, status) => {
          const request = seal(plain, { sequence })
          expect(sessionIdOf(request)).toEqual(made.id)
          const opened = open(request)
          expect([toHex(opened.plaintext), opened.sequence, opened.time]).toEqual([toHex(plain), sequence, NOW])
          const response = sealResponse(gmNode, made, plain, { status, sequence, time: NOW, iv: random(16) })
          const got = openResponse(gmNode, made, response, { status, sequence })
          expect(toHex(got.plaintext)).toBe(toHex(plain))
          expect(() => open(response)).toThrow(SessionRefusal)
          expect(() => openResponse(gmNode, made, request, { status, sequence })).toThrow(SessionRefusal)
          expect(() => openResponse(gmNode, made, response, { status: status + 1, sequence })).toThrow(SessionRefusal)
        },
      ),
    )
  })

  test('a changed bit anywhere is refused, and none of the refusals names its place to the other side', async () => {
    const message = seal(utf8('{"amount":100}'))
    const codes = new Set<string>()
    for (let at = 0; at < message.length; at++) {
      const attempt = () => open(changed(message, at, 1 << (at % 8)))
      expect(await reasonOf(attempt)).not.toBe('accepted')
      try {
        attempt()
      } catch (error) {
        codes.add((error as SessionRefusal).code)
      }
    }
    expect([...codes]).toEqual(['refused'])
  })

  test('the number after the last one is not used, and the time of a message may differ by a minute', async () => {
    expect(() => seal(utf8('x'), { sequence: MAX_SEQUENCE + 1 })).toThrow(RangeError)
    expect(() => seal(utf8('x'), { sequence: 0 })).toThrow(RangeError)
    for (const [reason, over] of [
      ['accepted', { now: NOW + 60 }],
      ['clock', { now: NOW + 61 }],
      ['session_expired', { now: NOW + 1800 }],
    ] as const)
      expect(await reasonOf(() => open(seal(utf8('x')), over))).toBe(reason)
  })
})

describe('replay window', () => {
  test('it accepts each number once, as a set of all accepted numbers with a lower end does', () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5000 })), {
      maxLength: 120,
    })
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: MAX_SEQUENCE - 5000 }), (numbers, base) => {
        let window = emptyReplayWindow()
        const seen = new Set<number>()
        let highest = 0
        for (const number of numbers.map((one) => one + base)) {
          const next = claimSequence(window, number)
          const expected = !seen.has(number) && number > highest - REPLAY_WINDOW
          expect(next !== undefined).toBe(expected)
          if (!next) continue
          seen.add(number)
          highest = Math.max(highest, number)
          window = next
          expect(window.highest).toBe(highest)
        }
      }),
    )
  })

  test('numbers out of range are refused, and the given window is not changed', () => {
    const window = emptyReplayWindow()
    for (const number of [0, -1, 1.5, Number.NaN, MAX_SEQUENCE + 1])
      expect(claimSequence(window, number)).toBeUndefined()
    expect(claimSequence(window, 1)?.highest).toBe(1)
    expect(window).toEqual(emptyReplayWindow())
  })
})

describe('HTTP binding', () => {
  test('media type, query and body come back as they were', () => {
    const word = fc.stringMatching(/^[!"$-~]{0,40}$/)
    fc.assert(
      fc.property(word, word, fc.uint8Array(), (contentType, query, body) => {
        expect(decodeRequestBody(encodeRequestBody({ contentType, query, body }))).toEqual({ contentType, query, body })
        expect(decodeResponseBody(encodeResponseBody({ contentType, body }))).toEqual({ contentType, body })
      }),
    )
  })
  test('a query or media type that would split the next request is neither written nor read', () => {
    const body = new Uint8Array()
    for (const query of ['a b', 'a\r\nx: y', 'a#b', 'é'])
      expect(() => encodeRequestBody({ contentType: '', query, body })).toThrow(RangeError)
    expect(() => encodeResponseBody({ contentType: 'a\nb', body })).toThrow(RangeError)
    expect(decodeRequestBody(Uint8Array.of(0, 0, 0, 3, 97, 32, 98))).toBeUndefined()
    expect(decodeResponseBody(Uint8Array.of(0, 1, 10))).toBeUndefined()
    for (const cut of [[], [0], [0, 1], [0, 0], [0, 0, 0], [0, 0, 0, 1]])
      expect(decodeRequestBody(Uint8Array.from(cut))).toBeUndefined()
  })
})

test('a refusal has the same bytes for all reasons of its code', () => {
  expect(refusalAnswer(new SessionRefusal('tag').code, NOW)).toEqual(
    refusalAnswer(new SessionRefusal('replayed').code, NOW),
  )
  expect(refusalAnswer('unknown_key', NOW)).toEqual({ status: 409, body: '{"error":"unknown_key"}' })
  expect(refusalAnswer('clock', NOW).body).toBe(`{"error":"clock","server_time":${NOW}}`)
})

test('the protocol document names every constant of the code', () => {
  const text = readFileSync('sdk/session/protocol.md', 'utf8')
  const { handshakePath, mediaType, messageHeader, sdkHeader } = SESSION_HTTP
  for (const word of [`POST ${handshakePath}`, `\`${mediaType}\``, `\`${messageHeader}\``, `\`${sdkHeader}: `])
    expect(text).toContain(word)
  for (const code of ['refused', 'unknown_key', 'clock'] as const) {
    const { status, body } = refusalAnswer(code, 0)
    expect(text).toContain(`| ${status} | \`${body.replace(/0}$/, '<Unix seconds>}')}\` |`)
  }
  expect(text).toContain(`1 to ${MAX_SEQUENCE}`)
  expect(text).toContain(`n = 16 to ${MAX_PLAINTEXT + 16}`)
  expect(text).toContain(`1 to ${MAX_LIFETIME}`)
})
