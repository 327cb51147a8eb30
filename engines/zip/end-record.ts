import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { ZipNote } from './zip-facts.ts'

const END_SIZE = 22
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const LOCATOR64_SIZE = 20
const ENTRY = 0x02014b50

export interface EndRecord {
  endOffset: number
  /** Absolute, with the shift of prepended bytes. */
  directoryOffset: number
  directorySize: number
  entryCount: number
  comment: Uint8Array
  shift: number
  notes: ZipNote[]
}

/**
 * Finds the end of central directory. Android takes the last signature in the file and refuses the package unless its comment ends
 * with the file; where that does not hold, the last record whose comment does is preferred, then the last one with trailing bytes.
 */
export function readEndRecord(bytes: Uint8Array): EndRecord {
  const reader = new ByteReader(bytes, 'zip')
  const notes: ZipNote[] = []
  const endOffset = findEnd(bytes, notes)
  reader.seek(endOffset + 8)
  let entryCount = reader.u16()
  reader.skip(2)
  let directorySize = reader.u32()
  let declaredOffset = reader.u32()
  const commentLength = Math.min(reader.u16(), reader.left)
  const comment = reader.slice(commentLength)
  if (commentLength)
    notes.push({ key: 'comment', offset: endOffset, refused: false, detail: `${commentLength} bytes of comment` })
  let tail = endOffset
  if (entryCount === 0xffff || directorySize === 0xffffffff || declaredOffset === 0xffffffff) {
    const wide = readEnd64(reader, endOffset, notes)
    if (wide) ({ entryCount, directorySize, declaredOffset, tail } = wide)
  }
  const shift = shiftOf(reader, declaredOffset, directorySize, tail, notes)
  const directoryOffset = declaredOffset + shift
  if (directoryOffset > tail)
    throw new FormatError(
      'zip',
      'directory',
      endOffset,
      `central directory at ${declaredOffset}, behind its end record`,
    )
  if (directoryOffset + directorySize > tail) {
    notes.push({
      key: 'directory-size',
      offset: endOffset,
      refused: true,
      detail: 'central directory runs into its end',
    })
    directorySize = tail - directoryOffset
  }
  return { endOffset, directoryOffset, directorySize, entryCount, comment, shift, notes }
}

function findEnd(bytes: Uint8Array, notes: ZipNote[]): number {
  const lowest = Math.max(0, bytes.length - END_SIZE - 0xffff)
  let last = -1
  for (let at = bytes.length - END_SIZE; at >= lowest; at--) {
    if (bytes[at] !== 0x50 || bytes[at + 1] !== 0x4b || bytes[at + 2] !== 5 || bytes[at + 3] !== 6) continue
    const end = at + END_SIZE + bytes[at + 20]! + bytes[at + 21]! * 256
    if (end === bytes.length) {
      if (last >= 0)
        notes.push({ key: 'second-end', offset: last, refused: true, detail: 'a second end record that does not fit' })
      return at
    }
    if (last < 0) last = at
  }
  if (last < 0) throw new FormatError('zip', 'no-end', -1, 'no end of central directory')
  notes.push({ key: 'trailing-data', offset: last, refused: true, detail: 'the end record does not end the file' })
  return last
}

function readEnd64(reader: ByteReader, endOffset: number, notes: ZipNote[]) {
  const at = endOffset - LOCATOR64_SIZE
  if (at < 0 || reader.seek(at).u32() !== LOCATOR64) return undefined
  reader.skip(4)
  const recordOffset = reader.size64()
  if (recordOffset > at - 56 || reader.seek(recordOffset).u32() !== END64)
    throw new FormatError('zip', 'zip64', at, 'ZIP64 locator points at no record')
  reader.skip(8 + 2 + 2 + 4 + 4 + 8)
  const entryCount = reader.size64()
  const directorySize = reader.size64()
  const declaredOffset = reader.size64()
  notes.push({ key: 'zip64', offset: recordOffset, refused: false, detail: 'ZIP64 end record' })
  return { entryCount, directorySize, declaredOffset, tail: recordOffset }
}

/** Bytes put before an archive shift all that it says; Android does not follow there. */
function shiftOf(reader: ByteReader, offset: number, size: number, tail: number, notes: ZipNote[]): number {
  const shift = tail - size - offset
  if (shift <= 0 || size === 0) return 0
  if (offset + 4 <= tail && reader.seek(offset).u32() === ENTRY) return 0
  if (reader.seek(tail - size).u32() !== ENTRY) return 0
  notes.push({ key: 'prefix', offset: 0, refused: true, detail: `${shift} bytes before the archive` })
  return shift
}
