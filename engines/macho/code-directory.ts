import { createHash } from 'node:crypto'
import { ByteReader } from '../bytes/byte-reader.ts'

/** What a code signature signs: digests of the pages of its image, and of what lies beside them. */
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
  /** Digests of what is no page, by number of `SLOT`; empty ones are left out. */
  readonly slots: ReadonlyMap<number, Uint8Array>
}

/** What the digests of a directory that precede those of the pages are of; those of others no one compares. */
export const SLOT = { info: 1, requirements: 2, resources: 3, entitlements: 5, derEntitlements: 7 } as const

const HASHES: Readonly<Record<number, readonly [name: string, size: number]>> = {
  1: ['sha1', 20],
  2: ['sha256', 32],
  3: ['sha256', 20],
  4: ['sha384', 48],
}
/** Apple knows eleven. */
const MOST_SLOTS = 32
const LONGEST_TEXT = 1024

/** A blob of a signature, with its head of eight bytes. */
export interface Blob {
  /** As which part of the signature it lies there. */
  readonly slot: number
  readonly magic: number
  readonly offset: number
  readonly bytes: Uint8Array
}

/** A directory with what is needed to hold an image against it. */
export interface ReadDirectory {
  readonly facts: CodeDirectory
  readonly blob: Blob
  readonly hashSize: number
  /** What its kind of hash has; a shorter one would hold whatever the pages are. */
  readonly fullSize: number
  readonly hashesAt: number
  readonly codeSlots: number
}

/** Throws FormatError of format `code-signature`. */
export function readDirectory(blob: Blob, base: number): ReadDirectory {
  const { bytes, offset } = blob
  const reader = new ByteReader(bytes, 'code-signature', { littleEndian: false, position: 8 })
  const version = reader.u32()
  const flags = reader.u32()
  const hashesAt = reader.u32()
  const identifierAt = reader.u32()
  const specialSlots = reader.u32()
  const codeSlots = reader.u32()
  const codeLimit = reader.u32()
  const hashSize = reader.u8()
  const [hash, fullSize] = HASHES[reader.u8()] ?? ['unknown', 0]
  reader.skip(1) // platform, which nothing here depends on
  const pageBits = reader.u8()
  const teamAt = version >= 0x20200 ? reader.seek(48).u32() : 0
  if (pageBits > 30) throw reader.error('page-size', `pages of 2^${pageBits} bytes`)
  const text = (at: number) => {
    const part = reader.seek(at).slice(Math.min(reader.left, LONGEST_TEXT))
    const end = part.indexOf(0)
    return Buffer.from(end < 0 ? part : part.subarray(0, end)).toString('utf8')
  }
  const slots = new Map<number, Uint8Array>()
  for (let slot = 1; slot <= Math.min(specialSlots, MOST_SLOTS); slot++) {
    const at = hashesAt - slot * hashSize
    if (at < 0 || at + hashSize > bytes.length) throw reader.error('truncated', `no digest of slot ${slot}`)
    const digest = bytes.subarray(at, at + hashSize)
    if (digest.some((byte) => byte !== 0)) slots.set(slot, digest)
  }
  return {
    facts: {
      offset: base + offset,
      version,
      flags,
      identifier: text(identifierAt),
      team: teamAt ? text(teamAt) : null,
      hash,
      pageSize: pageBits ? 2 ** pageBits : 0,
      codeLimit,
      cdHash: createHash(hash === 'unknown' ? 'sha256' : hash)
        .update(bytes)
        .digest('hex')
        .slice(0, 40),
      slots,
    },
    blob,
    hashSize,
    fullSize,
    hashesAt,
    codeSlots,
  }
}

/** Whether every page up to the signature at `end` has the digest that the directory names. */
export function pagesHold(
  image: Uint8Array,
  end: number,
  { facts, blob, hashSize, fullSize, hashesAt, codeSlots }: ReadDirectory,
): boolean {
  const { hash, codeLimit, pageSize } = facts
  if (hash === 'unknown' || hashSize !== fullSize) return false
  if (codeLimit > image.length || codeLimit < end || hashesAt + codeSlots * hashSize > blob.bytes.length) return false
  const step = pageSize || codeLimit || 1
  if (codeSlots !== Math.ceil(codeLimit / step)) return false
  for (let i = 0; i < codeSlots; i++) {
    const page = image.subarray(i * step, Math.min((i + 1) * step, codeLimit))
    const wanted = blob.bytes.subarray(hashesAt + i * hashSize, hashesAt + (i + 1) * hashSize)
    if (Buffer.compare(createHash(hash).update(page).digest().subarray(0, hashSize), wanted) !== 0) return false
  }
  return true
}

/** Whether these bytes are what the directory has in a slot; undefined where it says nothing of it. */
export function slotHolds({ hash, slots }: CodeDirectory, slot: number, bytes: Uint8Array): boolean | undefined {
  const wanted = slots.get(slot)
  if (!wanted) return undefined
  return hash !== 'unknown' && createHash(hash).update(bytes).digest().subarray(0, wanted.length).equals(wanted)
}
