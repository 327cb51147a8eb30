import { ByteReader } from '../bytes/byte-reader.ts'
import { decodeMutf8 } from '../dex/mutf8.ts'

const UTF8 = 1
const INTEGER = 3
const FLOAT = 4
const LONG = 5
const DOUBLE = 6
const CLASS = 7
const STRING = 8
const FIELD = 9
const METHOD = 10
const INTERFACE_METHOD = 11
/** Bytes behind the tag; texts and unknown tags apart. */
const SIZES: Readonly<Record<number, number>> = {
  [INTEGER]: 4,
  [FLOAT]: 4,
  [LONG]: 8,
  [DOUBLE]: 8,
  [CLASS]: 2,
  [STRING]: 2,
  [FIELD]: 4,
  [METHOD]: 4,
  [INTERFACE_METHOD]: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
}

/** A field or method of a class file; offsets count from the start of the file, 0 if absent. */
export interface ClassMember {
  readonly flags: number
  readonly name: string
  readonly descriptor: string
  /** Attributes by name: where their content begins. */
  readonly attributes: ReadonlyMap<string, number>
}

export interface ClassCode {
  readonly offset: number
  readonly size: number
  readonly maxLocals: number
  /** Exception table: rows of begin, end and handler, as offsets in the file. */
  readonly tries: readonly (readonly [from: number, to: number, handler: number])[]
  readonly lines: readonly (readonly [at: number, line: number])[]
}

/** A constant that code loads. */
export type PoolConstant =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'class'; readonly descriptor: string }

/** A class file ('The class File Format', JVMS 4). Throws FormatError `magic`, `truncated`, `constant-pool`. */
export class ClassFile {
  readonly bytes: Uint8Array
  readonly version: number
  readonly accessFlags: number
  readonly descriptor: string
  readonly superclass: string | null
  readonly interfaces: readonly string[]
  readonly fields: readonly ClassMember[]
  readonly methods: readonly ClassMember[]
  readonly attributes: ReadonlyMap<string, number>
  private readonly pool: Uint32Array
  private readonly texts = new Map<number, string>()
  private readonly view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const reader = new ByteReader(bytes, 'class', { littleEndian: false })
    if (reader.left < 4 || reader.u32() !== 0xcafebabe) throw reader.error('magic', 'no class file', 0)
    reader.skip(2)
    this.version = reader.u16()
    this.pool = readPool(reader)
    this.accessFlags = reader.u16()
    this.descriptor = this.classAt(reader.u16())
    const superclass = reader.u16()
    this.superclass = superclass === 0 ? null : this.classAt(superclass)
    this.interfaces = Array.from({ length: reader.u16() }, () => this.classAt(reader.u16()))
    this.fields = this.readMembers(reader)
    this.methods = this.readMembers(reader)
    this.attributes = this.readAttributes(reader)
  }

  u16(at: number): number {
    return at >= 0 && at + 2 <= this.bytes.length ? this.view.getUint16(at) : 0
  }

  i32(at: number): number {
    return at >= 0 && at + 4 <= this.bytes.length ? this.view.getInt32(at) : 0
  }

  text(index: number): string {
    const known = this.texts.get(index)
    if (known !== undefined) return known
    const at = this.entry(index, UTF8)
    const text = at < 0 ? '' : decodeMutf8(this.bytes, at + 2, at + 2 + this.u16(at))
    this.texts.set(index, text)
    return text
  }

  /** Descriptor of a class entry; an array is already stored as its descriptor. */
  classAt(index: number): string {
    const at = this.entry(index, CLASS)
    const name = at < 0 ? '' : this.text(this.u16(at))
    return name.startsWith('[') || name === '' ? name : `L${name};`
  }

  /** Owner, name and descriptor of a field or method entry. */
  referenceAt(index: number): { owner: string; name: string; descriptor: string } | undefined {
    const tag = this.tag(index)
    if (tag !== FIELD && tag !== METHOD && tag !== INTERFACE_METHOD) return undefined
    const at = this.pool[index]! + 1
    const nameAndType = this.entry(this.u16(at + 2), 12)
    if (nameAndType < 0) return undefined
    return {
      owner: this.classAt(this.u16(at)),
      name: this.text(this.u16(nameAndType)),
      descriptor: this.text(this.u16(nameAndType + 2)),
    }
  }

  /** Descriptor of an `invokedynamic` or dynamic constant. */
  dynamicDescriptor(index: number): string {
    const at = this.tag(index) === 18 || this.tag(index) === 17 ? this.pool[index]! + 1 : -1
    const nameAndType = at < 0 ? -1 : this.entry(this.u16(at + 2), 12)
    return nameAndType < 0 ? '' : this.text(this.u16(nameAndType + 2))
  }

  constantAt(index: number): PoolConstant | undefined {
    const at = (this.pool[index] ?? 0) + 1
    switch (this.tag(index)) {
      case STRING:
        return { kind: 'string', value: this.text(this.u16(at)) }
      case CLASS:
        return { kind: 'class', descriptor: this.classAt(index) }
      case INTEGER:
        return { kind: 'number', value: this.i32(at) }
      case FLOAT:
        return { kind: 'number', value: this.view.getFloat32(at) }
      case LONG:
        return { kind: 'number', value: this.view.getBigInt64(at) }
      case DOUBLE:
        return { kind: 'number', value: this.view.getFloat64(at) }
      default:
        return undefined
    }
  }

  /** Code of a method; undefined where it has none or its size is a lie. */
  codeOf(method: ClassMember): ClassCode | undefined {
    const at = method.attributes.get('Code')
    if (at === undefined) return undefined
    const reader = new ByteReader(this.bytes, 'class', { littleEndian: false, position: at })
    reader.skip(2)
    const maxLocals = reader.u16()
    const size = reader.u32()
    const offset = reader.position
    reader.skip(size)
    const tries = Array.from({ length: reader.u16() }, () => {
      const row = [offset + reader.u16(), offset + reader.u16(), offset + reader.u16()] as const
      reader.skip(2)
      return row
    })
    const table = this.readAttributes(reader).get('LineNumberTable')
    const lines = Array.from(
      { length: table === undefined ? 0 : Math.min(this.u16(table), (this.bytes.length - table - 2) >> 2) },
      (_, i) => [offset + this.u16(table! + 2 + 4 * i), this.u16(table! + 4 + 4 * i)] as const,
    )
    return { offset, size, maxLocals, tries, lines }
  }

  /** Annotations with and without effect at run time, by their descriptors; nested values are passed over. */
  annotationsOf(attributes: ReadonlyMap<string, number>): string[] {
    return ['RuntimeVisibleAnnotations', 'RuntimeInvisibleAnnotations'].flatMap((name) => {
      const at = attributes.get(name)
      if (at === undefined) return []
      const reader = new ByteReader(this.bytes, 'class', { littleEndian: false, position: at })
      return Array.from({ length: reader.u16() }, () => this.annotation(reader, 0))
    })
  }

  private annotation(reader: ByteReader, depth: number): string {
    const descriptor = this.text(reader.u16())
    for (let pairs = reader.u16(); pairs > 0; pairs--) {
      reader.skip(2)
      this.skipValue(reader, depth + 1)
    }
    return descriptor
  }

  private skipValue(reader: ByteReader, depth: number): void {
    if (depth > 16) throw reader.error('annotation', 'values nested deeper than 16')
    const tag = String.fromCharCode(reader.u8())
    if (tag === 'e') reader.skip(4)
    else if (tag === '@') this.annotation(reader, depth)
    else if (tag === '[') for (let count = reader.u16(); count > 0; count--) this.skipValue(reader, depth + 1)
    else reader.skip(2)
  }

  private tag(index: number): number {
    const at = index > 0 && index < this.pool.length ? this.pool[index]! : 0
    return at === 0 ? 0 : this.bytes[at]!
  }

  /** Where the content of an entry with that tag begins, -1 if the entry has another tag. */
  private entry(index: number, tag: number): number {
    return this.tag(index) === tag ? this.pool[index]! + 1 : -1
  }

  private readMembers(reader: ByteReader): ClassMember[] {
    return Array.from({ length: reader.u16() }, () => ({
      flags: reader.u16(),
      name: this.text(reader.u16()),
      descriptor: this.text(reader.u16()),
      attributes: this.readAttributes(reader),
    }))
  }

  private readAttributes(reader: ByteReader): Map<string, number> {
    const attributes = new Map<string, number>()
    for (let count = reader.u16(); count > 0; count--) {
      const name = this.text(reader.u16())
      const size = reader.u32()
      attributes.set(name, reader.position)
      reader.skip(size)
    }
    return attributes
  }
}

/** Where each entry begins (its tag); 0 for those that do not exist. */
function readPool(reader: ByteReader): Uint32Array {
  const count = reader.u16()
  if (count > reader.left) throw reader.error('truncated', `${count} constants claimed`)
  const pool = new Uint32Array(count)
  for (let i = 1; i < count; i++) {
    pool[i] = reader.position
    const tag = reader.u8()
    const size = tag === UTF8 ? reader.u16() : SIZES[tag]
    if (size === undefined) throw reader.error('constant-pool', `tag ${tag}`, reader.position - 1)
    reader.skip(size)
    // A quirk of the format: numbers of eight bytes take two entries.
    if (tag === LONG || tag === DOUBLE) i++
  }
  return pool
}
