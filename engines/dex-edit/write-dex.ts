import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { type AssembledCode, assembleCode } from './assemble-code.ts'
import { ByteWriter } from './byte-writer.ts'
import { readDebugInfo, reduceDebugInfo, writeDebugInfo } from './debug-info.ts'
import {
  type AnnotationSet,
  type ClassDefinition,
  type DexAnnotation,
  type DexCode,
  type DexModel,
  type DexValue,
  ENCODED,
  type FileCode,
  type MethodDefinition,
  methodsOf,
  NO_ROW,
  VALUE_TABLES,
} from './dex-model.ts'
import { liftCode } from './edit-code.ts'
import { INSTRUCTION_ROWS, ROW, tableOf, unitCount } from './instruction-rows.ts'
import { unpackCode } from './pack-code.ts'
import { SortedTables } from './sorted-tables.ts'
import { readTries, writeTries } from './try-blocks.ts'
import { UsedRows } from './used-rows.ts'
import { mutf8Of } from './write-mutf8.ts'

/** References are numbers of 16 bits; 0xffff is no type. */
const MOST_MEMBERS = 0x10000
const MOST_TYPES = 0xffff
const STANDARD_HEADER = 0x70
const CONTAINER_HEADER = 0x78
const NO_INDEX = 0xffffffff

/** TYPE_* of the map. */
const ITEM = {
  header: 0x0000,
  strings: 0x0001,
  types: 0x0002,
  protos: 0x0003,
  fields: 0x0004,
  methods: 0x0005,
  classes: 0x0006,
  callSites: 0x0007,
  handles: 0x0008,
  map: 0x1000,
  typeList: 0x1001,
  annotationSetRefList: 0x1002,
  annotationSet: 0x1003,
  classData: 0x2000,
  code: 0x2001,
  stringData: 0x2002,
  debugInfo: 0x2003,
  annotation: 0x2004,
  encodedArray: 0x2005,
  annotationsDirectory: 0x2006,
  hiddenApi: 0xf000,
} as const

/**
 * Writes a model as dex file, or as several where its classes name more fields, methods, types or prototypes than one file takes: classes keep
 * their order, and each file begins where the one before is full. Throws FormatError of format `dex`: `overflow` where one class alone is
 * too large, and what reading code throws.
 */
export function writeDexFiles(model: DexModel): Uint8Array[] {
  return partsOf(model).map((classes) => new DexFileWriter(model, classes).write())
}

function partsOf(model: DexModel): readonly (readonly ClassDefinition[])[] {
  const { classes } = model
  if (fits(usedBy(model, classes))) return [classes]
  const parts: ClassDefinition[][] = []
  let part: ClassDefinition[] = []
  let used = new UsedRows(model)
  for (const one of classes) {
    used.addClass(one)
    if (!fits(used)) {
      if (!part.length)
        throw new FormatError('dex', 'overflow', -1, `${model.descriptor(one.type)} names more than a dex file takes`)
      parts.push(part)
      part = []
      used = usedBy(model, [one])
    }
    part.push(one)
  }
  return [...parts, part]
}

function usedBy(model: DexModel, classes: readonly ClassDefinition[]): UsedRows {
  const used = new UsedRows(model)
  for (const one of classes) used.addClass(one)
  return used
}

const fits = ({ types, protos, fields, methods }: UsedRows): boolean =>
  types.count <= MOST_TYPES &&
  protos.count <= MOST_TYPES &&
  fields.count <= MOST_MEMBERS &&
  methods.count <= MOST_MEMBERS

interface MapItem {
  readonly type: number
  readonly count: number
  readonly offset: number
}

class DexFileWriter {
  private readonly model: DexModel
  private readonly classes: readonly ClassDefinition[]
  private readonly tables: SortedTables
  private readonly out = new ByteWriter(1 << 20)
  private readonly map: MapItem[] = []
  private readonly debugOffsets = new Map<MethodDefinition, number>()
  private readonly codeOffsets = new Map<MethodDefinition, number>()
  private readonly assembled = new Map<MethodDefinition, AssembledCode>()
  private readonly typeLists = new Map<string, number>([['', 0]])
  private readonly annotationItems = new Map<string, number>()
  private readonly setOffsets = new Map<string, number>()
  /** By class: offsets of class data, annotations and static values. */
  private readonly dataOffsets = new Map<ClassDefinition, number>()
  private readonly directoryOffsets = new Map<ClassDefinition, number>()
  private readonly valueOffsets = new Map<ClassDefinition, number>()
  private readonly arrays = new Map<string, number>()

  constructor(model: DexModel, classes: readonly ClassDefinition[]) {
    this.model = model
    this.classes = classes
    this.tables = new SortedTables(model, usedBy(model, classes))
  }

  write(): Uint8Array {
    const { out, tables, classes, model } = this
    const header = model.version >= '041' ? CONTAINER_HEADER : STANDARD_HEADER
    out.skip(header)
    this.map.push({ type: ITEM.header, count: 1, offset: 0 })
    const table = (type: number, count: number, width: number) => {
      const offset = out.skip(count * width)
      if (count) this.map.push({ type, count, offset })
      return { count, offset: count ? offset : 0 }
    }
    const strings = table(ITEM.strings, tables.strings.rows.length, 4)
    const types = table(ITEM.types, tables.types.rows.length, 4)
    const protos = table(ITEM.protos, tables.protos.rows.length, 12)
    const fields = table(ITEM.fields, tables.fields.rows.length, 8)
    const methods = table(ITEM.methods, tables.methods.rows.length, 8)
    const classRows = table(ITEM.classes, classes.length, 32)
    const callSites = table(ITEM.callSites, tables.callSites.rows.length, 4)
    const handles = table(ITEM.handles, tables.handles.rows.length, 8)
    const data = out.length
    this.section(ITEM.debugInfo, 1, () => this.writeDebug())
    this.section(ITEM.code, 4, () => this.writeCode())
    this.section(ITEM.typeList, 4, () => this.writeTypeLists())
    this.section(ITEM.stringData, 1, () => this.writeStrings(strings.offset))
    this.section(ITEM.annotation, 1, () => this.writeAnnotations())
    this.section(ITEM.annotationSet, 4, () => this.writeSets())
    this.section(ITEM.annotationSetRefList, 4, () => this.writeParameterSets())
    this.section(ITEM.annotationsDirectory, 4, () => this.writeDirectories())
    this.section(ITEM.encodedArray, 1, () => this.writeArrays(callSites.offset))
    this.section(ITEM.classData, 1, () => this.writeClassData())
    if (classes.some(isHidden)) this.section(ITEM.hiddenApi, 4, () => this.writeHiddenFlags())
    out.align(4)
    const mapOffset = out.length
    this.map.push({ type: ITEM.map, count: 1, offset: mapOffset })
    this.writeMap()
    tables.types.rows.forEach((row, i) => {
      out.setU32(types.offset + 4 * i, tables.string(model.types[row]!))
    })
    this.fillProtos(protos.offset)
    this.fillMembers(fields.offset, methods.offset)
    this.fillClasses(classRows.offset)
    this.fillHandles(handles.offset)
    this.fillHeader(header, mapOffset, data, [strings, types, protos, fields, methods, classRows])
    return seal(out.slice())
  }

  /** A part of the data: `write` answers the number of its items. */
  private section(type: number, alignment: number, write: () => number): void {
    const before = this.out.length
    this.out.align(alignment)
    const offset = this.out.length
    const count = write()
    if (count) this.map.push({ type, count, offset })
    else this.out.cut(before)
  }

  private *methods(): Generator<MethodDefinition> {
    for (const one of this.classes) yield* methodsOf(one)
  }

  private writeDebug(): number {
    const { out, model } = this
    const known = new Map<string, number>()
    let count = 0
    const put = (key: string, write: () => void): number => {
      let offset = known.get(key)
      if (offset === undefined) {
        offset = out.length
        write()
        known.set(key, offset)
        count++
      }
      return offset
    }
    for (const method of this.methods()) {
      const code = this.codeToWrite(method)
      if (!code) continue
      if (code.is !== 'file') {
        // Texts decide about widths, so that the layout of a body is known only here.
        const assembled = code.is === 'body' ? assembleCode(code, this.tables) : unpackCode(code, this.tables)
        this.assembled.set(method, assembled)
        if (!assembled.debug || code.detail === 'none') continue
        const info = reduceDebugInfo(assembled.debug, code.detail)
        const begin = out.length
        writeDebugInfo(out, info, this.tables)
        const key = Buffer.from(out.slice(begin)).toString('latin1')
        out.cut(begin)
        const offset = put(key, () => writeDebugInfo(out, info, this.tables))
        this.debugOffsets.set(method, offset)
      } else if (code.debug && code.detail !== 'none') {
        const offset = put(`${code.debug} ${code.detail}`, () => {
          const info = reduceDebugInfo(readDebugInfo(model.source.bytes, code.debug), code.detail)
          writeDebugInfo(out, info, this.tables)
        })
        this.debugOffsets.set(method, offset)
      }
    }
    return count
  }

  /** Code of the file is laid out again only where a text does not fit into its instruction any more. */
  private codeToWrite({ code }: MethodDefinition): DexCode | undefined {
    if (code?.is !== 'file' || this.tables.strings.rows.length <= 0x10000) return code
    const { units } = this.model.source
    const end = code.start + code.size
    for (let at = code.start; at < end; at += unitCount(units, at, end))
      if (INSTRUCTION_ROWS[units[at]! & 0xff] === ROW.string && this.tables.string(units[at + 1]!) > 0xffff)
        return liftCode(this.model, code)
    return code
  }

  private writeCode(): number {
    const { out } = this
    let count = 0
    for (const method of this.methods()) {
      const { code } = method
      if (!code) continue
      count++
      out.align(4)
      this.codeOffsets.set(method, out.length)
      const { units, tries } = this.assembled.get(method) ?? this.renumbered(code as FileCode)
      if (tries.length > 0xffff) throw new FormatError('dex', 'range', -1, 'too many try blocks in one method')
      out.u16(code.registers)
      out.u16(code.ins)
      out.u16(code.outs)
      out.u16(tries.length)
      out.u32(this.debugOffsets.get(method) ?? 0)
      out.u32(units.length)
      out.putUnits(units)
      if (!tries.length) continue
      out.align(4)
      writeTries(out, tries, (row) => this.tables.type(row))
    }
    return count
  }

  private renumbered(code: FileCode): Pick<AssembledCode, 'units' | 'tries'> {
    const { tables } = this
    const units = this.model.source.units.slice(code.start, code.start + code.size)
    for (let at = 0; at < units.length; ) {
      const count = unitCount(units, at, units.length)
      const kind = INSTRUCTION_ROWS[units[at]! & 0xff]!
      if (kind === ROW.jumbo) {
        const row = tables.string(units[at + 1]! + units[at + 2]! * 0x10000)
        units[at + 1] = row & 0xffff
        units[at + 2] = row >>> 16
      } else if (kind !== ROW.none) {
        units[at + 1] = tables[tableOf(kind)](units[at + 1]!)
        if (kind === ROW.polymorphic) units[at + 3] = tables.proto(units[at + 3]!)
      }
      at += count
    }
    return { units, tries: readTries(this.model.source, code) }
  }

  private writeTypeLists(): number {
    const { model, tables, out } = this
    let count = 0
    const put = (list: readonly number[]) => {
      const key = list.join(' ')
      if (this.typeLists.has(key)) return
      count++
      out.align(4)
      this.typeLists.set(key, out.length)
      out.u32(list.length)
      for (const row of list) out.u16(tables.type(row))
    }
    for (const row of tables.protos.rows) put(model.protos[row]!.parameters)
    for (const { interfaces } of this.classes) put(interfaces)
    return count
  }

  private writeStrings(table: number): number {
    const { model, tables, out } = this
    tables.strings.rows.forEach((row, i) => {
      const text = model.strings[row]!
      out.setU32(table + 4 * i, out.length)
      out.uleb(text.length)
      out.put(mutf8Of(text))
      out.u8(0)
    })
    return tables.strings.rows.length
  }

  private *annotationSets(): Generator<AnnotationSet> {
    for (const one of this.classes) {
      if (one.annotations) yield one.annotations
      for (const list of [one.staticFields, one.instanceFields])
        for (const { annotations } of list) if (annotations) yield annotations
      for (const { annotations, parameterAnnotations } of methodsOf(one)) {
        if (annotations) yield annotations
        for (const set of parameterAnnotations ?? []) if (set) yield set
      }
    }
  }

  private readonly itemsOfSets = new Map<AnnotationSet, readonly number[]>()

  private writeAnnotations(): number {
    const { out, tables } = this
    for (const set of this.annotationSets()) {
      if (this.itemsOfSets.has(set)) continue
      // Android looks them up by type, so that a set is in the order of types.
      const ordered = [...set].sort((a, b) => tables.type(a.type) - tables.type(b.type))
      const offsets = ordered.map((one) => {
        const begin = out.length
        out.u8(one.visibility)
        this.annotation(out, one)
        const key = Buffer.from(out.slice(begin)).toString('latin1')
        const known = this.annotationItems.get(key)
        if (known === undefined) {
          this.annotationItems.set(key, begin)
          return begin
        }
        out.cut(begin)
        return known
      })
      this.itemsOfSets.set(set, offsets)
    }
    return this.annotationItems.size
  }

  private writeSets(): number {
    for (const set of this.annotationSets()) {
      const offsets = this.itemsOfSets.get(set)!
      const key = offsets.join(' ')
      if (this.setOffsets.has(key)) continue
      this.setOffsets.set(key, this.out.length)
      this.out.u32(offsets.length)
      for (const offset of offsets) this.out.u32(offset)
    }
    return this.setOffsets.size
  }

  private setOffset(set: AnnotationSet | undefined): number {
    return set ? this.setOffsets.get(this.itemsOfSets.get(set)!.join(' '))! : 0
  }

  private readonly refListOffsets = new Map<string, number>()

  private refListKey(sets: readonly (AnnotationSet | undefined)[]): string {
    return sets.map((set) => this.setOffset(set)).join(' ')
  }

  private writeParameterSets(): number {
    for (const { parameterAnnotations } of this.methods()) {
      if (!parameterAnnotations) continue
      const key = this.refListKey(parameterAnnotations)
      if (this.refListOffsets.has(key)) continue
      this.refListOffsets.set(key, this.out.length)
      this.out.u32(parameterAnnotations.length)
      for (const set of parameterAnnotations) this.out.u32(this.setOffset(set))
    }
    return this.refListOffsets.size
  }

  private writeDirectories(): number {
    const { out, tables } = this
    const pairs = (list: [number, number][]) => {
      list.sort((a, b) => a[0] - b[0])
      for (const pair of list) for (const number of pair) out.u32(number)
    }
    for (const one of this.classes) {
      const fields = [...one.staticFields, ...one.instanceFields].filter(({ annotations }) => annotations)
      const methods = methodsOf(one).filter(({ annotations }) => annotations)
      const parameters = methodsOf(one).filter(({ parameterAnnotations }) => parameterAnnotations)
      if (!one.annotations && !fields.length && !methods.length && !parameters.length) continue
      this.directoryOffsets.set(one, out.length)
      out.u32(this.setOffset(one.annotations))
      for (const { length } of [fields, methods, parameters]) out.u32(length)
      pairs(fields.map(({ field, annotations }) => [tables.field(field), this.setOffset(annotations)]))
      pairs(methods.map(({ method, annotations }) => [tables.method(method), this.setOffset(annotations)]))
      pairs(
        parameters.map(({ method, parameterAnnotations }) => [
          tables.method(method),
          this.refListOffsets.get(this.refListKey(parameterAnnotations!))!,
        ]),
      )
    }
    return this.directoryOffsets.size
  }

  private writeArrays(callSites: number): number {
    const { out, model, tables } = this
    const put = (values: readonly DexValue[]): number => {
      const begin = out.length
      this.values(out, values)
      const key = Buffer.from(out.slice(begin)).toString('latin1')
      const known = this.arrays.get(key)
      if (known === undefined) {
        this.arrays.set(key, begin)
        return begin
      }
      out.cut(begin)
      return known
    }
    tables.callSites.rows.forEach((row, i) => {
      out.setU32(callSites + 4 * i, put(model.callSites[row]!))
    })
    for (const one of this.classes) {
      const values = this.staticValues(one)
      if (values.length) this.valueOffsets.set(one, put(values))
    }
    return this.arrays.size
  }

  /** Values of the first static fields, up to the last that has one. */
  private staticValues({ staticFields }: ClassDefinition): DexValue[] {
    const ordered = inOrder(staticFields, ({ field }) => this.tables.field(field))
    const last = ordered.findLastIndex(({ value }) => value)
    return ordered.slice(0, last + 1).map(({ field, value }) => value ?? this.zeroOf(field))
  }

  private zeroOf(field: number): DexValue {
    const { model } = this
    const letter = model.descriptor(model.fields[field]!.type)
    if (letter === 'Z') return { is: 'boolean', value: false }
    const type = { B: 0x00, S: 0x02, C: 0x03, I: 0x04, J: 0x06, F: 0x10, D: 0x11 }[letter]
    return type === undefined ? { is: 'null' } : { is: 'number', type, bytes: Uint8Array.of(0) }
  }

  private writeClassData(): number {
    const { out, tables } = this
    for (const one of this.classes) {
      const fields = [one.staticFields, one.instanceFields]
      const methods = [one.directMethods, one.virtualMethods]
      if (![...fields, ...methods].some((list) => list.length)) continue
      this.dataOffsets.set(one, out.length)
      for (const { length } of [...fields, ...methods]) out.uleb(length)
      for (const list of fields) {
        let before = 0
        for (const { field, flags } of inOrder(list, (item) => tables.field(item.field))) {
          out.uleb(tables.field(field) - before)
          before = tables.field(field)
          out.uleb(flags)
        }
      }
      for (const list of methods) {
        let before = 0
        for (const item of inOrder(list, (one) => tables.method(one.method))) {
          out.uleb(tables.method(item.method) - before)
          before = tables.method(item.method)
          out.uleb(item.flags)
          out.uleb(this.codeOffsets.get(item) ?? 0)
        }
      }
    }
    return this.dataOffsets.size
  }

  private writeHiddenFlags(): number {
    const { out, tables, classes } = this
    const begin = out.skip(4 + 4 * classes.length)
    classes.forEach((one, i) => {
      if (!isHidden(one)) return
      out.setU32(begin + 4 + 4 * i, out.length - begin)
      for (const list of [one.staticFields, one.instanceFields])
        for (const { hidden = 0 } of inOrder(list, (item) => tables.field(item.field))) out.uleb(hidden)
      for (const list of [one.directMethods, one.virtualMethods])
        for (const { hidden = 0 } of inOrder(list, (item) => tables.method(item.method))) out.uleb(hidden)
    })
    out.setU32(begin, out.length - begin)
    return 1
  }

  private writeMap(): void {
    const { out, map } = this
    map.sort((a, b) => a.offset - b.offset)
    out.u32(map.length)
    for (const { type, count, offset } of map) {
      out.u16(type)
      out.u16(0)
      out.u32(count)
      out.u32(offset)
    }
  }

  private fillProtos(at: number): void {
    const { out, model, tables } = this
    tables.protos.rows.forEach((row, i) => {
      const { shorty, returnType, parameters } = model.protos[row]!
      out.setU32(at + 12 * i, tables.string(shorty))
      out.setU32(at + 12 * i + 4, tables.type(returnType))
      out.setU32(at + 12 * i + 8, this.typeLists.get(parameters.join(' '))!)
    })
  }

  private fillMembers(fields: number, methods: number): void {
    const { out, model, tables } = this
    tables.fields.rows.forEach((row, i) => {
      const { owner, type, name } = model.fields[row]!
      out.setU16(fields + 8 * i, tables.type(owner))
      out.setU16(fields + 8 * i + 2, tables.type(type))
      out.setU32(fields + 8 * i + 4, tables.string(name))
    })
    tables.methods.rows.forEach((row, i) => {
      const { owner, proto, name } = model.methods[row]!
      out.setU16(methods + 8 * i, tables.type(owner))
      out.setU16(methods + 8 * i + 2, tables.proto(proto))
      out.setU32(methods + 8 * i + 4, tables.string(name))
    })
  }

  private fillClasses(at: number): void {
    const { out, tables } = this
    this.classes.forEach((one, i) => {
      const words = [
        tables.type(one.type),
        one.flags,
        one.superclass === NO_ROW ? NO_INDEX : tables.type(one.superclass),
        this.typeLists.get(one.interfaces.join(' '))!,
        one.sourceFile === NO_ROW ? NO_INDEX : tables.string(one.sourceFile),
        this.directoryOffsets.get(one) ?? 0,
        this.dataOffsets.get(one) ?? 0,
        this.valueOffsets.get(one) ?? 0,
      ]
      for (const [j, word] of words.entries()) out.setU32(at + 32 * i + 4 * j, word)
    })
  }

  private fillHandles(at: number): void {
    const { out, model, tables } = this
    tables.handles.rows.forEach((row, i) => {
      const { kind, member } = model.handles[row]!
      out.setU16(at + 8 * i, kind)
      out.setU16(at + 8 * i + 4, kind <= 3 ? tables.field(member) : tables.method(member))
    })
  }

  private fillHeader(
    size: number,
    mapOffset: number,
    data: number,
    tables: readonly { readonly count: number; readonly offset: number }[],
  ): void {
    const { out, model } = this
    Buffer.from(`dex\n${model.version}\0`, 'latin1').forEach((byte, i) => {
      out.slice()[i] = byte
    })
    out.setU32(0x20, out.length)
    out.setU32(0x24, size)
    out.setU32(0x28, 0x12345678)
    out.setU32(0x34, mapOffset)
    for (const [i, { count, offset }] of tables.entries()) {
      out.setU32(0x38 + 8 * i, count)
      out.setU32(0x3c + 8 * i, offset)
    }
    if (size === CONTAINER_HEADER) {
      out.setU32(0x70, out.length)
      return
    }
    out.setU32(0x68, out.length - data)
    out.setU32(0x6c, data)
  }

  private annotation(out: ByteWriter, { type, elements }: DexAnnotation): void {
    out.uleb(this.tables.type(type))
    out.uleb(elements.length)
    const ordered = [...elements].sort((a, b) => this.tables.string(a.name) - this.tables.string(b.name))
    for (const { name, value } of ordered) {
      out.uleb(this.tables.string(name))
      this.value(out, value)
    }
  }

  private values(out: ByteWriter, values: readonly DexValue[]): void {
    out.uleb(values.length)
    for (const value of values) this.value(out, value)
  }

  private value(out: ByteWriter, value: DexValue): void {
    if (value.is === 'null') out.u8(ENCODED.null)
    else if (value.is === 'boolean') out.u8(ENCODED.boolean | (value.value ? 0x20 : 0))
    else if (value.is === 'array') {
      out.u8(ENCODED.array)
      this.values(out, value.values)
    } else if (value.is === 'annotation') {
      out.u8(ENCODED.annotation)
      this.annotation(out, value.annotation)
    } else {
      const bytes = value.is === 'number' ? value.bytes : bytesOf(this.tables[VALUE_TABLES[value.type]!](value.row))
      out.u8(value.type | ((bytes.length - 1) << 5))
      out.put(bytes)
    }
  }
}

/** As few bytes as hold a number, the lowest first. */
function bytesOf(number: number): Uint8Array {
  const bytes = [number & 0xff]
  for (let left = number >>> 8; left; left >>>= 8) bytes.push(left & 0xff)
  return Uint8Array.from(bytes)
}

const inOrder = <Item>(list: readonly Item[], number: (item: Item) => number): Item[] =>
  [...list].sort((a, b) => number(a) - number(b))

const isHidden = (one: ClassDefinition): boolean =>
  [...one.staticFields, ...one.instanceFields, ...methodsOf(one)].some(({ hidden }) => hidden !== undefined)

/** Writes signature and checksum of a dex file into its header. */
export function seal(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  bytes.set(createHash('sha1').update(bytes.subarray(32)).digest(), 12)
  view.setUint32(8, adler32(bytes, 12), true)
  return bytes
}

function adler32(bytes: Uint8Array, from: number): number {
  let a = 1
  let b = 0
  for (let at = from; at < bytes.length; ) {
    // As many steps as keep both sums within 32 bits.
    const end = Math.min(bytes.length, at + 3800)
    for (; at < end; at++) {
      a += bytes[at]!
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return ((b << 16) | a) >>> 0
}
