import { createHash } from 'node:crypto'
import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { PlistNode } from '../plist/plist-node.ts'
import { readPlist } from '../plist/read-plist.ts'
import type { Certificate } from '../x509/certificate.ts'
import { readSignedData } from '../x509/signed-data.ts'
import { verifySignedData } from '../x509/verify-signed-data.ts'
import { readDerEntitlements } from './der-entitlements.ts'
import type { MachoNote } from './macho-note.ts'

export interface CodeSignature {
  readonly offset: number
  /** The main one first, then the alternatives. */
  readonly directories: readonly CodeDirectory[]
  /** What the signer asked for; of the XML form, else of the DER form. */
  readonly entitlements: PlistNode | null
  readonly derEntitlements: PlistNode | null
  /** Offset of the entitlements in the file; their nodes count from there. */
  readonly entitlementsAt: number
  readonly certificates: readonly Certificate[]
  /** Signed without a certificate, as development tools do for a simulator. */
  readonly adHoc: boolean
  /** Whether the CMS signature over the main directory holds with its certificate; null where there is none. */
  readonly signatureHolds: boolean | null
  /** Whether all pages have the digests that the strongest directory names. */
  readonly pagesHold: boolean
}

export interface CodeDirectory {
  readonly offset: number
  /** 0x20400 and the like. */
  readonly version: number
  readonly flags: number
  readonly identifier: string
  readonly team: string | null
  readonly hash: string
  readonly pageSize: number
  readonly codeLimit: number
  /** SHA-256 or SHA-1 of the directory, as its own hash type says, first 20 bytes in hexadecimal. */
  readonly cdHash: string
}

const SUPER_BLOB = 0xfade0cc0
const DIRECTORY = 0xfade0c02
const ENTITLEMENTS = 0xfade7171
const DER_ENTITLEMENTS = 0xfade7172
const CMS = 0xfade0b01
const MOST_BLOBS = 100
const HASHES: Readonly<Record<number, readonly [name: string, size: number]>> = {
  1: ['sha1', 20],
  2: ['sha256', 32],
  3: ['sha256', 20],
  4: ['sha384', 48],
}
const AD_HOC = 2

interface Blob {
  magic: number
  offset: number
  bytes: Uint8Array
}

/**
 * Reads the signature that lies at `offset` of an image. A part that cannot be read is noted.
 * Throws FormatError of format `code-signature`.
 */
export function readCodeSignature(
  image: Uint8Array,
  offset: number,
  size: number,
  base: number,
  notes: MachoNote[],
): CodeSignature {
  const blobs = readBlobs(image, offset, size)
  const directories = blobs
    .filter(({ magic }) => magic === DIRECTORY)
    .map((blob) => ({ ...readDirectory(blob, base), blob }))
  if (!directories.length) throw new FormatError('code-signature', 'directory', base + offset, 'no code directory')
  const part = <T>(magic: number, read: (content: Uint8Array) => T): T | null => {
    const blob = blobs.find((one) => one.magic === magic)
    if (!blob || blob.bytes.length <= 8) return null
    try {
      return read(blob.bytes.subarray(8))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      notes.push({
        key: magic === CMS ? 'signature' : 'entitlements',
        offset: base + blob.offset,
        detail: error.message,
      })
      return null
    }
  }
  const written = part(ENTITLEMENTS, readPlist)
  const der = part(DER_ENTITLEMENTS, readDerEntitlements)
  const main = directories[0]!
  const cms = part(CMS, (content) => {
    const data = readSignedData(content)
    return { certificates: data.certificates, holds: verifySignedData(data, main.blob.bytes) }
  })
  const strongest = directories.reduce((best, one) => (one.hashSize > best.hashSize ? one : best))
  const entitlementsBlob = blobs.find(({ magic }) => magic === (written ? ENTITLEMENTS : DER_ENTITLEMENTS))
  return {
    offset: base + offset,
    directories: directories.map(
      ({ blob: _, hashSize: _h, fullSize: _f, hashesAt: _a, codeSlots: _s, ...facts }) => facts,
    ),
    entitlements: written ?? der,
    derEntitlements: der,
    entitlementsAt: entitlementsBlob ? base + entitlementsBlob.offset + 8 : -1,
    certificates: cms?.certificates ?? [],
    adHoc: (main.flags & AD_HOC) !== 0 || !cms,
    signatureHolds: cms?.holds ?? null,
    pagesHold: pagesHold(image, strongest),
  }
}

function readBlobs(image: Uint8Array, offset: number, size: number): Blob[] {
  if (offset + size > image.length || offset < 0)
    throw new FormatError('code-signature', 'truncated', offset, 'the signature ends outside of the image')
  const bytes = image.subarray(offset, offset + size)
  const reader = new ByteReader(bytes, 'code-signature', { littleEndian: false })
  if (reader.u32() !== SUPER_BLOB) throw reader.error('magic', 'no signature', 0)
  reader.skip(4)
  const count = reader.u32()
  if (count > MOST_BLOBS) throw reader.error('limit', `${count} blobs`)
  const blobs: Blob[] = []
  for (let i = 0; i < count; i++) {
    const at = reader.seek(12 + 8 * i + 4).u32()
    const magic = reader.seek(at).u32()
    const length = reader.u32()
    if (length < 8 || at + length > bytes.length) throw reader.error('truncated', `blob ${i} of ${length} bytes`, at)
    blobs.push({ magic, offset: offset + at, bytes: bytes.subarray(at, at + length) })
  }
  return blobs
}

function readDirectory({ bytes, offset }: Blob, base: number) {
  const reader = new ByteReader(bytes, 'code-signature', { littleEndian: false, position: 8 })
  const version = reader.u32()
  const flags = reader.u32()
  const hashesAt = reader.u32()
  const identifierAt = reader.u32()
  reader.skip(4)
  const codeSlots = reader.u32()
  const codeLimit = reader.u32()
  const hashSize = reader.u8()
  const [hash, fullSize] = HASHES[reader.u8()] ?? ['unknown', 0]
  reader.skip(1)
  const pageBits = reader.u8()
  const teamAt = version >= 0x20200 ? reader.seek(48).u32() : 0
  if (pageBits > 30) throw reader.error('page-size', `pages of 2^${pageBits} bytes`)
  const text = (at: number) => {
    const part = reader.seek(at).slice(Math.min(reader.left, 1024))
    const end = part.indexOf(0)
    return Buffer.from(end < 0 ? part : part.subarray(0, end)).toString('utf8')
  }
  const cdHash = createHash(hash === 'unknown' ? 'sha256' : hash)
    .update(bytes)
    .digest('hex')
    .slice(0, 40)
  return {
    offset: base + offset,
    version,
    flags,
    identifier: text(identifierAt),
    team: teamAt ? text(teamAt) : null,
    hash,
    pageSize: pageBits ? 2 ** pageBits : 0,
    codeLimit,
    cdHash,
    hashSize,
    fullSize,
    hashesAt,
    codeSlots,
  }
}

type Directory = ReturnType<typeof readDirectory> & { blob: Blob }

/** Every page up to the limit against its digest. */
function pagesHold(
  image: Uint8Array,
  { blob, hash, hashSize, fullSize, hashesAt, codeSlots, codeLimit, pageSize }: Directory,
): boolean {
  // Digests shorter than their kind has would hold whatever the pages are.
  if (hash === 'unknown' || hashSize !== fullSize) return false
  if (codeLimit > image.length || hashesAt + codeSlots * hashSize > blob.bytes.length) return false
  const step = pageSize || codeLimit || 1
  if (codeSlots !== Math.ceil(codeLimit / step)) return false
  for (let i = 0; i < codeSlots; i++) {
    const page = image.subarray(i * step, Math.min((i + 1) * step, codeLimit))
    const wanted = blob.bytes.subarray(hashesAt + i * hashSize, hashesAt + (i + 1) * hashSize)
    if (Buffer.compare(createHash(hash).update(page).digest().subarray(0, hashSize), wanted) !== 0) return false
  }
  return true
}
