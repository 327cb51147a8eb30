import { createHash, type Hash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import type { Owner } from '../detect/input/inspected-package.ts'
import { CodeNotes } from '../dex/code-notes.ts'
import { DexFile, dexHeaders } from '../dex/dex-file.ts'
import { DEX_LIMITS } from '../dex/dex-limits.ts'
import { type DexIndex, indexDex } from '../dex/index-dex.ts'
import {
  CALL,
  FIELD,
  JUMBO,
  OPCODE_FORMATS,
  OPCODE_KINDS,
  OPCODE_SIZES,
  PAYLOAD,
  payloadSize,
  STRING,
  TYPE,
} from '../dex/opcodes.ts'
import type { PackageFile } from '../package/package.ts'
import { type ClassPrint, type CodePrint, type PrintGap, type PrintLimits, packNumbers } from './package-print.ts'

/** Methods with fewer instructions are alike in all applications: accessors, empty constructors, bridges. */
const LEAST_INSTRUCTIONS = 10
/** What a build generates: says nothing about whose code it is. */
const GENERATED = /(?:\/|^)(?:R(?:\$\w+)?|BuildConfig|BR|DataBinderMapperImpl|Manifest(?:\$\w+)?)$/
/** Types of the platform keep their names in every build. */
const PLATFORM = /^\[*L(?:android|dalvik|java|javax|org\/json|org\/w3c|org\/xml|org\/xmlpull)\//
const GOTO = 0x28
const CONST_STRING = 0x1a
const NEW_ARRAY = 0x23
const FILLED_NEW_ARRAY = [0x24, 0x25]

export interface PrintedCode {
  readonly code: CodePrint | null
  readonly gaps: readonly PrintGap[]
}

/**
 * Prints of the methods and classes of dex files. A method's hash covers its instructions and what it uses of the platform, neither names of
 * the application nor texts nor numbers, so that renaming, encrypted texts and new resource ids leave it as it is; a class's hash covers all.
 */
export function codePrint(
  files: readonly PackageFile[],
  ownerOf: (descriptor: string) => Owner,
  isKnownLibrary: (owner: Owner, descriptor: string) => boolean,
  limits: PrintLimits,
): PrintedCode {
  const gaps = new Set<PrintGap>()
  const own = new Map<string, number[]>()
  const library = new Set<number>()
  const classes: ClassPrint[] = []
  const libraries = new Map<string, number>()
  const seen = new Set<string>()
  let methods = 0
  const ownOf = (packageName: string): number[] => {
    const list = own.get(packageName) ?? []
    own.set(packageName, list)
    return list
  }
  for (const file of files) {
    const bytes = bytesOf(file)
    const headers = bytes ? dexHeaders(bytes) : []
    if (!bytes || !headers.length) {
      gaps.add('code')
      continue
    }
    for (const header of headers) {
      const dex = new DexFile(bytes, header, new CodeNotes(), DEX_LIMITS.overlap)
      const descriptorOf = (index: number) => dex.type(dex.u32(dex.classDefs.offset + 32 * index))
      const fresh = Array.from({ length: dex.classDefs.count }, (_, index) => {
        const descriptor = descriptorOf(index)
        if (!descriptor || seen.has(descriptor)) return ''
        seen.add(descriptor)
        return descriptor
      })
      const index = indexDex(dex, (at) => fresh[at] !== '', DEX_LIMITS)
      const reader = new MethodReader(dex, index)
      for (let at = 0; at < fresh.length; at++) {
        const descriptor = fresh[at]!
        if (!descriptor || GENERATED.test(descriptor.slice(1, -1))) continue
        const packageName = descriptor.slice(1, Math.max(1, descriptor.lastIndexOf('/'))).replaceAll('/', '.')
        const owner = ownerOf(descriptor)
        const known = isKnownLibrary(owner, descriptor)
        if (known) libraries.set(owner.sdk ?? '', (libraries.get(owner.sdk ?? '') ?? 0) + 1)
        const from = index.methodStarts[at]!
        const to = index.methodStarts[at + 1]!
        methods += to - from
        if (methods > limits.methods) {
          gaps.add('code')
          break
        }
        for (let method = from; method < to; method++) {
          const hash = reader.shapeOf(method)
          if (hash === undefined) continue
          if (known) library.add(hash)
          // Of a package with an unknown name, the code is compared: it may be the copy's, or the application's own.
          else ownOf(packageName).push(hash)
        }
        if (known) continue
        if (classes.length >= limits.classes) gaps.add('classes')
        else classes.push(reader.classPrint(at, descriptor, from, to))
      }
    }
  }
  if (!seen.size) return { code: null, gaps: [...gaps] }
  const unknown = [...own]
    .map(([name, hashes]) => [name, hashes.filter((hash) => !library.has(hash))] as const)
    .filter(([, hashes]) => hashes.length > 0)
  return {
    code: {
      methods: unknown
        .map(([name, hashes]) => [name, packNumbers(hashes)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
      libraryMethods: packNumbers(library),
      classes: classes.sort((a, b) => (a.name < b.name ? -1 : 1)),
      libraries: [...libraries].sort(([a], [b]) => (a < b ? -1 : 1)),
    },
    gaps: [...gaps],
  }
}

function bytesOf(file: PackageFile): Uint8Array | null {
  try {
    return file.bytes
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

/** 32 bits of FNV-1a, one for each method being made. */
class ShortHash {
  value = 0x811c9dc5

  byte(value: number): void {
    this.value = Math.imul(this.value ^ (value & 0xff), 0x01000193)
  }

  text(text: string): void {
    for (let at = 0; at < text.length; at++) {
      this.byte(text.charCodeAt(at))
      this.byte(text.charCodeAt(at) >> 8)
    }
    this.byte(0xff)
  }

  /** The last step of MurmurHash3, so that all bits depend on all input. */
  end(): number {
    let value = this.value
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return (value ^ (value >>> 16)) >>> 0
  }
}

class MethodReader {
  private readonly dex: DexFile
  private readonly index: DexIndex
  /** What remains of a reference when names of the application are taken out, by number of the reference. */
  private readonly calls = new Map<number, string>()
  private readonly fields = new Map<number, string>()
  private readonly types = new Map<number, string>()

  constructor(dex: DexFile, index: DexIndex) {
    this.dex = dex
    this.index = index
  }

  /** Undefined for methods too short to say anything. */
  shapeOf(method: number): number | undefined {
    const from = this.index.insnsOffsets[method]!
    const end = from + this.index.insnsSizes[method]!
    if (end - from < 2 * LEAST_INSTRUCTIONS) return undefined
    const { bytes } = this.dex
    const hash = new ShortHash()
    let count = 0
    for (let at = from; at < end; ) {
      const opcode = bytes[at]!
      const kind = OPCODE_KINDS[opcode]!
      const isTable = kind === PAYLOAD && bytes[at + 1] !== 0
      const size = isTable ? payloadSize(bytes, at) : OPCODE_SIZES[opcode]!
      if (!(kind === PAYLOAD && !isTable)) {
        hash.byte(normalised(opcode))
        count++
        if (kind === CALL) hash.text(this.call(this.dex.u16(at + 2)))
        else if (kind === FIELD) hash.text(this.field(this.dex.u16(at + 2)))
        else if (kind === TYPE) hash.text(this.type(this.dex.u16(at + 2)))
      }
      at += size
    }
    return count < LEAST_INSTRUCTIONS ? undefined : hash.end()
  }

  classPrint(classIndex: number, descriptor: string, from: number, to: number): ClassPrint {
    const { dex, index } = this
    const hash = createHash('sha256')
    const row = dex.classDefs.offset + 32 * classIndex
    const add = (text: string) => void hash.update(`${text}\n`)
    add(descriptor)
    const above = dex.u32(row + 8)
    add(above === 0xffffffff ? '' : dex.type(above))
    add([...dex.typeList(dex.u32(row + 12))].sort().join(' '))
    for (let at = index.fieldStarts[classIndex]!; at < index.fieldStarts[classIndex + 1]!; at++)
      add(`${dex.fieldName(index.fieldIds[at]!)}:${dex.fieldType(index.fieldIds[at]!)} ${index.fieldFlags[at]}`)
    const methods: string[] = []
    for (let method = from; method < to; method++) methods.push(this.exact(method))
    // The order of methods follows their numbers, which another compiler assigns differently.
    for (const method of methods.sort()) add(method)
    return {
      name: descriptor.slice(1, -1).replaceAll('/', '.'),
      hash: hash.digest('hex').slice(0, 16),
      methods: to - from,
    }
  }

  private exact(method: number): string {
    const { dex, index } = this
    const { bytes } = dex
    const id = index.methodIds[method]!
    const hash = createHash('sha256')
    hash.update(`${dex.methodName(id)}${dex.signature(dex.methodProto(id))} ${index.methodFlags[method]}\n`)
    const from = index.insnsOffsets[method]!
    const end = from + index.insnsSizes[method]!
    for (let at = from; at < end; ) {
      const opcode = bytes[at]!
      const isTable = OPCODE_KINDS[opcode] === PAYLOAD && bytes[at + 1] !== 0
      const size = isTable ? payloadSize(bytes, at) : OPCODE_SIZES[opcode]!
      hash.update(`${normalised(opcode)} `)
      this.addOperands(hash, opcode, at, size, isTable)
      at += size
    }
    return hash.digest('hex')
  }

  private addOperands(hash: Hash, opcode: number, at: number, size: number, isTable: boolean): void {
    const { dex } = this
    const { bytes } = dex
    const named = () => dex.u16(at + 2)
    switch (OPCODE_KINDS[opcode]) {
      case CALL:
        return void hash.update(dex.methodReference(named()))
      case FIELD:
        return void hash.update(dex.fieldReference(named()))
      case TYPE:
        return void hash.update(dex.type(named()))
      case STRING:
        return void hash.update(dex.string(named()))
      case JUMBO:
        return void hash.update(dex.string(dex.u32(at + 2)))
    }
    if (opcode === NEW_ARRAY || FILLED_NEW_ARRAY.includes(opcode)) hash.update(dex.type(named()))
    // Data of an array; tables of switches hold distances, which other instructions decide.
    else if (isTable && bytes[at + 1] === 3) hash.update(bytes.subarray(at, Math.min(at + size, bytes.length)))
    else if (/^(?:11n|21s|21h|31i|51l|22s|22b)$/.test(OPCODE_FORMATS[opcode]!))
      hash.update(bytes.subarray(at + 1, Math.min(at + size, bytes.length)))
  }

  private call(id: number): string {
    let text = this.calls.get(id)
    if (text === undefined) {
      const { dex } = this
      const owner = dex.type(dex.methodOwner(id))
      text = PLATFORM.test(owner) ? dex.methodReference(id) : this.signatureOf(dex.methodProto(id))
      this.calls.set(id, text)
    }
    return text
  }

  private signatureOf(proto: number): string {
    return `${this.dex.parameters(proto).map(anonymous).join('')})${anonymous(this.dex.returnType(proto))}`
  }

  private field(id: number): string {
    let text = this.fields.get(id)
    if (text === undefined) {
      const owner = this.dex.type(this.dex.fieldOwner(id))
      text = PLATFORM.test(owner) ? this.dex.fieldReference(id) : anonymous(this.dex.fieldType(id))
      this.fields.set(id, text)
    }
    return text
  }

  private type(id: number): string {
    let text = this.types.get(id)
    if (text === undefined) {
      text = anonymous(this.dex.type(id))
      this.types.set(id, text)
    }
    return text
  }
}

const anonymous = (type: string): string =>
  PLATFORM.test(type) || !type.endsWith(';') ? type : type.replace(/L.*/, '~')

/** Instructions that differ only in the room for their operands count as one. */
function normalised(opcode: number): number {
  if (opcode === 0x29 || opcode === 0x2a) return GOTO
  return opcode === 0x1b ? CONST_STRING : opcode
}
