/**
 * Something odd about an archive. `refused` says what a current Android (libziparchive) does with it: true, the package or at least
 * the entry is not taken by a device; false, a device reads on, perhaps differently from other tools.
 */
export interface ZipNote {
  readonly key: ZipNoteKey
  /** Where it was seen, in bytes from the start of the archive. */
  readonly offset: number
  readonly refused: boolean
  readonly detail: string
}

type ZipNoteKey =
  | 'empty'
  | 'trailing-data'
  | 'second-end'
  | 'comment'
  | 'prefix'
  | 'zip64'
  | 'entry-count'
  | 'directory-size'
  | 'directory-broken'
  | 'signing-block'
  | 'local-header'
  | 'local-name'
  | 'local-sizes'
  | 'local-method'
  | 'local-flags'
  | 'outside'
  | 'overlap'
  | 'encrypted-flag'
  | 'method'
  | 'stored-size'
  | 'duplicate'
  | 'unsafe-name'
  | 'name-bytes'
  | 'long-name'
  | 'link'

/** One entry as the central directory describes it; that is whom Android believes about name, sizes and method. */
export interface ZipEntry {
  readonly index: number
  /** UTF-8, or ISO 8859-1 where the bytes are no UTF-8. Data, never a path to write to. */
  readonly name: string
  readonly nameBytes: Uint8Array
  readonly isDirectory: boolean
  /** 0 stored, 8 deflated; any other value is written by packers to mislead tools. */
  readonly method: number
  readonly flags: number
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  readonly externalAttributes: number
  readonly centralOffset: number
  readonly localOffset: number
  /** First byte of the content, -1 where the local header cannot be read. */
  readonly dataOffset: number
  readonly notes: readonly ZipNote[]
}

/** The APK Signing Block before the central directory; what its values mean is not this reader's business. */
export interface SigningBlock {
  readonly offset: number
  /** Whole length with both size fields and the magic. */
  readonly size: number
  readonly pairs: readonly SigningBlockPair[]
  /** Why the block or the rest of its pairs could not be read. */
  readonly malformed?: string
}

export interface SigningBlockPair {
  readonly id: number
  /** Offset of the value in the archive. */
  readonly offset: number
  readonly value: Uint8Array
}

export interface ZipArchive {
  readonly bytes: Uint8Array
  /** In the order of the central directory, duplicates included. */
  readonly entries: readonly ZipEntry[]
  /** The first entry of each name. */
  readonly byName: ReadonlyMap<string, ZipEntry>
  readonly directoryOffset: number
  readonly directorySize: number
  readonly endOffset: number
  readonly comment: Uint8Array
  /** Bytes before the archive that its offsets do not count (0 for a sound package). */
  readonly shift: number
  readonly signingBlock?: SigningBlock
  /** Of the archive as a whole; each entry has its own. */
  readonly notes: readonly ZipNote[]
}

/** Limits of one archive; sizes in bytes. Above one of them readers throw FormatError `limit`. */
export interface ZipLimits {
  readonly entries: number
  /** Unpacked size of all entries together, as declared; no entry gives more than it declares. */
  readonly totalSize: number
  readonly entrySize: number
  /** Unpacked to packed, for one entry and for all; asked only above `ratioFloor`, small things may be as dense as they like. */
  readonly entryRatio: number
  readonly totalRatio: number
  readonly ratioFloor: number
}

export const ZIP_LIMITS: ZipLimits = {
  entries: 100_000,
  totalSize: 8 * 2 ** 30,
  entrySize: 2 ** 30,
  entryRatio: 200,
  totalRatio: 100,
  ratioFloor: 16 * 2 ** 20,
}
