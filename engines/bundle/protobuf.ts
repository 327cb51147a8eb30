import { FormatError } from '../bytes/format-error.ts'

/** A field of a protobuf message: a number, or bytes. Fixed-size numbers are bytes too. */
export interface ProtoField {
  readonly number: number
  readonly wire: number
  /** Of a varint, its lower 32 bits unsigned; all that resources hold fit. */
  readonly value: number
  /** Of everything else. */
  readonly bytes: Uint8Array
  /** Of the content, in the file. */
  readonly offset: number
  /** Of the whole field with its key, in the file. */
  readonly begin: number
  readonly end: number
}

const NONE = new Uint8Array()

/** A message that lies in a file: bytes and where they begin in it. */
export interface ProtoMessage {
  readonly bytes: Uint8Array
  readonly offset: number
}

/** The fields of a message in their order. Throws FormatError `truncated`, `varint`, `wire` of format `protobuf`. */
export function* protoFields({ bytes, offset }: ProtoMessage): Generator<ProtoField> {
  let at = 0
  const varint = (): number => {
    let low = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at]
      if (byte === undefined) throw new FormatError('protobuf', 'truncated', offset + at, 'number cut off')
      at++
      if (shift < 28) low += (byte & 0x7f) * 2 ** shift
      else if (shift === 28) low += (byte & 0x0f) * 2 ** 28
      if (!(byte & 0x80)) return low
    }
    throw new FormatError('protobuf', 'varint', offset + at, 'number longer than ten bytes')
  }
  while (at < bytes.length) {
    const begin = at
    const key = varint()
    const wire = key & 7
    const number = key >>> 3
    if (number === 0) throw new FormatError('protobuf', 'wire', offset + begin, 'field 0')
    if (wire === 0) {
      const value = varint()
      yield { number, wire, value, bytes: NONE, offset: offset + begin, begin: offset + begin, end: offset + at }
      continue
    }
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : -1
    if (length < 0) throw new FormatError('protobuf', 'wire', offset + begin, `wire type ${wire}`)
    if (length > bytes.length - at)
      throw new FormatError(
        'protobuf',
        'truncated',
        offset + begin,
        `${length} bytes wanted, ${bytes.length - at} left`,
      )
    const content = at
    at += length
    yield {
      ...{ number, wire, value: 0, bytes: bytes.subarray(content, at), offset: offset + content },
      ...{ begin: offset + begin, end: offset + at },
    }
  }
}

/** The last field of a number, as protobuf takes it; undefined if absent. */
export function protoField(message: ProtoMessage, number: number): ProtoField | undefined {
  let found: ProtoField | undefined
  for (const field of protoFields(message)) if (field.number === number) found = field
  return found
}

export function protoText(field: { readonly bytes: Uint8Array } | undefined): string {
  return field ? Buffer.from(field.bytes.buffer, field.bytes.byteOffset, field.bytes.length).toString('utf8') : ''
}
