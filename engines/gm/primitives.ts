import { concat } from './bytes.ts'

/**
 * The national-standard primitives that the formats of this folder use. Injected, since a browser and Node have different ones
 * (src/shared/api/gm-browser.ts, gm-openssl.ts; gm-portable.ts runs everywhere); published vectors hold for all.
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
