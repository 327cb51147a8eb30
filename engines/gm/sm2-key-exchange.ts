import { concat } from './bytes.ts'
import { type GmPrimitives, sm3Kdf } from './primitives.ts'
import { Sm2Point } from './sm2-curve.ts'
import { sm2Identity } from './sm2-identity.ts'

/** The SM2 key exchange of GB/T 32918.3, 6.1, with the digests that confirm the key (its optional steps B8, A9, A10 and B10). */

const { Fn } = Sm2Point
/** 2^w with w = 127, and the mask of the bits below it. */
const TOP_BIT = 1n << 127n
const LOW_BITS = TOP_BIT - 1n

export type ExchangeOwner = {
  id: Uint8Array
  /** The long-term pair: 32 bytes and 65 bytes (uncompressed). */
  privateKey: Uint8Array
  publicKey: Uint8Array
  /** The pair of this exchange. */
  ephemeralPrivateKey: Uint8Array
  ephemeralPublicKey: Uint8Array
}
export type ExchangePeer = { id: Uint8Array; publicKey: Uint8Array; ephemeralPublicKey: Uint8Array }
export type ExchangedKey = {
  key: Uint8Array
  /** What the initiator sends to prove that it has the key: S_A of the standard, 32 bytes. */
  initiatorProof: Uint8Array
  /** What the responder sends: S_B. */
  responderProof: Uint8Array
}

/** A key of `length` bytes; undefined where a key of the peer is no point of the curve, or the shared point is the one at infinity. */
export function sm2ExchangeKey(
  { sm3 }: Pick<GmPrimitives, 'sm3'>,
  role: 'initiator' | 'responder',
  own: ExchangeOwner,
  peer: ExchangePeer,
  length: number,
): ExchangedKey | undefined {
  const shared = sharedPoint(own, peer)
  if (!shared) return undefined
  const [initiator, responder] = role === 'initiator' ? [own, peer] : [peer, own]
  const x = shared.subarray(1, 33)
  const y = shared.subarray(33)
  const identities = concat(
    sm2Identity(sm3, initiator.id, initiator.publicKey),
    sm2Identity(sm3, responder.id, responder.publicKey),
  )
  const points = concat(initiator.ephemeralPublicKey.subarray(1), responder.ephemeralPublicKey.subarray(1))
  const inner = sm3(concat(x, identities, points))
  return {
    key: sm3Kdf(sm3, concat(x, y, identities), length),
    initiatorProof: sm3(concat(Uint8Array.of(3), y, inner)),
    responderProof: sm3(concat(Uint8Array.of(2), y, inner)),
  }
}

/** U or V: t · (P + x̄ · R) of the peer, with t = d + x̄ · r of the owner, uncompressed. The factor of the curve is 1. */
function sharedPoint(own: ExchangeOwner, peer: ExchangePeer): Uint8Array | undefined {
  const secret = Fn.create(
    Fn.fromBytes(own.privateKey) + reduced(own.ephemeralPublicKey) * Fn.fromBytes(own.ephemeralPrivateKey),
  )
  try {
    // The peer's keys are public, so that the faster multiplication, whose time depends on its factor, may be used for them.
    const point = Sm2Point.fromBytes(peer.publicKey).add(
      Sm2Point.fromBytes(peer.ephemeralPublicKey).multiplyUnsafe(reduced(peer.ephemeralPublicKey)),
    )
    return point.multiply(secret).toBytes(false)
  } catch {
    return undefined // no point of the curve, the point at infinity, or t = 0
  }
}

/** x̄ of the standard: the lower half of the point's x, with the bit above it set. */
function reduced(point: Uint8Array): bigint {
  const low = point.subarray(17, 33).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  return TOP_BIT + (low & LOW_BITS)
}
