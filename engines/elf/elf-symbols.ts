import { DT, type ElfDynamic } from './elf-dynamic.ts'
import type { ElfSymbol } from './elf-facts.ts'
import type { ElfImage } from './elf-image.ts'

const SHT_SYMTAB = 2
const SHT_DYNSYM = 11
const KINDS: Readonly<Record<number, ElfSymbol['kind']>> = { 1: 'object', 2: 'function', 6: 'tls', 10: 'function' }
const LOCAL = 0
const WEAK = 2

export interface SymbolTables {
  readonly imports: ElfSymbol[]
  readonly exports: ElfSymbol[]
}

/** Symbols that the loader sees, by the dynamic section; by `.dynsym` if that section is absent. */
export function dynamicSymbols(image: ElfImage, dynamic: ElfDynamic): SymbolTables {
  const table = dynamic.number(DT.SYMTAB)
  const section = image.sections.find(({ type }) => type === SHT_DYNSYM)
  const offset = table ? image.fileOffsetOf(table.value) : (section?.fileOffset ?? -1)
  const tables: SymbolTables = { imports: [], exports: [] }
  if (offset < 0) return tables
  const width = image.is64 ? 24 : 16
  const wanted = symbolCount(image, dynamic) ?? (section ? Math.floor(section.size / width) : 0)
  const count = Math.min(wanted, image.limits.symbols, Math.floor((image.bytes.length - offset) / width))
  if (count < wanted) image.note('symbols', offset, `${wanted} symbols claimed, ${Math.max(0, count)} read`)
  let textBudget = 4 * image.bytes.length
  for (let i = 1; i < count && textBudget > 0; i++) {
    const at = offset + i * width
    const info = image.u8(at + (image.is64 ? 4 : 12))
    const definedIn = image.u16(at + (image.is64 ? 6 : 14))
    if (info >> 4 === LOCAL) continue
    const name = dynamic.name(image.u32(at))
    textBudget -= name.length
    if (!name) continue
    const symbol: ElfSymbol = { name, kind: KINDS[info & 15] ?? 'other', weak: info >> 4 === WEAK, offset: at }
    ;(definedIn === 0 ? tables.imports : tables.exports).push(symbol)
  }
  if (textBudget <= 0) image.note('symbols', offset, 'names laid over each other hold more than is read')
  return tables
}

/** Whether a full symbol table is left. */
export const hasSymbolTable = (image: ElfImage): boolean => image.sections.some(({ type }) => type === SHT_SYMTAB)

/** Number of dynamic symbols: the tables for looking them up are the loader's only source. */
function symbolCount(image: ElfImage, dynamic: ElfDynamic): number | undefined {
  const hash = dynamic.number(DT.HASH)
  const hashAt = hash ? image.fileOffsetOf(hash.value) : -1
  if (hashAt >= 0) return image.u32(hashAt + 4)
  const gnu = dynamic.number(DT.GNU_HASH)
  const at = gnu ? image.fileOffsetOf(gnu.value) : -1
  return at >= 0 ? gnuHashCount(image, at) : undefined
}

/** The last chain of a GNU hash table ends with the last symbol. */
function gnuHashCount(image: ElfImage, at: number): number {
  const buckets = image.u32(at)
  const firstHashed = image.u32(at + 4)
  const bucketsAt = at + 16 + image.u32(at + 8) * image.wordSize
  let last = 0
  for (let i = 0; i < buckets && image.has(bucketsAt + 4 * i, 4); i++)
    last = Math.max(last, image.u32(bucketsAt + 4 * i))
  if (last < firstHashed) return firstHashed
  const chains = bucketsAt + 4 * buckets
  let link = chains + 4 * (last - firstHashed)
  while (image.has(link, 4) && !(image.u32(link) & 1)) {
    link += 4
    last++
  }
  return last + 1
}
