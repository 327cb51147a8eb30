import { fromHex, toHex } from '#engines/gm/bytes.ts'
import type { GmPrimitives } from '#engines/gm/primitives.ts'
import { answerHandshake, finishHandshake, startHandshake } from '#engines/session/handshake.ts'
import {
  decodeRequestBody,
  decodeResponseBody,
  encodeRequestBody,
  encodeResponseBody,
} from '#engines/session/http-body.ts'
import { openRequest, openResponse, sealRequest, sealResponse } from '#engines/session/message.ts'
import { SessionRefusal } from '#engines/session/refusal.ts'
import type { Session } from '#engines/session/session.ts'
import type vectorFile from '#sdk/session/vectors.generated.json'

/** The published vectors against this implementation, in Node and in a browser: how many were checked, and the names of those that fail. */
export async function checkVectors(
  gm: GmPrimitives,
  vectors: typeof vectorFile,
): Promise<{ checked: number; failed: string[] }> {
  const failed: string[] = []
  let checked = 0
  async function check(name: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    checked++
    try {
      if (await holds()) return
    } catch {
      // Named as failed.
    }
    failed.push(name)
  }
  const server = {
    privateKey: fromHex(vectors.server_key.private_key),
    publicKey: fromHex(vectors.server_key.public_key),
  }
  for (const [at, one] of vectors.handshakes.entries()) {
    const request = {
      keyId: one.key_id,
      publicKey: server.publicKey,
      now: one.client_time,
      random: given(one.client_random),
    }
    const { hello, pending } = startHandshake(request)
    await check(`answer ${at}`, async () => {
      const random = given(one.server_random)
      const context = { now: one.server_time, lifetime: one.lifetime, random, claimHello: () => true }
      const made = await answerHandshake(gm, fromHex(one.hello), () => server, context)
      return toHex(made.answer) === one.answer && isSession(made.session, one)
    })
    await check(
      `session ${at}`,
      () => toHex(hello) === one.hello && isSession(finishHandshake(gm, pending, fromHex(one.answer)), one),
    )
  }
  const session = sessionOf(vectors.handshakes[0] as (typeof vectors.handshakes)[0])
  for (const [at, one] of vectors.requests.entries()) {
    const { method, path, query, sequence, time } = one
    const body = { contentType: one.content_type, query, body: fromHex(one.body) }
    await check(`request sealed ${at}`, () => {
      const context = { method, path, sequence, time, iv: fromHex(one.iv) }
      const plaintext = encodeRequestBody(body)
      return toHex(plaintext) === one.plaintext && toHex(sealRequest(gm, session, plaintext, context)) === one.message
    })
    await check(`request opened ${at}`, () => {
      // Those with high sequence numbers are later than the session: it lasts as long as they need.
      const lasting = { ...session, expires: time + 1 }
      const opened = openRequest(gm, lasting, fromHex(one.message), { method, path, now: time })
      const inner = decodeRequestBody(opened.plaintext)
      return (
        opened.sequence === sequence &&
        inner?.contentType === body.contentType &&
        inner.query === query &&
        toHex(inner.body) === one.body
      )
    })
  }
  for (const [at, one] of vectors.responses.entries()) {
    const { status, sequence, time } = one
    const plaintext = encodeResponseBody({ contentType: one.content_type, body: fromHex(one.body) })
    await check(`response sealed ${at}`, () => {
      const context = { status, sequence, time, iv: fromHex(one.iv) }
      return toHex(plaintext) === one.plaintext && toHex(sealResponse(gm, session, plaintext, context)) === one.message
    })
    await check(`response opened ${at}`, () => {
      const inner = decodeResponseBody(openResponse(gm, session, fromHex(one.message), { status, sequence }).plaintext)
      return inner?.contentType === one.content_type && toHex(inner.body) === one.body
    })
  }
  for (const { name, method, path, now, message, reason } of vectors.refused_requests)
    await check(`refused: ${name}`, () => {
      try {
        openRequest(gm, session, fromHex(message), { method, path, now })
        return false
      } catch (error) {
        return error instanceof SessionRefusal && error.reason === reason
      }
    })
  return { checked, failed }
}

/** A source of random bytes that gives these and no more. */
function given(hex: string): (length: number) => Uint8Array {
  const bytes = fromHex(hex)
  let at = 0
  return (length) => {
    at += length
    if (at > bytes.length) throw new RangeError('no more bytes')
    return bytes.slice(at - length, at)
  }
}

type Handshake = (typeof vectorFile)['handshakes'][0]
function sessionOf({ key_id, session: one }: Handshake): Session {
  return {
    id: fromHex(one.id),
    keyId: key_id,
    created: one.created,
    expires: one.expires,
    keys: {
      encryptRequest: fromHex(one.encrypt_request),
      macRequest: fromHex(one.mac_request),
      encryptResponse: fromHex(one.encrypt_response),
      macResponse: fromHex(one.mac_response),
    },
  }
}
function isSession(session: Session, expected: Handshake): boolean {
  const text = ({ id, keyId, created, expires, keys }: Session) =>
    [toHex(id), keyId, created, expires, ...Object.values(keys).map(toHex)].join()
  return text(session) === text(sessionOf(expected))
}
