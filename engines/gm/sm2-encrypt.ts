import { concat } from './bytes.ts'
import { type GmPrimitives, type Sm2Encrypt, sm3Kdf } from './primitives.ts'
import { Sm2Point } from './sm2-curve.ts'

/**
 * A copy of the base point without the precomputed table of Sm2Point.BASE. Computing that table takes as long as ten products, and a page
 * needs one product before it can show anything.
 */
const BASE = Sm2Point.fromAffine(Sm2Point.BASE.toAffine())
const SCALAR_BYTES = 32

/**
 * SM2 encryption (GB/T 32918.4, 6.1). `random` returns that many random bytes. The returned function encrypts to an uncompressed public key
 * (65 bytes) and throws where the key is no point of the curve.
 */
export function makeSm2Encrypt({ sm3 }: Pick<GmPrimitives, 'sm3'>, random: (length: number) => Uint8Array): Sm2Encrypt {
  return (publicKey, message) => {
    const recipient = Sm2Point.fromBytes(publicKey)
    for (;;) {
      const factor = scalar(random)
      const c1 = BASE.multiply(factor).toBytes(false)
      const shared = recipient.multiply(factor).toBytes(false).subarray(1)
      const key = sm3Kdf(sm3, shared, message.length)
      // A5: a key of zeros would leave the message as it is.
      if (message.length > 0 && key.every((byte) => byte === 0)) continue
      const c3 = sm3(concat(shared.subarray(0, 32), message, shared.subarray(32)))
      return concat(
        c1,
        c3,
        message.map((byte, at) => byte ^ (key[at] as number)),
      )
    }
  }
}

/** Uniform from 1 to n - 1, n the order of the group: a value outside of that is drawn again. */
function scalar(random: (length: number) => Uint8Array): bigint {
  for (;;) {
    const drawn = random(SCALAR_BYTES).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
    if (Sm2Point.Fn.isValidNot0(drawn)) return drawn
  }
}
