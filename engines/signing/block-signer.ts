import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { keyObject } from '../x509/public-key.ts'
import {
  type BlockSignature,
  blockAlgorithm,
  type ContentDigest,
  readSignature,
  signatureHolds,
  signaturesToVerify,
} from './block-algorithms.ts'
import type { ProtectedContent } from './content-digests.ts'
import { lengthPrefixed, prefixedBytes } from './length-prefixed.ts'
import { IssueList, type Scheme } from './signing-facts.ts'

export interface BlockSigner {
  readonly index: number
  readonly issues: IssueList
  certificates: Certificate[]
  /** Content digests as declared, by the algorithm they belong to. */
  digests: { readonly id: number; readonly value: Uint8Array }[]
  attributes: { readonly id: number; readonly value: Uint8Array }[]
  minSdk: number
  maxSdk: number
}

/** What the signers of a v2, v3 or v3.1 block have in common. */
interface BlockRules {
  readonly scheme: Scheme & ('v2' | 'v3' | 'v31')
  readonly minSdk: number
  readonly maxSdk: number
}

export interface BlockResult {
  readonly issues: IssueList
  readonly signers: readonly BlockSigner[]
  /** Kinds of content digest that verified signatures speak of. */
  readonly contentDigests: ReadonlySet<ContentDigest>
}

/** Reads all signers of a block and verifies their signatures over what they sign; content is compared by `compareContent`. */
export function readSigners(block: Uint8Array, rules: BlockRules): BlockResult {
  const prefix = rules.scheme === 'v2' ? 'V2_SIG' : 'V3_SIG'
  const issues = new IssueList({ scheme: rules.scheme })
  const signers: BlockSigner[] = []
  const contentDigests = new Set<ContentDigest>()
  const result = { issues, signers, contentDigests }
  let list: ByteReader
  try {
    list = lengthPrefixed(new ByteReader(block, 'signing block'))
  } catch (error) {
    issues.error(`${prefix}_MALFORMED_SIGNERS`, reasonOf(error))
    return result
  }
  if (!list.left) issues.error(`${prefix}_NO_SIGNERS`, 'the block has no signers')
  while (list.left) {
    const signer: BlockSigner = {
      index: signers.length,
      issues: new IssueList({ scheme: rules.scheme, signer: signers.length }),
      certificates: [],
      digests: [],
      attributes: [],
      minSdk: rules.minSdk,
      maxSdk: rules.maxSdk,
    }
    signers.push(signer)
    try {
      readSigner(lengthPrefixed(list), signer, rules, prefix, contentDigests)
    } catch (error) {
      signer.issues.error(`${prefix}_MALFORMED_SIGNER`, reasonOf(error))
      break
    }
  }
  return result
}

/** Compares the declared digests with the content. */
export function compareContent({ signers, contentDigests }: BlockResult, content: ProtectedContent, key: string): void {
  for (const { digests, issues } of signers)
    for (const { id, value } of digests) {
      const kind = blockAlgorithm(id)?.contentDigest
      if (kind && contentDigests.has(kind) && Buffer.compare(content.digest(kind), value) !== 0)
        issues.error(key, `the ${kind} digest of the content is another than the signed one`)
    }
}

function readSigner(
  reader: ByteReader,
  signer: BlockSigner,
  rules: BlockRules,
  prefix: string,
  contentDigests: Set<ContentDigest>,
): void {
  const { issues } = signer
  const versioned = rules.scheme !== 'v2'
  const signed = lengthPrefixed(reader)
  if (versioned) {
    signer.minSdk = reader.i32()
    signer.maxSdk = reader.i32()
    if (signer.minSdk < 0 || signer.minSdk > signer.maxSdk)
      issues.error('V3_SIG_INVALID_SDK_VERSIONS', `from ${signer.minSdk} to ${signer.maxSdk}`)
  }
  const signatureList = lengthPrefixed(reader)
  const publicKey = prefixedBytes(reader)
  const signatures: BlockSignature[] = []
  if (!readList(signatureList, (list) => signatures.push(readSignature(list)), issues, `${prefix}_MALFORMED_SIGNATURE`))
    return
  for (const { id, algorithm } of signatures)
    if (!algorithm) issues.warn(`${prefix}_UNKNOWN_SIG_ALGORITHM`, `algorithm 0x${id.toString(16)}`)
  if (!signatures.length) {
    issues.error(`${prefix}_NO_SIGNATURES`, 'the signer has no signatures')
    return
  }
  const chosen = signaturesToVerify(signatures, signer.minSdk, signer.maxSdk)
  if (!chosen) {
    issues.error(`${prefix}_NO_SUPPORTED_SIGNATURES`, 'no signature that Android knows')
    return
  }
  const key = keyObject(publicKey)
  if (!key) {
    issues.error(`${prefix}_MALFORMED_PUBLIC_KEY`, 'the public key cannot be read')
    return
  }
  for (const { algorithm, bytes } of chosen) {
    if (!signatureHolds(algorithm, key, signed.bytes, bytes)) {
      issues.error(`${prefix}_DID_NOT_VERIFY`, `the ${algorithm.name} signature does not hold`)
      return
    }
    contentDigests.add(algorithm.contentDigest)
  }

  const digestList = lengthPrefixed(signed)
  const certificateList = lengthPrefixed(signed)
  if (versioned) {
    if (signed.i32() !== signer.minSdk)
      issues.error(
        'V3_MIN_SDK_VERSION_MISMATCH_BETWEEN_SIGNER_AND_SIGNED_DATA_RECORD',
        'another lowest version is signed',
      )
    if (signed.i32() !== signer.maxSdk)
      issues.error(
        'V3_MAX_SDK_VERSION_MISMATCH_BETWEEN_SIGNER_AND_SIGNED_DATA_RECORD',
        'another highest version is signed',
      )
  }
  const attributeList = lengthPrefixed(signed)
  while (certificateList.left) {
    const bytes = prefixedBytes(certificateList)
    try {
      signer.certificates.push(readCertificate(bytes))
    } catch (error) {
      issues.error(`${prefix}_MALFORMED_CERTIFICATE`, reasonOf(error))
      return
    }
  }
  const [main] = signer.certificates
  if (!main) {
    issues.error(`${prefix}_NO_CERTIFICATES`, 'the signer has no certificates')
    return
  }
  if (Buffer.compare(main.publicKey.spki, publicKey) !== 0) {
    issues.error(
      `${prefix}_PUBLIC_KEY_MISMATCH_BETWEEN_CERTIFICATE_AND_SIGNATURES_RECORD`,
      'the certificate is for another key',
    )
    return
  }
  const readDigest = (list: ByteReader) => {
    const entry = lengthPrefixed(list)
    signer.digests.push({ id: entry.u32(), value: prefixedBytes(entry) })
  }
  if (!readList(digestList, readDigest, issues, `${prefix}_MALFORMED_DIGEST`)) return
  if (signatures.map(({ id }) => id).join() !== signer.digests.map(({ id }) => id).join()) {
    issues.error(
      `${prefix}_SIG_ALG_MISMATCH_BETWEEN_SIGNATURES_AND_DIGESTS_RECORDS`,
      'signatures and digests name different algorithms',
    )
    return
  }
  const readAttribute = (list: ByteReader) => {
    const entry = lengthPrefixed(list)
    signer.attributes.push({ id: entry.u32(), value: entry.slice(entry.left) })
  }
  readList(attributeList, readAttribute, issues, `${prefix}_MALFORMED_ADDITIONAL_ATTRIBUTE`)
}

/** Reads to the end of the list; an entry that cannot be read is an error of the given key and ends it. */
function readList(list: ByteReader, readOne: (list: ByteReader) => void, issues: IssueList, key: string): boolean {
  while (list.left)
    try {
      readOne(list)
    } catch (error) {
      issues.error(key, reasonOf(error))
      return false
    }
  return true
}

/** The message of a FormatError; anything else is a mistake of ours and is thrown on. */
export function reasonOf(error: unknown): string {
  if (error instanceof FormatError) return error.message
  throw error
}
