import type { CodeNotes } from './code-notes.ts'
import { decodeMutf8, mutf8End } from './mutf8.ts'

const STANDARD_HEADER = 0x70
const CONTAINER_HEADER = 0x78
const LITTLE_ENDIAN = 0x12345678
const MOST_TYPES = 1000
const NO_INDEX = 0xffffffff

/** Consecutive rows of one width. */
interface IdTable {
  readonly count: number
  readonly offset: number
}

/**
 * One dex file: its tables of names, all read where they are asked for. An index that leads nowhere gives an empty text and a note, as the rest
 * of the file stays readable. Offsets count from the start of the container, which is the file but for version 041.
 */
export class DexFile {
  readonly version: string
  readonly notes: CodeNotes
  /** Bytes that belong to this file. */
  readonly size: number
  readonly strings: IdTable
  readonly types: IdTable
  readonly protos: IdTable
  readonly fields: IdTable
  readonly methods: IdTable
  readonly classDefs: IdTable
  readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly texts: (string | undefined)[]
  private readonly signatures: (string | undefined)[]
  private textBudget: number

  constructor(bytes: Uint8Array, headerOffset: number, notes: CodeNotes, overlap: number) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.notes = notes
    this.textBudget = overlap * bytes.length
    this.version = decodeMutf8(bytes, headerOffset + 4, headerOffset + 7)
    const header = (field: number) => this.u32(headerOffset + field)
    const contained = this.version >= '041'
    const declared = header(0x20)
    this.size = Math.min(declared, bytes.length - headerOffset)
    if (declared > bytes.length - headerOffset) notes.add('truncated', headerOffset + 0x20, `claims ${declared} bytes`)
    else if (!contained && declared < bytes.length)
      notes.add('trailing-data', declared, `${bytes.length - declared} bytes behind the end`)
    if (header(0x24) !== (contained ? CONTAINER_HEADER : STANDARD_HEADER))
      notes.add('header-size', headerOffset + 0x24, `header of ${header(0x24)} bytes`)
    if (header(0x28) !== LITTLE_ENDIAN) notes.add('endian', headerOffset + 0x28, 'not little-endian')
    const table = (name: string, field: number, width: number, most = NO_INDEX): IdTable => {
      const wanted = header(headerFieldOf(field))
      const offset = header(headerFieldOf(field) + 4)
      const count = Math.max(0, Math.min(wanted, most, Math.floor((bytes.length - offset) / width)))
      if (count < wanted) notes.add('table', offset, `${wanted} ${name} claimed, ${count} readable`)
      return { count, offset }
    }
    this.strings = table('strings', 0, 4)
    this.types = table('types', 1, 4, 0x10000)
    this.protos = table('prototypes', 2, 12, 0x10000)
    this.fields = table('fields', 3, 8)
    this.methods = table('methods', 4, 8)
    this.classDefs = table('classes', 5, 32)
    this.texts = new Array(this.strings.count)
    this.signatures = new Array(this.protos.count)
  }

  u8(at: number): number {
    return this.bytes[at] ?? 0
  }

  u16(at: number): number {
    return at >= 0 && at + 2 <= this.bytes.length ? this.view.getUint16(at, true) : 0
  }

  u32(at: number): number {
    return at >= 0 && at + 4 <= this.bytes.length ? this.view.getUint32(at, true) : 0
  }

  string(index: number): string {
    const known = this.texts[index]
    if (known !== undefined) return known
    if (index >= this.strings.count) return this.missing('string', index)
    let at = this.u32(this.strings.offset + 4 * index)
    at = this.behindLength(at)
    const limit = Math.min(this.bytes.length, at + this.textBudget)
    const end = at < limit ? mutf8End(this.bytes, at, limit) : at
    if (end >= limit) this.notes.add('string', at, `text ${index} does not end`)
    this.textBudget -= end - at
    const text = decodeMutf8(this.bytes, at, end)
    this.texts[index] = text
    return text
  }

  /** Behind the length of a text, which is of no use to a reader who looks for the zero. */
  behindLength(text: number): number {
    let at = text
    for (let i = 0; i < 5 && at < this.bytes.length && this.bytes[at++]! >= 0x80; i++);
    return at
  }

  /** Descriptor of a type. */
  type(index: number): string {
    return index < this.types.count ? this.string(this.u32(this.types.offset + 4 * index)) : this.missing('type', index)
  }

  /** `(ILjava/lang/String;)V`. */
  signature(proto: number): string {
    const known = this.signatures[proto]
    if (known !== undefined) return known
    if (proto >= this.protos.count) return this.missing('prototype', proto)
    if (this.textBudget <= 0) return ''
    const row = this.protos.offset + 12 * proto
    const text = `(${this.typeList(this.u32(row + 8)).join('')})${this.type(this.u32(row + 4))}`
    this.signatures[proto] = text
    this.textBudget -= text.length
    return text
  }

  parameters(proto: number): string[] {
    return proto < this.protos.count ? this.typeList(this.u32(this.protos.offset + 12 * proto + 8)) : []
  }

  returnType(proto: number): string {
    return proto < this.protos.count ? this.type(this.u32(this.protos.offset + 12 * proto + 4)) : ''
  }

  /** A type_list; a method takes 255 words at most, and no compiler writes near as many interfaces. */
  typeList(offset: number): string[] {
    if (offset === 0) return []
    const wanted = this.u32(offset)
    const count = Math.min(wanted, MOST_TYPES, Math.max(0, Math.floor((this.bytes.length - offset - 4) / 2)))
    if (count < wanted) this.notes.add('table', offset, `${wanted} types claimed in a list`)
    return Array.from({ length: count }, (_, i) => this.type(this.u16(offset + 4 + 2 * i)))
  }

  methodOwner(method: number): number {
    return this.u16(this.methods.offset + 8 * method)
  }

  methodProto(method: number): number {
    return this.u16(this.methods.offset + 8 * method + 2)
  }

  methodName(method: number): string {
    return method < this.methods.count
      ? this.string(this.u32(this.methods.offset + 8 * method + 4))
      : this.missing('method', method)
  }

  methodReference(method: number): string {
    if (method >= this.methods.count) return this.missing('method', method)
    return `${this.type(this.methodOwner(method))}->${this.methodName(method)}${this.signature(this.methodProto(method))}`
  }

  fieldOwner(field: number): number {
    return this.u16(this.fields.offset + 8 * field)
  }

  fieldType(field: number): string {
    return field < this.fields.count ? this.type(this.u16(this.fields.offset + 8 * field + 2)) : ''
  }

  fieldName(field: number): string {
    return field < this.fields.count
      ? this.string(this.u32(this.fields.offset + 8 * field + 4))
      : this.missing('field', field)
  }

  fieldReference(field: number): string {
    if (field >= this.fields.count) return this.missing('field', field)
    return `${this.type(this.fieldOwner(field))}->${this.fieldName(field)}:${this.fieldType(field)}`
  }

  private missing(what: string, index: number): string {
    this.notes.add('index', -1, `${what} ${index} does not exist`)
    return ''
  }
}

const headerFieldOf = (table: number): number => 0x38 + 8 * table

/** Where the files of one dex entry begin: one, or several in a container of version 041. Empty where it is no dex at all. */
export function dexHeaders(bytes: Uint8Array): number[] {
  const headers: number[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + STANDARD_HEADER <= bytes.length && hasMagic(bytes, at) && headers.length < 256; ) {
    headers.push(at)
    if (bytes[at + 5]! < 0x34 || bytes[at + 6]! < 0x31) break
    const size = view.getUint32(at + 0x20, true)
    if (size < CONTAINER_HEADER) break
    at += size
  }
  return headers
}

/** `dex\n`, three digits, zero. */
function hasMagic(bytes: Uint8Array, at: number): boolean {
  const digit = (i: number) => bytes[at + i]! >= 0x30 && bytes[at + i]! <= 0x39
  return (
    bytes[at] === 0x64 &&
    bytes[at + 1] === 0x65 &&
    bytes[at + 2] === 0x78 &&
    bytes[at + 3] === 0x0a &&
    digit(4) &&
    digit(5) &&
    digit(6) &&
    bytes[at + 7] === 0
  )
}
