import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { PlistNode } from '../plist/plist-node.ts'
import { readPlist } from '../plist/read-plist.ts'
import type { Certificate } from '../x509/certificate.ts'
import { certificateOf, readSignedData } from '../x509/signed-data.ts'
import { algorithmsKnown, verifySignedData } from '../x509/verify-signed-data.ts'
import {
  type Blob,
  type CodeDirectory,
  pagesHold,
  type ReadDirectory,
  readDirectory,
  SLOT,
  slotHolds,
} from './code-directory.ts'
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
  /** Who signed, of them. */
  readonly signers: readonly Certificate[]
  /** Signed without a certificate, as development tools do for a simulator. */
  readonly adHoc: boolean
  /** Whether the CMS signature over the main directory holds with its certificate; null if it is absent or its algorithm is unknown. */
  readonly signatureHolds: boolean | null
  /** Whether all pages up to the signature have the digests that each directory names. */
  readonly pagesHold: boolean
  /** Whether entitlements and requirements are those that each directory names, and all directories say the same of who this is. */
  readonly partsHold: boolean
}

const SUPER_BLOB = 0xfade0cc0
const DIRECTORY = 0xfade0c02
/** Where blobs lie: what the special slots of a directory are of, alternative directories, the CMS signature. */
const ALTERNATIVES = 0x1000
const CMS = 0x10000
const MOST_BLOBS = 100
/** One, and five alternatives. */
const MOST_DIRECTORIES = 6
const AD_HOC = 2

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
  const named = blobs
    .filter(({ slot, magic }) => magic === DIRECTORY && (slot === 0 || isAlternative(slot)))
    .sort((a, b) => a.slot - b.slot)
  // Each is held against the whole image.
  if (named.length > MOST_DIRECTORIES)
    throw new FormatError('code-signature', 'directory', base + offset, `${named.length} code directories`)
  const directories = named.map((blob) => readDirectory(blob, base))
  const [main] = directories
  if (main?.blob.slot !== 0) throw new FormatError('code-signature', 'directory', base + offset, 'no code directory')
  const part = <T>(slot: number, read: (content: Uint8Array) => T): T | null => {
    const blob = blobs.find((one) => one.slot === slot)
    if (!blob || blob.bytes.length <= 8) return null
    try {
      return read(blob.bytes.subarray(8))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      notes.push({
        key: slot === CMS ? 'signature' : 'entitlements',
        offset: base + blob.offset,
        detail: error.message,
      })
      return null
    }
  }
  const written = part(SLOT.entitlements, readPlist)
  const der = part(SLOT.derEntitlements, readDerEntitlements)
  const isSigned = blobs.some(({ slot, bytes }) => slot === CMS && bytes.length > 8)
  const cms = part(CMS, (content) => {
    const data = readSignedData(content)
    const signers = data.signers.flatMap((signer) => certificateOf(signer, data.certificates) ?? [])
    const holds = algorithmsKnown(data) ? verifySignedData(data, main.blob.bytes) : null
    return { certificates: data.certificates, signers, holds }
  })
  const entitlementsBlob = blobs.find(({ slot }) => slot === (written ? SLOT.entitlements : SLOT.derEntitlements))
  return {
    offset: base + offset,
    directories: directories.map(({ facts }) => facts),
    entitlements: written ?? der,
    derEntitlements: der,
    entitlementsAt: entitlementsBlob ? base + entitlementsBlob.offset + 8 : -1,
    certificates: cms?.certificates ?? [],
    signers: cms?.signers ?? [],
    adHoc: (main.facts.flags & AD_HOC) !== 0 || !isSigned,
    signatureHolds: cms ? cms.holds : isSigned ? false : null,
    pagesHold: directories.every((one) => pagesHold(image, offset, one)),
    partsHold: directories.every((one) => partsHold(one, main, blobs)),
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
    const slot = reader.seek(12 + 8 * i).u32()
    const at = reader.u32()
    const magic = reader.seek(at).u32()
    const length = reader.u32()
    if (length < 8 || at + length > bytes.length) throw reader.error('truncated', `blob ${i} of ${length} bytes`, at)
    blobs.push({ slot, magic, offset: offset + at, bytes: bytes.subarray(at, at + length) })
  }
  return blobs
}

const isAlternative = (slot: number): boolean => slot >= ALTERNATIVES && slot < ALTERNATIVES + MOST_DIRECTORIES

/** Requirements and entitlements are what a directory names, each there that is named and named that is there. */
function partsHold({ facts }: ReadDirectory, { facts: main }: ReadDirectory, blobs: readonly Blob[]): boolean {
  return (
    facts.identifier === main.identifier &&
    facts.team === main.team &&
    [SLOT.requirements, SLOT.entitlements, SLOT.derEntitlements].every((slot) => {
      const found = blobs.filter((blob) => blob.slot === slot)
      return found.length === 0
        ? !facts.slots.has(slot)
        : found.length === 1 && slotHolds(facts, slot, found[0]!.bytes) === true
    })
  )
}
