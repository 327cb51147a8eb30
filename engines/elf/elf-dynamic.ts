import type { Evident } from './elf-facts.ts'
import type { ElfImage } from './elf-image.ts'

const PT_DYNAMIC = 2
const SHT_DYNAMIC = 6
const MOST_ENTRIES = 10_000

export const DT = {
  NEEDED: 1,
  HASH: 4,
  STRTAB: 5,
  SYMTAB: 6,
  STRSZ: 10,
  SONAME: 14,
  RPATH: 15,
  TEXTREL: 22,
  BIND_NOW: 24,
  RUNPATH: 29,
  FLAGS: 30,
  GNU_HASH: 0x6ffffef5,
  FLAGS_1: 0x6ffffffb,
} as const

/** The dynamic section: what the loader goes by, whatever the section table says. */
export class ElfDynamic {
  private readonly entries: { readonly tag: number; readonly value: number; readonly offset: number }[] = []
  private readonly image: ElfImage
  private readonly strings: number
  private readonly stringsEnd: number

  constructor(image: ElfImage) {
    this.image = image
    const { offset, size } = locate(image)
    const width = 2 * image.wordSize
    const end = Math.min(offset + size, image.bytes.length)
    for (let at = offset; at >= 0 && at + width <= end && this.entries.length < MOST_ENTRIES; at += width) {
      const tag = image.word(at)
      if (tag === 0) break
      this.entries.push({ tag, value: image.word(at + image.wordSize), offset: at })
    }
    const table = this.number(DT.STRTAB)
    this.strings = table ? image.fileOffsetOf(table.value) : -1
    this.stringsEnd = this.strings + (this.number(DT.STRSZ)?.value ?? 0)
    if (table && this.strings < 0) image.note('string-table', table.offset, 'names lie outside of the file')
  }

  get exists(): boolean {
    return this.entries.length > 0
  }

  number(tag: number): Evident<number> | null {
    return this.entries.find((entry) => entry.tag === tag) ?? null
  }

  text(tag: number): Evident<string> | null {
    return this.texts(tag, 1)[0] ?? null
  }

  texts(tag: number, most: number): Evident<string>[] {
    return this.entries
      .filter((entry) => entry.tag === tag)
      .slice(0, most)
      .map(({ value, offset }) => ({ value: this.name(value), offset }))
  }

  /** A name of the dynamic string table. */
  name(index: number): string {
    if (this.strings < 0 || index >= this.stringsEnd - this.strings) return ''
    return this.image.text(this.strings + index, this.stringsEnd)
  }
}

/** By the program header; by the section where a file (such as an object for debugging) has no such header. */
function locate(image: ElfImage): { offset: number; size: number } {
  const segment = image.segments.find(({ type }) => type === PT_DYNAMIC)
  if (segment) {
    // The loader takes the address; the offset beside it may lie.
    const offset = image.fileOffsetOf(segment.address)
    if (offset !== segment.fileOffset) image.note('dynamic', segment.offset, 'offset and address differ')
    return { offset: offset >= 0 ? offset : segment.fileOffset, size: segment.memorySize || segment.fileSize }
  }
  const section = image.sections.find(({ type }) => type === SHT_DYNAMIC)
  return section ? { offset: section.fileOffset, size: section.size } : { offset: -1, size: 0 }
}
