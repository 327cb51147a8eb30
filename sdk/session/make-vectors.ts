import { concat, fromHex, toHex, uint, utf8 } from '#engines/gm/bytes.ts'
import { gmPortable as gm } from '#engines/gm/gm-portable.ts'
import { answerHandshake, finishHandshake, startHandshake } from '#engines/session/handshake.ts'
import { encodeRequestBody, encodeResponseBody } from '#engines/session/http-body.ts'
import { openRequest, sealRequest, sealResponse } from '#engines/session/message.ts'
import { SessionRefusal } from '#engines/session/refusal.ts'
import { MAX_SEQUENCE, type Session } from '#engines/session/session.ts'
import { keyPairOf } from './node.ts'

/** Bytes that are the same in every run: SM3 over a name and a counter. */
export function fixedBytes(name: string): (length: number) => Uint8Array {
  let counter = 0
  let left: Uint8Array = new Uint8Array()
  return (length) => {
    while (left.length < length) left = concat(left, gm.sm3(concat(utf8(name), uint(counter++, 4))))
    const taken = left.slice(0, length)
    left = left.slice(length)
    return taken
  }
}

/** `taken` is all that the source gave. */
function recorded(name: string) {
  const source = fixedBytes(name)
  let taken: Uint8Array = new Uint8Array()
  const random = (length: number) => {
    const bytes = source(length)
    taken = concat(taken, bytes)
    return bytes
  }
  return { random, taken: () => toHex(taken) }
}

const NOW = 1_764_000_000
const PRIVATE = '3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8'

/** The published test vectors of suite 3 (sdk/session/vectors.generated.json): byte strings in hex, texts as they are. */
export async function makeVectors(): Promise<object> {
  const server = keyPairOf(Buffer.from(PRIVATE, 'hex').toString('base64url'))
  const keyIds = [1, 7, 0xffffffff]
  const handshakes = []
  const sessions: Session[] = []
  for (const [at, keyId] of keyIds.entries()) {
    const client = recorded(`client ${at}`)
    const answering = recorded(`server ${at}`)
    const now = NOW + at
    const { hello, pending } = startHandshake({ keyId, publicKey: server.publicKey, now, random: client.random })
    const lifetime = [1800, 900, 1][at] as number
    const context = { now: now + 5, lifetime, random: answering.random, claimHello: () => true }
    const { answer } = await answerHandshake(gm, hello, () => server, context)
    const session = finishHandshake(gm, pending, answer)
    sessions.push(session)
    handshakes.push({
      key_id: keyId,
      client_time: now,
      client_random: client.taken(),
      server_time: now + 5,
      server_random: answering.taken(),
      lifetime,
      hello: toHex(hello),
      answer: toHex(answer),
      session: {
        id: toHex(session.id),
        created: session.created,
        expires: session.expires,
        encrypt_request: toHex(session.keys.encryptRequest),
        mac_request: toHex(session.keys.macRequest),
        encrypt_response: toHex(session.keys.encryptResponse),
        mac_response: toHex(session.keys.macResponse),
      },
    })
  }
  const session = sessions[0] as Session
  const bytes = fixedBytes('messages')
  const requests = []
  for (const [method, path, contentType, query, length, sequence] of [
    ['GET', '/', '', '', 0, 1],
    ['GET', '/orders', '', 'page=1&name=%E7%8E%8B', 0, 2],
    ['POST', '/orders/%E8%AE%A2', 'application/json', '', 11, 3],
    ['PUT', '/a/../b', 'application/octet-stream', 'x', 15, 4],
    ['DELETE', '/orders/7', '', '', 16, 5],
    ['PATCH', '/orders/7', 'text/plain; charset=utf-8', '', 1000, 0x10000],
    ['POST', `/${'p'.repeat(300)}`, 'text/plain', 'q'.repeat(300), 333, MAX_SEQUENCE],
  ] as const) {
    const body = bytes(length)
    const plaintext = encodeRequestBody({ contentType, query, body })
    const iv = bytes(16)
    const time = NOW + sequence
    const message = sealRequest(gm, session, plaintext, { method, path, sequence, time, iv })
    requests.push({
      method,
      path,
      content_type: contentType,
      query,
      body: toHex(body),
      plaintext: toHex(plaintext),
      sequence,
      time,
      iv: toHex(iv),
      message: toHex(message),
    })
  }
  const responses = []
  for (const [status, contentType, length, sequence] of [
    [200, 'application/json', 100, 1],
    [204, '', 0, 2],
    [404, 'text/plain', 9, 3],
    [503, '', 0, MAX_SEQUENCE],
  ] as const) {
    const body = bytes(length)
    const plaintext = encodeResponseBody({ contentType, body })
    const iv = bytes(16)
    const time = NOW + sequence
    const message = sealResponse(gm, session, plaintext, { status, sequence, time, iv })
    responses.push({
      status,
      content_type: contentType,
      body: toHex(body),
      plaintext: toHex(plaintext),
      sequence,
      time,
      iv: toHex(iv),
      message: toHex(message),
    })
  }
  return {
    about: 'AW-ENV/1, suite 3 (protocol.md). Byte strings are hex. Messages are of the first session.',
    server_key: { private_key: PRIVATE, public_key: toHex(server.publicKey) },
    handshakes,
    requests,
    responses,
    refused_requests: refusedRequests(session, requests[2]?.message as string),
  }
}

/** Requests that a server refuses, with the reason; all are for POST /orders/%E8%AE%A2 at the same time. */
function refusedRequests(session: Session, sound: string): object[] {
  const bytes = fromHex(sound)
  const changed = (at: number, by: number) =>
    bytes.map((byte, index) => (index === (at < 0 ? bytes.length + at : at) ? byte ^ by : byte))
  const target = { method: 'POST', path: '/orders/%E8%AE%A2' }
  const cases: [string, Uint8Array, { method?: string; path?: string; now?: number }?][] = [
    ['empty', new Uint8Array()],
    ['one byte short', bytes.subarray(0, -1)],
    ['one block short', bytes.subarray(0, -16)],
    ['version', changed(0, 3)],
    ['suite', changed(1, 2)],
    ['kind', changed(2, 7)],
    ['flags', changed(3, 1)],
    ['session', changed(4, 1)],
    ['sequence number', changed(23, 1)],
    ['time', changed(31, 1)],
    ['IV', changed(32, 1)],
    ['text', changed(48, 1)],
    ['tag', changed(-1, 1)],
    ['other method', bytes, { method: 'PUT' }],
    ['other path', bytes, { path: '/orders/' }],
    ['path in another encoding', bytes, { path: '/orders/%e8%ae%a2' }],
    ['61 seconds late', bytes, { now: NOW + 3 + 61 }],
    ['61 seconds early', bytes, { now: NOW + 3 - 61 }],
    ['session at its end', bytes, { now: session.expires }],
  ]
  return cases.map(([name, message, over]) => {
    const context = { ...target, now: NOW + 3, ...over }
    return { name, ...context, message: toHex(message), reason: reasonOf(session, message, context) }
  })
}

function reasonOf(session: Session, message: Uint8Array, context: Parameters<typeof openRequest>[3]): string {
  try {
    openRequest(gm, session, message, context)
  } catch (error) {
    if (error instanceof SessionRefusal) return error.reason
    throw error
  }
  throw new Error('opened')
}
