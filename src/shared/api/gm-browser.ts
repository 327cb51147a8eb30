import { gmPortable } from '#engines/gm/gm-portable.ts'
import { makeSm2Encrypt } from '#engines/gm/sm2-encrypt.ts'

export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

export const sm2EncryptBrowser = makeSm2Encrypt(gmPortable, randomBytes)
