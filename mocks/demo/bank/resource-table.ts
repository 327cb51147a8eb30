import { writeStringPool } from '#engines/axml/write-string-pool.ts'
import { chunk, u16, u32 } from './chunks.ts'

/** The values of a resource type for one kind of device; all lists of a type have the same names in the same order. */
export interface ResourceValues {
  readonly type: string
  /** Two letters; any language where absent. */
  readonly language?: string
  /** Dots per inch; any where absent. */
  readonly density?: number
  /** Name and text, or path of a file. */
  readonly values: readonly (readonly [name: string, value: string])[]
}

const TABLE = 0x0002
const PACKAGE = 0x0200
const TYPE = 0x0201
const TYPE_SPEC = 0x0202
const OWN = 0x7f
const STRING = 3
const NO_STYLES = 0
const LANGUAGE_DIFFERS = 0x0004
const DENSITY_DIFFERS = 0x0100

/** A resource table (resources.arsc) with the package of an application; ids follow the order of the types and of their names. */
export function resourceTable(packageName: string, lists: readonly ResourceValues[]): Uint8Array {
  const types = [...new Set(lists.map(({ type }) => type))]
  const texts = [...new Set(lists.flatMap(({ values }) => values.map(([, text]) => text)))]
  const keys = [...new Set(lists.flatMap(({ values }) => values.map(([name]) => name)))]
  const chunks = types.flatMap((type, at) => {
    const own = lists.filter((one) => one.type === type)
    const differs =
      (own.some(({ language }) => language) ? LANGUAGE_DIFFERS : 0) |
      (own.some(({ density }) => density) ? DENSITY_DIFFERS : 0)
    const count = own[0]!.values.length
    const spec = chunk(TYPE_SPEC, Buffer.concat([head(at + 1), u32(count)]), u32(...Array(count).fill(differs)))
    return [spec, ...own.map((list) => typeChunk(at + 1, list, texts, keys))]
  })
  const name = Buffer.alloc(256)
  name.write(packageName, 'utf16le')
  const typePool = writeStringPool(types, false)
  const keyPool = writeStringPool(keys, true)
  const headerSize = 8 + 4 + name.length + 20
  const header = Buffer.concat([
    u32(OWN),
    name,
    u32(headerSize, types.length, headerSize + typePool.length, keys.length, NO_STYLES),
  ])
  return chunk(TABLE, u32(1), writeStringPool(texts, true), chunk(PACKAGE, header, typePool, keyPool, ...chunks))
}

function typeChunk(
  id: number,
  { language = '', density = 0, values }: ResourceValues,
  texts: readonly string[],
  keys: readonly string[],
): Buffer {
  const config = Buffer.alloc(64)
  config.writeUInt32LE(config.length, 0)
  config.write(language, 8, 'latin1')
  config.writeUInt16LE(density, 14)
  const entries = values.map(([name, text]) =>
    Buffer.concat([u16(8, 0), u32(keys.indexOf(name)), u16(8, STRING << 8), u32(texts.indexOf(text))]),
  )
  const offsets = u32(...values.map((_, i) => i * 16))
  const header = (entriesStart: number) => Buffer.concat([head(id), u32(values.length, entriesStart), config])
  return chunk(TYPE, header(8 + header(0).length + offsets.length), offsets, ...entries)
}

const head = (id: number): Buffer => Buffer.from([id, 0, 0, 0])
