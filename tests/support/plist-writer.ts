/** Property lists in both forms, for tests of what reads them. */
export type Written =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | Uid
  | readonly Written[]
  | { readonly [key: string]: Written }

export class Uid {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

interface BinaryOptions {
  /** Objects put in as they are, before those of the value: index -> bytes. */
  readonly raw?: readonly Uint8Array[]
  readonly top?: number
  readonly count?: number
}

const isLeaf = (value: Written): boolean =>
  typeof value !== 'object' ||
  value === null ||
  value instanceof Date ||
  value instanceof Uint8Array ||
  value instanceof Uid

/** `bplist00`, two bytes a reference. */
export function writeBinaryPlist(value: Written, { raw = [], top, count }: BinaryOptions = {}): Uint8Array {
  const objects: Buffer[] = raw.map((bytes) => Buffer.from(bytes))
  const add = (one: Written): number => {
    const index = objects.push(Buffer.alloc(0)) - 1
    objects[index] = isLeaf(one)
      ? leaf(one)
      : Array.isArray(one)
        ? array(one)
        : dictionary(one as { [key: string]: Written })
    return index
  }
  const array = (items: readonly Written[]) => Buffer.concat([marker(0xa, items.length), ...items.map(add).map(two)])
  const dictionary = (entries: { readonly [key: string]: Written }) => {
    const keys = Object.keys(entries).map(add)
    const values = Object.values(entries).map(add)
    return Buffer.concat([marker(0xd, keys.length), ...[...keys, ...values].map(two)])
  }
  const root = add(value)
  const offsets: number[] = []
  let at = 8
  for (const object of objects) {
    offsets.push(at)
    at += object.length
  }
  const trailer = Buffer.alloc(32)
  trailer[6] = 4
  trailer[7] = 2
  trailer.writeBigUInt64BE(BigInt(count ?? objects.length), 8)
  trailer.writeBigUInt64BE(BigInt(top ?? root), 16)
  trailer.writeBigUInt64BE(BigInt(at), 24)
  return Buffer.concat([Buffer.from('bplist00'), ...objects, ...offsets.map(four), trailer])
}

const two = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const four = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff])

function marker(kind: number, length: number): Buffer {
  return length < 15
    ? Buffer.from([(kind << 4) | length])
    : Buffer.concat([Buffer.from([(kind << 4) | 15, 0x12]), four(length)])
}

function leaf(value: Written): Buffer {
  if (value === null) return Buffer.from([0])
  if (typeof value === 'boolean') return Buffer.from([value ? 9 : 8])
  if (typeof value === 'string') return text(value)
  if (value instanceof Uint8Array) return Buffer.concat([marker(4, value.length), value])
  if (value instanceof Uid) return Buffer.from([0x80, value.value])
  if (value instanceof Date) return Buffer.concat([Buffer.from([0x33]), double(value.getTime() / 1000 - 978_307_200)])
  if (typeof value === 'number' && !Number.isInteger(value)) return Buffer.concat([Buffer.from([0x23]), double(value)])
  const integer = BigInt(value as number | bigint)
  const bytes = Buffer.alloc(integer >= 2n ** 63n ? 17 : 9)
  bytes[0] = integer >= 2n ** 63n ? 0x14 : 0x13
  bytes.writeBigUInt64BE(BigInt.asUintN(64, integer), bytes.length - 8)
  return bytes
}

function text(value: string): Buffer {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what ASCII is
  if (/^[\x00-\x7f]*$/.test(value)) return Buffer.concat([marker(5, value.length), Buffer.from(value)])
  return Buffer.concat([marker(6, value.length), Buffer.from(value, 'utf16le').swap16()])
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** The XML form. */
export function writeXmlPlist(value: Written): Uint8Array {
  const type = '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">'
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n${type}\n<plist version="1.0">\n${xml(value)}\n</plist>\n`,
  )
}

const escaped = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

function xml(value: Written): string {
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`
  if (typeof value === 'boolean') return `<${value}/>`
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)))
    return `<integer>${value}</integer>`
  if (typeof value === 'number') return `<real>${value}</real>`
  if (value instanceof Date) return `<date>${value.toISOString().slice(0, 19)}Z</date>`
  if (value instanceof Uint8Array) return `<data>\n${Buffer.from(value).toString('base64')}\n</data>`
  if (Array.isArray(value)) return `<array>\n${value.map(xml).join('\n')}\n</array>`
  const entries = Object.entries(value as { [key: string]: Written })
  return `<dict>\n${entries.map(([key, one]) => `<key>${escaped(key)}</key>\n${xml(one)}`).join('\n')}\n</dict>`
}
