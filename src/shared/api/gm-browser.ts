import smCrypto from 'sm-crypto'
import { fromHex, toHex } from '#engines/gm/bytes.ts'
import type { GmPrimitives, Sm2Encrypt } from '#engines/gm/primitives.ts'

// CommonJS: Node offers its names on the default export alone.
const { sm2, sm3, sm4 } = smCrypto

/** The primitives by sm-crypto (0.5.8 or later: older ones are broken). Loaded on demand: see gm.ts. */
export const gmBrowser: GmPrimitives = {
  sm3: (data) => fromHex(sm3(data)),
  hmacSm3: (key, data) => fromHex(sm3(data, { key })),
  sm4Encrypt: (key, iv, data) =>
    Uint8Array.from(sm4.encrypt([...data], [...key], { mode: 'cbc', iv: [...iv], output: 'array' })),
  sm4Decrypt(key, iv, data) {
    try {
      return Uint8Array.from(sm4.decrypt([...data], [...key], { mode: 'cbc', iv: [...iv], output: 'array' }))
    } catch {
      return undefined
    }
  },
}

/** sm-crypto leaves the 04 before C1 out; the wire format has it. */
export const sm2EncryptBrowser: Sm2Encrypt = (publicKey, message) =>
  fromHex(`04${sm2.doEncrypt(message, toHex(publicKey), 1)}`)

export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}
