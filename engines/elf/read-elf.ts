import { buildIdOf } from './elf-build-id.ts'
import { DT, ElfDynamic } from './elf-dynamic.ts'
import { ELF_LIMITS, type ElfFacts, type ElfLimits, type ElfSymbol, type Evident } from './elf-facts.ts'
import { ElfImage } from './elf-image.ts'
import { dynamicSymbols, hasSymbolTable } from './elf-symbols.ts'

const PT_LOAD = 1
const PT_INTERP = 3
const PT_GNU_STACK = 0x6474e551
const PT_GNU_RELRO = 0x6474e552
const X = 1
const W = 2
const DF_TEXTREL = 4
const DF_BIND_NOW = 8
const DF_1_NOW = 1
const DF_1_PIE = 0x08000000

const TYPES: Readonly<Record<number, ElfFacts['type']>> = { 1: 'relocatable', 2: 'executable', 3: 'shared', 4: 'core' }
const MACHINES: Readonly<Record<number, string>> = {
  3: 'x86',
  8: 'mips',
  20: 'ppc',
  21: 'ppc64',
  22: 's390',
  40: 'arm',
  62: 'x86_64',
  183: 'aarch64',
  243: 'riscv',
  258: 'loongarch',
}
/** Functions that bionic and glibc have a checked variant of. */
const FORTIFIABLE = new Set(
  (
    'fgets fread fwrite memchr memcpy memmove mempcpy memset open openat poll pread pread64 pwrite pwrite64 read readlink readlinkat recv ' +
    'recvfrom send sendto snprintf sprintf stpcpy stpncpy strcat strchr strcpy strlcat strlcpy strlen strncat strncpy strrchr umask vsnprintf ' +
    'vsprintf write'
  ).split(' '),
)

/**
 * Reads a native library or program: 32 and 64 bits, both byte orders, with or without sections. The loader's own way is taken (program headers
 * and dynamic section), so a section table that lies changes nothing but the texts and the notes.
 * Throws FormatError `magic`, `class`, `truncated`.
 */
export function readElf(bytes: Uint8Array, limits: ElfLimits = ELF_LIMITS): ElfFacts {
  const image = new ElfImage(bytes, limits)
  const dynamic = new ElfDynamic(image)
  const { imports, exports } = dynamicSymbols(image, dynamic)
  const segment = (wanted: number) => image.segments.find(({ type }) => type === wanted)
  const type = TYPES[image.type] ?? 'other'
  const interp = segment(PT_INTERP)
  const interpreter = interp ? { value: image.text(interp.fileOffset), offset: interp.fileOffset } : null
  const soname = dynamic.text(DT.SONAME)
  const bindNow = bindNowOf(dynamic)
  const stack = segment(PT_GNU_STACK)
  const machine = MACHINES[image.machine] ?? String(image.machine)
  return {
    bits: image.is64 ? 64 : 32,
    littleEndian: image.littleEndian,
    type,
    machine,
    abi: abiOf(image, machine),
    segments: image.segments,
    sections: image.sections,
    soname,
    needed: dynamic.texts(DT.NEEDED, limits.needed),
    rpath: dynamic.text(DT.RPATH),
    runpath: dynamic.text(DT.RUNPATH),
    interpreter,
    pie: pieOf(type, dynamic, interpreter !== null && soname === null),
    relro: relroOf(segment(PT_GNU_RELRO)?.offset, bindNow),
    bindNow,
    noExecutableStack: stack ? { value: !(stack.flags & X), offset: stack.offset } : { value: false, offset: -1 },
    stackCanary: canaryOf([...imports, ...exports]),
    fortify: {
      checked: imports.filter(({ name }) => /^__\w+_chk$/.test(name)),
      plain: imports.filter(({ name }) => FORTIFIABLE.has(name)),
    },
    stripped: !hasSymbolTable(image),
    textRelocations: textRelocationsOf(dynamic),
    writableCode: image.segments.filter((one) => one.type === PT_LOAD && (one.flags & (W | X)) === (W | X)),
    buildId: buildIdOf(image),
    imports,
    exports,
    notes: image.notes,
  }
}

function abiOf(image: ElfImage, machine: string): string | null {
  if (!image.littleEndian) return null
  if (machine === 'arm') return 'armeabi-v7a'
  if (machine === 'aarch64') return 'arm64-v8a'
  if (machine === 'mips') return image.is64 ? 'mips64' : 'mips'
  if (machine === 'riscv') return image.is64 ? 'riscv64' : null
  return machine === 'x86' || machine === 'x86_64' ? machine : null
}

/** A flag given in an entry of its own or as a bit of another. */
function flagOf(
  dynamic: ElfDynamic,
  tag: number,
  bits: readonly (readonly [tag: number, bit: number])[],
): Evident<boolean> {
  const own = dynamic.number(tag)
  if (own) return { value: true, offset: own.offset }
  for (const [holder, bit] of bits) {
    const flags = dynamic.number(holder)
    // Flags of 64 bits are numbers here: the low 32 bits are all that is defined.
    if (flags && ((flags.value % 0x100000000) & bit) !== 0) return { value: true, offset: flags.offset }
  }
  return { value: false, offset: -1 }
}

const bindNowOf = (dynamic: ElfDynamic): Evident<boolean> =>
  flagOf(dynamic, DT.BIND_NOW, [
    [DT.FLAGS, DF_BIND_NOW],
    [DT.FLAGS_1, DF_1_NOW],
  ])

const textRelocationsOf = (dynamic: ElfDynamic): Evident<boolean> =>
  flagOf(dynamic, DT.TEXTREL, [[DT.FLAGS, DF_TEXTREL]])

function pieOf(type: ElfFacts['type'], dynamic: ElfDynamic, runs: boolean): Evident<boolean> | null {
  if (type === 'executable') return { value: false, offset: 16 }
  if (type !== 'shared') return null
  const flags = dynamic.number(DT.FLAGS_1)
  const isMarked = flags !== null && ((flags.value % 0x100000000) & DF_1_PIE) !== 0
  return isMarked || runs ? { value: true, offset: isMarked ? flags.offset : 16 } : null
}

/** Full means that every address is bound before the program runs, so that all of it can be read-only. */
function relroOf(offset: number | undefined, bindNow: Evident<boolean>): ElfFacts['relro'] {
  if (offset === undefined) return { value: 'none', offset: -1 }
  return { value: bindNow.value ? 'full' : 'partial', offset }
}

function canaryOf(symbols: readonly ElfSymbol[]): Evident<boolean> {
  const guard = symbols.find(({ name }) => /^__stack_chk_(fail|fail_local|guard)$/.test(name))
  return guard ? { value: true, offset: guard.offset } : { value: false, offset: -1 }
}
