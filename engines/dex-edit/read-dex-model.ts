import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { dexHeaders } from '../dex/dex-file.ts'
import { decodeMutf8, mutf8End } from '../dex/mutf8.ts'
import {
  type AnnotationSet,
  type ClassDefinition,
  type DexAnnotation,
  DexModel,
  type DexSource,
  type DexValue,
  ENCODED,
  type FieldDefinition,
  type FileCode,
  type MethodDefinition,
  NO_ROW,
  VALUE_TABLES,
  type VisibleAnnotation,
} from './dex-model.ts'
import { mutf8Of } from './write-mutf8.ts'

const NO_INDEX = 0xffffffff
const CALL_SITE_IDS = 7
const METHOD_HANDLES = 8
const HIDDEN_API = 0xf000
const DEEPEST_VALUE = 32

export interface DexEditLimits {
  readonly bytes: number
  /** Bytes that are read, as a multiple of the file: parts laid over each other count each time. */
  readonly overlap: number
}

export const DEX_EDIT_LIMITS: DexEditLimits = { bytes: 256 * 1024 * 1024, overlap: 8 }

/**
 * Reads a dex file ('Dalvik executable format', versions 035 to 041) for editing; a container of version 041 gives a model for each of its
 * files. Stricter than the reader for examination: what Android refuses is refused here too, since it cannot be written again with the same
 * meaning. Code and debug information stay in the file until they are edited. Throws FormatError of format `dex`: `not-dex`, `truncated`,
 * `limit`, `endian`, `index`, `order`, `string`, `alignment`, `map`, `value`, `class-data`, `leb128`.
 */
export function readDexModels(bytes: Uint8Array, limits: DexEditLimits = DEX_EDIT_LIMITS): DexModel[] {
  if (bytes.length > limits.bytes)
    throw new FormatError('dex', 'limit', -1, `${bytes.length} bytes, ${limits.bytes} are taken`)
  const headers = dexHeaders(bytes)
  if (!headers.length) throw new FormatError('dex', 'not-dex', 0, 'does not begin as a dex file does')
  const source = sourceOf(bytes)
  return headers.map((header) => new ModelReader(source, header, limits.overlap * bytes.length + 4096).read())
}

/** Code units as numbers of the machine: the file is copied where it does not begin on two bytes, or where the last unit is not whole. */
function sourceOf(bytes: Uint8Array): DexSource {
  const own = bytes.byteOffset % 2 || bytes.length % 2 ? new Uint8Array(bytes.length + (bytes.length % 2)) : bytes
  if (own !== bytes) own.set(bytes)
  return { bytes: own.subarray(0, bytes.length), units: new Uint16Array(own.buffer, own.byteOffset, own.length >> 1) }
}

interface AnnotationsOfClass {
  readonly ofClass: AnnotationSet | undefined
  readonly fields: ReadonlyMap<number, AnnotationSet>
  readonly methods: ReadonlyMap<number, AnnotationSet>
  readonly parameters: ReadonlyMap<number, readonly (AnnotationSet | undefined)[]>
}

const NO_ANNOTATIONS: AnnotationsOfClass = {
  ofClass: undefined,
  fields: new Map(),
  methods: new Map(),
  parameters: new Map(),
}

class ModelReader {
  private readonly reader: ByteReader
  private readonly header: number
  private readonly model: DexModel
  private budget: number

  constructor(source: DexSource, header: number, budget: number) {
    this.reader = new ByteReader(source.bytes, 'dex')
    this.header = header
    this.model = new DexModel(decodeMutf8(source.bytes, header + 4, header + 7), source)
    this.budget = budget
  }

  read(): DexModel {
    const { reader, header, model } = this
    if (model.version < '035' || model.version > '041')
      throw reader.error('not-dex', `version ${model.version} is not known`, header)
    if (this.word(header + 0x28) !== 0x12345678) throw reader.error('endian', 'not little-endian', header + 0x28)
    if (this.word(header + 0x20) > reader.length - header)
      throw reader.error('truncated', 'the file is shorter than its header says', header + 0x20)
    this.readTables()
    const map = this.readMap()
    const [handles, callSites] = [map.get(METHOD_HANDLES), map.get(CALL_SITE_IDS)]
    if (handles) this.readHandles(handles.count, handles.offset)
    if (callSites) this.readCallSites(callSites.count, callSites.offset)
    this.readClasses(map.get(HIDDEN_API)?.offset ?? 0)
    return model
  }

  private readTables(): void {
    const { reader, model } = this
    const [strings, types, protos, fields, methods] = [0, 1, 2, 3, 4].map((i) => this.table(i)) as [
      Table,
      Table,
      Table,
      Table,
      Table,
    ]
    this.spend(4 * strings.count + 4 * types.count + 12 * protos.count + 8 * (fields.count + methods.count))
    for (let i = 0; i < strings.count; i++) {
      const text = this.text(this.word(strings.offset + 4 * i))
      if (i > 0 && !(model.strings[i - 1]! < text)) throw this.disorder('texts', i)
      model.strings.push(text)
    }
    reader.seek(Math.min(types.offset, reader.length))
    for (let i = 0; i < types.count; i++) {
      const row = this.rowIn(reader.u32(), strings.count, 'text')
      if (i > 0 && row <= model.types[i - 1]!) throw this.disorder('types', i)
      model.types.push(row)
    }
    for (let i = 0; i < protos.count; i++) {
      const at = protos.offset + 12 * i
      const shorty = this.rowIn(this.word(at), strings.count, 'text')
      const returnType = this.rowIn(this.word(at + 4), types.count, 'type')
      const parameters = this.typeList(this.word(at + 8))
      const before = model.protos[i - 1]
      if (before && compareLists([before.returnType, ...before.parameters], [returnType, ...parameters]) >= 0)
        throw this.disorder('prototypes', i)
      model.protos.push({ shorty, returnType, parameters })
    }
    this.members(fields, (owner, second, name, i) => {
      const type = this.rowIn(second, types.count, 'type')
      const before = model.fields[i - 1]
      if (before && compareLists([before.owner, before.name, before.type], [owner, name, type]) >= 0)
        throw this.disorder('fields', i)
      model.fields.push({ owner, type, name })
    })
    this.members(methods, (owner, second, name, i) => {
      const proto = this.rowIn(second, protos.count, 'prototype')
      const before = model.methods[i - 1]
      if (before && compareLists([before.owner, before.name, before.proto], [owner, name, proto]) >= 0)
        throw this.disorder('methods', i)
      model.methods.push({ owner, proto, name })
    })
  }

  private members(table: Table, take: (owner: number, second: number, name: number, i: number) => void): void {
    const { reader, model } = this
    if (table.count) reader.seek(table.offset)
    for (let i = 0; i < table.count; i++) {
      const owner = this.rowIn(reader.u16(), model.types.length, 'type')
      const second = reader.u16()
      take(owner, second, this.rowIn(reader.u32(), model.strings.length, 'text'), i)
    }
  }

  private table(number: number): Table {
    const at = this.header + 0x38 + 8 * number
    return { count: this.word(at), offset: this.word(at + 4) }
  }

  private readMap(): ReadonlyMap<number, Table> {
    const at = this.word(this.header + 0x34)
    // Without a map there are no call sites and method handles, which the header does not name.
    if (!at) return new Map()
    const count = this.word(at)
    if (count > 64) throw this.reader.error('map', `a map of ${count} items`, at)
    const items = new Map<number, Table>()
    for (let i = 0; i < count; i++) {
      const item = at + 4 + 12 * i
      items.set(this.reader.seek(item).u16(), { count: this.word(item + 4), offset: this.word(item + 8) })
    }
    return items
  }

  private readHandles(count: number, offset: number): void {
    const { reader, model } = this
    this.spend(8 * count)
    reader.seek(offset)
    for (let i = 0; i < count; i++) {
      const kind = reader.u16()
      reader.skip(2) // unused
      const member = this.rowIn(reader.u16(), (kind <= 3 ? model.fields : model.methods).length, 'member')
      reader.skip(2) // unused
      model.handles.push({ kind, member })
    }
  }

  private readCallSites(count: number, offset: number): void {
    this.spend(4 * count)
    for (let i = 0; i < count; i++) this.model.callSites.push(this.valuesAt(this.word(offset + 4 * i)))
  }

  private readClasses(hiddenApi: number): void {
    const { count, offset } = this.table(5)
    this.spend(32 * count)
    for (let i = 0; i < count; i++) {
      const hidden = hiddenApi ? this.word(hiddenApi + 4 + 4 * i) : 0
      this.model.classes.push(this.classAt(offset + 32 * i, hidden ? hiddenApi + hidden : 0))
    }
  }

  private classAt(at: number, hidden: number): ClassDefinition {
    const { reader, model } = this
    reader.seek(at)
    const [type, flags, superclass, interfaces, sourceFile, directory, data, values] = Array.from({ length: 8 }, () =>
      reader.u32(),
    ) as [number, number, number, number, number, number, number, number]
    const one: ClassDefinition = {
      type: this.rowIn(type, model.types.length, 'type'),
      flags,
      superclass: superclass === NO_INDEX ? NO_ROW : this.rowIn(superclass, model.types.length, 'type'),
      interfaces: this.typeList(interfaces),
      sourceFile: sourceFile === NO_INDEX ? NO_ROW : this.rowIn(sourceFile, model.strings.length, 'text'),
      staticFields: [],
      instanceFields: [],
      directMethods: [],
      virtualMethods: [],
    }
    const annotations = directory ? this.annotationsAt(directory) : NO_ANNOTATIONS
    if (annotations.ofClass) one.annotations = annotations.ofClass
    if (data) this.classData(one, data, annotations)
    if (values) this.staticValues(one, values)
    if (hidden) this.hiddenFlags(one, hidden)
    return one
  }

  private classData(one: ClassDefinition, at: number, annotations: AnnotationsOfClass): void {
    const { reader } = this
    reader.seek(at)
    const counts = [reader.uleb128(), reader.uleb128(), reader.uleb128(), reader.uleb128()]
    // A member takes two bytes at least.
    if (counts.reduce((sum, count) => sum + count, 0) > reader.left)
      throw reader.error('class-data', 'more members than bytes', at)
    for (const list of [one.staticFields, one.instanceFields]) this.fieldList(list, counts.shift()!, annotations)
    for (const list of [one.directMethods, one.virtualMethods]) this.methodList(list, counts.shift()!, annotations)
    this.spend(reader.position - at)
  }

  private staticValues({ staticFields }: ClassDefinition, at: number): void {
    const values = this.valuesAt(at)
    if (values.length > staticFields.length) throw this.reader.error('class-data', 'more values than static fields', at)
    values.forEach((value, i) => {
      staticFields[i]!.value = value
    })
  }

  private fieldList(list: FieldDefinition[], count: number, annotations: AnnotationsOfClass): void {
    const { reader, model } = this
    let field = 0
    for (let i = 0; i < count; i++) {
      const step = reader.uleb128()
      if (i > 0 && step === 0) throw this.disorder('fields of a class', i)
      field = this.rowIn(field + step, model.fields.length, 'field')
      const set = annotations.fields.get(field)
      list.push({ field, flags: reader.uleb128(), ...(set && { annotations: set }) })
    }
  }

  private methodList(list: MethodDefinition[], count: number, annotations: AnnotationsOfClass): void {
    const { reader, model } = this
    let method = 0
    for (let i = 0; i < count; i++) {
      const step = reader.uleb128()
      if (i > 0 && step === 0) throw this.disorder('methods of a class', i)
      method = this.rowIn(method + step, model.methods.length, 'method')
      const flags = reader.uleb128()
      const offset = reader.uleb128()
      const set = annotations.methods.get(method)
      const ofParameters = annotations.parameters.get(method)
      list.push({
        method,
        flags,
        ...(offset && { code: this.codeAt(offset) }),
        ...(set && { annotations: set }),
        ...(ofParameters && { parameterAnnotations: ofParameters }),
      })
    }
  }

  /** Of the code only the frame; its instructions are checked when they are edited or written. */
  private codeAt(at: number): FileCode {
    const { reader } = this
    if (at % 4) throw reader.error('alignment', 'code does not begin on four bytes', at)
    const back = reader.position
    reader.seek(at)
    const [registers, ins, outs, tries] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()]
    const debug = reader.u32()
    const size = reader.u32()
    reader.skip(2 * size)
    this.spend(16 + 2 * size)
    reader.seek(back)
    if (debug >= reader.length) throw reader.error('truncated', 'debug information outside of the file', at)
    return { is: 'file', registers, ins, outs, start: (at + 16) / 2, size, tries, debug, detail: 'all' }
  }

  private annotationsAt(directory: number): AnnotationsOfClass {
    const { model } = this
    const ofClass = this.annotationSet(this.word(directory))
    const counts = [this.word(directory + 4), this.word(directory + 8), this.word(directory + 12)] as const
    this.spend(16 + 8 * (counts[0] + counts[1] + counts[2]))
    let at = directory + 16
    const list = <Set>(count: number, rows: number, read: (offset: number) => Set): Map<number, NonNullable<Set>> => {
      const sets = new Map<number, NonNullable<Set>>()
      for (let i = 0; i < count; i++, at += 8) {
        const row = this.rowIn(this.word(at), rows, 'member')
        const set = read(this.word(at + 4))
        if (set) sets.set(row, set)
      }
      return sets
    }
    const fields = list(counts[0], model.fields.length, (offset) => this.annotationSet(offset))
    const methods = list(counts[1], model.methods.length, (offset) => this.annotationSet(offset))
    const parameters = list(counts[2], model.methods.length, (offset) => this.parameterSets(offset))
    return { ofClass, fields, methods, parameters }
  }

  private parameterSets(at: number): (AnnotationSet | undefined)[] {
    const count = this.word(at)
    this.spend(4 + 4 * count)
    return Array.from({ length: count }, (_, i) => this.annotationSet(this.word(at + 4 + 4 * i)))
  }

  private annotationSet(at: number): AnnotationSet | undefined {
    if (!at) return undefined
    const count = this.word(at)
    this.spend(4 + 4 * count)
    return Array.from({ length: count }, (_, i): VisibleAnnotation => {
      const item = this.word(at + 4 + 4 * i)
      this.reader.seek(item)
      const visibility = this.reader.u8()
      return { visibility, ...this.annotation(0) }
    })
  }

  private annotation(depth: number): DexAnnotation {
    const { reader, model } = this
    const type = this.rowIn(reader.uleb128(), model.types.length, 'type')
    const count = reader.uleb128()
    this.spend(2 + 2 * count)
    const elements: { name: number; value: DexValue }[] = []
    for (let i = 0; i < count; i++) {
      const name = this.rowIn(reader.uleb128(), model.strings.length, 'text')
      elements.push({ name, value: this.value(depth + 1) })
    }
    return { type, elements }
  }

  private valuesAt(at: number): DexValue[] {
    this.reader.seek(at)
    return this.values(0)
  }

  private values(depth: number): DexValue[] {
    const count = this.reader.uleb128()
    this.spend(1 + count)
    const values: DexValue[] = []
    for (let i = 0; i < count; i++) values.push(this.value(depth + 1))
    return values
  }

  /** encoded_value ('Encoded value formats'). */
  private value(depth: number): DexValue {
    const { reader, model } = this
    if (depth > DEEPEST_VALUE) throw reader.error('value', `values nested deeper than ${DEEPEST_VALUE}`)
    const at = reader.position
    const head = reader.u8()
    const type = head & 0x1f
    const argument = head >> 5
    if (type === ENCODED.array) return { is: 'array', values: this.values(depth) }
    if (type === ENCODED.annotation) return { is: 'annotation', annotation: this.annotation(depth) }
    if (type === ENCODED.null) return { is: 'null' }
    if (type === ENCODED.boolean) return { is: 'boolean', value: argument !== 0 }
    const bytes = reader.slice(argument + 1)
    this.spend(bytes.length)
    const table = VALUE_TABLES[type]
    if (table) {
      const row = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0)
      return { is: 'row', type, row: this.rowIn(row, model[`${table}s`].length, 'row of a value') }
    }
    if (![0x00, 0x02, 0x03, 0x04, 0x06, 0x10, 0x11].includes(type))
      throw reader.error('value', `a value of type 0x${type.toString(16)}`, at)
    return { is: 'number', type, bytes }
  }

  private hiddenFlags(one: ClassDefinition, at: number): void {
    this.reader.seek(at)
    for (const list of [one.staticFields, one.instanceFields, one.directMethods, one.virtualMethods])
      for (const member of list) member.hidden = this.reader.uleb128()
  }

  private typeList(at: number): number[] {
    if (!at) return []
    const { reader, model } = this
    const count = this.word(at)
    this.spend(4 + 2 * count)
    return Array.from({ length: count }, () => this.rowIn(reader.u16(), model.types.length, 'type'))
  }

  private text(at: number): string {
    const { reader } = this
    reader.seek(at)
    const length = reader.uleb128()
    const from = reader.position
    const end = mutf8End(reader.bytes, from, Math.min(reader.length, from + this.budget))
    if (end >= reader.length) throw reader.error('string', 'a text does not end', at)
    this.spend(end - from + 1)
    const text = decodeMutf8(reader.bytes, from, end)
    // Bytes that are no modified UTF-8 could not be written again; Android refuses them too.
    if (text.length !== length || !isWrittenAs(text, reader.bytes, from, end))
      throw reader.error('string', 'a text is no modified UTF-8, or has another length', at)
    return text
  }

  private word(at: number): number {
    return this.reader.seek(at).u32()
  }

  private rowIn(row: number, count: number, what: string): number {
    if (row >= count) throw this.reader.error('index', `${what} ${row} does not exist`)
    return row
  }

  private disorder(what: string, i: number): FormatError {
    return this.reader.error('order', `${what} are out of order at row ${i}`)
  }

  private spend(bytes: number): void {
    this.budget -= bytes
    if (this.budget < 0) throw this.reader.error('limit', 'parts of the file overlap too much, or are larger than it')
  }
}

interface Table {
  readonly count: number
  readonly offset: number
}

export function compareLists(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

function isWrittenAs(text: string, bytes: Uint8Array, from: number, end: number): boolean {
  let at = from
  while (at < end && bytes[at]! < 0x80) at++
  if (at === end) return true
  const written = mutf8Of(text)
  return written.length === end - from && written.every((byte, i) => byte === bytes[from + i])
}
