import { ByteReader } from '../bytes/byte-reader.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { keyObject } from '../x509/public-key.ts'
import { blockAlgorithm, signatureHolds } from './block-algorithms.ts'
import { reasonOf } from './block-signer.ts'
import { prefixedBytes } from './length-prefixed.ts'
import { IssueList } from './signing-facts.ts'
import { verityTree } from './verity-tree.ts'

const VERSION = 2
const SHA256 = 1
const LOG2_PAGE = 12

interface V4Signer {
  readonly issues: IssueList
  readonly certificate?: Certificate
  /** Digest of a v2 or v3 signer that this signature belongs to. */
  readonly apkDigest: Uint8Array
}

export interface V4Result {
  readonly issues: IssueList
  readonly signers: readonly V4Signer[]
}

interface SigningInfo {
  readonly apkDigest: Uint8Array
  readonly certificate: Uint8Array
  readonly additionalData: Uint8Array
  readonly publicKey: Uint8Array
  readonly algorithm: number
  readonly signature: Uint8Array
}

/**
 * APK Signature Scheme v4: an .idsig file beside the package with a Merkle tree over all its bytes. Whether it belongs to the v2 or
 * v3 signature inside is for the caller to see.
 */
export function verifyV4(apk: Uint8Array, idsig: Uint8Array): V4Result {
  const issues = new IssueList({ scheme: 'v4' })
  const signers: V4Signer[] = []
  try {
    const reader = new ByteReader(idsig, 'idsig')
    const version = reader.u32()
    if (version !== VERSION) throw reader.error('version', `version ${version}`, 0)
    const hashing = readHashing(new ByteReader(prefixedBytes(reader), 'idsig'))
    const infos = new ByteReader(prefixedBytes(reader), 'idsig')
    const tree = reader.left >= 4 ? prefixedBytes(reader) : undefined
    signers.push(verifySigner(readInfo(infos), hashing, apk.length, 0))
    while (infos.left && !failed({ issues, signers })) {
      infos.skip(4)
      const info = readInfo(new ByteReader(prefixedBytes(infos), 'idsig'))
      signers.push(verifySigner(info, hashing, apk.length, signers.length))
    }
    if (failed({ issues, signers })) return { issues, signers }
    const actual = verityTree([apk], new Uint8Array())
    if (!actual.root.equals(hashing.root))
      issues.error('V4_SIG_APK_ROOT_DID_NOT_VERIFY', 'the package is another than the signed one')
    else if (tree && !actual.tree.equals(tree))
      issues.error('V4_SIG_APK_TREE_DID_NOT_VERIFY', 'the Merkle tree does not belong to the package')
  } catch (error) {
    issues.error('V4_SIG_MALFORMED_SIGNERS', reasonOf(error))
  }
  return { issues, signers }
}

export function failed({ issues, signers }: V4Result): boolean {
  return issues.errors.length > 0 || signers.some((signer) => signer.issues.errors.length > 0)
}

function readHashing(reader: ByteReader) {
  const algorithm = reader.u32()
  const log2Page = reader.u8()
  const salt = prefixedBytes(reader)
  const root = prefixedBytes(reader)
  if (algorithm !== SHA256 || log2Page !== LOG2_PAGE || salt.length)
    throw reader.error('hashing', `hashing ${algorithm} with pages of 2^${log2Page} bytes`, 0)
  return { root, encoded: reader.bytes.subarray(0, reader.position) }
}

function readInfo(reader: ByteReader): SigningInfo {
  const apkDigest = prefixedBytes(reader)
  const certificate = prefixedBytes(reader)
  const additionalData = prefixedBytes(reader)
  const publicKey = prefixedBytes(reader)
  return {
    apkDigest,
    certificate,
    additionalData,
    publicKey,
    algorithm: reader.u32(),
    signature: prefixedBytes(reader),
  }
}

function verifySigner(info: SigningInfo, hashing: { encoded: Uint8Array }, fileSize: number, index: number): V4Signer {
  const issues = new IssueList({ scheme: 'v4', signer: index })
  const { apkDigest } = info
  const refuse = (key: string, message: string): V4Signer => {
    issues.error(key, message)
    return { issues, apkDigest }
  }
  const algorithm = blockAlgorithm(info.algorithm)
  if (!algorithm) return refuse('V4_SIG_UNKNOWN_SIG_ALGORITHM', `algorithm 0x${info.algorithm.toString(16)}`)
  const key = keyObject(info.publicKey)
  if (!key) return refuse('V4_SIG_MALFORMED_PUBLIC_KEY', 'the public key cannot be read')
  if (!signatureHolds(algorithm, key, signedData(info, hashing.encoded, fileSize), info.signature))
    return refuse('V4_SIG_DID_NOT_VERIFY', 'the signature does not hold')
  let certificate: Certificate
  try {
    certificate = readCertificate(info.certificate)
  } catch (error) {
    return refuse('V4_SIG_MALFORMED_CERTIFICATE', reasonOf(error))
  }
  if (Buffer.compare(certificate.publicKey.spki, info.publicKey) !== 0)
    issues.error(
      'V4_SIG_PUBLIC_KEY_MISMATCH_BETWEEN_CERTIFICATE_AND_SIGNATURES_RECORD',
      'the certificate is for another key',
    )
  return { issues, certificate, apkDigest }
}

/** Size, file size, hashing, digest, certificate, additional data. */
export function signedData(
  info: Pick<SigningInfo, 'apkDigest' | 'certificate' | 'additionalData'>,
  hashing: Uint8Array,
  fileSize: number,
): Buffer {
  const parts = [info.apkDigest, info.certificate, info.additionalData].flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(part.length)
    return [length, part]
  })
  const body = Buffer.concat([hashing, ...parts])
  const head = Buffer.alloc(12)
  head.writeUInt32LE(12 + body.length, 0)
  head.writeBigUInt64LE(BigInt(fileSize), 4)
  return Buffer.concat([head, body])
}
