/** Writers of Android's binary resources, with the fields open to lies: for tests of readers. */

export interface PoolOptions {
  utf8?: boolean
  /** In place of the true one. */
  count?: number
}

export const le16 = (...values: number[]): Buffer => {
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
export type WrittenValue = string | readonly [type: number, data: number]

export interface WrittenAttribute {
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
