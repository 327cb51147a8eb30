import type { DexFile } from './dex-file.ts'

const DEEPEST = 16

export type EncodedConstant = string | number | bigint | boolean | null
/** A constant, or undefined for what is no plain one (types, enums, arrays, annotations). */
export type EncodedValue = EncodedConstant | undefined

/** Reads encoded values one after another; `at` is behind the last one, past the end where the bytes make no sense. */
export class EncodedReader {
  at: number
  private readonly dex: DexFile
  private steps: number

  constructor(dex: DexFile, at: number) {
    this.dex = dex
    this.at = at
    // Each value takes at least one byte, so no sound file needs more.
    this.steps = dex.bytes.length
  }

  get ended(): boolean {
    return this.at >= this.dex.bytes.length || this.steps <= 0
  }

  uleb(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.dex.u8(this.at++)
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    return value % 0x100000000
  }

  sleb(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.dex.u8(this.at++)
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return shift < 25 && byte & 0x40 ? value | (-1 << (shift + 7)) : value | 0
    }
    return value
  }

  value(depth = 0): EncodedValue {
    this.steps--
    const head = this.dex.u8(this.at++)
    const type = head & 0x1f
    const argument = head >> 5
    switch (type) {
      case 0x00:
        return Number(BigInt.asIntN(8, this.bits(argument)))
      case 0x02:
      case 0x04:
        return Number(BigInt.asIntN(8 * (argument + 1), this.bits(argument)))
      case 0x03:
        return Number(this.bits(argument))
      case 0x06:
        return BigInt.asIntN(8 * (argument + 1), this.bits(argument))
      case 0x10:
        return floatOf(Number(this.bits(argument)) * 2 ** (8 * (3 - Math.min(argument, 3))))
      case 0x11:
        return doubleOf(this.bits(argument) << BigInt(8 * (7 - argument)))
      case 0x17:
        return this.dex.string(Number(this.bits(argument)))
      case 0x1c:
        this.array(depth)
        return undefined
      case 0x1d:
        this.annotation(depth)
        return undefined
      case 0x1e:
        return null
      case 0x1f:
        return argument !== 0
      default:
        this.at += argument + 1
        return undefined
    }
  }

  private bits(argument: number): bigint {
    let value = 0n
    for (let i = 0; i <= argument; i++) value |= BigInt(this.dex.u8(this.at++)) << BigInt(8 * i)
    return value
  }

  private array(depth: number): void {
    const count = this.uleb()
    for (let i = 0; i < count && this.enters(depth); i++) this.value(depth + 1)
  }

  private annotation(depth: number): void {
    this.uleb()
    const count = this.uleb()
    for (let i = 0; i < count && this.enters(depth); i++) {
      this.uleb()
      this.value(depth + 1)
    }
  }

  /** Deeper than any compiler nests them, or no bytes left: reading ends. */
  private enters(depth: number): boolean {
    if (depth < DEEPEST && !this.ended) return true
    if (depth >= DEEPEST) this.dex.notes.add('encoded-value', this.at, `values nested deeper than ${DEEPEST}`)
    this.at = this.dex.bytes.length
    return false
  }
}

const scratch = new DataView(new ArrayBuffer(8))

function floatOf(bits: number): number {
  scratch.setUint32(0, bits >>> 0)
  return scratch.getFloat32(0)
}

function doubleOf(bits: bigint): number {
  scratch.setBigUint64(0, BigInt.asUintN(64, bits))
  return scratch.getFloat64(0)
}
