import { FormatError } from '../bytes/format-error.ts'
import { V2_BLOCK } from '../signing/v2-scheme.ts'
import { V3_BLOCK, V31_BLOCK } from '../signing/v3-scheme.ts'
import { type BlockPair, isPadding } from '../signing/write-signing-block.ts'
import { readSigningBlock } from '../zip/signing-block.ts'

/** Reads so many bytes of a package from an offset. */
export type ReadAt = (offset: number, length: number) => Uint8Array

/** What follows the entries of a package, and how a channel is written into it. */
export interface PackageTail {
  /** Bytes before the tail: nothing of them changes. */
  readonly bodySize: number
  /** Of the signing block, padding left out. Empty without one. */
  readonly pairs: readonly BlockPair[]
  readonly directory: Uint8Array
  /** As it is in the file. */
  readonly endRecord: Uint8Array
  /** block: a pair of the signing block. meta: a file in META-INF, where v1 alone protects the package. */
  readonly place: 'block' | 'meta'
}

/** End record with the longest comment. */
const LONGEST_END = 22 + 0xffff
const MOST_DIRECTORY = 64 * 2 ** 20
const MOST_BLOCK = 16 * 2 ** 20

/**
 * The tail of a package of `size` bytes, without reading what is before it. Throws FormatError of format `zip`, or of format `channel`:
 * `block` where the signing block is malformed, `limit`, `archive` for ZIP64 and bytes around the archive.
 */
export function readPackageTail(read: ReadAt, size: number): PackageTail {
  const endSize = Math.min(size, LONGEST_END)
  const last = read(size - endSize, endSize)
  const found = locateEnd(last)
  if (!found) throw new FormatError('zip', 'no-end', -1, 'no end of central directory')
  const endOffset = size - endSize + found.at
  const { directoryOffset, directorySize } = found
  if (directoryOffset === 0xffffffff || directorySize === 0xffffffff || directoryOffset + directorySize !== endOffset)
    throw new FormatError('channel', 'archive', endOffset, 'the central directory does not end at its end record')
  if (directorySize > MOST_DIRECTORY) throw new FormatError('channel', 'limit', directoryOffset, 'directory too large')
  const directory = read(directoryOffset, directorySize)
  const block = readBlock(read, directoryOffset)
  const signed = block.pairs.some(({ id }) => id === V2_BLOCK || id === V3_BLOCK || id === V31_BLOCK)
  return {
    bodySize: directoryOffset - block.size,
    pairs: block.pairs,
    directory,
    endRecord: last.subarray(found.at),
    place: signed ? 'block' : 'meta',
  }
}

/** By the reader of archives, which wants the whole file; here the bytes before are not there, and none of it is needed. */
function locateEnd(last: Uint8Array): { at: number; directoryOffset: number; directorySize: number } | undefined {
  const view = new DataView(last.buffer, last.byteOffset, last.length)
  for (let at = last.length - 22; at >= 0; at--)
    if (view.getUint32(at, true) === 0x06054b50 && at + 22 + view.getUint16(at + 20, true) === last.length)
      return { at, directorySize: view.getUint32(at + 12, true), directoryOffset: view.getUint32(at + 16, true) }
  return undefined
}

function readBlock(read: ReadAt, directoryOffset: number): { size: number; pairs: BlockPair[] } {
  if (directoryOffset < 32) return { size: 0, pairs: [] }
  const footer = Buffer.from(read(directoryOffset - 24, 24))
  if (footer.subarray(8).toString('latin1') !== 'APK Sig Block 42') return { size: 0, pairs: [] }
  const length = footer.readBigUInt64LE(0)
  if (length > BigInt(Math.min(MOST_BLOCK, directoryOffset - 8)))
    throw new FormatError('channel', 'limit', directoryOffset, 'signing block too large')
  const size = Number(length) + 8
  const block = readSigningBlock(read(directoryOffset - size, size), size)
  if (!block || block.malformed !== undefined || block.offset !== 0)
    throw new FormatError('channel', 'block', directoryOffset - size, block?.malformed ?? 'malformed signing block')
  return {
    size,
    pairs: block.pairs.filter((pair) => !isPadding(pair)).map(({ id, value }) => ({ id, value })),
  }
}
