import type { DexFile } from './dex-file.ts'
import { signed8, signed16 } from './dex-operands.ts'
import { EncodedReader } from './encoded-value.ts'
import { OPCODE_SIZES, payloadSize } from './opcodes.ts'

/** One method taken apart: its instructions in order, and for each those that may run before it. */
export class DexFlow {
  /** Byte offset in the file of each instruction; tables for switches and arrays are not among them. */
  readonly addresses: readonly number[]
  readonly registers: number
  readonly parameterWords: number
  /** False where the ways through the method were too many to keep. */
  complete = true
  private readonly indexByUnit: Int32Array
  private readonly first: Int32Array
  private readonly next: number[] = []
  private readonly from: number[] = []
  private readonly insns: number
  private readonly caught: (readonly [from: number, end: number])[] = []

  constructor(dex: DexFile, insns: number, size: number) {
    this.insns = insns
    this.registers = dex.u16(insns - 16)
    this.parameterWords = dex.u16(insns - 14)
    this.indexByUnit = new Int32Array(size >> 1).fill(-1)
    const addresses: number[] = []
    for (let at = insns; at < insns + size; ) {
      const opcode = dex.u8(at)
      const table = opcode === 0 && dex.u8(at + 1) !== 0 ? payloadSize(dex.bytes, at) : 2
      if (table === 2) {
        this.indexByUnit[(at - insns) >> 1] = addresses.length
        addresses.push(at)
      }
      at += opcode === 0 ? table : OPCODE_SIZES[opcode]!
    }
    this.addresses = addresses
    this.first = new Int32Array(addresses.length).fill(-1)
    this.link(dex)
    this.linkHandlers(dex, size)
  }

  /** -1 where no instruction begins. */
  indexAt(address: number): number {
    return this.indexByUnit[(address - this.insns) >> 1] ?? -1
  }

  /** Instructions that may run right before this one; `~i` where i threw before it wrote its result. */
  *before(index: number): Generator<number> {
    for (let link = this.first[index]!; link >= 0; link = this.next[link]!) yield this.from[link]!
  }

  /** Is it reached only from the instruction that precedes it? */
  isStraight(index: number): boolean {
    const link = this.first[index]!
    return link >= 0 && this.next[link] === -1 && this.from[link] === index - 1
  }

  /** Does a try block cover the instruction? */
  isCaught(address: number): boolean {
    return this.caught.some(([from, end]) => address >= from && address < end)
  }

  private join(from: number, toAddress: number): void {
    const to = this.indexAt(toAddress)
    if (to < 0) return
    if (this.next.length > 8 * this.addresses.length + 64) {
      this.complete = false
      return
    }
    this.next.push(this.first[to]!)
    this.from.push(from)
    this.first[to] = this.next.length - 1
  }

  private link(dex: DexFile): void {
    this.addresses.forEach((at, i) => {
      const opcode = dex.u8(at)
      const following = at + OPCODE_SIZES[opcode]!
      if (opcode === 0x28) this.join(i, at + 2 * signed8(dex.u8(at + 1)))
      else if (opcode === 0x29) this.join(i, at + 2 * signed16(dex.u16(at + 2)))
      else if (opcode === 0x2a) this.join(i, at + 2 * (dex.u32(at + 2) | 0))
      else if ((opcode >= 0x0e && opcode <= 0x11) || opcode === 0x27) return
      else {
        this.join(i, following)
        if (opcode >= 0x32 && opcode <= 0x3d) this.join(i, at + 2 * signed16(dex.u16(at + 2)))
        else if (opcode === 0x2b || opcode === 0x2c) this.linkSwitch(dex, i, at)
      }
    })
  }

  private linkSwitch(dex: DexFile, index: number, at: number): void {
    const table = at + 2 * (dex.u32(at + 2) | 0)
    const count = dex.u16(table + 2)
    const targets = dex.u8(at) === 0x2b ? table + 8 : table + 4 + 4 * count
    for (let i = 0; i < count && this.complete && targets + 4 * i < dex.bytes.length; i++)
      this.join(index, at + 2 * (dex.u32(targets + 4 * i) | 0))
  }

  /** A handler may run after whatever call of its range threw, or its first instruction. */
  private linkHandlers(dex: DexFile, size: number): void {
    const count = dex.u16(this.insns - 10)
    const tries = this.insns + ((size + 3) & ~3)
    const handlers = tries + 8 * count
    if (handlers > dex.bytes.length) return
    // Ranges of a sound file do not overlap, and each has few handlers.
    let work = 16 * this.addresses.length + 128
    for (let i = 0; i < count && this.complete; i++) {
      const from = this.insns + 2 * dex.u32(tries + 8 * i)
      const end = from + 2 * dex.u16(tries + 8 * i + 4)
      this.caught.push([from, end])
      const throwers: number[] = []
      for (let at = this.indexAt(from); at >= 0 && at < this.addresses.length && this.addresses[at]! < end; at++) {
        work--
        const opcode = dex.u8(this.addresses[at]!)
        if (!throwers.length || (opcode >= 0x6e && opcode <= 0x78)) throwers.push(at)
      }
      const targets = handlerAddresses(dex, handlers + dex.u16(tries + 8 * i + 6))
      work -= targets.length * Math.max(1, throwers.length)
      if (work < 0) this.complete = false
      else for (const handler of targets) for (const thrower of throwers) this.join(~thrower, this.insns + 2 * handler)
    }
  }
}

function handlerAddresses(dex: DexFile, at: number): number[] {
  const reader = new EncodedReader(dex, at)
  const count = reader.sleb()
  const addresses: number[] = []
  for (let i = 0; i < Math.abs(count) && !reader.ended && i < 1000; i++) {
    reader.uleb()
    addresses.push(reader.uleb())
  }
  if (count <= 0 && !reader.ended) addresses.push(reader.uleb())
  return addresses
}
