import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '#engines/gm/bytes.ts'
import { Sm3 } from '#engines/gm/sm3.ts'

export const DIGESTS = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sm3: 'SM3' } as const
export type DigestName = keyof typeof DIGESTS
export type Digests = Record<DigestName, string>

/** All digests of bytes that come in parts, as hex. */
export function startDigests(): { update(part: Uint8Array): void; end(): Digests } {
  const sums = { md5: md5.create(), sha1: sha1.create(), sha256: sha256.create(), sm3: new Sm3() }
  return {
    update(part) {
      for (const sum of Object.values(sums)) sum.update(part)
    },
    end: () => ({
      md5: toHex(sums.md5.digest()),
      sha1: toHex(sums.sha1.digest()),
      sha256: toHex(sums.sha256.digest()),
      sm3: toHex(sums.sm3.digest()),
    }),
  }
}
