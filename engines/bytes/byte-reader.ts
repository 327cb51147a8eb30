import { FormatError } from './format-error.ts'

/** A cursor over bytes in little- or big-endian order that never reads outside: it throws FormatError `truncated` instead. */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly format: string
  readonly littleEndian: boolean
  position: number
  private readonly view: DataView

  constructor(bytes: Uint8Array, format: string, options: { littleEndian?: boolean; position?: number } = {}) {
    this.bytes = bytes
    this.format = format
    this.littleEndian = options.littleEndian ?? true
    this.position = options.position ?? 0
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get length(): number {
    return this.bytes.length
  }

  get left(): number {
    return this.bytes.length - this.position
  }

  u8(): number {
    return this.view.getUint8(this.take(1))
  }

  i8(): number {
    return this.view.getInt8(this.take(1))
  }

  u16(): number {
    return this.view.getUint16(this.take(2), this.littleEndian)
  }

  i16(): number {
    return this.view.getInt16(this.take(2), this.littleEndian)
  }

  u32(): number {
    return this.view.getUint32(this.take(4), this.littleEndian)
  }

  i32(): number {
    return this.view.getInt32(this.take(4), this.littleEndian)
  }

  u64(): bigint {
    return this.view.getBigUint64(this.take(8), this.littleEndian)
  }

  /** An unsigned 64-bit value as number; throws FormatError `range` above 2^53 - 1. */
  size64(): number {
    const at = this.position
    const value = this.u64()
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.error('range', `64-bit value ${value}`, at)
    return Number(value)
  }

  /** Unsigned LEB128 of at most 32 bits (DEX format, 'LEB128'). */
  uleb128(): number {
    const at = this.position
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8()
      value += (byte & 0x7f) * 2 ** shift
      if (!(byte & 0x80)) return value > 0xffffffff ? value % 0x100000000 : value
    }
    throw this.error('leb128', 'LEB128 longer than five bytes', at)
  }

  /** Signed LEB128 of at most 32 bits. */
  sleb128(): number {
    const at = this.position
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8()
      value |= (byte & 0x7f) << shift
      if (!(byte & 0x80)) return shift < 25 && byte & 0x40 ? value | (-1 << (shift + 7)) : value | 0
    }
    throw this.error('leb128', 'LEB128 longer than five bytes', at)
  }

  /** A view of the next bytes, not a copy. */
  slice(length: number): Uint8Array {
    const at = this.take(length)
    return this.bytes.subarray(at, at + length)
  }

  skip(length: number): void {
    this.take(length)
  }

  /** Goes to an absolute offset. */
  seek(position: number): this {
    if (!Number.isInteger(position) || position < 0 || position > this.bytes.length)
      throw this.error('truncated', `offset ${position} outside ${this.bytes.length} bytes`, this.position)
    this.position = position
    return this
  }

  error(key: string, message: string, offset = this.position): FormatError {
    return new FormatError(this.format, key, offset, message)
  }

  private take(length: number): number {
    const at = this.position
    if (length < 0 || at + length > this.bytes.length)
      throw this.error('truncated', `${length} bytes wanted, ${this.bytes.length - at} left`, at)
    this.position = at + length
    return at
  }
}
