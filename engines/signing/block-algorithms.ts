import { constants, type KeyObject, verify } from 'node:crypto'
import type { ByteReader } from '../bytes/byte-reader.ts'
import { lengthPrefixed, prefixedBytes } from './length-prefixed.ts'

/** How the bytes of a package are digested: in chunks of 1 MB, or by pages as fs-verity does. Ordered from weak to strong. */
export type ContentDigest = 'chunked-sha256' | 'verity-sha256' | 'chunked-sha512'
const STRENGTH: readonly ContentDigest[] = ['chunked-sha256', 'verity-sha256', 'chunked-sha512']

interface BlockAlgorithm {
  readonly id: number
  readonly name: string
  readonly key: 'rsa' | 'ec' | 'dsa'
  readonly hash: 'sha256' | 'sha512'
  readonly pss: boolean
  readonly contentDigest: ContentDigest
  /** First Android version that reads it in a signing block, and first one that can compute it at all. */
  readonly minSdk: number
  readonly computableFrom: number
}

const algorithm = (
  id: number,
  name: string,
  key: BlockAlgorithm['key'],
  contentDigest: ContentDigest,
  computableFrom: number,
): [number, BlockAlgorithm] => [
  id,
  {
    id,
    name,
    key,
    hash: contentDigest === 'chunked-sha512' ? 'sha512' : 'sha256',
    pss: name.startsWith('RSA_PSS'),
    contentDigest,
    minSdk: contentDigest === 'verity-sha256' ? 28 : 24,
    computableFrom,
  },
]

const ALGORITHMS: ReadonlyMap<number, BlockAlgorithm> = new Map([
  algorithm(0x0101, 'RSA_PSS_WITH_SHA256', 'rsa', 'chunked-sha256', 23),
  algorithm(0x0102, 'RSA_PSS_WITH_SHA512', 'rsa', 'chunked-sha512', 23),
  algorithm(0x0103, 'RSA_PKCS1_V1_5_WITH_SHA256', 'rsa', 'chunked-sha256', 1),
  algorithm(0x0104, 'RSA_PKCS1_V1_5_WITH_SHA512', 'rsa', 'chunked-sha512', 1),
  algorithm(0x0201, 'ECDSA_WITH_SHA256', 'ec', 'chunked-sha256', 11),
  algorithm(0x0202, 'ECDSA_WITH_SHA512', 'ec', 'chunked-sha512', 11),
  algorithm(0x0301, 'DSA_WITH_SHA256', 'dsa', 'chunked-sha256', 1),
  algorithm(0x0421, 'VERITY_RSA_PKCS1_V1_5_WITH_SHA256', 'rsa', 'verity-sha256', 1),
  algorithm(0x0423, 'VERITY_ECDSA_WITH_SHA256', 'ec', 'verity-sha256', 11),
  algorithm(0x0425, 'VERITY_DSA_WITH_SHA256', 'dsa', 'verity-sha256', 1),
])

export function blockAlgorithm(id: number): BlockAlgorithm | undefined {
  return ALGORITHMS.get(id)
}

export interface BlockSignature {
  readonly id: number
  readonly algorithm?: BlockAlgorithm
  readonly bytes: Uint8Array
}

/** One signature of a list of signatures. Throws FormatError `truncated`. */
export function readSignature(list: ByteReader): BlockSignature {
  const entry = lengthPrefixed(list)
  const id = entry.u32()
  const known = blockAlgorithm(id)
  return { id, ...(known && { algorithm: known }), bytes: prefixedBytes(entry) }
}

/**
 * Which of the signatures the asked Android versions verify: of those that came with one version the strongest. Undefined where a
 * version of the range finds none that it knows. `since` says from when an algorithm counts.
 */
export function signaturesToVerify(
  signatures: readonly BlockSignature[],
  minSdk: number,
  maxSdk: number,
  since: 'minSdk' | 'computableFrom' = 'minSdk',
): (BlockSignature & { algorithm: BlockAlgorithm })[] | undefined {
  const best = new Map<number, BlockSignature & { algorithm: BlockAlgorithm }>()
  for (const { id, algorithm: known, bytes } of signatures) {
    if (!known || known[since] > maxSdk) continue
    const held = best.get(known[since])
    if (!held || STRENGTH.indexOf(known.contentDigest) > STRENGTH.indexOf(held.algorithm.contentDigest))
      best.set(known[since], { id, algorithm: known, bytes })
  }
  if (!best.size || minSdk < Math.min(...best.keys())) return undefined
  return [...best.values()].sort((a, b) => a.id - b.id)
}

/** Whether the signature over `data` holds; a key of another kind or a signature that cannot be read does not. */
export function signatureHolds(by: BlockAlgorithm, key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.asymmetricKeyType !== by.key) return false
  try {
    return verify(
      by.hash,
      data,
      by.pss
        ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: by.hash === 'sha256' ? 32 : 64 }
        : { key, dsaEncoding: 'der' },
      signature,
    )
  } catch {
    return false
  }
}
