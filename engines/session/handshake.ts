import { concat, readUint, sameBytes, uint, utf8 } from '../gm/bytes.ts'
import type { GmPrimitives } from '../gm/primitives.ts'
import { Sm2Point } from '../gm/sm2-curve.ts'
import { type ExchangeOwner, sm2ExchangeKey } from '../gm/sm2-key-exchange.ts'
import { SessionRefusal } from './refusal.ts'
import {
  CLIENT_ID,
  CLOCK_WINDOW,
  deriveKeys,
  hasHead,
  headOf,
  KIND,
  MAX_LIFETIME,
  type Session,
  serverIdOf,
  TAG,
} from './session.ts'

/**
 * The handshake: an SM2 key exchange whose initiator, the client, has keys for this one exchange alone; the server proves that it holds
 * the private key of the application (sdk/session/protocol.md, Handshake).
 */

/** Head (4), key id (4), time (8), nonce (16), two points (65 each). */
export const HELLO_BYTES = 162
/** Head (4), session id (16), server time (8), lifetime (2), point (65), proof (32), tag (32). */
export const ANSWER_BYTES = 159
const PROOF_AT = 95
const EXCHANGED_BYTES = 32
const SCALAR_SEED = 48

type Random = (length: number) => Uint8Array

export type ServerKeyPair = {
  /** 32 bytes. */
  privateKey: Uint8Array
  /** 65 bytes, uncompressed. */
  publicKey: Uint8Array
}
/** The pair with that number, or why it is not available. */
export type KeyLookup = ServerKeyPair | 'key_expired' | 'key_revoked' | undefined

export type HandshakeContext = {
  /** Unix seconds. */
  now: number
  random: Random
  /** Seconds, at most and by default MAX_LIFETIME. */
  lifetime?: number
  /**
   * Takes the digest (32 bytes) of a hello until the time `until` (Unix seconds): true for the first caller of all servers, false for the
   * others. Called after the cheap checks and before the costly arithmetic. It must be one atomic step of the shared store.
   */
  claimHello(digest: Uint8Array, until: number): boolean | Promise<boolean>
}

/** Throws SessionRefusal. The session has to be stored before the answer is sent. */
export async function answerHandshake(
  gm: GmPrimitives,
  hello: Uint8Array,
  keyOf: (keyId: number) => KeyLookup | Promise<KeyLookup>,
  context: HandshakeContext,
): Promise<{ answer: Uint8Array; session: Session }> {
  const { now, random, lifetime = MAX_LIFETIME } = context
  const { keyId, publicKey, ephemeralPublicKey } = readHello(hello, now)
  const key = await keyOf(keyId)
  if (typeof key !== 'object') throw new SessionRefusal(key ?? 'key_unknown')
  if (!isPoint(publicKey) || !isPoint(ephemeralPublicKey)) throw new SessionRefusal('point')
  // A hello is refused by its time once the claim has ended.
  if (!(await context.claimHello(gm.sm3(hello), now + 2 * CLOCK_WINDOW + 1))) throw new SessionRefusal('hello_replayed')

  const ephemeral = newPair(random)
  const own: ExchangeOwner = {
    id: serverIdOf(keyId),
    ...key,
    ephemeralPrivateKey: ephemeral.privateKey,
    ephemeralPublicKey: ephemeral.publicKey,
  }
  const peer = { id: CLIENT_ID, publicKey, ephemeralPublicKey }
  const exchanged = sm2ExchangeKey(gm, 'responder', own, peer, EXCHANGED_BYTES)
  if (!exchanged) throw new SessionRefusal('point')
  const seconds = Math.max(1, Math.min(MAX_LIFETIME, Math.floor(lifetime)))
  const id = random(16)
  const offer = concat(headOf(KIND.answer), id, uint(now, 8), uint(seconds, 2), ephemeral.publicKey)
  const { keys, confirm } = deriveKeys(gm, exchanged.key, concat(hello, offer))
  const proven = concat(offer, exchanged.responderProof)
  const answer = concat(proven, answerTag(gm, confirm, hello, proven))
  return { answer, session: { id, keyId, created: now, expires: now + seconds, keys } }
}

/** The checks that need no key and no store. */
function readHello(hello: Uint8Array, now: number) {
  if (hello.length !== HELLO_BYTES) throw new SessionRefusal('malformed')
  if (!hasHead(hello, KIND.hello)) throw new SessionRefusal('version')
  if (Math.abs(readUint(hello.subarray(8, 16)) - now) > CLOCK_WINDOW) throw new SessionRefusal('clock')
  return {
    keyId: readUint(hello.subarray(4, 8)),
    publicKey: hello.subarray(32, 97),
    ephemeralPublicKey: hello.subarray(97, 162),
  }
}

export type HandshakeRequest = {
  keyId: number
  /** The server's, 65 bytes: part of the app, never learnt from the network alone. */
  publicKey: Uint8Array
  /** Unix seconds. */
  now: number
  random: Random
}
/** What the client keeps between hello and answer; for one answer. */
export type PendingHandshake = { keyId: number; publicKey: Uint8Array; hello: Uint8Array; own: ExchangeOwner }

export function startHandshake(request: HandshakeRequest): { hello: Uint8Array; pending: PendingHandshake } {
  const { keyId, publicKey, now, random } = request
  const pair = newPair(random)
  const ephemeral = newPair(random)
  const head = concat(headOf(KIND.hello), uint(keyId, 4), uint(now, 8), random(16))
  const hello = concat(head, pair.publicKey, ephemeral.publicKey)
  const own: ExchangeOwner = {
    id: CLIENT_ID,
    ...pair,
    ephemeralPrivateKey: ephemeral.privateKey,
    ephemeralPublicKey: ephemeral.publicKey,
  }
  return { hello, pending: { keyId, publicKey, hello, own } }
}

/** Throws SessionRefusal for anything but the answer of the server that holds the private key. */
export function finishHandshake(gm: GmPrimitives, pending: PendingHandshake, answer: Uint8Array): Session {
  const { keyId, publicKey, hello, own } = pending
  if (answer.length !== ANSWER_BYTES) throw new SessionRefusal('malformed')
  if (!hasHead(answer, KIND.answer)) throw new SessionRefusal('version')
  const offer = answer.subarray(0, PROOF_AT)
  const ephemeralPublicKey = answer.subarray(30, PROOF_AT)
  if (!isPoint(ephemeralPublicKey)) throw new SessionRefusal('point')
  const peer = { id: serverIdOf(keyId), publicKey, ephemeralPublicKey }
  const exchanged = sm2ExchangeKey(gm, 'initiator', own, peer, EXCHANGED_BYTES)
  if (!exchanged) throw new SessionRefusal('point')
  const { keys, confirm } = deriveKeys(gm, exchanged.key, concat(hello, offer))
  const proven = answer.subarray(0, ANSWER_BYTES - TAG)
  const proofHolds = sameBytes(answer.subarray(PROOF_AT, ANSWER_BYTES - TAG), exchanged.responderProof)
  const tagHolds = sameBytes(answer.subarray(ANSWER_BYTES - TAG), answerTag(gm, confirm, hello, proven))
  const created = readUint(answer.subarray(20, 28))
  const lifetime = readUint(answer.subarray(28, 30))
  if (!proofHolds || !tagHolds || lifetime === 0 || lifetime > MAX_LIFETIME) throw new SessionRefusal('not_confirmed')
  return { id: answer.slice(4, 20), keyId, created, expires: created + lifetime, keys }
}

function answerTag(gm: GmPrimitives, confirm: Uint8Array, hello: Uint8Array, proven: Uint8Array): Uint8Array {
  return gm.hmacSm3(confirm, concat(utf8('ans'), hello, proven))
}

/** A pair of one exchange: the scalar is (48 random bytes mod (n - 2)) + 1, so that no value is noticeably likelier than another. */
function newPair(random: Random): ServerKeyPair {
  const { Fn, BASE } = Sm2Point
  const seed = random(SCALAR_SEED).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const scalar = (seed % (Fn.ORDER - 2n)) + 1n
  return { privateKey: Fn.toBytes(scalar), publicKey: BASE.multiply(scalar).toBytes(false) }
}

function isPoint(bytes: Uint8Array): boolean {
  try {
    return bytes[0] === 4 && !Sm2Point.fromBytes(bytes).is0()
  } catch {
    return false
  }
}
