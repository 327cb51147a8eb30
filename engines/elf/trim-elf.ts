import { isDeepStrictEqual } from 'node:util'
import { FormatError } from '../bytes/format-error.ts'
import { ELF_LIMITS, type ElfLimits } from './elf-facts.ts'
import { ElfImage } from './elf-image.ts'
import { readElf } from './read-elf.ts'

const SHARED = 3
const SHT_NOBITS = 8
const SHT_RELA = 4
const SHT_REL = 9
const SHF_ALLOC = 2
const SHF_INFO_LINK = 0x40
/** Sections of a processor, such as .ARM.attributes. */
const SHT_PROCESSOR = 0x70000000

export interface TrimmedElf {
  readonly bytes: Uint8Array
  /** Names of the sections that are gone. */
  readonly removed: readonly string[]
}

/**
 * A shared library without the sections that no loader maps: symbols of the linker, debug information, comments. Everything that is mapped
 * stays at its place, and the table keeps a row for each mapped section: Android refuses libraries without a section table, and compares the
 * row of .dynamic (applications for version 26 and later). Undefined where there is nothing to remove. Throws FormatError of format `elf`:
 * `kind` for what is no little-endian shared library, `layout` where sections lie in another order than linkers write them,
 * and those of reading.
 */
export function trimElf(bytes: Uint8Array, limits: ElfLimits = ELF_LIMITS): TrimmedElf | undefined {
  const image = new ElfImage(bytes, limits)
  if (image.type !== SHARED || !image.littleEndian)
    throw new FormatError('elf', 'kind', 16, 'no little-endian shared library')
  const { sections, segments, is64 } = image
  const names = image.u16(is64 ? 62 : 50)
  if (image.notes.length || names === 0 || names >= sections.length || sections.length !== image.u16(is64 ? 60 : 48))
    throw new FormatError('elf', 'layout', is64 ? 40 : 32, 'no section table that can be trimmed')
  const isMapped = (flags: number) => Math.floor(flags / SHF_ALLOC) % 2 === 1
  const stays = sections.map(({ flags, type }, i) => i === 0 || i === names || isMapped(flags) || type >= SHT_PROCESSOR)
  const removed = sections.filter((_, i) => !stays[i]).map(({ name }) => name)
  if (!removed.length) return undefined
  // Symbols name sections by their number, so that mapped ones must keep theirs.
  const firstGone = stays.indexOf(false)
  if (sections.some(({ flags }, i) => isMapped(flags) && i > firstGone))
    throw new FormatError('elf', 'layout', -1, 'mapped sections lie behind others')
  const programs = image.word(is64 ? 32 : 28) + segments.length * (is64 ? 56 : 32)
  const mappedEnd = Math.max(
    programs,
    ...segments.map(({ fileOffset, fileSize }) => fileOffset + fileSize),
    ...sections
      .filter(({ flags, type }) => isMapped(flags) && type !== SHT_NOBITS)
      .map(({ fileOffset, size }) => fileOffset + size),
  )
  // Android maps a file of this length only; a size of a header must not decide how much memory is taken.
  if (mappedEnd > bytes.length)
    throw new FormatError('elf', 'layout', -1, 'a mapped part lies behind the end of the file')
  if (
    sections.some(({ fileOffset, size, type }, i) => !stays[i] && type !== SHT_NOBITS && size && fileOffset < mappedEnd)
  )
    throw new FormatError('elf', 'layout', -1, 'sections to remove lie between mapped ones')
  const trimmed = new Trimmer(image, stays, names, mappedEnd).write()
  // A table that claims more than is mapped, or that lies over the header, reads otherwise once the rest is gone.
  if (!isDeepStrictEqual(loadedPart(trimmed, limits), loadedPart(bytes, limits)))
    throw new FormatError('elf', 'layout', -1, 'a table of the loader refers to what is not mapped')
  return { bytes: trimmed, removed }
}

/** All that a loader goes by. */
function loadedPart(bytes: Uint8Array, limits: ElfLimits): object {
  const { segments, needed, soname, imports, exports, buildId, notes } = readElf(bytes, limits)
  return { segments, needed, soname, imports, exports, buildId, notes }
}

class Trimmer {
  private readonly image: ElfImage
  private readonly stays: readonly boolean[]
  private readonly names: number
  private readonly mappedEnd: number

  constructor(image: ElfImage, stays: readonly boolean[], names: number, mappedEnd: number) {
    this.image = image
    this.stays = stays
    this.names = names
    this.mappedEnd = mappedEnd
  }

  write(): Uint8Array {
    const { image, mappedEnd } = this
    const { is64, sections } = image
    const row = is64 ? 64 : 40
    const numbers = this.newNumbers()
    const kept = sections.flatMap((section, i) => (this.stays[i] ? [{ section, i }] : []))
    const texts = [...new Set(['', ...kept.map(({ section }) => section.name)])]
    const nameOffsets = new Map<string, number>()
    let length = 0
    for (const text of texts) {
      nameOffsets.set(text, length)
      length += Buffer.byteLength(text) + 1
    }
    const nameTable = Buffer.from(texts.map((text) => `${text}\0`).join(''))
    // What is kept without being mapped follows the mapped part, then the names, then the table.
    let at = mappedEnd
    const placed = new Map<number, number>()
    for (const { section, i } of kept) {
      if (i === 0 || section.fileOffset < mappedEnd || section.type === SHT_NOBITS) continue
      at = aligned(at, 8)
      placed.set(i, at)
      at += i === this.names ? nameTable.length : section.size
    }
    const namesAt = placed.get(this.names) ?? aligned(at, 8)
    if (!placed.has(this.names)) at = namesAt + nameTable.length
    const tableAt = aligned(at, 8)
    const out = Buffer.alloc(tableAt + kept.length * row)
    out.set(image.bytes.subarray(0, mappedEnd))
    const word = (value: number, to: number) =>
      is64 ? out.writeBigUInt64LE(BigInt(value), to) : out.writeUInt32LE(value, to)
    const oldTable = image.word(is64 ? 40 : 32)
    kept.forEach(({ section, i }, number) => {
      const to = tableAt + number * row
      out.set(image.bytes.subarray(oldTable + i * row, oldTable + (i + 1) * row), to)
      out.writeUInt32LE(nameOffsets.get(section.name)!, to)
      const moved = i === this.names ? namesAt : placed.get(i)
      if (moved !== undefined) {
        word(moved, to + 8 + 2 * image.wordSize)
        if (i !== this.names)
          out.set(image.bytes.subarray(section.fileOffset, section.fileOffset + section.size), moved)
      }
      if (i === this.names) word(nameTable.length, to + 8 + 3 * image.wordSize)
      const link = to + 8 + 4 * image.wordSize
      out.writeUInt32LE(numbers[section.link] ?? 0, link)
      const info = out.readUInt32LE(link + 4)
      const isLink = section.type === SHT_REL || section.type === SHT_RELA || (section.flags & SHF_INFO_LINK) !== 0
      if (isLink) out.writeUInt32LE(numbers[info] ?? 0, link + 4)
    })
    out.set(nameTable, namesAt)
    word(tableAt, is64 ? 40 : 32)
    out.writeUInt16LE(kept.length, is64 ? 60 : 48)
    out.writeUInt16LE(numbers[this.names]!, is64 ? 62 : 50)
    return out
  }

  private newNumbers(): number[] {
    let next = 0
    return this.stays.map((stays) => (stays ? next++ : 0))
  }
}

const aligned = (at: number, multiple: number): number => multiple * Math.ceil(at / multiple)
