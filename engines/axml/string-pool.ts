import { ByteReader } from '../bytes/byte-reader.ts'
import type { Chunk } from './chunk.ts'
import type { ResourceNotes } from './resource-notes.ts'

export const STRING_POOL = 0x0001
const HEADER = 28
const UTF8 = 1 << 8

/** The strings of a binary XML or a resource table, decoded when asked for. */
export interface StringPool {
  readonly count: number
  readonly utf8: boolean
  /** Undefined outside of the pool, and where the bytes do not hold the string. Throws FormatError `limit` when abused. */
  at(index: number): string | undefined
}

export const NO_STRINGS: StringPool = { count: 0, utf8: true, at: () => undefined }

/**
 * Reads the header of a string pool. Android's reader is followed: the offsets begin behind the header size that the chunk states,
 * counts that do not fit are cut (Android refuses those), styles are passed over.
 */
export function readStringPool(bytes: Uint8Array, chunk: Chunk, notes: ResourceNotes): StringPool {
  if (chunk.size < HEADER) {
    notes.add('chunk', chunk.offset, 'string pool without header', true)
    return NO_STRINGS
  }
  const pool = bytes.subarray(chunk.offset, chunk.offset + chunk.size)
  const reader = new ByteReader(pool, 'string-pool', { position: 8 })
  const declared = reader.u32()
  reader.skip(4)
  const utf8 = (reader.u32() & UTF8) !== 0
  const stringsStart = reader.u32()
  const headerSize = chunk.headerSize < HEADER || chunk.headerSize > chunk.size ? HEADER : chunk.headerSize
  const count = Math.min(declared, Math.floor((pool.length - headerSize) / 4))
  if (count < declared)
    notes.add('string-count', chunk.offset, `${declared} strings declared, at most ${count} fit`, true)
  if (stringsStart > pool.length) notes.add('string-count', chunk.offset, 'strings begin outside of their pool', true)
  // Strings may share bytes, so what they decode to is bounded too: twice the pool is more than any tool writes.
  let budget = 2 * pool.length + 0x10000
  const cache = new Map<number, string | undefined>()
  const at = (index: number): string | undefined => {
    if (!(index >= 0 && index < count)) return undefined
    const offset = stringsStart + reader.seek(headerSize + 4 * index).u32()
    if (cache.has(offset)) return cache.get(offset)
    const text = utf8 ? utf8At(pool, offset) : utf16At(pool, offset)
    budget -= text?.length ?? 0
    if (budget < 0) throw reader.error('limit', 'strings decode to more than twice their pool', chunk.offset)
    if (text === undefined) notes.add('string', chunk.offset, `string ${index} is not held by its pool`)
    cache.set(offset, text)
    return text
  }
  return { count, utf8, at }
}

function utf16At(pool: Uint8Array, offset: number): string | undefined {
  let at = offset
  if (at + 2 > pool.length) return undefined
  let length = pool[at]! | (pool[at + 1]! << 8)
  at += 2
  if (length & 0x8000) {
    if (at + 2 > pool.length) return undefined
    length = ((length & 0x7fff) << 16) | pool[at]! | (pool[at + 1]! << 8)
    at += 2
  }
  if (at + 2 * length > pool.length) return undefined
  return Buffer.from(pool.buffer, pool.byteOffset + at, 2 * length).toString('utf16le')
}

function utf8At(pool: Uint8Array, offset: number): string | undefined {
  if (offset >= pool.length) return undefined
  // Length in UTF-16 units, then in bytes, each in one or two bytes.
  let at = offset + (pool[offset]! & 0x80 ? 2 : 1)
  if (at >= pool.length) return undefined
  let length = pool[at]!
  at++
  if (length & 0x80) {
    if (at >= pool.length) return undefined
    length = ((length & 0x7f) << 8) | pool[at]!
    at++
  }
  // A length of more than 15 bits was cut by the writer: the string really ends at the next NUL in steps of 0x8000.
  let end = at + length
  while (end < pool.length && pool[end] !== 0) end += 0x8000
  if (end >= pool.length) {
    end = at + length
    if (end > pool.length) return undefined
  }
  const text = Buffer.from(pool.buffer, pool.byteOffset + at, end - at).toString('utf8')
  return text.includes('\ufffd') ? modifiedUtf8(pool.subarray(at, end)) : text
}

/** UTF-8 in which surrogates take three bytes each; what is no UTF-8 at all becomes U+FFFD. */
function modifiedUtf8(bytes: Uint8Array): string {
  const units: number[] = []
  const tail = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80
  for (let i = 0; i < bytes.length; ) {
    const a = bytes[i]!
    if (a < 0x80) {
      units.push(a)
      i++
    } else if (a >> 5 === 6 && tail(i + 1)) {
      units.push(((a & 0x1f) << 6) | (bytes[i + 1]! & 0x3f))
      i += 2
    } else if (a >> 4 === 14 && tail(i + 1) && tail(i + 2)) {
      units.push(((a & 0xf) << 12) | ((bytes[i + 1]! & 0x3f) << 6) | (bytes[i + 2]! & 0x3f))
      i += 3
    } else if (a >> 3 === 30 && tail(i + 1) && tail(i + 2) && tail(i + 3)) {
      const point =
        (((a & 7) << 18) | ((bytes[i + 1]! & 0x3f) << 12) | ((bytes[i + 2]! & 0x3f) << 6) | (bytes[i + 3]! & 0x3f)) -
        0x10000
      units.push(0xd800 | ((point >> 10) & 0x3ff), 0xdc00 | (point & 0x3ff))
      i += 4
    } else {
      units.push(0xfffd)
      i++
    }
  }
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le')
}
