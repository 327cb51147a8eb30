export interface WrittenElf {
  bits?: 32 | 64
  littleEndian?: boolean
  type?: number
  machine?: number
  soname?: string
  needed?: string[]
  runpath?: string
  imports?: string[]
  exports?: string[]
  /** Further entries of the dynamic section. */
  dynamic?: (readonly [tag: number, value: number])[]
  /** Flags of GNU_STACK; without it the header is missing. */
  stack?: number
  relro?: boolean
  /** Flags of the one loaded segment. */
  load?: number
  buildId?: string
  /** Content of sections by name; a section table is written only with them. */
  sections?: Readonly<Record<string, Uint8Array>>
}

const SECTION_TYPES: Readonly<Record<string, number>> = { '.symtab': 2 }
const PROGBITS = 1
const STRTAB = 3

const BASE = 0x10000

/** A small ELF library with one loaded segment over the whole file, written without the product's code. */
export function writeElf(elf: WrittenElf = {}): Uint8Array {
  const is64 = (elf.bits ?? 64) === 64
  const little = elf.littleEndian ?? true
  const number = (value: number, width: number): number[] => {
    const bytes = Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** i) % 256)
    return little ? bytes : bytes.reverse()
  }
  const u16 = (value: number) => number(value, 2)
  const u32 = (value: number) => number(value, 4)
  const word = (value: number) => number(value, is64 ? 8 : 4)
  const names: number[] = [0]
  const nameOf = (text: string) => {
    const at = names.length
    names.push(...Buffer.from(`${text}\0`))
    return at
  }
  const symbols = [
    ...(elf.imports ?? []).map((name) => ({ name, section: 0 })),
    ...(elf.exports ?? []).map((name) => ({ name, section: 1 })),
  ]
  const symbolRow = (name: number, section: number) =>
    is64
      ? [...u32(name), name ? 0x12 : 0, 0, ...u16(section), ...word(0), ...word(0)]
      : [...u32(name), ...word(0), ...word(0), name ? 0x12 : 0, 0, ...u16(section)]
  const symbolTable = [{ name: '', section: 0 }, ...symbols].flatMap(({ name, section }) =>
    symbolRow(name ? nameOf(name) : 0, section),
  )
  const hash = [...u32(1), ...u32(symbols.length + 1), ...u32(0)]
  const note = elf.buildId
    ? [
        ...u32(4),
        ...u32(elf.buildId.length / 2),
        ...u32(3),
        ...Buffer.from('GNU\0'),
        ...Buffer.from(elf.buildId, 'hex'),
      ]
    : []
  const named: (readonly [number, number])[] = [
    ...(elf.needed ?? []).map((name) => [1, nameOf(name)] as const),
    ...(elf.soname ? [[14, nameOf(elf.soname)] as const] : []),
    ...(elf.runpath ? [[29, nameOf(elf.runpath)] as const] : []),
  ]
  const headers = 1 + 1 + (elf.stack === undefined ? 0 : 1) + (elf.relro ? 1 : 0) + (elf.buildId ? 1 : 0)
  const headerSize = is64 ? 64 : 52
  const programSize = is64 ? 56 : 32
  let at = headerSize + headers * programSize
  const append = (bytes: { length: number }) => {
    const offset = at
    at += 8 * Math.ceil(bytes.length / 8)
    return offset
  }
  const namesAt = append(names)
  const symbolsAt = append(symbolTable)
  const hashAt = append(hash)
  const noteAt = append(note)
  const dynamic = [
    ...named,
    [5, BASE + namesAt] as const,
    [10, names.length] as const,
    [6, BASE + symbolsAt] as const,
    [4, BASE + hashAt] as const,
    ...(elf.dynamic ?? []),
    [0, 0] as const,
  ].flatMap(([tag, value]) => [...word(tag), ...word(value)])
  const dynamicAt = append(dynamic)
  const contents = Object.entries(elf.sections ?? {}).map(([name, data]) => ({ name, data, at: append(data) }))
  const sectionNames = Buffer.from(`\0${[...contents.map(({ name }) => name), '.shstrtab'].join('\0')}\0`)
  const sectionNamesAt = append(contents.length ? sectionNames : [])
  const sectionRow = (name: number, type: number, flags: number, offset: number, size: number) => [
    ...u32(name),
    ...u32(type),
    ...word(flags),
    ...word(offset && BASE + offset),
    ...word(offset),
    ...word(size),
    ...u32(0),
    ...u32(0),
    ...word(1),
    ...word(0),
  ]
  const nameAt = (name: string) => sectionNames.indexOf(`\0${name}\0`) + 1
  const sections = contents.length
    ? [
        ...sectionRow(0, 0, 0, 0, 0),
        ...contents.flatMap(({ name, data, at: offset }) =>
          sectionRow(nameAt(name), SECTION_TYPES[name] ?? PROGBITS, 2, offset, data.length),
        ),
        ...sectionRow(nameAt('.shstrtab'), STRTAB, 0, sectionNamesAt, sectionNames.length),
      ]
    : []
  const sectionsAt = append(sections)
  const program = (type: number, flags: number, offset: number, size: number) =>
    is64
      ? [
          ...u32(type),
          ...u32(flags),
          ...word(offset),
          ...word(BASE + offset),
          ...word(0),
          ...word(size),
          ...word(size),
          ...word(8),
        ]
      : [
          ...u32(type),
          ...word(offset),
          ...word(BASE + offset),
          ...word(0),
          ...word(size),
          ...word(size),
          ...u32(flags),
          ...word(8),
        ]
  const header = [
    0x7f,
    ...Buffer.from('ELF'),
    is64 ? 2 : 1,
    little ? 1 : 2,
    1,
    ...Array<number>(9).fill(0),
    ...u16(elf.type ?? 3),
    ...u16(elf.machine ?? 183),
    ...u32(1),
    ...word(0),
    ...word(headerSize),
    ...word(sections.length ? sectionsAt : 0),
    ...u32(0),
    ...u16(headerSize),
    ...u16(programSize),
    ...u16(headers),
    ...u16(sections.length ? (is64 ? 64 : 40) : 0),
    ...u16(sections.length ? contents.length + 2 : 0),
    ...u16(sections.length ? contents.length + 1 : 0),
    ...program(1, elf.load ?? 5, 0, at),
    ...program(2, 6, dynamicAt, dynamic.length),
    ...(elf.stack === undefined ? [] : program(0x6474e551, elf.stack, 0, 0)),
    ...(elf.relro ? program(0x6474e552, 4, dynamicAt, dynamic.length) : []),
    ...(elf.buildId ? program(4, 4, noteAt, note.length) : []),
  ]
  const bytes = new Uint8Array(at)
  bytes.set(header)
  for (const [offset, content] of [
    [namesAt, names],
    [symbolsAt, symbolTable],
    [hashAt, hash],
    [noteAt, note],
    [dynamicAt, dynamic],
    ...contents.map(({ at: offset, data }) => [offset, data] as const),
    [sectionNamesAt, contents.length ? sectionNames : []],
    [sectionsAt, sections],
  ] as const)
    bytes.set(content, offset)
  return bytes
}
