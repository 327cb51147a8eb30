import { crc32, deflateRawSync } from 'node:zlib'
import { FormatError } from '../bytes/format-error.ts'
import type { ZipArchive, ZipEntry } from './zip-facts.ts'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const [STORED, DEFLATED] = [0, 8]
const HAS_DESCRIPTOR = 8
const DENSE_AS_GIVEN = 9

/**
 * The archive (APPNOTE 6.3.10) with the content of some entries replaced: order, names, times, attributes, comments and the packed bytes
 * of all others stay as they are. Replaced entries are packed by the method that they had. Sizes and checksums are written into the local
 * headers, so no entry needs a data descriptor. The signing block of an APK is left out: it does not hold any more.
 * Throws FormatError `local-header`, `outside`, `zip64`, `method`.
 */
export function replaceEntries(zip: ZipArchive, replaced: ReadonlyMap<ZipEntry, Uint8Array>): Buffer {
  const { bytes } = zip
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const entry of zip.entries) {
    const refused = (key: string, what: string) =>
      new FormatError('zip', key, entry.localOffset, `entry ${JSON.stringify(entry.name.slice(0, 200))} ${what}`)
    if (entry.dataOffset < 0) throw refused('local-header', 'has no local header')
    if (entry.dataOffset + entry.compressedSize > source.length) throw refused('outside', 'ends outside of the file')
    const content = replaced.get(entry)
    if (content && entry.method !== STORED && entry.method !== DEFLATED) throw refused('method', 'cannot be packed')
    const packed = !content
      ? source.subarray(entry.dataOffset, entry.dataOffset + entry.compressedSize)
      : entry.method === DEFLATED
        ? deflateRawSync(content, { level: DENSE_AS_GIVEN })
        : content
    const size = content ? content.length : entry.size
    const checksum = content ? crc32(content) : entry.crc32
    // The record as it was, with what changes written over it.
    const nameLength = source.readUInt16LE(entry.centralOffset + 28)
    const extraLength = source.readUInt16LE(entry.centralOffset + 30)
    const commentLength = source.readUInt16LE(entry.centralOffset + 32)
    const record = Buffer.from(
      source.subarray(entry.centralOffset, entry.centralOffset + 46 + nameLength + extraLength + commentLength),
    )
    const local = Buffer.from(source.subarray(entry.localOffset, entry.dataOffset))
    if (record.readUInt32LE(0) !== CENTRAL || local.readUInt32LE(0) !== LOCAL)
      throw refused('local-header', 'has a header with a wrong signature')
    const flags = record.readUInt16LE(8) & ~HAS_DESCRIPTOR
    record.writeUInt16LE(flags, 8)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(entry.method, 8)
    for (const [header, offset] of [
      [record, 16],
      [local, 14],
    ] as const) {
      header.writeUInt32LE(checksum, offset)
      header.writeUInt32LE(packed.length, offset + 4)
      header.writeUInt32LE(size, offset + 8)
    }
    if (at + local.length + packed.length > 0xfffffffe) throw refused('zip64', 'lies beyond 4 GB')
    record.writeUInt32LE(at, 42)
    parts.push(local, packed)
    directory.push(record)
    at += local.length + packed.length
  }
  if (zip.entries.length > 0xfffe) throw new FormatError('zip', 'zip64', -1, `${zip.entries.length} entries`)
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(zip.entries.length, 8)
  end.writeUInt16LE(zip.entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(zip.comment.length, 20)
  return Buffer.concat([...parts, list, end, zip.comment])
}
