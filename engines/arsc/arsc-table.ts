import { readTypedValue } from '../axml/typed-value.ts'
import { ByteReader } from '../bytes/byte-reader.ts'
import type { ArscOutline, ResourcePackage, ResourceType, TypeChunk } from './arsc-outline.ts'
import { localeOf } from './resource-config.ts'
import type { NamedResource, ResourceTable, ResourceValue } from './resource-table.ts'

const COMPLEX = 1
const COMPACT = 8
const NO_ENTRY = 0xffffffff

/** A resources.arsc as a table. */
export function arscTable(outline: ArscOutline): ResourceTable {
  return {
    valuesOf: (id) => resourceValues(outline, id),
    nameOf: (id) => resourceName(outline, id),
    all: () => allResources(outline),
    locales: () => locales(outline),
    notes: outline.notes,
  }
}

function locales(table: ArscOutline): string[] {
  const found = new Set<string>()
  for (const owner of table.packages)
    for (const type of owner.types.values()) for (const chunk of type.chunks) found.add(localeOf(chunk.config))
  return [...found].sort()
}

function resourceValues(table: ArscOutline, id: number): ResourceValue[] {
  const found = find(table, id)
  if (!found) return []
  const reader = new ByteReader(table.bytes, 'arsc')
  const values: ResourceValue[] = []
  for (const chunk of found.type.chunks) {
    const value = valueAt(table, reader, chunk, entryOffset(reader, chunk, id & 0xffff))
    if (value) values.push(value)
  }
  return values
}

function resourceName(table: ArscOutline, id: number): string | undefined {
  const found = find(table, id)
  const [first] = found ? resourceValues(table, id) : []
  return found && first && nameOf(table, found.owner, found.type, first)
}

function* allResources(table: ArscOutline): Generator<NamedResource> {
  const reader = new ByteReader(table.bytes, 'arsc')
  for (const owner of table.packages)
    for (const type of owner.types.values())
      for (const chunk of type.chunks)
        for (let i = 0; i < chunk.entryCount; i++) {
          const { index, offset } = entryAt(reader, chunk, i)
          const value = valueAt(table, reader, chunk, offset)
          if (value)
            yield {
              ...value,
              id: ((owner.id << 24) | (type.id << 16) | index) >>> 0,
              name: nameOf(table, owner, type, value),
            }
        }
}

function nameOf(table: ArscOutline, owner: ResourcePackage, type: ResourceType, { key }: ResourceValue): string {
  const name = `${type.name}/${owner.keys.at(key) ?? `key${key}`}`
  return table.packages.length > 1 ? `${owner.name}:${name}` : name
}

function find(table: ArscOutline, id: number): { owner: ResourcePackage; type: ResourceType } | undefined {
  const wanted = table.stagedAliases.get(id) ?? id
  const packageId = wanted >>> 24
  for (const owner of table.packages) {
    // Package 0 is 'this one': in shared libraries, whose id is given when they are loaded.
    if (owner.id !== packageId && packageId !== 0) continue
    const type = owner.types.get((wanted >>> 16) & 0xff)
    if (type) return { owner, type }
  }
  return undefined
}

/** The `i`-th stored entry of a chunk: which index it has and where it lies. */
function entryAt(reader: ByteReader, chunk: TypeChunk, i: number): { index: number; offset: number } {
  if (chunk.sparse) {
    const word = reader.seek(chunk.offsetsAt + 4 * i).u32()
    return { index: word & 0xffff, offset: (word >>> 16) * 4 }
  }
  if (chunk.shortOffsets) {
    const short = reader.seek(chunk.offsetsAt + 2 * i).u16()
    return { index: i, offset: short === 0xffff ? NO_ENTRY : short * 4 }
  }
  return { index: i, offset: reader.seek(chunk.offsetsAt + 4 * i).u32() }
}

function entryOffset(reader: ByteReader, chunk: TypeChunk, index: number): number {
  if (!chunk.sparse) return index < chunk.entryCount ? entryAt(reader, chunk, index).offset : NO_ENTRY
  let low = 0
  let high = chunk.entryCount - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const entry = entryAt(reader, chunk, middle)
    if (entry.index === index) return entry.offset
    if (entry.index < index) low = middle + 1
    else high = middle - 1
  }
  return NO_ENTRY
}

function valueAt(
  table: ArscOutline,
  reader: ByteReader,
  chunk: TypeChunk,
  relative: number,
): ResourceValue | undefined {
  const offset = chunk.entriesAt + relative
  if (relative === NO_ENTRY || offset + 8 > chunk.end) return undefined
  const { config } = chunk
  const size = reader.seek(offset).u16()
  const flags = reader.u16()
  if (flags & COMPACT) {
    const type = flags >> 8
    const data = reader.u32()
    const text = type === 3 ? table.strings.at(data) : undefined
    return { config, offset, key: size, value: text === undefined ? { type, data } : { type, data, text } }
  }
  const key = reader.u32()
  if (flags & COMPLEX) return { config, offset, key }
  if (offset + size + 8 > chunk.end) return undefined
  reader.seek(offset + size)
  return { config, offset, key, value: readTypedValue(reader, table.strings) }
}
