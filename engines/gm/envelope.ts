import { concat, fromBase64url, readUint, sameBytes, toBase64url, uint, utf8 } from './bytes.ts'
import { type GmPrimitives, hkdfSm3, type Sm2Encrypt } from './primitives.ts'

/**
 * AW-ENV/1: a request sealed for the server's SM2 key and an answer sealed under a key of the same secret. Every byte is under a MAC
 * that also binds method, path and session, so an envelope fits one request only.
 *
 * Request: version 1, suite 1, kid (2), tstamp (8), rid (16), SM2(secret) (129), IV (16), SM4-CBC text (n), HMAC-SM3 tag (32).
 * Answer: version 1, suite 1, direction 2, flags 0, rid (16), server time (8), IV (16), SM4-CBC text (n), tag (32).
 */
const VERSION = 1
const SUITE = 1
const DIRECTION_RESPONSE = 2
const SECRET_BYTES = 32
const WRAPPED_BYTES = 129
const REQUEST_HEAD = 28 + WRAPPED_BYTES + 16
const RESPONSE_HEAD = 44
const TAG = 32

/** What the envelope is bound to besides its own bytes. `sid` is the session's public label, '' before login. */
type EnvelopeContext = { method: string; path: string; sid: string }
/** What both sides keep of one exchange. */
export type EnvelopeChannel = { rid: Uint8Array; keys: Keys }
type Keys = { encryptRequest: Uint8Array; macRequest: Uint8Array; encryptResponse: Uint8Array; macResponse: Uint8Array }

export type EnvelopeFault = 'malformed' | 'version' | 'key' | 'time' | 'tampered'
export class EnvelopeError extends Error {
  readonly fault: EnvelopeFault
  constructor(fault: EnvelopeFault) {
    super(`envelope: ${fault}`)
    this.name = 'EnvelopeError'
    this.fault = fault
  }
}

export type SealRequest = {
  context: EnvelopeContext
  server: { kid: number; publicKey: Uint8Array }
  /** Unix seconds, the same as in the tstamp header. */
  tstamp: number
  /** 16 random bytes, the same as in the signature header. */
  rid: Uint8Array
  random(length: number): Uint8Array
  sm2Encrypt: Sm2Encrypt
  plain: Uint8Array
}

/** The text of `encrypt_data` and what opens its answer. */
export function sealRequest(gm: GmPrimitives, request: SealRequest): { text: string; channel: EnvelopeChannel } {
  const { context, server, rid } = request
  const secret = request.random(SECRET_BYTES)
  const keys = deriveKeys(gm, secret, rid)
  const iv = request.random(16)
  const sealed = concat(
    Uint8Array.of(VERSION, SUITE),
    uint(server.kid, 2),
    uint(request.tstamp, 8),
    rid,
    request.sm2Encrypt(server.publicKey, secret),
    iv,
    gm.sm4Encrypt(keys.encryptRequest, iv, request.plain),
  )
  const tag = requestTag(gm, keys, context, sealed)
  return { text: toBase64url(concat(sealed, tag)), channel: { rid, keys } }
}

export type OpenRequest = {
  context: EnvelopeContext
  tstamp: number
  rid: Uint8Array
  /** The secret under the private key of this kid; 'unknown' for a kid that the server has no key of, undefined where it does not open. */
  unwrap(kid: number, wrapped: Uint8Array): Uint8Array | 'unknown' | undefined
}

/** Throws EnvelopeError. Cheap checks come first; everything that an attacker can cause by changing bytes is 'tampered'. */
export function openRequest(
  gm: GmPrimitives,
  text: string,
  request: OpenRequest,
): { plain: Uint8Array; channel: EnvelopeChannel } {
  const bytes = fromBase64url(text)
  if (!bytes || bytes.length < 2) throw new EnvelopeError('malformed')
  if (bytes[0] !== VERSION || bytes[1] !== SUITE) throw new EnvelopeError('version')
  const textBytes = bytes.length - REQUEST_HEAD - TAG
  if (textBytes < 16 || textBytes % 16 !== 0) throw new EnvelopeError('malformed')
  if (readUint(bytes.subarray(4, 12)) !== request.tstamp) throw new EnvelopeError('time')
  if (!sameBytes(bytes.subarray(12, 28), request.rid)) throw new EnvelopeError('tampered')
  const secret = request.unwrap(readUint(bytes.subarray(2, 4)), bytes.subarray(28, 28 + WRAPPED_BYTES))
  if (secret === 'unknown') throw new EnvelopeError('key')
  if (secret?.length !== SECRET_BYTES) throw new EnvelopeError('tampered')
  const keys = deriveKeys(gm, secret, request.rid)
  const sealed = bytes.subarray(0, bytes.length - TAG)
  if (!sameBytes(bytes.subarray(bytes.length - TAG), requestTag(gm, keys, request.context, sealed)))
    throw new EnvelopeError('tampered')
  const plain = gm.sm4Decrypt(
    keys.encryptRequest,
    sealed.subarray(REQUEST_HEAD - 16, REQUEST_HEAD),
    sealed.subarray(REQUEST_HEAD),
  )
  if (!plain) throw new EnvelopeError('tampered')
  return { plain, channel: { rid: request.rid, keys } }
}

/** `serverTime` in Unix seconds; `iv` 16 random bytes. */
export function sealResponse(
  gm: GmPrimitives,
  channel: EnvelopeChannel,
  answer: { status: number; serverTime: number; iv: Uint8Array; plain: Uint8Array },
): string {
  const sealed = concat(
    Uint8Array.of(VERSION, SUITE, DIRECTION_RESPONSE, 0),
    channel.rid,
    uint(answer.serverTime, 8),
    answer.iv,
    gm.sm4Encrypt(channel.keys.encryptResponse, answer.iv, answer.plain),
  )
  return toBase64url(concat(sealed, responseTag(gm, channel.keys, answer.status, sealed)))
}

/** Throws EnvelopeError for anything but the answer to this very request. */
export function openResponse(
  gm: GmPrimitives,
  channel: EnvelopeChannel,
  text: string,
  status: number,
): { plain: Uint8Array; serverTime: number } {
  const bytes = fromBase64url(text)
  const textBytes = bytes ? bytes.length - RESPONSE_HEAD - TAG : 0
  if (!bytes || textBytes < 16 || textBytes % 16 !== 0) throw new EnvelopeError('malformed')
  if (bytes[0] !== VERSION || bytes[1] !== SUITE) throw new EnvelopeError('version')
  const sealed = bytes.subarray(0, bytes.length - TAG)
  if (!sameBytes(bytes.subarray(bytes.length - TAG), responseTag(gm, channel.keys, status, sealed)))
    throw new EnvelopeError('tampered')
  if (bytes[2] !== DIRECTION_RESPONSE || !sameBytes(bytes.subarray(4, 20), channel.rid))
    throw new EnvelopeError('tampered')
  const plain = gm.sm4Decrypt(
    channel.keys.encryptResponse,
    sealed.subarray(RESPONSE_HEAD - 16, RESPONSE_HEAD),
    sealed.subarray(RESPONSE_HEAD),
  )
  if (!plain) throw new EnvelopeError('tampered')
  return { plain, serverTime: readUint(bytes.subarray(20, 28)) }
}

function deriveKeys(gm: GmPrimitives, secret: Uint8Array, rid: Uint8Array): Keys {
  const all = hkdfSm3(gm, secret, rid, utf8('AW-ENV1'), 96)
  return {
    encryptRequest: all.subarray(0, 16),
    macRequest: all.subarray(16, 48),
    encryptResponse: all.subarray(48, 64),
    macResponse: all.subarray(64, 96),
  }
}

function requestTag(gm: GmPrimitives, keys: Keys, context: EnvelopeContext, sealed: Uint8Array): Uint8Array {
  const { method, path, sid } = context
  return gm.hmacSm3(keys.macRequest, concat(utf8('req'), counted(method), counted(path), counted(sid), sealed))
}

function responseTag(gm: GmPrimitives, keys: Keys, status: number, sealed: Uint8Array): Uint8Array {
  return gm.hmacSm3(keys.macResponse, concat(utf8('rsp'), uint(status, 2), sealed))
}

function counted(text: string): Uint8Array {
  const bytes = utf8(text)
  return concat(uint(bytes.length, 2), bytes)
}
