import { FormatError } from '../bytes/format-error.ts'
import type { ElfLimits, ElfNote, ElfSection, ElfSegment } from './elf-facts.ts'

const PT_LOAD = 1
const SHT_NOBITS = 8
const LONGEST_SECTION_NAME = 256

/** The bytes of an ELF file in its own word size and byte order, its program headers and its sections. */
export class ElfImage {
  readonly bytes: Uint8Array
  readonly is64: boolean
  readonly littleEndian: boolean
  readonly type: number
  readonly machine: number
  readonly segments: readonly ElfSegment[]
  readonly sections: readonly ElfSection[]
  readonly notes: ElfNote[] = []
  readonly limits: ElfLimits
  private readonly view: DataView

  /** Throws FormatError `magic`, `class`, `truncated`. */
  constructor(bytes: Uint8Array, limits: ElfLimits) {
    this.bytes = bytes
    this.limits = limits
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length < 4 || this.view.getUint32(0) !== 0x7f454c46)
      throw new FormatError('elf', 'magic', 0, 'does not begin as an ELF file does')
    if (bytes.length < 52) throw new FormatError('elf', 'truncated', bytes.length, 'header is cut')
    // Android goes by the class and, of one it runs, knows little-endian alone.
    const [wordSize, order] = [bytes[4], bytes[5]]
    if ((wordSize !== 1 && wordSize !== 2) || (order !== 1 && order !== 2))
      throw new FormatError('elf', 'class', 4, `class ${wordSize}, byte order ${order}`)
    this.is64 = wordSize === 2
    this.littleEndian = order === 1
    if (this.is64 && bytes.length < 64) throw new FormatError('elf', 'truncated', bytes.length, 'header is cut')
    this.type = this.u16(16)
    this.machine = this.u16(18)
    this.segments = this.readSegments()
    this.sections = this.readSections()
  }

  u8(at: number): number {
    return this.bytes[at] ?? 0
  }

  u16(at: number): number {
    return this.has(at, 2) ? this.view.getUint16(at, this.littleEndian) : 0
  }

  u32(at: number): number {
    return this.has(at, 4) ? this.view.getUint32(at, this.littleEndian) : 0
  }

  /** An address, offset or size of the class of the file; beyond 2^53 it is as good as infinite. */
  word(at: number): number {
    if (!this.is64) return this.u32(at)
    return this.has(at, 8) ? Number(this.view.getBigUint64(at, this.littleEndian)) : 0
  }

  get wordSize(): number {
    return this.is64 ? 8 : 4
  }

  has(at: number, length: number): boolean {
    return at >= 0 && length >= 0 && at + length <= this.bytes.length
  }

  /** Where the byte at a virtual address is in the file, -1 if nowhere. */
  fileOffsetOf(address: number): number {
    for (const { type, address: from, fileSize, fileOffset } of this.segments)
      if (type === PT_LOAD && address >= from && address < from + fileSize) {
        const offset = address - from + fileOffset
        return offset < this.bytes.length ? offset : -1
      }
    return -1
  }

  /** The text that ends with a zero before `end`. */
  text(at: number, end = this.bytes.length): string {
    const limit = Math.min(end, this.bytes.length, at + this.limits.nameLength)
    let to = at
    while (to < limit && this.bytes[to] !== 0) to++
    return at >= 0 && to > at ? Buffer.from(this.bytes.subarray(at, to)).toString('utf8') : ''
  }

  note(key: ElfNote['key'], offset: number, detail: string): void {
    if (this.notes.length < 50) this.notes.push({ key, offset, detail })
  }

  /** How many rows of a table lie in the file and within the limit. */
  private rows(key: ElfNote['key'], offset: number, wanted: number, width: number, most: number): number {
    const room = offset > 0 && offset < this.bytes.length ? Math.floor((this.bytes.length - offset) / width) : 0
    const count = Math.min(wanted, most, room)
    if (count < wanted) this.note(key, Math.min(offset, this.bytes.length), `${wanted} entries claimed, ${count} read`)
    return count
  }

  private readSegments(): ElfSegment[] {
    const { is64 } = this
    const table = this.word(is64 ? 32 : 28)
    const width = is64 ? 56 : 32
    const declared = this.u16(is64 ? 54 : 42)
    const wanted = this.u16(is64 ? 56 : 44)
    if (wanted > 0 && declared !== width) this.note('program-headers', is64 ? 54 : 42, `rows of ${declared} bytes`)
    const count = this.rows('program-headers', table, wanted, width, this.limits.segments)
    return Array.from({ length: count }, (_, i) => {
      const at = table + i * width
      const word = (index: number) => this.word(at + (is64 ? 8 + 8 * index : 4 + 4 * index))
      return {
        type: this.u32(at),
        flags: this.u32(at + (is64 ? 4 : 24)),
        fileOffset: word(0),
        address: word(1),
        fileSize: word(3),
        memorySize: word(4),
        offset: at,
      }
    })
  }

  private readSections(): ElfSection[] {
    const { is64 } = this
    const table = this.word(is64 ? 40 : 32)
    const width = is64 ? 64 : 40
    const wanted = this.u16(is64 ? 60 : 48)
    if (table === 0 || wanted === 0) return []
    if (this.u16(is64 ? 58 : 46) !== width) {
      this.note('sections', is64 ? 58 : 46, `rows of ${this.u16(is64 ? 58 : 46)} bytes`)
      return []
    }
    const count = this.rows('sections', table, wanted, width, this.limits.sections)
    const row = (i: number) => {
      const at = table + i * width
      const word = (index: number) => this.word(at + 8 + this.wordSize * index)
      return {
        nameIndex: this.u32(at),
        type: this.u32(at + 4),
        flags: word(0),
        address: word(1),
        fileOffset: word(2),
        size: word(3),
        link: this.u32(at + 8 + 4 * this.wordSize),
      }
    }
    const names = row(Math.min(this.u16(is64 ? 62 : 50), Math.max(0, count - 1)))
    const sections = Array.from({ length: count }, (_, i) => {
      const { nameIndex, ...section } = row(i)
      return {
        name:
          nameIndex < names.size
            ? this.text(names.fileOffset + nameIndex, names.fileOffset + nameIndex + LONGEST_SECTION_NAME)
            : '',
        ...section,
      }
    })
    const outside = sections.find(({ type, fileOffset, size }) => type !== SHT_NOBITS && !this.has(fileOffset, size))
    if (outside) this.note('sections', table, `section ${JSON.stringify(outside.name)} lies outside of the file`)
    return sections
  }
}
