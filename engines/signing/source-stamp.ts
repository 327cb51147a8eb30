import { createHash } from 'node:crypto'
import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { keyObject } from '../x509/public-key.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import { type BlockSignature, readSignature, signatureHolds, signaturesToVerify } from './block-algorithms.ts'
import { reasonOf } from './block-signer.ts'
import { lengthPrefixed, prefixedBytes } from './length-prefixed.ts'
import { positionIn, readLineage } from './lineage.ts'
import { IssueList, type SourceStamp } from './signing-facts.ts'

export const STAMP_BLOCK = 0x6dff800d
export const STAMP_ENTRY = 'stamp-cert-sha256'
const PROOF_OF_ROTATION = 0x9d6303f7
const STAMP_TIME = 0xe43c5946

interface StampRules {
  readonly minSdk: number
  readonly maxSdk: number
  /** Digests by number of scheme, encoded as the stamp signs them (see `stampedDigests`). */
  readonly digests: ReadonlyMap<number, Uint8Array>
  /** SHA-256 of the certificate that the stamp is expected to be made with. */
  readonly expectedCertificate?: string
}

/** The stamp of the store or tool that the package came through: never a reason against the package. Undefined without one. */
export function verifyStamp(zip: ZipArchive, rules: StampRules): SourceStamp | undefined {
  const issues = new IssueList({ scheme: 'stamp' })
  const block = zip.signingBlock?.pairs.find(({ id }) => id === STAMP_BLOCK)
  const entry = zip.byName.get(STAMP_ENTRY)
  const failed = (key: string, message: string): SourceStamp => {
    issues.warn(key, message)
    return { verified: false, issues: issues.warnings }
  }
  if (!entry)
    return block && failed('SOURCE_STAMP_SIGNATURE_BLOCK_WITHOUT_CERT_DIGEST', `a stamp without ${STAMP_ENTRY}`)
  try {
    const digest = Buffer.from(entryBytes(zip, entry))
    const { expectedCertificate } = rules
    if (expectedCertificate !== undefined && expectedCertificate.toLowerCase() !== digest.toString('hex'))
      return failed('SOURCE_STAMP_EXPECTED_DIGEST_MISMATCH', 'stamped with another certificate than expected')
    if (!block) return failed('SOURCE_STAMP_SIG_MISSING', `${STAMP_ENTRY} without a stamp`)
    const found = readStamp(new ByteReader(block.value, 'stamp'), digest, rules, issues)
    return { ...found, verified: issues.warnings.length === 0, issues: issues.warnings }
  } catch (error) {
    return failed('SOURCE_STAMP_MALFORMED_SIGNATURE', reasonOf(error))
  }
}

/** Content digests as a stamp signs them: by their number in ascending order, each with its length. */
export function stampedDigests(digests: readonly { readonly id: number; readonly value: Uint8Array }[]): Uint8Array {
  const byId = new Map(digests.map(({ id, value }) => [id, value]))
  const parts = [...byId].sort(([a], [b]) => a - b)
  return Buffer.concat(
    parts.map(([id, value]) => {
      const head = Buffer.alloc(12)
      head.writeUInt32LE(8 + value.length, 0)
      head.writeUInt32LE(id, 4)
      head.writeUInt32LE(value.length, 8)
      return Buffer.concat([head, value])
    }),
  )
}

function readStamp(
  block: ByteReader,
  digest: Buffer,
  rules: StampRules,
  issues: IssueList,
): Omit<SourceStamp, 'verified' | 'issues'> {
  const stamp = lengthPrefixed(block)
  const encoded = prefixedBytes(stamp)
  let certificate: Certificate
  try {
    certificate = readCertificate(encoded)
  } catch (error) {
    issues.warn('SOURCE_STAMP_MALFORMED_CERTIFICATE', reasonOf(error))
    return {}
  }
  if (!createHash('sha256').update(encoded).digest().equals(digest)) {
    issues.warn(
      'SOURCE_STAMP_CERTIFICATE_MISMATCH_BETWEEN_SIGNATURE_BLOCK_AND_APK',
      `the certificate is another than ${STAMP_ENTRY} says`,
    )
    return { certificate }
  }
  const schemes = new Map<number, ByteReader>()
  for (const list = lengthPrefixed(stamp); list.left; ) {
    const scheme = lengthPrefixed(list)
    schemes.set(scheme.u32(), lengthPrefixed(scheme))
  }
  for (const [scheme, signed] of [...rules.digests].sort(([a], [b]) => a - b)) {
    const signatures = schemes.get(scheme)
    if (!signatures) issues.warn('SOURCE_STAMP_NO_SIGNATURE', `the stamp does not cover scheme v${scheme}`)
    else verifyStamped(signed, signatures, certificate, rules, issues)
    if (issues.warnings.length) return { certificate }
  }
  if (!stamp.left) return { certificate }
  const attributes = lengthPrefixed(stamp)
  verifyStamped(attributes.bytes, lengthPrefixed(stamp), certificate, rules, issues)
  return issues.warnings.length ? { certificate } : { certificate, ...readAttributes(attributes, certificate, issues) }
}

function verifyStamped(
  data: Uint8Array,
  list: ByteReader,
  certificate: Certificate,
  { minSdk, maxSdk }: StampRules,
  issues: IssueList,
): void {
  const signatures: BlockSignature[] = []
  while (list.left) signatures.push(readSignature(list))
  if (!signatures.some(({ algorithm }) => algorithm)) {
    issues.warn('SOURCE_STAMP_NO_SIGNATURE', 'no signature of the stamp that can be read')
    return
  }
  const chosen = signaturesToVerify(signatures, minSdk, maxSdk, 'computableFrom')
  if (!chosen) {
    issues.warn('SOURCE_STAMP_NO_SUPPORTED_SIGNATURE', 'no signature that all asked versions know')
    return
  }
  const key = keyObject(certificate.publicKey.spki)
  if (!key || !chosen.every(({ algorithm, bytes }) => signatureHolds(algorithm, key, data, bytes)))
    issues.warn('SOURCE_STAMP_DID_NOT_VERIFY', 'the signature of the stamp does not hold')
}

function readAttributes(block: ByteReader, certificate: Certificate, issues: IssueList): { time?: number } {
  let time: number | undefined
  for (const list = lengthPrefixed(block); list.left; ) {
    const attribute = lengthPrefixed(list)
    const id = attribute.u32()
    if (id === PROOF_OF_ROTATION) checkLineage(attribute.slice(attribute.left), certificate, issues)
    else if (id === STAMP_TIME) {
      const seconds = BigInt.asIntN(64, attribute.u64())
      if (seconds > 0n && seconds <= BigInt(Number.MAX_SAFE_INTEGER)) time = Number(seconds)
      else issues.warn('SOURCE_STAMP_INVALID_TIMESTAMP', `time ${seconds}`)
    } else issues.warn('SOURCE_STAMP_UNKNOWN_ATTRIBUTE', `attribute 0x${id.toString(16)}`)
  }
  return time === undefined ? {} : { time }
}

function checkLineage(value: Uint8Array, certificate: Certificate, issues: IssueList): void {
  try {
    const lineage = readLineage(value)
    if (positionIn(lineage, certificate) !== lineage.length - 1)
      issues.warn('SOURCE_STAMP_POR_CERT_MISMATCH', 'the lineage does not end with the certificate of the stamp')
  } catch (error) {
    const message = reasonOf(error)
    const notVerified = error instanceof FormatError && error.key === 'not-verified'
    issues.warn(notVerified ? 'SOURCE_STAMP_POR_DID_NOT_VERIFY' : 'SOURCE_STAMP_MALFORMED_LINEAGE', message)
  }
}
