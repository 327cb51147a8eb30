/** Bytes that grow as they are written, little-endian. */
export class ByteWriter {
  length = 0
  private bytes: Uint8Array
  private view: DataView

  constructor(capacity = 1 << 16) {
    this.bytes = new Uint8Array(capacity)
    this.view = new DataView(this.bytes.buffer)
  }

  u8(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  u16(value: number): void {
    this.reserve(2)
    this.view.setUint16(this.length, value, true)
    this.length += 2
  }

  u32(value: number): void {
    this.reserve(4)
    this.view.setUint32(this.length, value, true)
    this.length += 4
  }

  /** Unsigned LEB128. */
  uleb(value: number): void {
    let left = value >>> 0
    while (left > 0x7f) {
      this.u8((left & 0x7f) | 0x80)
      left >>>= 7
    }
    this.u8(left)
  }

  /** Signed LEB128. */
  sleb(value: number): void {
    let left = value | 0
    for (;;) {
      const low = left & 0x7f
      left >>= 7
      const isLast = (left === 0 && !(low & 0x40)) || (left === -1 && (low & 0x40) !== 0)
      this.u8(isLast ? low : low | 0x80)
      if (isLast) return
    }
  }

  put(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Code units, as they lie in memory. */
  putUnits(units: Uint16Array): void {
    this.reserve(2 * units.length)
    for (let i = 0; i < units.length; i++) this.view.setUint16(this.length + 2 * i, units[i]!, true)
    this.length += 2 * units.length
  }

  /** So many zeros; answers where they begin. */
  skip(count: number): number {
    this.reserve(count)
    const at = this.length
    this.length += count
    return at
  }

  align(multiple: number): void {
    this.skip((multiple - (this.length % multiple)) % multiple)
  }

  setU16(at: number, value: number): void {
    this.view.setUint16(at, value, true)
  }

  setU32(at: number, value: number): void {
    this.view.setUint32(at, value, true)
  }

  /** Forgets what was written from there on. */
  cut(length: number): void {
    this.bytes.fill(0, length, this.length)
    this.length = length
  }

  /** Writes an item unless the same bytes were written before; answers where they are. `known`: places by content. */
  putOnce(known: Map<string, number>, write: () => void): number {
    const begin = this.length
    write()
    const key = Buffer.from(this.slice(begin)).toString('latin1')
    const before = known.get(key)
    if (before === undefined) {
      known.set(key, begin)
      return begin
    }
    this.cut(begin)
    return before
  }

  /** A view, not a copy: valid until the next write. */
  slice(from = 0): Uint8Array {
    return this.bytes.subarray(from, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count))
    grown.set(this.slice())
    this.bytes = grown
    this.view = new DataView(grown.buffer)
  }
}
