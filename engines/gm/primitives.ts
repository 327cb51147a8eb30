import { concat, uint } from './bytes.ts'

/**
 * The national-standard primitives that the formats of this folder use. Injected, since Node has faster ones
 * (gm-openssl.ts; gm-portable.ts runs everywhere); published vectors hold for both.
 */
export type GmPrimitives = {
  /** SM3, 32 bytes. */
  sm3(data: Uint8Array): Uint8Array
  /** HMAC-SM3, 32 bytes. */
  hmacSm3(key: Uint8Array, data: Uint8Array): Uint8Array
  /** SM4-CBC with PKCS#7 padding; key and iv of 16 bytes. */
  sm4Encrypt(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array
  /** Undefined where the padding is wrong. */
  sm4Decrypt(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array | undefined
}

/** SM2 encryption in the encoding of this product: 04, C1.x, C1.y (32 each), C3 (32), C2 (as long as the message). */
export type Sm2Encrypt = (publicKey: Uint8Array, message: Uint8Array) => Uint8Array

/** The key derivation function of GB/T 32918.3 and 32918.4: `length` bytes out of the seed. */
export function sm3Kdf(sm3: GmPrimitives['sm3'], seed: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let counter = 1; blocks.length * 32 < length; counter++) blocks.push(sm3(concat(seed, uint(counter, 4))))
  return concat(...blocks).subarray(0, length)
}

/** HKDF (RFC 5869) over HMAC-SM3. */
export function hkdfSm3(
  gm: GmPrimitives,
  key: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  length: number,
): Uint8Array {
  const pseudoRandomKey = gm.hmacSm3(salt.length ? salt : new Uint8Array(32), key)
  let block: Uint8Array = new Uint8Array(0)
  let output: Uint8Array = new Uint8Array(0)
  for (let counter = 1; output.length < length; counter++) {
    block = gm.hmacSm3(pseudoRandomKey, concat(block, info, Uint8Array.of(counter)))
    output = concat(output, block)
  }
  return output.subarray(0, length)
}
