import type { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { Encryption, LinkedDylib, MachoLimits, Section, Segment } from './macho-facts.ts'
import type { MachoNote } from './macho-note.ts'

/** What the load commands of an image say; offsets that begin with `base` count from the start of the file, ranges from that of the image. */
export interface Commands {
  segments: Segment[]
  sections: Section[]
  dylibs: LinkedDylib[]
  rpaths: { path: string; offset: number }[]
  uuid: string | null
  entryPoint: number | null
  encryption: Encryption | null
  platform: number | null
  minOs: string | null
  sdk: string | null
  signatureAt: { offset: number; size: number } | null
  symbolTable: { symbols: number; count: number; strings: number; stringsSize: number } | null
  indirectSymbols: { offset: number; count: number } | null
  functionStarts: Range | null
  chainedFixups: Range | null
  exportTrie: Range | null
}

interface Range {
  offset: number
  size: number
}

interface Context {
  bits: 32 | 64
  count: number
  commandSize: number
  base: number
  limits: MachoLimits
  notes: MachoNote[]
}

const DYLIBS: Readonly<Record<number, LinkedDylib['kind']>> = {
  12: 'load',
  13: 'id',
  32: 'lazy',
  2147483672: 'weak',
  2147483679: 'reexport',
  2147483683: 'upward',
}
/** Platform by LC_VERSION_MIN_*: macOS, iOS, tvOS, watchOS. */
const MINIMUM: Readonly<Record<number, number>> = { 36: 1, 37: 2, 47: 3, 48: 4 }

/** Reads the commands that follow the header, at most as many as it counts; one that does not fit ends them with a note. */
export function readCommands(reader: ByteReader, context: Context): Commands {
  const { count, base, limits, notes } = context
  if (count > limits.commands) throw new FormatError('macho', 'limit', base, `${count} load commands`)
  const end = Math.min(reader.length, reader.position + context.commandSize)
  const found: Commands = {
    segments: [],
    sections: [],
    dylibs: [],
    rpaths: [],
    uuid: null,
    entryPoint: null,
    encryption: null,
    platform: null,
    minOs: null,
    sdk: null,
    signatureAt: null,
    symbolTable: null,
    indirectSymbols: null,
    functionStarts: null,
    chainedFixups: null,
    exportTrie: null,
  }
  for (let i = 0, at = reader.position; i < count; i++) {
    const size = at + 8 <= end ? reader.seek(at + 4).u32() : 0
    if (size < 8 || at + size > end) {
      notes.push({ key: 'command', offset: base + at, detail: `load command ${i} of ${count} does not fit` })
      break
    }
    try {
      readCommand(reader, at, size, found, context)
    } catch (error) {
      if (!(error instanceof FormatError) || error.key === 'limit') throw error
      notes.push({ key: 'command', offset: base + at, detail: error.message })
    }
    at += size
  }
  return found
}

function readCommand(reader: ByteReader, at: number, size: number, found: Commands, context: Context): void {
  const { base, limits } = context
  const command = reader.seek(at).u32()
  reader.skip(4)
  const text = () => commandText(reader, at, size, limits)
  const dylib = DYLIBS[command]
  if (dylib) {
    const name = text()
    reader.seek(at + 16)
    found.dylibs.push({ name, kind: dylib, version: version(reader.u32()), offset: base + at })
    return
  }
  if (command in MINIMUM) {
    found.platform = MINIMUM[command]!
    found.minOs = version(reader.u32())
    found.sdk = version(reader.u32())
    return
  }
  switch (command) {
    case 0x01:
    case 0x19:
      readSegment(reader, at, size, command === 0x19, found, context)
      break
    case 0x02:
      found.symbolTable = {
        symbols: reader.u32(),
        count: reader.u32(),
        strings: reader.u32(),
        stringsSize: reader.u32(),
      }
      break
    case 0x0b:
      reader.seek(at + 56)
      found.indirectSymbols = { offset: reader.u32(), count: reader.u32() }
      break
    case 0x1b:
      found.uuid = Buffer.from(reader.slice(16)).toString('hex')
      break
    case 0x1d:
      found.signatureAt = { offset: base + reader.u32(), size: reader.u32() }
      break
    case 0x26:
      found.functionStarts = { offset: reader.u32(), size: reader.u32() }
      break
    case 0x80000034:
      found.chainedFixups = { offset: reader.u32(), size: reader.u32() }
      break
    case 0x80000033:
      found.exportTrie = { offset: reader.u32(), size: reader.u32() }
      break
    case 0x22:
    case 0x80000022: {
      reader.seek(at + 40)
      found.exportTrie ??= { offset: reader.u32(), size: reader.u32() }
      break
    }
    case 0x21:
    case 0x2c: {
      const offset = base + reader.u32()
      found.encryption = { offset, size: reader.u32(), cryptId: reader.u32(), evidence: base + at }
      break
    }
    case 0x80000028:
      found.entryPoint = base + reader.size64()
      break
    case 0x8000001c:
      found.rpaths.push({ path: text(), offset: base + at })
      break
    case 0x32:
      found.platform = reader.u32()
      found.minOs = version(reader.u32())
      found.sdk = version(reader.u32())
      break
  }
}

function readSegment(
  reader: ByteReader,
  at: number,
  size: number,
  wide: boolean,
  found: Commands,
  { base, limits, notes }: Context,
): void {
  if (found.segments.length >= limits.segments) throw new FormatError('macho', 'limit', base + at, 'too many segments')
  const word = () => (wide ? reader.size64() : reader.u32())
  const name = fixedText(reader.slice(16))
  const address = word()
  const memory = word()
  const offset = word()
  const fileSize = word()
  const maxProtection = reader.u32()
  const protection = reader.u32()
  const declared = reader.u32()
  reader.skip(4)
  if (offset + fileSize > reader.length)
    notes.push({ key: 'segment', offset: base + at, detail: `segment ${name} ends outside of the image` })
  const segment = { name, address, size: memory, offset: base + offset, fileSize, maxProtection, protection }
  found.segments.push(segment)
  const sectionSize = wide ? 80 : 68
  const count = Math.min(declared, Math.floor((at + size - reader.position) / sectionSize))
  for (let i = 0; i < count; i++) {
    if (found.sections.length >= limits.sections)
      throw new FormatError('macho', 'limit', base + at, 'too many sections')
    const begin = reader.position
    const section = fixedText(reader.slice(16))
    const owner = fixedText(reader.slice(16))
    const start = word()
    const length = word()
    const fileOffset = reader.u32()
    reader.skip(12)
    const flags = reader.u32()
    found.sections.push({
      segment: owner,
      name: section,
      address: start,
      size: length,
      offset: fileOffset ? base + fileOffset : 0,
      flags,
      reserved1: reader.u32(),
      reserved2: reader.u32(),
    })
    reader.seek(begin + sectionSize)
  }
}

/** Text behind a command, at the offset that its third word names. */
function commandText(reader: ByteReader, at: number, size: number, limits: MachoLimits): string {
  const relative = reader.seek(at + 8).u32()
  if (relative < 12 || relative >= size) throw reader.error('truncated', 'text outside of its command', at)
  const bytes = reader.seek(at + relative).slice(Math.min(size - relative, limits.name))
  return fixedText(bytes)
}

/** Up to the first NUL. */
function fixedText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8')
}

const version = (packed: number): string => `${packed >>> 16}.${(packed >>> 8) & 0xff}.${packed & 0xff}`
