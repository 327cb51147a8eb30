import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { PLIST_LIMITS, type PlistLimits, type PlistNode } from './plist-node.ts'

const TRAILER = 32
/** Seconds from 1970 to 2001, where dates count from. */
const EPOCH = 978_307_200

/** Whether the bytes begin as a binary property list. */
export function isBinaryPlist(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 6)).toString('latin1') === 'bplist'
}

/**
 * Reads a binary property list (`bplist00`). Throws FormatError of format `plist`: `truncated`, `trailer`, `reference`, `cycle`, `marker`,
 * `key`, `limit`.
 */
export function readBinaryPlist(bytes: Uint8Array, limits: PlistLimits = PLIST_LIMITS): PlistNode {
  if (bytes.length > limits.size) throw new FormatError('plist', 'limit', -1, `${bytes.length} bytes`)
  return new BinaryPlist(bytes, limits).read()
}

class BinaryPlist {
  private readonly reader: ByteReader
  private readonly limits: PlistLimits
  private offsetSize = 0
  private referenceSize = 0
  private count = 0
  private tableAt = 0
  private values = 0
  /** Bytes of texts that may still be read: each is read once, so only texts laid over each other need more than the file. */
  private textBudget: number
  /** Containers that are being read, to see one inside of itself. */
  private readonly open = new Set<number>()
  /** Values that hold no other: several locations share one. */
  private readonly leaves = new Map<number, PlistNode>()

  constructor(bytes: Uint8Array, limits: PlistLimits) {
    this.reader = new ByteReader(bytes, 'plist', { littleEndian: false })
    this.limits = limits
    this.textBudget = bytes.length
  }

  read(): PlistNode {
    const { reader } = this
    if (!isBinaryPlist(reader.bytes)) throw reader.error('not-plist', 'no binary property list', 0)
    if (reader.length < 8 + TRAILER) throw reader.error('truncated', 'no room for a trailer', reader.length)
    reader.seek(reader.length - TRAILER + 6)
    this.offsetSize = reader.u8()
    this.referenceSize = reader.u8()
    this.count = reader.size64()
    const top = reader.size64()
    this.tableAt = reader.size64()
    const room = reader.length - TRAILER - this.tableAt
    const size = (value: number) => value >= 1 && value <= 8
    if (!size(this.offsetSize) || !size(this.referenceSize) || room < 0 || this.count > room / this.offsetSize)
      throw reader.error('trailer', 'the trailer does not fit the file', reader.length - TRAILER)
    return this.valueOf(top, 0)
  }

  private valueOf(index: number, depth: number): PlistNode {
    const { reader, limits } = this
    if (index >= this.count) throw reader.error('reference', `value ${index} of ${this.count}`)
    if (++this.values > limits.values) throw reader.error('limit', `more than ${limits.values} values`)
    const leaf = this.leaves.get(index)
    if (leaf) return leaf
    const offset = this.unsigned(this.tableAt + index * this.offsetSize, this.offsetSize)
    const marker = reader.seek(offset).u8()
    const kind = marker >> 4
    if (kind === 0xa || kind === 0xc || kind === 0xd) {
      if (this.open.has(index)) throw reader.error('cycle', `value ${index} holds itself`, offset)
      if (depth >= limits.depth) throw reader.error('limit', `deeper than ${limits.depth}`, offset)
      this.open.add(index)
      const node = this.container(kind, marker & 15, offset, depth + 1)
      this.open.delete(index)
      return node
    }
    const node = this.leaf(kind, marker & 15, offset)
    this.leaves.set(index, node)
    return node
  }

  private container(kind: number, low: number, offset: number, depth: number): PlistNode {
    const { reader, referenceSize } = this
    const count = this.length(low)
    const at = reader.position
    if (count * referenceSize * (kind === 0xd ? 2 : 1) > reader.left)
      throw reader.error('truncated', `${count} references wanted`, offset)
    const reference = (i: number) => this.unsigned(at + i * referenceSize, referenceSize)
    if (kind !== 0xd) {
      const items: PlistNode[] = []
      for (let i = 0; i < count; i++) items.push(this.valueOf(reference(i), depth))
      return { type: 'array', offset, items }
    }
    const entries = new Map<string, PlistNode>()
    for (let i = 0; i < count; i++) {
      const key = this.valueOf(reference(i), depth)
      if (key.type !== 'string') throw reader.error('key', `a key that is ${key.type}`, key.offset)
      entries.set(key.value, this.valueOf(reference(count + i), depth))
    }
    return { type: 'dictionary', offset, entries }
  }

  private leaf(kind: number, low: number, offset: number): PlistNode {
    const { reader } = this
    if (kind === 0x0 && low === 0) return { type: 'null', offset, value: null }
    if (kind === 0x0 && (low === 8 || low === 9)) return { type: 'boolean', offset, value: low === 9 }
    if (kind === 0x1 && low <= 4) return { type: 'integer', offset, value: this.integer(2 ** low) }
    if (kind === 0x2 && (low === 2 || low === 3)) return { type: 'real', offset, value: this.real(2 ** low) }
    if (kind === 0x3 && low === 3) {
      const seconds = this.real(8)
      // What no calendar holds is as good as no date.
      const value = (seconds + EPOCH) * 1000
      if (!(Math.abs(value) <= 8.64e15)) throw reader.error('date', `date ${seconds}`, offset)
      return { type: 'date', offset, value: Math.round(value) }
    }
    if (kind === 0x4) return { type: 'data', offset, value: reader.slice(this.length(low)) }
    if (kind === 0x5) return { type: 'string', offset, value: this.text(this.length(low), 'latin1') }
    if (kind === 0x6) return { type: 'string', offset, value: this.text(2 * this.length(low), 'utf16be') }
    if (kind === 0x7) return { type: 'string', offset, value: this.text(this.length(low), 'utf8') }
    if (kind === 0x8) return { type: 'uid', offset, value: this.unsigned(reader.position, low + 1) }
    throw reader.error('marker', `marker 0x${((kind << 4) | low).toString(16)}`, offset)
  }

  private text(size: number, encoding: 'latin1' | 'utf8' | 'utf16be'): string {
    const bytes = Buffer.from(this.reader.slice(size))
    this.textBudget -= size
    if (this.textBudget < 0) throw this.reader.error('limit', 'texts laid over each other hold more than the file')
    return encoding === 'utf16be' ? bytes.swap16().toString('utf16le') : bytes.toString(encoding)
  }

  /** The length in the marker, or behind it. */
  private length(low: number): number {
    if (low !== 15) return low
    const marker = this.reader.u8()
    if (marker >> 4 !== 1 || (marker & 15) > 3) throw this.reader.error('marker', 'a length that is no integer')
    const size = 2 ** (marker & 15)
    const value = this.unsigned(this.reader.position, size)
    this.reader.skip(size)
    return value
  }

  /** One, two and four bytes are unsigned, eight signed; sixteen hold what is unsigned of eight. */
  private integer(size: number): number | bigint {
    const { reader } = this
    if (size <= 4) return this.unsigned(reader.position, size)
    if (size === 8) return exact(BigInt.asIntN(64, reader.u64()))
    const high = reader.u64()
    return exact(BigInt.asIntN(128, (high << 64n) | reader.u64()))
  }

  private real(size: number): number {
    const { bytes } = this.reader
    const at = this.reader.position
    this.reader.skip(size)
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, size)
    return size === 4 ? view.getFloat32(0) : view.getFloat64(0)
  }

  private unsigned(at: number, size: number): number {
    const { reader } = this
    const before = reader.position
    const bytes = reader.seek(at).slice(size)
    reader.seek(before)
    let value = 0
    for (const byte of bytes) value = value * 256 + byte
    if (!Number.isSafeInteger(value)) throw reader.error('range', `integer of ${size} bytes`, at)
    return value
  }
}

const exact = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
