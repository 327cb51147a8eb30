import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { EndRecord } from './end-record.ts'
import { decodeName, nameNotes } from './entry-name.ts'
import type { ZipEntry, ZipLimits, ZipNote } from './zip-facts.ts'

const ENTRY = 0x02014b50
const ENTRY_SIZE = 46

/** An entry of the central directory, before its local header has been looked at. */
export type CentralEntry = Omit<ZipEntry, 'dataOffset' | 'notes'> & { notes: ZipNote[] }

/**
 * All entries between begin and end of the central directory. Android reads as many as the end record counts; others read on, so
 * entries behind the count are read too and the difference is noted.
 */
export function readCentralDirectory(bytes: Uint8Array, end: EndRecord, limits: ZipLimits): CentralEntry[] {
  const reader = new ByteReader(bytes.subarray(0, end.directoryOffset + end.directorySize), 'zip')
  reader.seek(end.directoryOffset)
  const entries: CentralEntry[] = []
  let broken = false
  while (reader.left >= ENTRY_SIZE) {
    const at = reader.position
    if (entries.length >= limits.entries)
      throw new FormatError('zip', 'limit', at, `more than ${limits.entries} entries`)
    const entry = readEntry(reader, entries.length, end.shift)
    if (!entry) {
      broken = entries.length < end.entryCount
      end.notes.push({ key: 'directory-broken', offset: at, refused: broken, detail: 'no readable entry here' })
      break
    }
    entries.push(entry)
  }
  // Without ZIP64 the count is kept modulo 65536.
  if (!broken && entries.length !== end.entryCount && entries.length % 0x10000 !== end.entryCount)
    end.notes.push({
      key: 'entry-count',
      offset: end.endOffset,
      refused: entries.length < end.entryCount,
      detail: `${end.entryCount} entries counted, ${entries.length} there`,
    })
  if (!entries.length) end.notes.push({ key: 'empty', offset: end.endOffset, refused: true, detail: 'no entries' })
  return entries
}

function readEntry(reader: ByteReader, index: number, shift: number): CentralEntry | undefined {
  const centralOffset = reader.position
  if (reader.u32() !== ENTRY) return undefined
  reader.skip(4)
  const flags = reader.u16()
  const method = reader.u16()
  reader.skip(4)
  const crc32 = reader.u32()
  let compressedSize = reader.u32()
  let size = reader.u32()
  const nameLength = reader.u16()
  const extraLength = reader.u16()
  const commentLength = reader.u16()
  reader.skip(4)
  const externalAttributes = reader.u32()
  let localOffset = reader.u32()
  if (nameLength + extraLength + commentLength > reader.left) return undefined
  const nameBytes = reader.slice(nameLength)
  const extra = reader.slice(extraLength)
  reader.skip(commentLength)
  const notes: ZipNote[] = []
  const wide = [size, compressedSize, localOffset].some((value) => value === 0xffffffff) ? wideValues(extra) : undefined
  if (wide) {
    if (size === 0xffffffff) size = wide.shift() ?? size
    if (compressedSize === 0xffffffff) compressedSize = wide.shift() ?? compressedSize
    if (localOffset === 0xffffffff) localOffset = wide.shift() ?? localOffset
  }
  const name = decodeName(nameBytes, centralOffset, notes)
  nameNotes(name, nameBytes, externalAttributes, centralOffset, notes)
  const note = (key: ZipNote['key'], detail: string) =>
    notes.push({ key, offset: centralOffset, refused: false, detail })
  if (flags & 1) note('encrypted-flag', 'marked as encrypted; Android does not look')
  if (method !== 0 && method !== 8) note('method', `compression method ${method}`)
  return {
    index,
    name,
    nameBytes,
    isDirectory: name.endsWith('/'),
    method,
    flags,
    crc32,
    compressedSize,
    size,
    externalAttributes,
    centralOffset,
    localOffset: localOffset + shift,
    notes,
  }
}

/** The 64-bit values of the ZIP64 extra field, in their order. */
function wideValues(extra: Uint8Array): number[] | undefined {
  const reader = new ByteReader(extra, 'zip')
  while (reader.left >= 4) {
    const id = reader.u16()
    const length = Math.min(reader.u16(), reader.left)
    if (id !== 1) {
      reader.skip(length)
      continue
    }
    const values: number[] = []
    for (let left = length; left >= 8; left -= 8) {
      const value = reader.u64()
      values.push(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value))
    }
    return values
  }
  return undefined
}
