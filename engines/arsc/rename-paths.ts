import { type Chunk, chunkAt } from '../axml/chunk.ts'
import { ResourceNotes } from '../axml/resource-notes.ts'
import { readStringPool, STRING_POOL } from '../axml/string-pool.ts'
import { VALUE } from '../axml/typed-value.ts'
import { type PoolStyles, writeStringPool } from '../axml/write-string-pool.ts'
import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readArsc } from './read-arsc.ts'
import { ARSC_LIMITS, type ArscLimits, type ResourceTable } from './resource-table.ts'

export interface RenamedPaths {
  readonly bytes: Uint8Array
  /** Old path -> new path, of those that values of the table name. */
  readonly renamed: ReadonlyMap<string, string>
}

const TABLE_HEADER = 12
const POOL_HEADER = 28
const COMPACT = 8

/**
 * A resource table whose values name files by other paths. `rename` is asked for the text of each value that is not of the type `string`;
 * undefined keeps it. Texts of strings, names and all else stay, also where a text happens to be equal to a path. Without a change the table that is written
 * reads as the one that was read. Throws FormatError of format `arsc`: `not-arsc`, `truncated`, `limit`, `string` for a pool that cannot be read whole.
 */
export function renameResourcePaths(
  bytes: Uint8Array,
  rename: (path: string) => string | undefined,
  limits: ArscLimits = ARSC_LIMITS,
): RenamedPaths {
  const table = readArsc(bytes, limits)
  const pool = findPool(bytes)
  const { strings, utf8, styles } = readPool(bytes, pool)
  const copy = Buffer.from(bytes)
  const texts = placesOfTexts(table, copy)
  const renamed = new Map<string, string>()
  const added = new Map<string, number>()
  for (const { name, value, offset } of table.all()) {
    if (value?.type !== VALUE.string || value.text === undefined || typeOf(name) === 'string') continue
    const path = rename(value.text)
    if (path === undefined || path === value.text) continue
    renamed.set(value.text, path)
    if (!texts.has(value.data) && value.data >= (styles?.count ?? 0)) {
      strings[value.data] = path
      continue
    }
    // Another value means the text itself: the path gets a place of its own.
    const index = added.get(path) ?? strings.push(path) - 1
    added.set(path, index)
    copy.writeUInt32LE(index, dataOffset(copy, offset))
  }
  const written = writeStringPool(strings, utf8, styles)
  const result = Buffer.concat([copy.subarray(0, pool.offset), written, copy.subarray(pool.offset + pool.size)])
  result.writeUInt32LE(result.length, 4)
  return { bytes: result, renamed }
}

/** Places in the pool that values of the type `string`, or parts of values, refer to. */
function placesOfTexts(table: ResourceTable, bytes: Buffer): Set<number> {
  const places = new Set<number>()
  for (const { name, value, offset } of table.all())
    if (value?.type === VALUE.string && typeOf(name) === 'string') places.add(value.data)
    else if (!value) for (const place of partsOf(bytes, offset)) places.add(place)
  return places
}

/** Strings of an entry with parts: parent, count, then name and value of each. Those that are cut off are left out. */
function* partsOf(bytes: Buffer, entry: number): Generator<number> {
  const begin = entry + bytes.readUInt16LE(entry)
  if (entry + 16 > bytes.length) return
  const count = bytes.readUInt32LE(entry + 12)
  for (let i = 0, at = begin; i < count && at + 12 <= bytes.length; i++, at += 12)
    if (bytes[at + 7] === VALUE.string) yield bytes.readUInt32LE(at + 8)
}

/** `string` of `string/app_name` and of `com.example:string/app_name`. */
function typeOf(name: string): string {
  return name.slice(name.indexOf(':') + 1, name.indexOf('/'))
}

/** Where an entry with one value has the 32 bits of it. */
function dataOffset(bytes: Buffer, entry: number): number {
  const compact = (bytes.readUInt16LE(entry + 2) & COMPACT) !== 0
  return compact ? entry + 4 : entry + bytes.readUInt16LE(entry) + 4
}

function findPool(bytes: Uint8Array): Chunk {
  const reader = new ByteReader(bytes, 'arsc')
  const notes = new ResourceNotes()
  const header = reader.seek(2).u16()
  for (let at = Math.max(TABLE_HEADER, header); at < bytes.length; ) {
    const chunk = chunkAt(reader, at, bytes.length, notes)
    if (!chunk) break
    if (chunk.type === STRING_POOL) return chunk
    at += chunk.size
  }
  throw new FormatError('arsc', 'string', 0, 'no pool of values')
}

function readPool(bytes: Uint8Array, chunk: Chunk): { strings: string[]; utf8: boolean; styles?: PoolStyles } {
  const notes = new ResourceNotes()
  const pool = readStringPool(bytes, chunk, notes)
  const strings = Array.from({ length: pool.count }, (_, i) => {
    const text = pool.at(i)
    if (text === undefined) throw new FormatError('arsc', 'string', chunk.offset, `string ${i} cannot be read`)
    return text
  })
  const reader = new ByteReader(bytes.subarray(chunk.offset, chunk.offset + chunk.size), 'arsc', { position: 12 })
  const count = reader.u32()
  reader.skip(8) // flags and offset of the strings, which readStringPool has read
  const stylesStart = reader.u32()
  if (!count) return { strings, utf8: pool.utf8 }
  const header = chunk.headerSize < POOL_HEADER || chunk.headerSize > chunk.size ? POOL_HEADER : chunk.headerSize
  const offsets = reader.seek(header + 4 * pool.count).slice(4 * count)
  const spans = reader.seek(stylesStart).slice(reader.left)
  return { strings, utf8: pool.utf8, styles: { count, offsets, spans } }
}
