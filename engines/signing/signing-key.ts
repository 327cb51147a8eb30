import { FormatError } from '../bytes/format-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import { blockAlgorithm } from './block-algorithms.ts'
import { SDK } from './signing-facts.ts'

export type SignatureHash = 'sha1' | 'sha256' | 'sha512'

/**
 * A private key in the hands of the caller: `sign` answers the signature over the bytes, RSASSA-PKCS1-v1_5 of an RSA key, DER of an EC
 * or DSA key. The engine sees no private key and needs no randomness.
 */
export interface SigningKey {
  /** The key's own certificate first, then those above it. */
  readonly certificates: readonly Certificate[]
  readonly sign: (hash: SignatureHash, bytes: Uint8Array) => Uint8Array
}

/** Why packages cannot be signed as asked: FormatError of format `signing`. */
export function refusal(key: string, message: string): FormatError {
  return new FormatError('signing', key, -1, message)
}

/** The key's own certificate. */
export function ownCertificate({ certificates }: SigningKey): Certificate {
  const [own] = certificates
  if (!own) throw refusal('certificate', 'the key has no certificate')
  return own
}

const EC_CURVES: Readonly<Record<string, number>> = { 'P-256': 0x0201, 'P-384': 0x0202, 'P-521': 0x0202 }

/** The algorithm of signing blocks (v2 and later) for a key, as apksigner chooses it: SHA-512 for what is stronger than SHA-256. */
export function blockAlgorithmFor(certificate: Certificate): {
  readonly id: number
  readonly hash: 'sha256' | 'sha512'
} {
  const { algorithm, bits, curve } = certificate.publicKey
  const id =
    algorithm === 'RSA'
      ? bits <= 3072
        ? 0x0103
        : 0x0104
      : algorithm === 'DSA'
        ? 0x0301
        : algorithm === 'EC'
          ? EC_CURVES[curve ?? '']
          : undefined
  const known = id === undefined ? undefined : blockAlgorithm(id)
  if (!known)
    throw refusal('key-algorithm', `Android verifies no package with a key of ${algorithm} ${curve ?? ''}`.trim())
  return { id: known.id, hash: known.hash }
}

/** What a JAR signature (v1) is made with. */
export interface JarAlgorithmChoice {
  /** Of the entries, the manifest and the signature. */
  readonly hash: 'sha1' | 'sha256'
  readonly digestOid: string
  readonly signatureOid: string
  /** Ending of the signature block. */
  readonly extension: 'RSA' | 'DSA' | 'EC'
}

/**
 * Versions before 4.3 (RSA) and 5.0 (DSA) know SHA-1 alone. Throws FormatError `key-algorithm` for a key that the lowest version
 * does not know: EC came with 4.3.
 */
export function jarAlgorithmFor(certificate: Certificate, minSdk: number): JarAlgorithmChoice {
  const { algorithm } = certificate.publicKey
  const sha1 = { hash: 'sha1', digestOid: '1.3.14.3.2.26' } as const
  const sha256 = { hash: 'sha256', digestOid: '2.16.840.1.101.3.4.2.1' } as const
  if (algorithm === 'RSA') {
    const digest = minSdk < SDK.jellyBeanMr2 ? sha1 : sha256
    return { ...digest, signatureOid: '1.2.840.113549.1.1.1', extension: 'RSA' }
  }
  if (algorithm === 'DSA')
    return minSdk < SDK.lollipop
      ? { ...sha1, signatureOid: '1.2.840.10040.4.1', extension: 'DSA' }
      : { ...sha256, signatureOid: '2.16.840.1.101.3.4.3.2', extension: 'DSA' }
  if (algorithm !== 'EC') throw refusal('key-algorithm', `Android verifies no package with a key of ${algorithm}`)
  if (minSdk < SDK.jellyBeanMr2)
    throw refusal('key-algorithm', `Android ${minSdk} knows no EC keys: v1 needs version 18 or later, or an RSA key`)
  return { ...sha256, signatureOid: '1.2.840.10045.2.1', extension: 'EC' }
}
