/** Writers of Android's binary resources, with the fields open to lies: for tests of readers. */

export interface PoolOptions {
  utf8?: boolean
  /** In place of the true one. */
  count?: number
}

const le16 = (...values: number[]): Buffer => {
  const out = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => {
    out.writeUInt16LE(value & 0xffff, 2 * i)
  })
  return out
}

export const le32 = (...values: number[]): Buffer => {
  const out = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => {
    out.writeUInt32LE(value >>> 0, 4 * i)
  })
  return out
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** A chunk: `header` are the bytes between the eight of every chunk and the body. */
export function chunk(
  type: number,
  header: Buffer,
  body: Buffer,
  lies: { headerSize?: number; size?: number } = {},
): Buffer {
  const size = 8 + header.length + body.length
  return Buffer.concat([le16(type, lies.headerSize ?? 8 + header.length), le32(lies.size ?? size), header, body])
}

export function stringPool(strings: readonly string[], { utf8 = true, count }: PoolOptions = {}): Buffer {
  const encoded = strings.map((text) => (utf8 ? utf8String(text) : utf16String(text)))
  const offsets: number[] = []
  let at = 0
  for (const bytes of encoded) {
    offsets.push(at)
    at += bytes.length
  }
  const header = le32(count ?? strings.length, 0, utf8 ? 0x100 : 0, 28 + 4 * strings.length, 0)
  return chunk(0x0001, header, padded(Buffer.concat([le32(...offsets), ...encoded])))
}

function utf8String(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = (n: number) => (n > 0x7f ? [0x80 | ((n >> 8) & 0x7f), n & 0xff] : [n])
  return Buffer.concat([Buffer.from([...length(text.length), ...length(bytes.length)]), bytes, Buffer.alloc(1)])
}

function utf16String(text: string): Buffer {
  const n = text.length
  return Buffer.concat([n > 0x7fff ? le16(0x8000 | (n >> 16), n) : le16(n), Buffer.from(text, 'utf16le'), le16(0)])
}

/** A string, or the two parts of a typed value. */
type WrittenValue = string | readonly [type: number, data: number]

interface WrittenAttribute {
  name: string
  /** Gives the attribute a place in the resource map, and the framework's namespace. */
  id?: number
  value: WrittenValue
}

export interface WrittenElement {
  name: string
  attributes?: readonly WrittenAttribute[]
  children?: readonly WrittenElement[]
  text?: string
}

export interface AxmlOptions extends PoolOptions {
  /** Chunks before the first, and after each element's begin. */
  junk?: Buffer
  type?: number
  attributeSize?: number
  withoutEnds?: boolean
}

const ANDROID = 'http://schemas.android.com/apk/res/android'

/** Binary XML of a tree. */
export function writeAxml(root: WrittenElement, options: AxmlOptions = {}): Uint8Array<ArrayBuffer> {
  const { junk = Buffer.alloc(0), attributeSize = 20 } = options
  const strings: string[] = []
  const ids: number[] = []
  const index = (text: string): number => {
    const known = strings.indexOf(text, ids.length)
    return known >= 0 ? known : strings.push(text) - 1
  }
  const collect = (element: WrittenElement): void => {
    for (const { name, id } of element.attributes ?? [])
      if (id && !ids.includes(id)) {
        ids.push(id)
        strings.push(name)
      }
    element.children?.forEach(collect)
  }
  collect(root)
  const nodes: Buffer[] = []
  const node = (type: number, ...body: Buffer[]) => nodes.push(chunk(type, le32(7, 0xffffffff), Buffer.concat(body)))
  const write = (element: WrittenElement): void => {
    const attributes = (element.attributes ?? []).map(({ name, id, value }) => {
      const typed = typeof value === 'string' ? ([3, index(value)] as const) : value
      const raw = typeof value === 'string' ? index(value) : 0xffffffff
      const nameIndex = id ? ids.indexOf(id) : index(name)
      return Buffer.concat([
        le32(id ? index(ANDROID) : 0xffffffff, nameIndex, raw),
        le16(8, typed[0] << 8),
        le32(typed[1]),
        Buffer.alloc(attributeSize - 20),
      ])
    })
    node(
      0x0102,
      le32(0xffffffff, index(element.name)),
      le16(20, attributeSize, attributes.length, 0, 0, 0),
      ...attributes,
    )
    nodes.push(junk)
    if (element.text !== undefined) node(0x0104, le32(index(element.text)), le16(8, 0x300), le32(index(element.text)))
    element.children?.forEach(write)
    if (!options.withoutEnds) node(0x0103, le32(0xffffffff, index(element.name)))
  }
  node(0x0100, le32(index('android'), index(ANDROID)))
  write(root)
  const body = Buffer.concat([
    junk,
    stringPool(strings, options),
    chunk(0x0180, Buffer.alloc(0), le32(...ids)),
    ...nodes,
  ])
  return new Uint8Array(chunk(options.type ?? 0x0003, Buffer.alloc(0), body))
}

interface WrittenConfig {
  language?: string
  country?: string
  density?: number
  sdk?: number
}

/** Entry name -> value; `parts` is a value that has parts. */
export interface WrittenType {
  name: string
  config?: WrittenConfig
  entries: Record<number, { key: string; value: WrittenValue | 'parts' }>
  form?: 'plain' | 'sparse' | 'short' | 'compact'
  lies?: { entryCount?: number; headerSize?: number }
}

export interface WrittenTable {
  packageId?: number
  types: readonly WrittenType[]
  /** Staged id, final id. */
  aliases?: readonly (readonly [number, number])[]
  typeIdOffset?: number
}

function configBytes({ language = '', country = '', density = 0, sdk = 0 }: WrittenConfig): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt32LE(64, 0)
  bytes.write(language, 8, 'latin1')
  bytes.write(country, 10, 'latin1')
  bytes.writeUInt16LE(density, 14)
  bytes.writeUInt16LE(sdk, 24)
  return bytes
}

/** A resource table with one package. */
export function writeArsc({
  packageId = 0x7f,
  types,
  aliases = [],
  typeIdOffset,
}: WrittenTable): Uint8Array<ArrayBuffer> {
  const values: string[] = []
  const keys: string[] = []
  const typeNames = [...new Set(types.map((type) => type.name))]
  const index = (list: string[], text: string) => (list.includes(text) ? list.indexOf(text) : list.push(text) - 1)
  const chunks = types.map(({ name, config = {}, entries, form = 'plain', lies = {} }) => {
    const count = Math.max(-1, ...Object.keys(entries).map(Number)) + 1
    const offsets: Buffer[] = []
    const bodies: Buffer[] = []
    let at = 0
    for (let i = 0; i < count; i++) {
      const entry = entries[i]
      if (entry) {
        const key = index(keys, entry.key)
        const typed =
          typeof entry.value === 'string' && entry.value !== 'parts' ? [3, index(values, entry.value)] : entry.value
        let body: Buffer
        if (typed === 'parts') body = Buffer.concat([le16(16, 1), le32(key, 0, 0)])
        else if (form === 'compact')
          body = Buffer.concat([le16(key, 8 | (Number(typed[0]) << 8)), le32(Number(typed[1]))])
        else body = Buffer.concat([le16(8, 0), le32(key), le16(8, Number(typed[0]) << 8), le32(Number(typed[1]))])
        if (form === 'sparse') offsets.push(le16(i, at / 4))
        else offsets.push(form === 'short' ? le16(at / 4) : le32(at))
        bodies.push(body)
        at += body.length
      } else if (form === 'short') offsets.push(le16(0xffff))
      else if (form !== 'sparse') offsets.push(le32(0xffffffff))
    }
    const table = padded(Buffer.concat(offsets))
    const flags = form === 'sparse' ? 1 : form === 'short' ? 2 : 0
    const header = (entriesAt: number) =>
      Buffer.concat([
        Buffer.from([typeNames.indexOf(name) + 1, flags, 0, 0]),
        le32(lies.entryCount ?? offsets.length, entriesAt),
        configBytes(config),
      ])
    return chunk(0x0201, header(8 + header(0).length + table.length), Buffer.concat([table, ...bodies]), lies)
  })
  const typePool = stringPool(typeNames, { utf8: false })
  const keyPool = stringPool(keys)
  const name = Buffer.alloc(256)
  name.write('a.b', 'utf16le')
  const headerLength = typeIdOffset === undefined ? 284 : 288
  const tail = typeIdOffset === undefined ? [] : [le32(typeIdOffset)]
  const head = Buffer.concat([le32(packageId), name, le32(headerLength, 0, headerLength + typePool.length, 0), ...tail])
  const staged = aliases.length ? [chunk(0x0206, le32(aliases.length), le32(...aliases.flat()))] : []
  const owner = chunk(0x0200, head, Buffer.concat([typePool, keyPool, ...chunks, ...staged]))
  return new Uint8Array(chunk(0x0002, le32(1), Buffer.concat([stringPool(values), owner])))
}
