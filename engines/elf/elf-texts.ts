import type { ElfFacts } from './elf-facts.ts'

const PT_LOAD = 1
const PROGBITS = 1
const ALLOCATED = 2
const EXECUTABLE = 4
/** Tables of unwinding and linking, which hold no texts of the program. */
const TABLES = /^\.(eh_frame|gcc_except_table|ARM\.ex|rel|got|plt|dynamic|gnu|hash|note|init_array|fini_array)/

/** A text of a native library and its location. */
export interface ElfText {
  readonly value: string
  readonly offset: number
}

/**
 * Texts of the constant data, at least `shortest` characters long and ended by a zero: ASCII and well-formed UTF-8. Without sections all that is
 * loaded is looked through.
 */
export function* elfTexts(bytes: Uint8Array, elf: ElfFacts, shortest = 4): Generator<ElfText> {
  for (const [from, to] of dataRanges(bytes, elf)) {
    let begin = from
    for (let at = from; at <= to; ) {
      const length = at < to ? characterLength(bytes, at, to) : 0
      if (length > 0) {
        at += length
        continue
      }
      if (at - begin >= shortest && (at === to || bytes[at] === 0)) {
        const value = Buffer.from(bytes.buffer, bytes.byteOffset + begin, at - begin).toString('utf8')
        if (value.length >= shortest || /[^\0-\x7f]{2}/.test(value)) yield { value, offset: begin }
      }
      at++
      begin = at
    }
  }
}

function dataRanges(bytes: Uint8Array, { sections, segments }: ElfFacts): [from: number, to: number][] {
  const data = sections.filter(
    ({ type, flags, name }) =>
      type === PROGBITS && (flags & ALLOCATED) !== 0 && (flags & EXECUTABLE) === 0 && !TABLES.test(name),
  )
  const ranges = data.length
    ? data.map(({ fileOffset, size }) => ({ from: fileOffset, size }))
    : segments
        .filter(({ type }) => type === PT_LOAD)
        .map(({ fileOffset, fileSize }) => ({ from: fileOffset, size: fileSize }))
  let reach = 0
  return ranges
    .sort((a, b) => a.from - b.from)
    .flatMap(({ from, size }): [number, number][] => {
      // Ranges that are laid over each other are read once.
      const begin = Math.max(from, reach)
      const end = Math.min(from + size, bytes.length)
      reach = Math.max(reach, end)
      return begin < end ? [[begin, end]] : []
    })
}

/** Bytes of the printable character at `at`, 0 if that byte is not printable. */
function characterLength(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at]!
  if (first < 0x80)
    return first >= 0x20 ? (first === 0x7f ? 0 : 1) : first === 9 || first === 10 || first === 13 ? 1 : 0
  const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || first >= 0xf5 || at + length > to) return 0
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0
  return length
}
