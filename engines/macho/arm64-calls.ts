import type { ImageBytes } from './addresses.ts'
import { Arm64Registers, signed } from './arm64-registers.ts'
import type { Section } from './macho-facts.ts'

/** A call in arm64 code, with what is known of its arguments where the code says it in a straight line. */
export interface NativeCall {
  /** Symbol (`_CCCrypt`), or selector of a message (`setAllowInvalidCertificates:`). */
  readonly callee: string
  readonly message: boolean
  /** Offset of the instruction in the file. */
  readonly offset: number
  /** Address where its function begins; 0 where function starts are not known. */
  readonly function: number
  /** x0 to x7: a number, the address of data, undefined where it is not known. Of a message the first two are receiver and selector. */
  readonly arguments: readonly (number | undefined)[]
}

const STUBS = 8
const OBJC_STUB = 32

/**
 * The calls of an arm64 image whose callee is wanted. Registers are followed along straight code and forgotten wherever a jump may come in, so an
 * argument that is reported is certain; calls through pointers are not seen.
 */
export function* arm64Calls(bytes: ImageBytes, wanted: (callee: string) => boolean): Generator<NativeCall> {
  if (!bytes.image.cpu.startsWith('arm64') || bytes.image.bits !== 64) return
  const names = new Callees(bytes)
  const starts = functionStarts(bytes)
  for (const section of bytes.sections('__text'))
    if (section.offset && !bytes.isEncrypted(section.offset)) yield* callsOf(bytes, section, starts, names, wanted)
}

function* callsOf(
  bytes: ImageBytes,
  section: Section,
  starts: readonly number[],
  names: Callees,
  wanted: (callee: string) => boolean,
): Generator<NativeCall> {
  const content = bytes.sectionBytes(section)
  const code = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const count = Math.floor(code.byteLength / 4)
  const entered = jumpTargets(code, count)
  const registers = new Arm64Registers()
  let next = starts.findIndex((start) => start >= section.address)
  let inside = 0
  for (let i = 0; i < count; i++) {
    const pc = section.address + 4 * i
    while (next >= 0 && next < starts.length && starts[next]! <= pc) {
      inside = starts[next++]!
      registers.forget()
    }
    if (entered[i]) registers.forget()
    const word = code.getUint32(4 * i, true)
    const branch = (word & 0x7c000000) === 0x14000000
    if (branch) {
      const linked = word >>> 31
      const callee = names.at(pc + signed(word & 0x3ffffff, 26) * 4, registers)
      if (callee && wanted(callee.name))
        yield {
          callee: callee.name,
          message: callee.message,
          offset: section.offset + 4 * i,
          function: inside,
          arguments: Array.from({ length: 8 }, (_, register) => registers.constant(register)),
        }
      if (linked) registers.afterCall()
      else registers.forget()
    } else if ((word & 0xfe000000) >>> 0 === 0xd6000000) {
      // br, blr, ret
      if (((word >>> 21) & 3) === 1) registers.afterCall()
      else registers.forget()
    } else if (!isJump(word)) registers.step(word, pc)
  }
}

/** Conditional branches, by flags, register or bit. */
const isJump = (word: number): boolean =>
  (word & 0xff000010) >>> 0 === 0x54000000 || (word & 0x7e000000) === 0x34000000 || (word & 0x7e000000) === 0x36000000

/** Which instructions a jump leads to. */
function jumpTargets(code: DataView, count: number): Uint8Array {
  const entered = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    const word = code.getUint32(4 * i, true)
    let distance = 0
    if ((word & 0xfc000000) === 0x14000000) distance = signed(word & 0x3ffffff, 26)
    else if ((word & 0x7e000000) === 0x36000000) distance = signed((word >>> 5) & 0x3fff, 14)
    else if (isJump(word)) distance = signed((word >>> 5) & 0x7ffff, 19)
    const target = i + distance
    if (distance && target >= 0 && target < count) entered[target] = 1
  }
  return entered
}

/** Who a branch calls: by stub of a symbol, by stub of a selector, or by the selector in x1. */
class Callees {
  private readonly bytes: ImageBytes
  private readonly stubs: readonly Section[]
  private readonly selectorStubs: Section | undefined
  private readonly known = new Map<number, string>()

  constructor(bytes: ImageBytes) {
    this.bytes = bytes
    this.stubs = bytes.image.sections.filter(({ flags, reserved2 }) => (flags & 0xff) === STUBS && reserved2 > 0)
    this.selectorStubs = bytes.section('__objc_stubs')
  }

  at(target: number, registers: Arm64Registers): { name: string; message: boolean } | undefined {
    const selectors = this.selectorStubs
    if (selectors && target >= selectors.address && target < selectors.address + selectors.size) {
      const name = this.remembered(target, () => this.stubSelector(target))
      return name ? { name, message: true } : undefined
    }
    const name = this.remembered(target, () => this.symbol(target))
    if (name === '_objc_msgSend' || name === '_objc_msgSendSuper2') {
      const reference = registers.loadedFrom(1)
      const selector = reference === undefined ? '' : this.selectorAt(reference)
      return selector ? { name: selector, message: true } : undefined
    }
    return name ? { name, message: false } : undefined
  }

  private remembered(target: number, find: () => string): string {
    let name = this.known.get(target)
    if (name === undefined) {
      name = find()
      this.known.set(target, name)
    }
    return name
  }

  private symbol(target: number): string {
    const stubs = this.stubs.find(({ address, size }) => target >= address && target < address + size)
    const table = this.bytes.image.indirectSymbols
    if (!stubs || !table) return ''
    const index = stubs.reserved1 + Math.floor((target - stubs.address) / stubs.reserved2)
    if (index >= table.count) return ''
    const number = this.bytes.u32(this.bytes.image.offset + table.offset + 4 * index)
    return this.bytes.image.symbols.names[number] ?? ''
  }

  private stubSelector(target: number): string {
    const begin = target - ((target - this.selectorStubs!.address) % OBJC_STUB)
    const registers = new Arm64Registers()
    const offset = this.bytes.offsetOf(begin)
    if (offset < 0) return ''
    for (let i = 0; i < 2; i++) registers.step(this.bytes.u32(offset + 4 * i), begin + 4 * i)
    const reference = registers.loadedFrom(1)
    return reference === undefined ? '' : this.selectorAt(reference)
  }

  private selectorAt(reference: number): string {
    return this.bytes.textAt(this.bytes.pointer(this.bytes.offsetOf(reference)))
  }
}

/** Addresses where functions begin (LC_FUNCTION_STARTS), rising. */
function functionStarts({ image, file }: ImageBytes): number[] {
  const range = image.functionStarts
  const starts: number[] = []
  if (!range) return starts
  const begin = image.offset + range.offset
  const end = Math.min(begin + range.size, image.offset + image.size, file.length)
  let address = image.segments.find(({ name }) => name === '__TEXT')?.address ?? 0
  for (let at = begin; at < end; ) {
    let delta = 0
    for (let shift = 0; at < end; shift += 7) {
      const byte = file[at++]!
      if (shift < 35) delta += (byte & 0x7f) * 2 ** shift
      if (!(byte & 0x80)) break
    }
    if (delta === 0) break
    address += delta
    starts.push(address)
  }
  return starts
}
