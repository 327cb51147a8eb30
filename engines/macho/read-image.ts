import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type CodeSignature, readCodeSignature } from './code-signature.ts'
import { cpuName } from './cpu-name.ts'
import { type Commands, readCommands } from './load-commands.ts'
import type { MachoImage, MachoLimits } from './macho-facts.ts'
import type { MachoNote } from './macho-note.ts'
import { NO_SYMBOLS, readSymbols } from './symbols.ts'

const PIE = 0x200000
const ALLOW_STACK_EXECUTION = 0x20000
const NO_HEAP_EXECUTION = 0x1000000
const CANARY = new Set(['___stack_chk_fail', '___stack_chk_guard'])
const ARC = new Set([
  '_objc_release',
  '_objc_retain',
  '_objc_storeStrong',
  '_objc_autoreleaseReturnValue',
  '_swift_release',
])

/** The image that lies at `offset` of a file. */
export function readImage(file: Uint8Array, offset: number, size: number, limits: MachoLimits): MachoImage {
  const bytes = file.subarray(offset, offset + size)
  const magic = new ByteReader(bytes, 'macho', { littleEndian: true }).u32()
  const littleEndian = magic === 0xfeedface || magic === 0xfeedfacf
  const reader = new ByteReader(bytes, 'macho', { littleEndian })
  const kind = reader.u32()
  if (kind !== 0xfeedface && kind !== 0xfeedfacf) throw new FormatError('macho', 'not-macho', offset, 'no Mach-O image')
  const bits = kind === 0xfeedfacf ? 64 : 32
  const cpuType = reader.u32()
  const cpuSubtype = reader.u32()
  const fileType = reader.u32()
  const count = reader.u32()
  const commandSize = reader.u32()
  const flags = reader.u32()
  if (bits === 64) reader.skip(4)
  const notes: MachoNote[] = []
  const commands = readCommands(reader, { bits, count, commandSize, base: offset, limits, notes })
  const symbols = tolerant('symbols', notes, () => readSymbols(reader, commands, { bits, base: offset, limits, notes }))
  const signature = tolerant('signature', notes, () => signatureOf(bytes, commands, offset, notes))
  const imported = new Set(symbols?.imports.map(({ name }) => name))
  const has = (names: ReadonlySet<string>) => [...names].some((name) => imported.has(name))
  return {
    offset,
    size,
    bits,
    cpu: cpuName(cpuType, cpuSubtype),
    fileType,
    flags,
    pie: (flags & PIE) !== 0,
    allowStackExecution: (flags & ALLOW_STACK_EXECUTION) !== 0,
    noHeapExecution: (flags & NO_HEAP_EXECUTION) !== 0,
    uuid: commands.uuid,
    segments: commands.segments,
    sections: commands.sections,
    dylibs: commands.dylibs,
    rpaths: commands.rpaths,
    entryPoint: commands.entryPoint,
    encryption: commands.encryption,
    platform: commands.platform,
    minOs: commands.minOs,
    sdk: commands.sdk,
    signatureAt: commands.signatureAt,
    signature: signature ?? null,
    symbols: symbols ?? NO_SYMBOLS,
    chainedFixups: commands.chainedFixups,
    functionStarts: commands.functionStarts,
    indirectSymbols: commands.indirectSymbols,
    swift:
      commands.sections.some(({ name }) => name.startsWith('__swift')) ||
      commands.dylibs.some(({ name }) => /\/libswiftCore\.dylib$/.test(name)),
    stackCanary: has(CANARY),
    arc: has(ARC),
    notes,
  }
}

function signatureOf(
  bytes: Uint8Array,
  { signatureAt }: Commands,
  base: number,
  notes: MachoNote[],
): CodeSignature | undefined {
  return signatureAt ? readCodeSignature(bytes, signatureAt.offset - base, signatureAt.size, base, notes) : undefined
}

/** A part that cannot be read costs itself and leaves a note. */
function tolerant<T>(key: MachoNote['key'], notes: MachoNote[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FormatError) || error.key === 'limit') throw error
    notes.push({ key, offset: error.offset, detail: error.message })
    return undefined
  }
}
