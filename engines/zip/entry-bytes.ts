import { promisify } from 'node:util'
import { constants, crc32, inflateRaw, inflateRawSync } from 'node:zlib'
import { FormatError } from '../bytes/format-error.ts'
import { inflateHead } from './inflate-head.ts'
import { ZIP_LIMITS, type ZipArchive, type ZipEntry, type ZipLimits } from './zip-facts.ts'

/** Deflate cannot do better than 258 bytes from two bits. */
export const DENSEST = 1032

/**
 * The content of an entry, exactly `entry.size` bytes: a view where it is stored, else a new array.
 * A method that is neither stored nor deflated is what packers write against tools: old Androids inflate such an entry, current ones
 * take it as stored, so whichever fits the checksum is given, and the stored bytes where neither does.
 * Throws FormatError `limit`, `local-header`, `outside`, `inflate`, `size`; the checksum is not judged (see `hasSoundChecksum`).
 */
export function entryBytes(zip: ZipArchive, entry: ZipEntry, limits: ZipLimits = ZIP_LIMITS): Uint8Array {
  const { size, compressedSize, dataOffset } = entry
  if (dataOffset < 0) throw fail(entry, 'local-header', 'has no local header')
  if (size > limits.entrySize) throw fail(entry, 'limit', `declares ${size} bytes`)
  if (entry.method === 8) return inflate(zip, entry, limits)
  if (entry.method !== 0 && compressedSize > 0) {
    try {
      const inflated = inflate(zip, entry, limits)
      if (hasSoundChecksum(entry, inflated)) return inflated
    } catch (error) {
      if (!(error instanceof FormatError) || error.key === 'limit') throw error
    }
  }
  if (dataOffset + size > zip.bytes.length) throw fail(entry, 'outside', 'ends outside of the file')
  return zip.bytes.subarray(dataOffset, dataOffset + size)
}

/**
 * The first bytes of an entry, at most `count` and fewer where the entry is shorter or damaged: enough to recognise a format without
 * unpacking the whole. Never throws.
 */
export function entryHead(
  zip: ZipArchive,
  { size, compressedSize, dataOffset, method }: ZipEntry,
  count: number,
): Uint8Array {
  const length = Math.min(count, size)
  if (dataOffset < 0) return new Uint8Array()
  if (method !== 8) return zip.bytes.subarray(dataOffset, Math.min(dataOffset + length, zip.bytes.length))
  // Deflated data takes at most five bytes more than its content in each block of 64 KiB.
  const packed = zip.bytes.subarray(dataOffset, dataOffset + Math.min(compressedSize, length + 1024))
  if (length <= FEW) return inflateHead(packed, length)
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: length + 1024 }
    return inflateRawSync(packed, options).subarray(0, length)
  } catch {
    return new Uint8Array()
  }
}

/** So many bytes are unpacked faster one by one. */
const FEW = 1024

/** Whether the content fits the checksum of the directory. Android does not ask when it reads; other tools do. */
export function hasSoundChecksum(entry: ZipEntry, bytes: Uint8Array): boolean {
  return crc32(bytes) === entry.crc32
}

/** As `entryBytes`; a deflated entry is unpacked on a thread of zlib, so that the caller and other entries go on meanwhile. */
export async function entryBytesOnThread(
  zip: ZipArchive,
  entry: ZipEntry,
  limits: ZipLimits = ZIP_LIMITS,
): Promise<Uint8Array> {
  const { method, size, dataOffset } = entry
  if (method !== 8 || dataOffset < 0 || size > limits.entrySize) return entryBytes(zip, entry, limits)
  const packed = packedBytes(zip, entry, limits)
  return contentOf(entry, await inflateOnThread(packed, optionsFor(entry)).catch((error) => refuse(entry, error)))
}

const inflateOnThread = promisify<Uint8Array, ReturnType<typeof optionsFor>, Buffer>(inflateRaw)

function inflate(zip: ZipArchive, entry: ZipEntry, limits: ZipLimits): Uint8Array {
  const packed = packedBytes(zip, entry, limits)
  let content: Buffer
  try {
    content = inflateRawSync(packed, optionsFor(entry))
  } catch (error) {
    refuse(entry, error)
  }
  return contentOf(entry, content)
}

/** One byte more than declared: enough to see that there is more, and the whole content in one allocation. */
const optionsFor = ({ size }: ZipEntry) => ({ maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) })

function packedBytes(zip: ZipArchive, entry: ZipEntry, limits: ZipLimits): Uint8Array {
  const { size, compressedSize, dataOffset } = entry
  if (dataOffset + compressedSize > zip.bytes.length) throw fail(entry, 'outside', 'ends outside of the file')
  if (size > limits.ratioFloor && size > limits.entryRatio * compressedSize)
    throw fail(entry, 'limit', `${size} bytes from ${compressedSize}`)
  if (size > DENSEST * compressedSize) throw fail(entry, 'size', `cannot hold the declared ${size} bytes`)
  return zip.bytes.subarray(dataOffset, dataOffset + compressedSize)
}

function contentOf(entry: ZipEntry, { buffer, byteOffset, length }: Buffer): Uint8Array {
  if (length !== entry.size) throw fail(entry, 'size', `gives ${length} bytes and declares ${entry.size}`)
  return new Uint8Array(buffer, byteOffset, length)
}

function refuse(entry: ZipEntry, error: unknown): never {
  throw fail(entry, 'inflate', error instanceof Error ? error.message : 'not deflated')
}

function fail(entry: ZipEntry, key: string, what: string): FormatError {
  return new FormatError('zip', key, entry.localOffset, `entry ${JSON.stringify(entry.name)} ${what}`)
}
