import { createHash } from 'node:crypto'
import type { InspectedPackage } from '#contracts/http/tools.ts'

/** Name, size and digests of the bytes. */
export function describeFile(bytes: Uint8Array, name: string): InspectedPackage['file'] {
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex')
  return {
    name,
    size: bytes.length,
    md5: digest('md5'),
    sha1: digest('sha1'),
    sha256: digest('sha256'),
    sm3: digest('sm3'),
  }
}
