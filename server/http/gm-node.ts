import { createCipheriv, createDecipheriv, createECDH, createHash, createHmac, ECDH } from 'node:crypto'
import { concat, sameBytes, uint } from '#engines/gm/bytes.ts'
import type { GmPrimitives } from '#engines/gm/primitives.ts'

/** The primitives by Node's own OpenSSL. SM4-GCM is not among them, which is why the envelope is CBC with HMAC. */
export const gmNode: GmPrimitives = {
  sm3: (data) => createHash('sm3').update(data).digest(),
  hmacSm3: (key, data) => createHmac('sm3', key).update(data).digest(),
  sm4Encrypt(key, iv, data) {
    const cipher = createCipheriv('sm4-cbc', key, iv)
    return Buffer.concat([cipher.update(data), cipher.final()])
  },
  sm4Decrypt(key, iv, data) {
    const cipher = createDecipheriv('sm4-cbc', key, iv)
    try {
      return Buffer.concat([cipher.update(data), cipher.final()])
    } catch {
      return undefined
    }
  },
}

/** Uncompressed public point (65 bytes) of a private key (32 bytes); throws for 0 and for what is not below the group's order. */
export function sm2PublicKey(privateKey: Uint8Array): Buffer {
  const ecdh = createECDH('SM2')
  ecdh.setPrivateKey(privateKey)
  return ecdh.getPublicKey()
}

/**
 * SM2 decryption of 04 C1 C3 C2. Node offers the point multiplication as ECDH (it refuses points off the curve) but tells only x of
 * the result, so both y are computed and C3 decides. Undefined where nothing fits.
 */
export function sm2Decrypt(privateKey: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  if (data.length < 98 || data[0] !== 4) return undefined
  const [c1, c3, c2] = [data.subarray(0, 65), data.subarray(65, 97), data.subarray(97)]
  let x: Uint8Array
  try {
    const ecdh = createECDH('SM2')
    ecdh.setPrivateKey(privateKey)
    x = ecdh.computeSecret(c1)
  } catch {
    return undefined
  }
  let found: Uint8Array | undefined
  for (const sign of [2, 3]) {
    const point = ECDH.convertKey(concat(Uint8Array.of(sign), x), 'SM2', undefined, undefined, 'uncompressed') as Buffer
    const y = point.subarray(33)
    const key = derive(concat(x, y), c2.length)
    const message = c2.map((byte, at) => byte ^ (key[at] as number))
    if (sameBytes(gmNode.sm3(concat(x, message, y)), c3)) found = message
  }
  return found
}

/** The key derivation function of GB/T 32918.4. */
function derive(seed: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let counter = 1; blocks.length * 32 < length; counter++) blocks.push(gmNode.sm3(concat(seed, uint(counter, 4))))
  return concat(...blocks).subarray(0, length)
}
