import { concat } from './bytes.ts'
import type { GmPrimitives } from './primitives.ts'
import { Sm3 } from './sm3.ts'
import { sm4CbcDecrypt, sm4CbcEncrypt } from './sm4.ts'

const HMAC_BLOCK = 64
const sm3 = (...parts: readonly Uint8Array[]) => {
  const hash = new Sm3()
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The primitives in plain TypeScript, small enough for an SDK in a browser. */
export const gmPortable: GmPrimitives = {
  sm3: (data) => sm3(data),
  hmacSm3(key, data) {
    const block = concat(key.length > HMAC_BLOCK ? sm3(key) : key, new Uint8Array(HMAC_BLOCK)).subarray(0, HMAC_BLOCK)
    const inner = sm3(
      block.map((byte) => byte ^ 0x36),
      data,
    )
    return sm3(
      block.map((byte) => byte ^ 0x5c),
      inner,
    )
  },
  sm4Encrypt: sm4CbcEncrypt,
  sm4Decrypt: sm4CbcDecrypt,
}
