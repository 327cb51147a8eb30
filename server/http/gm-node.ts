import { createECDH, ECDH } from 'node:crypto'
import { concat, sameBytes } from '#engines/gm/bytes.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { sm3Kdf } from '#engines/gm/primitives.ts'
import { Sm2Point as Point } from '#engines/gm/sm2-curve.ts'

const scalarOf = (privateKey: Uint8Array) => Point.Fn.fromBytes(privateKey)

/** Uncompressed public point (65 bytes) of a private key (32 bytes); throws for 0 and for what is not below the group's order. */
export function sm2PublicKey(privateKey: Uint8Array): Uint8Array {
  return Point.BASE.multiply(scalarOf(privateKey)).toBytes(false)
}

/** SM2 decryption of 04 C1 C3 C2 (GB/T 32918.4, 7.1). Undefined where C1 is no point of the curve, or C3 does not fit. */
export function sm2Decrypt(privateKey: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  if (data.length < 98 || data[0] !== 4) return undefined
  const [c1, c3, c2] = [data.subarray(0, 65), data.subarray(65, 97), data.subarray(97)]
  for (const { x, y } of sharedPoints(privateKey, c1)) {
    const key = sm3Kdf(gmNode.sm3, concat(x, y), c2.length)
    const message = c2.map((byte, at) => byte ^ (key[at] as number))
    if (sameBytes(gmNode.sm3(concat(x, message, y)), c3)) return message
  }
  return undefined
}

/** The last private key that OpenSSL took. */
let openSsl: { privateKey: Uint8Array; ecdh: ECDH } | undefined

/**
 * What d·C1 can be; empty where C1 is no point of the curve. By OpenSSL, four times as fast, which returns x alone: both points with this x
 * are answered, and C3 decides. Where this Node refuses SM2 keys (from 24.21 on), by @noble/curves.
 */
function sharedPoints(privateKey: Uint8Array, c1: Uint8Array): { x: Uint8Array; y: Uint8Array }[] {
  try {
    if (!openSsl || !sameBytes(openSsl.privateKey, privateKey)) {
      const ecdh = createECDH('SM2')
      ecdh.setPrivateKey(privateKey)
      openSsl = { privateKey, ecdh }
    }
    const x = openSsl.ecdh.computeSecret(c1)
    return [2, 3].map((sign) => ({ x, y: uncompressed(concat(Uint8Array.of(sign), x)).subarray(33) }))
  } catch {
    // This Node refuses the key, or C1 is no point of the curve: the slower way decides.
    return multiplied(privateKey, c1)
  }
}

const uncompressed = (point: Uint8Array) =>
  ECDH.convertKey(point, 'SM2', undefined, undefined, 'uncompressed') as Buffer

function multiplied(privateKey: Uint8Array, c1: Uint8Array): { x: Uint8Array; y: Uint8Array }[] {
  try {
    const point = Point.fromBytes(c1).multiply(scalarOf(privateKey)).toBytes(false)
    return [{ x: point.subarray(1, 33), y: point.subarray(33) }]
  } catch {
    return [] // no point of the curve
  }
}
