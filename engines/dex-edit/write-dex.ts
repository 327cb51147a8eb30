import { FormatError } from '../bytes/format-error.ts'
import { AnnotationWriter } from './annotation-writer.ts'
import { ByteWriter } from './byte-writer.ts'
import { CodeWriter } from './code-writer.ts'
import { type ClassDefinition, type DexModel, type DexValue, methodsOf, NO_ROW } from './dex-model.ts'
import { seal } from './seal-dex.ts'
import { SortedTables } from './sorted-tables.ts'
import { UsedRows } from './used-rows.ts'
import { ValueWriter } from './value-writer.ts'
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
  private readonly code: CodeWriter
  private readonly values: ValueWriter
  private readonly annotations: AnnotationWriter
  private readonly map: MapItem[] = []
  private readonly typeLists = new Map<string, number>([['', 0]])
  /** By class: offsets of class data and static values. */
  private readonly dataOffsets = new Map<ClassDefinition, number>()
  private readonly valueOffsets = new Map<ClassDefinition, number>()
  private readonly arrays = new Map<string, number>()

  constructor(model: DexModel, classes: readonly ClassDefinition[]) {
    this.model = model
    this.classes = classes
    this.tables = new SortedTables(model, usedBy(model, classes))
    this.code = new CodeWriter(model, classes, this.tables, this.out)
    this.values = new ValueWriter(this.out, this.tables)
    this.annotations = new AnnotationWriter(classes, this.tables, this.out, this.values)
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
    this.section(ITEM.debugInfo, 1, () => this.code.writeDebug())
    this.section(ITEM.code, 4, () => this.code.writeCode())
    this.section(ITEM.typeList, 4, () => this.writeTypeLists())
    this.section(ITEM.stringData, 1, () => this.writeStrings(strings.offset))
    this.section(ITEM.annotation, 1, () => this.annotations.writeItems())
    this.section(ITEM.annotationSet, 4, () => this.annotations.writeSets())
    this.section(ITEM.annotationSetRefList, 4, () => this.annotations.writeParameterSets())
    this.section(ITEM.annotationsDirectory, 4, () => this.annotations.writeDirectories())
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

  private writeArrays(callSites: number): number {
    const { out, model, tables } = this
    const put = (values: readonly DexValue[]) => out.putOnce(this.arrays, () => this.values.array(values))
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
          out.uleb(this.code.offsetOf(item))
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
        this.annotations.directoryOf(one),
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
}

const inOrder = <Item>(list: readonly Item[], number: (item: Item) => number): Item[] =>
  [...list].sort((a, b) => number(a) - number(b))

const isHidden = (one: ClassDefinition): boolean =>
  [...one.staticFields, ...one.instanceFields, ...methodsOf(one)].some(({ hidden }) => hidden !== undefined)
