import type { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { Commands } from './load-commands.ts'
import type { MachoLimits, Symbols } from './macho-facts.ts'
import type { MachoNote } from './macho-note.ts'

export const NO_SYMBOLS: Symbols = { count: 0, imports: [], exports: [], defined: new Map(), locals: 0, names: [] }

const STAB = 0xe0
const TYPE = 0x0e
const IN_SECTION = 0x0e
const EXTERNAL = 0x01
const WEAK_REFERENCE = 0x40

interface Context {
  bits: 32 | 64
  base: number
  limits: MachoLimits
  notes: MachoNote[]
}

/** The symbol table: what is imported, exported, and how much of debugging was left in; names from the chained fixups are imports too. */
export function readSymbols(image: ByteReader, commands: Commands, context: Context): Symbols {
  const { base, limits, notes, bits } = context
  const table = commands.symbolTable
  const imports = new Map<string, { name: string; weak: boolean; offset: number }>()
  const exports: string[] = []
  const names: string[] = []
  const defined = new Map<number, string>()
  let locals = 0
  let count = 0
  if (table) {
    const entrySize = bits === 64 ? 16 : 12
    if (table.count > limits.symbols)
      throw new FormatError('macho', 'limit', base + table.symbols, `${table.count} symbols`)
    count = Math.max(0, Math.min(table.count, Math.floor((image.length - table.symbols) / entrySize)))
    if (count < table.count)
      notes.push({
        key: 'symbols',
        offset: base + table.symbols,
        detail: `${table.count} symbols declared, ${count} fit`,
      })
    const nameAt = stringTable(image.bytes, table.strings, table.stringsSize, limits)
    for (let i = 0; i < count; i++) {
      const at = table.symbols + i * entrySize
      const name = nameAt(image.seek(at).u32())
      const type = image.u8()
      image.skip(1)
      const description = image.u16()
      names.push(name)
      if (!(type & STAB) && (type & TYPE) === IN_SECTION)
        defined.set(bits === 64 ? Number(image.u64()) : image.u32(), name)
      if (type & STAB) locals++
      else if ((type & TYPE) === 0 && type & EXTERNAL)
        imports.set(name, { name, weak: (description & WEAK_REFERENCE) !== 0, offset: base + at })
      else if (type & EXTERNAL) exports.push(name)
      else if ((type & TYPE) === IN_SECTION) locals++
    }
  }
  for (const found of chainedImports(image, commands, base, limits))
    if (!imports.has(found.name)) imports.set(found.name, found)
  return { count, imports: [...imports.values()], exports, defined, locals, names }
}

/** Names by offset; they may share bytes, so each is cut and all together bounded. */
function stringTable(bytes: Uint8Array, offset: number, size: number, limits: MachoLimits): (at: number) => string {
  const table = bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + size, bytes.length))
  const known = new Map<number, string>()
  let budget = 4 * table.length + 0x10000
  return (at) => {
    let name = known.get(at)
    if (name === undefined) {
      name = at < table.length ? textAt(table, at, limits.name) : ''
      budget -= name.length
      if (budget < 0)
        throw new FormatError('macho', 'limit', offset, 'names decode to more than four times their table')
      known.set(at, name)
    }
    return name
  }
}

/** A NUL-terminated text of at most `most` bytes. */
export function textAt(bytes: Uint8Array, at: number, most: number): string {
  const part = bytes.subarray(at, at + most)
  const end = part.indexOf(0)
  return Buffer.from(part.buffer, part.byteOffset, end < 0 ? part.length : end).toString('utf8')
}

/** Imports of images whose pointers are chained (LC_DYLD_CHAINED_FIXUPS). */
function* chainedImports(image: ByteReader, { chainedFixups }: Commands, base: number, limits: MachoLimits) {
  if (!chainedFixups) return
  const { offset, size } = chainedFixups
  const end = Math.min(offset + size, image.length)
  if (offset + 28 > end) return
  image.seek(offset + 8)
  const importsAt = offset + image.u32()
  const symbolsAt = offset + image.u32()
  const declared = image.u32()
  const format = image.u32()
  const entrySize = format === 1 ? 4 : format === 2 ? 8 : format === 3 ? 16 : 0
  if (!entrySize || image.u32() !== 0) return
  if (declared > limits.symbols) throw new FormatError('macho', 'limit', base + offset, `${declared} imports`)
  const nameAt = stringTable(image.bytes, symbolsAt, Math.max(0, end - symbolsAt), limits)
  const count = Math.min(declared, Math.floor(Math.max(0, end - importsAt) / entrySize))
  for (let i = 0; i < count; i++) {
    const at = importsAt + i * entrySize
    const word = image.seek(at).u32()
    const name = nameAt(format === 3 ? image.u32() : word >>> 9)
    yield { name, weak: ((word >>> (format === 3 ? 16 : 8)) & 1) === 1, offset: base + at }
  }
}
