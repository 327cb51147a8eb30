import type { ByteReader } from '../bytes/byte-reader.ts'
import type { ResourceNotes } from './resource-notes.ts'

/** The header that begins each piece of a binary XML or a resource table (ResChunk_header). */
export interface Chunk {
  readonly offset: number
  readonly type: number
  readonly headerSize: number
  /** Of the whole chunk, cut to what its parent holds. */
  readonly size: number
}

export const CHUNK_HEADER = 8

/**
 * The chunk at `offset`, which must end before `end`; undefined (and a note) where none can begin there. A size that runs over the
 * end is cut, one that is smaller than its header is refused, as it would lead nowhere.
 */
export function chunkAt(reader: ByteReader, offset: number, end: number, notes: ResourceNotes): Chunk | undefined {
  if (offset + CHUNK_HEADER > end) return undefined
  reader.seek(offset)
  const type = reader.u16()
  const headerSize = reader.u16()
  let size = reader.u32()
  if (size < CHUNK_HEADER) {
    notes.add('chunk', offset, `chunk of type 0x${type.toString(16)} with size ${size}`, true)
    return undefined
  }
  if (offset + size > end) {
    notes.add('size', offset, `chunk of type 0x${type.toString(16)} claims ${size} of ${end - offset} bytes`, true)
    size = end - offset
  }
  if (headerSize < CHUNK_HEADER || headerSize > size)
    notes.add('header-size', offset, `chunk of type 0x${type.toString(16)} with header size ${headerSize}`, true)
  return { offset, type, headerSize, size }
}
