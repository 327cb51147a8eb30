import { concat, readUint, sameBytes, uint, utf8 } from '../gm/bytes.ts'
import type { GmPrimitives } from '../gm/primitives.ts'
import { SessionRefusal } from './refusal.ts'
import { CLOCK_WINDOW, hasHead, headOf, KIND, MAX_PLAINTEXT, MAX_SEQUENCE, type Session, TAG } from './session.ts'

/**
 * Messages of a session: head (4), session id (16), sequence number (4), time (8), IV (16), SM4-CBC text (n), HMAC-SM3 tag (32)
 * (sdk/session/protocol.md, Messages).
 */
const TEXT_AT = 48
/** What a message is longer than its padded plaintext. */
export const MESSAGE_OVERHEAD: number = TEXT_AT + TAG

/** The request line, byte for byte as sent: method in capitals, path without query. */
type Target = { method: string; path: string }

export type SealContext = {
  sequence: number
  /** Unix seconds of the server's clock. */
  time: number
  /** 16 random bytes. */
  iv: Uint8Array
}

/** Throws RangeError for a sequence number out of range, which must not be used, and for a plaintext or target that is too long. */
export function sealRequest(
  gm: GmPrimitives,
  session: Session,
  plaintext: Uint8Array,
  context: SealContext & Target,
): Uint8Array {
  const sealed = seal(gm, session, KIND.request, session.keys.encryptRequest, plaintext, context)
  return concat(sealed, requestTag(gm, session, context, sealed))
}

/** Throws as sealRequest. `sequence` is that of the request, each of which has one response. */
export function sealResponse(
  gm: GmPrimitives,
  session: Session,
  plaintext: Uint8Array,
  context: SealContext & { status: number },
): Uint8Array {
  const sealed = seal(gm, session, KIND.response, session.keys.encryptResponse, plaintext, context)
  return concat(sealed, responseTag(gm, session, context.status, sealed))
}

/** The session that a request claims to belong to. Throws SessionRefusal for what is no request of this suite. */
export function sessionIdOf(message: Uint8Array): Uint8Array {
  checkShape(message, KIND.request)
  return message.slice(4, 20)
}

/**
 * Throws SessionRefusal. Who opens a request has to claim its sequence number in the replay window (replay-window.ts) before acting on
 * it. `now` in Unix seconds.
 */
export function openRequest(
  gm: GmPrimitives,
  session: Session,
  message: Uint8Array,
  context: Target & { now: number },
): { plaintext: Uint8Array; sequence: number; time: number } {
  checkShape(message, KIND.request)
  if (!sameBytes(message.subarray(4, 20), session.id)) throw new SessionRefusal('session_unknown')
  if (context.now >= session.expires) throw new SessionRefusal('session_expired')
  const sealed = message.subarray(0, message.length - TAG)
  const target = utf8(context.path).length > 0xffff ? undefined : context
  if (!target || !sameBytes(message.subarray(message.length - TAG), requestTag(gm, session, target, sealed)))
    throw new SessionRefusal('tag')
  // From here on the bytes are those of the client.
  const time = readUint(message.subarray(24, 32))
  if (Math.abs(time - context.now) > CLOCK_WINDOW) throw new SessionRefusal('clock')
  const sequence = sequenceOf(message)
  const plaintext = gm.sm4Decrypt(session.keys.encryptRequest, message.subarray(32, TEXT_AT), sealed.subarray(TEXT_AT))
  if (!plaintext) throw new SessionRefusal('tag')
  return { plaintext, sequence, time }
}

/** Throws SessionRefusal for anything but the response to the request with this sequence number. */
export function openResponse(
  gm: GmPrimitives,
  session: Session,
  message: Uint8Array,
  context: { status: number; sequence: number },
): { plaintext: Uint8Array; time: number } {
  checkShape(message, KIND.response)
  const sealed = message.subarray(0, message.length - TAG)
  if (!sameBytes(message.subarray(4, 20), session.id)) throw new SessionRefusal('session_unknown')
  if (!sameBytes(message.subarray(message.length - TAG), responseTag(gm, session, context.status, sealed)))
    throw new SessionRefusal('tag')
  if (sequenceOf(message) !== context.sequence) throw new SessionRefusal('sequence')
  const plaintext = gm.sm4Decrypt(session.keys.encryptResponse, message.subarray(32, TEXT_AT), sealed.subarray(TEXT_AT))
  if (!plaintext) throw new SessionRefusal('tag')
  return { plaintext, time: readUint(message.subarray(24, 32)) }
}

function seal(
  gm: GmPrimitives,
  session: Session,
  kind: number,
  key: Uint8Array,
  plaintext: Uint8Array,
  { sequence, time, iv }: SealContext,
): Uint8Array {
  if (!(sequence >= 1 && sequence <= MAX_SEQUENCE)) throw new RangeError('session: no sequence number is left')
  if (plaintext.length > MAX_PLAINTEXT) throw new RangeError('session: the plaintext is too long')
  const head = [headOf(kind), session.id, uint(sequence, 4), uint(time, 8), iv]
  return concat(...head, gm.sm4Encrypt(key, iv, plaintext))
}

function checkShape(message: Uint8Array, kind: number): void {
  const text = message.length - MESSAGE_OVERHEAD
  if (text < 16 || text % 16 !== 0 || text > MAX_PLAINTEXT + 16) throw new SessionRefusal('malformed')
  if (!hasHead(message, kind)) throw new SessionRefusal('version')
}

function sequenceOf(message: Uint8Array): number {
  const sequence = readUint(message.subarray(20, 24))
  if (sequence < 1 || sequence > MAX_SEQUENCE) throw new SessionRefusal('sequence')
  return sequence
}

function requestTag(gm: GmPrimitives, session: Session, { method, path }: Target, sealed: Uint8Array): Uint8Array {
  return gm.hmacSm3(session.keys.macRequest, concat(utf8('req'), counted(method), counted(path), sealed))
}

function responseTag(gm: GmPrimitives, session: Session, status: number, sealed: Uint8Array): Uint8Array {
  return gm.hmacSm3(session.keys.macResponse, concat(utf8('rsp'), uint(status, 2), sealed))
}

function counted(text: string): Uint8Array {
  const bytes = utf8(text)
  if (bytes.length > 0xffff) throw new RangeError('session: method or path is too long')
  return concat(uint(bytes.length, 2), bytes)
}
