import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import type { GmPrimitives } from './primitives.ts'

/** The symmetric primitives by Node's own OpenSSL. SM4-GCM is not among them, which is why the envelopes are CBC with HMAC. */
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
      return undefined // wrong padding: the caller refuses the envelope
    }
  },
}
