import { STRING_POOL } from './string-pool.ts'

const HEADER = 28
const UTF8 = 1 << 8
/** A length in two bytes: the longest string of a UTF-8 pool. */
const LONGEST_UTF8 = 0x7fff
const LONE_SURROGATE = /\p{Cs}/u

/** Spans of the first strings of a pool, as they are encoded: they name tags and places in text, neither of which changes. */
export interface PoolStyles {
  readonly count: number
  /** One for each style, in 32 bits. */
  readonly offsets: Uint8Array
  readonly spans: Uint8Array
}

/**
 * A string pool (ResStringPool), in UTF-8 where that is asked for and holds every string, else in UTF-16. Strings keep their
 * places; a lone surrogate or a string of 32,768 bytes and more needs UTF-16.
 */
export function writeStringPool(strings: readonly string[], utf8: boolean, styles?: PoolStyles): Buffer {
  const plain = utf8 && strings.every((text) => !LONE_SURROGATE.test(text) && Buffer.byteLength(text) <= LONGEST_UTF8)
  const encoded = strings.map((text) => (plain ? utf8String(text) : utf16String(text)))
  const offsets = Buffer.alloc(4 * strings.length)
  let at = 0
  encoded.forEach((bytes, i) => {
    offsets.writeUInt32LE(at, 4 * i)
    at += bytes.length
  })
  const padding = Buffer.alloc((4 - (at % 4)) % 4)
  const stringsStart = HEADER + offsets.length + (styles?.offsets.length ?? 0)
  const stringsEnd = stringsStart + at + padding.length
  const header = Buffer.alloc(HEADER)
  header.writeUInt16LE(STRING_POOL, 0)
  header.writeUInt16LE(HEADER, 2)
  header.writeUInt32LE(stringsEnd + (styles?.spans.length ?? 0), 4)
  header.writeUInt32LE(strings.length, 8)
  header.writeUInt32LE(styles?.count ?? 0, 12)
  header.writeUInt32LE(plain ? UTF8 : 0, 16)
  header.writeUInt32LE(stringsStart, 20)
  header.writeUInt32LE(styles ? stringsEnd : 0, 24)
  return Buffer.concat([
    header,
    offsets,
    ...(styles ? [styles.offsets] : []),
    ...encoded,
    padding,
    ...(styles ? [styles.spans] : []),
  ])
}

/** Length in UTF-16 units, then in bytes, each in one or two bytes; the bytes; zero. */
function utf8String(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = (count: number) => (count > 0x7f ? [0x80 | (count >> 8), count & 0xff] : [count])
  return Buffer.concat([Buffer.from([...length(text.length), ...length(bytes.length)]), bytes, Buffer.alloc(1)])
}

function utf16String(text: string): Buffer {
  const count = text.length
  const length = Buffer.alloc(count > 0x7fff ? 4 : 2)
  if (count > 0x7fff) {
    length.writeUInt16LE(0x8000 | (count >>> 16), 0)
    length.writeUInt16LE(count & 0xffff, 2)
  } else length.writeUInt16LE(count, 0)
  return Buffer.concat([length, Buffer.from(text, 'utf16le'), Buffer.alloc(2)])
}
