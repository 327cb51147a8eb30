import { CHUNK_HEADER, type Chunk, chunkAt } from '../axml/chunk.ts'
import { ResourceNotes } from '../axml/resource-notes.ts'
import { NO_STRINGS, readStringPool, STRING_POOL, type StringPool } from '../axml/string-pool.ts'
import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { ArscOutline, ResourcePackage, TypeChunk } from './arsc-outline.ts'
import { arscTable } from './arsc-table.ts'
import { readConfig } from './resource-config.ts'
import { ARSC_LIMITS, type ArscLimits, type ResourceTable } from './resource-table.ts'

const TABLE = 0x0002
const PACKAGE = 0x0200
const TYPE = 0x0201
const STAGED_ALIAS = 0x0206
const PACKAGE_HEADER = 284
const TYPE_HEADER = 20
const SPARSE = 1
const SHORT_OFFSETS = 2

interface TypeInMaking {
  id: number
  name: string
  chunks: TypeChunk[]
}

/**
 * Reads the outline of resources.arsc: packages, types, configurations. Unknown chunks are passed over and sizes that do not fit are
 * cut, each with a note. Throws FormatError `not-arsc`, `truncated`, `limit`.
 */
export function readArsc(bytes: Uint8Array, limits: ArscLimits = ARSC_LIMITS): ResourceTable {
  return arscTable(new ArscReader(bytes, limits).read())
}

class ArscReader {
  private readonly bytes: Uint8Array
  private readonly limits: ArscLimits
  private readonly reader: ByteReader
  private readonly notes = new ResourceNotes()
  private readonly aliases = new Map<number, number>()
  private typeChunks = 0

  constructor(bytes: Uint8Array, limits: ArscLimits) {
    this.bytes = bytes
    this.limits = limits
    this.reader = new ByteReader(bytes, 'arsc')
  }

  read(): ArscOutline {
    const table = chunkAt(this.reader, 0, this.bytes.length, this.notes)
    if (!table || table.type !== TABLE) throw new FormatError('arsc', 'not-arsc', 0, 'no resource table')
    let strings: StringPool | undefined
    const packages: ResourcePackage[] = []
    for (const chunk of this.inside(table, 12)) {
      if (chunk.type === STRING_POOL) {
        // The first pool counts, as on Android.
        if (strings) this.notes.add('junk', chunk.offset, 'a second pool of values')
        else strings = readStringPool(this.bytes, chunk, this.notes)
      } else if (chunk.type === PACKAGE) {
        if (packages.length >= this.limits.packages)
          throw new FormatError('arsc', 'limit', chunk.offset, `more than ${this.limits.packages} packages`)
        const read = this.package(chunk)
        if (read) packages.push(read)
      } else this.notes.add('junk', chunk.offset, `unknown chunk 0x${chunk.type.toString(16)}`)
    }
    return {
      bytes: this.bytes,
      packages,
      strings: strings ?? NO_STRINGS,
      stagedAliases: this.aliases,
      notes: this.notes.list,
    }
  }

  /** The chunks inside of another, which begin behind its header. */
  private *inside(parent: Chunk, usualHeader: number): Generator<Chunk> {
    const end = parent.offset + parent.size
    const header =
      parent.headerSize >= CHUNK_HEADER && parent.headerSize <= parent.size ? parent.headerSize : usualHeader
    for (let at = parent.offset + header; at < end; ) {
      const chunk = chunkAt(this.reader, at, end, this.notes)
      if (!chunk) return
      yield chunk
      at += chunk.size
    }
  }

  private package(chunk: Chunk): ResourcePackage | undefined {
    const { reader } = this
    if (chunk.size < PACKAGE_HEADER) {
      this.notes.add('chunk', chunk.offset, 'package without header', true)
      return undefined
    }
    const id = reader.seek(chunk.offset + 8).u32()
    const name = Buffer.from(reader.slice(256)).toString('utf16le').replace(/\0.*$/s, '')
    const typeStringsAt = chunk.offset + reader.u32()
    reader.skip(4)
    const keyStringsAt = chunk.offset + reader.u32()
    reader.skip(4)
    // A feature split numbers its types on from those of its base.
    const typeIdOffset =
      chunk.headerSize >= PACKAGE_HEADER + 4 && chunk.size >= PACKAGE_HEADER + 4 ? reader.u32() & 0xff : 0
    let typeNames = NO_STRINGS
    let keys = NO_STRINGS
    const types = new Map<number, TypeInMaking>()
    for (const child of this.inside(chunk, PACKAGE_HEADER)) {
      if (child.type === STRING_POOL) {
        if (child.offset === typeStringsAt) typeNames = readStringPool(this.bytes, child, this.notes)
        else if (child.offset === keyStringsAt) keys = readStringPool(this.bytes, child, this.notes)
        else this.notes.add('junk', child.offset, 'a pool that the package does not name')
      } else if (child.type === TYPE) this.type(child, typeIdOffset, typeNames, types)
      else if (child.type === STAGED_ALIAS) this.staged(child)
    }
    return { id, name, offset: chunk.offset, types, keys }
  }

  private type(chunk: Chunk, idOffset: number, names: StringPool, types: Map<number, TypeInMaking>): void {
    const { reader } = this
    if (chunk.size < TYPE_HEADER + 4 || chunk.headerSize < TYPE_HEADER + 4 || chunk.headerSize > chunk.size) {
      this.notes.add('chunk', chunk.offset, 'type without header', true)
      return
    }
    if (++this.typeChunks > this.limits.typeChunks)
      throw new FormatError('arsc', 'limit', chunk.offset, `more than ${this.limits.typeChunks} types`)
    const end = chunk.offset + chunk.size
    const ownId = reader.seek(chunk.offset + 8).u8()
    const flags = reader.u8()
    reader.skip(2)
    const declared = reader.u32()
    const entriesAt = chunk.offset + reader.u32()
    const sparse = (flags & SPARSE) !== 0
    const shortOffsets = !sparse && (flags & SHORT_OFFSETS) !== 0
    const offsetsAt = chunk.offset + chunk.headerSize
    const entryCount = Math.min(declared, Math.floor((end - offsetsAt) / (shortOffsets ? 2 : 4)))
    if (entryCount < declared)
      this.notes.add('entry', chunk.offset, `${declared} entries declared, at most ${entryCount} fit`, true)
    const config = readConfig(reader, chunk.offset + TYPE_HEADER, chunk.offset + chunk.headerSize)
    const id = (ownId + idOffset) & 0xff
    let type = types.get(id)
    if (!type) {
      type = { id, name: names.at(ownId - 1) ?? `type${id}`, chunks: [] }
      types.set(id, type)
    }
    if (type.chunks.length >= this.limits.configs)
      throw new FormatError('arsc', 'limit', chunk.offset, `more than ${this.limits.configs} configurations of a type`)
    type.chunks.push({ config, offset: chunk.offset, end, entryCount, offsetsAt, entriesAt, sparse, shortOffsets })
  }

  private staged(chunk: Chunk): void {
    const end = chunk.offset + chunk.size
    if (chunk.size < 12) return
    let count = this.reader.seek(chunk.offset + 8).u32()
    for (let at = chunk.offset + 12; count > 0 && at + 8 <= end; at += 8, count--)
      this.aliases.set(this.reader.seek(at).u32(), this.reader.u32())
  }
}
