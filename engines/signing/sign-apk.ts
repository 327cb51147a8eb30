import { copyEntries } from '../zip/copy-entries.ts'
import { ZIP_LIMITS, type ZipArchive, type ZipEntry, type ZipLimits } from '../zip/zip-facts.ts'
import { ZipWriter } from '../zip/zip-writer.ts'
import { blockAlgorithm } from './block-algorithms.ts'
import { u32 } from './block-bytes.ts'
import { type Pieces, ProtectedContent, sizeOf } from './content-digests.ts'
import { digestEntries, type EntryDigests } from './entry-digests.ts'
import { positionIn, readLineage } from './lineage.ts'
import { refuseOddArchive } from './refuse-odd-archive.ts'
import { SDK } from './signing-facts.ts'
import {
  blockAlgorithmFor,
  type JarAlgorithmChoice,
  jarAlgorithmFor,
  ownCertificate,
  refusal,
  type SigningKey,
} from './signing-key.ts'
import { STAMP_BLOCK, STAMP_ENTRY } from './source-stamp.ts'
import { STRIPPING_PROTECTION, V2_BLOCK } from './v2-scheme.ts'
import { PROOF_OF_ROTATION, ROTATION_MIN_SDK, V3_BLOCK, V31_BLOCK } from './v3-scheme.ts'
import { type IdsigSigner, writeIdsig } from './write-idsig.ts'
import { isSignatureEntry, signatureFileName, writeJarSignature } from './write-jar-signature.ts'
import { type BlockPair, isPadding, writeBlockSigner, writeSigningBlock } from './write-signing-block.ts'

export const SIGNING_SCHEMES = ['v1', 'v2', 'v3', 'v4'] as const
export type SigningScheme = (typeof SIGNING_SCHEMES)[number]

export interface SignRequest {
  readonly key: SigningKey
  /** Of the key; names the files of scheme v1. */
  readonly alias: string
  readonly schemes: ReadonlySet<SigningScheme>
  /** Lowest Android version that the package is for: decides the digests of v1. */
  readonly minSdk: number
  readonly rotation?: Rotation
  /** Name of the tool, for the manifest of v1. */
  readonly createdBy: string
  readonly limits?: ZipLimits
}

/** The key took the place of an older one. */
export interface Rotation {
  /** First key of the lineage: signs v1, v2, and v3 for versions before `minSdk`. */
  readonly first: SigningKey
  /** As signing blocks hold it; ends with the key that signs. */
  readonly lineage: Uint8Array
  /** From which version on the newer key counts: 28 to 32 by the lineage in v3, later ones by a v3.1 signer. */
  readonly minSdk: number
}

export interface SignedApk {
  /** The package in pieces that follow each other; most are views of the input. */
  readonly pieces: Pieces
  readonly size: number
  /** Content of the .idsig file where v4 was asked for. */
  readonly idsig?: Uint8Array
  readonly removed: RemovedSignatures
}

/** What the input had of signatures and is not in the output. */
export interface RemovedSignatures {
  /** Files of a JAR signature. */
  readonly files: readonly string[]
  /** Ids of pairs of the signing block. */
  readonly pairs: readonly number[]
  /** A source stamp: its pair, or the file with the digest of its certificate. */
  readonly stamp: boolean
}

const PAGE = 4096
const HIGHEST_SDK = 0x7fffffff

/**
 * Signs an APK: present signatures and a source stamp are taken out, entries are copied as they are packed, v1 is written where asked
 * for, then the signing block with v2, v3 and v3.1, then v4 over the whole. Throws FormatError: of format `signing` (`scheme`,
 * `key-algorithm`, `rotation`, `archive`, `entry-name`), of `zip` where the content cannot be read.
 */
export function signApk(zip: ZipArchive, request: SignRequest): SignedApk {
  return sign(zip, request)
}

/** As `signApk`; for v1 the entries are unpacked on several threads. */
export async function signApkOnThreads(zip: ZipArchive, request: SignRequest): Promise<SignedApk> {
  refuseOddArchive(zip)
  if (!request.schemes.has('v1')) return sign(zip, request)
  const { hash } = jarAlgorithmOf(request)
  return sign(zip, request, await digestEntries(zip, keptEntries(zip), hash, request.limits))
}

const keptEntries = (zip: ZipArchive): ZipEntry[] => zip.entries.filter(({ name }) => !isSigningEntry(name))

const jarAlgorithmOf = ({ key, rotation, minSdk }: SignRequest): JarAlgorithmChoice =>
  jarAlgorithmFor(ownCertificate(rotation?.first ?? key), minSdk)

function sign(zip: ZipArchive, request: SignRequest, digests?: EntryDigests): SignedApk {
  const { schemes } = request
  if (!schemes.size) throw refusal('scheme', 'no signature scheme is asked for')
  if (schemes.has('v4') && !schemes.has('v2') && !schemes.has('v3'))
    throw refusal('scheme', 'v4 needs a v2 or v3 signature that it refers to')
  refuseOddArchive(zip)
  checkRotation(request)
  const removed = presentSignatures(zip)
  const kept = keptEntries(zip)
  const before: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => before.push(bytes), { zip64: false })
  const chosen = new Set<ZipEntry>(kept)
  copyEntries(zip, writer, (entry) => chosen.has(entry))
  if (schemes.has('v1')) addJarSignature(zip, kept, writer, request, digests)
  const directory = writer.directory()
  const hasBlock = schemes.has('v2') || schemes.has('v3')
  if (!hasBlock) {
    const pieces = [...before, directory, writer.endRecord(directory.length, writer.position, zip.comment)]
    return { pieces, size: sizeOf(pieces), removed }
  }
  const padding = (PAGE - (writer.position % PAGE)) % PAGE
  if (padding) before.push(new Uint8Array(padding))
  const blockOffset = writer.position + padding
  const endRecord = (offset: number) => writer.endRecord(directory.length, offset, zip.comment)
  const content = new ProtectedContent([before, [directory], [endRecord(blockOffset)]])
  const block = writeSigningBlock(signerPairs(content, request))
  const pieces = [...before, block, directory, endRecord(blockOffset + block.length)]
  return {
    pieces,
    size: sizeOf(pieces),
    ...(schemes.has('v4') && { idsig: idsigOf(pieces, content, request) }),
    removed,
  }
}

/** Entries that only a signature of the package gives a meaning: files of v1, and the digest of a source stamp. */
export const isSigningEntry = (name: string): boolean => isSignatureEntry(name) || name === STAMP_ENTRY

/** Their names in the order of the directory. */
export const signingEntries = ({ entries }: ZipArchive): string[] =>
  entries.map(({ name }) => name).filter(isSigningEntry)

function checkRotation({ key, rotation, schemes }: SignRequest): void {
  if (!rotation) return
  if (!schemes.has('v3')) throw refusal('rotation', 'a lineage needs scheme v3')
  if (rotation.minSdk < SDK.p)
    throw refusal('rotation', `the newer key counts from version ${SDK.p} on at the earliest`)
  const lineage = readLineage(rotation.lineage)
  const first = lineage[0]?.certificate
  if (!first || positionIn(lineage, ownCertificate(key)) !== lineage.length - 1)
    throw refusal('rotation', 'the lineage does not end with the key that signs')
  if (first.fingerprints.sha256 !== ownCertificate(rotation.first).fingerprints.sha256)
    throw refusal('rotation', 'the lineage does not begin with the older key')
}

/** What of signatures a package has. */
function presentSignatures({ entries, signingBlock }: ZipArchive): RemovedSignatures {
  const pairs = (signingBlock?.pairs ?? []).filter((pair) => !isPadding(pair)).map(({ id }) => id)
  return {
    files: entries.filter(({ name }) => isSignatureEntry(name)).map(({ name }) => name),
    pairs,
    stamp: pairs.includes(STAMP_BLOCK) || entries.some(({ name }) => name === STAMP_ENTRY),
  }
}

function addJarSignature(
  zip: ZipArchive,
  entries: readonly ZipEntry[],
  writer: ZipWriter,
  request: SignRequest,
  digests?: EntryDigests,
): void {
  const { key, rotation, schemes, limits = ZIP_LIMITS } = request
  const files = writeJarSignature(zip, entries, {
    key: rotation?.first ?? key,
    algorithm: jarAlgorithmOf(request),
    name: signatureFileName(request.alias),
    createdBy: request.createdBy,
    laterSchemes: [...(schemes.has('v2') ? [2] : []), ...(schemes.has('v3') ? [3] : [])],
    limits,
    ...(digests && { digests }),
  })
  for (const { name, content } of files) writer.add(name, content)
}

function signerPairs(content: ProtectedContent, { key, rotation, schemes }: SignRequest): BlockPair[] {
  const digest = content.digest.bind(content)
  const first = rotation?.first ?? key
  const pairs: BlockPair[] = []
  if (schemes.has('v2')) {
    const attributes = schemes.has('v3') ? [{ id: STRIPPING_PROTECTION, value: u32(3) }] : []
    pairs.push({ id: V2_BLOCK, value: writeBlockSigner({ key: first, digest, attributes }) })
  }
  if (!schemes.has('v3')) return pairs
  const proof = rotation ? [{ id: PROOF_OF_ROTATION, value: rotation.lineage }] : []
  if (rotation && rotation.minSdk >= SDK.t) {
    const attributes = [{ id: ROTATION_MIN_SDK, value: u32(rotation.minSdk) }]
    const older = { key: first, digest, attributes, versions: [SDK.p, rotation.minSdk - 1] } as const
    const newer = { key, digest, attributes: proof, versions: [rotation.minSdk, HIGHEST_SDK] } as const
    pairs.push({ id: V3_BLOCK, value: writeBlockSigner(older) }, { id: V31_BLOCK, value: writeBlockSigner(newer) })
  } else
    pairs.push({
      id: V3_BLOCK,
      value: writeBlockSigner({ key, digest, attributes: proof, versions: [SDK.p, HIGHEST_SDK] }),
    })
  return pairs
}

function idsigOf(apk: Pieces, content: ProtectedContent, { key, rotation, schemes }: SignRequest): Uint8Array {
  const signer = (one: SigningKey): IdsigSigner => ({
    key: one,
    apkDigest: content.digest(blockAlgorithm(blockAlgorithmFor(ownCertificate(one)).id)!.contentDigest),
  })
  if (!rotation) return writeIdsig(apk, signer(key))
  if (!schemes.has('v3')) return writeIdsig(apk, signer(rotation.first))
  if (rotation.minSdk < SDK.t) return writeIdsig(apk, signer(key))
  return writeIdsig(apk, signer(rotation.first), signer(key))
}
