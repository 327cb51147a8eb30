import { ByteReader } from '../bytes/byte-reader.ts'

/** A reader over the next bytes, whose count precedes them in 32 bits. Throws FormatError `truncated`. */
export function lengthPrefixed(reader: ByteReader): ByteReader {
  return new ByteReader(reader.slice(reader.u32()), reader.format)
}

/** Like `lengthPrefixed`, as a view of the bytes. */
export function prefixedBytes(reader: ByteReader): Uint8Array {
  return reader.slice(reader.u32())
}
