import { FormatError } from '../bytes/format-error.ts'
import type { CodeBody, DebugInfo, PackedCode } from './code-body.ts'
import { readDebugInfo, reduceDebugInfo } from './debug-info.ts'
import type {
  AnnotationSet,
  ClassDefinition,
  DexAnnotation,
  DexModel,
  DexValue,
  FileCode,
  MethodDefinition,
  RowTable,
} from './dex-model.ts'
import { methodsOf, VALUE_TABLES } from './dex-model.ts'
import { INSTRUCTION_ROWS, ROW, tableOf, unitCount } from './instruction-rows.ts'
import { rowsOf } from './pack-code.ts'
import { readTries } from './try-blocks.ts'

/** Rows of a table that are named, with their number. */
class UsedTable {
  readonly marks: Uint8Array
  count = 0
  private readonly what: string

  constructor(rows: number, what: string) {
    this.marks = new Uint8Array(rows)
    this.what = what
  }

  /** Whether it was not marked before. */
  mark(row: number): boolean {
    if (row < 0 || row >= this.marks.length)
      throw new FormatError('dex', 'index', -1, `${this.what} ${row} does not exist`)
    if (this.marks[row]) return false
    this.marks[row] = 1
    this.count++
    return true
  }
}

/**
 * Which rows of the tables of a model the given classes need; a row that is marked marks those that it names. Throws FormatError of format `dex` where code cannot be read.
 */
export class UsedRows implements Readonly<Record<RowTable, (row: number) => void>> {
  readonly strings: UsedTable
  readonly types: UsedTable
  readonly protos: UsedTable
  readonly fields: UsedTable
  readonly methods: UsedTable
  readonly handles: UsedTable
  readonly callSites: UsedTable
  private readonly model: DexModel
  private readonly debugSeen = new Set<string>()

  constructor(model: DexModel) {
    this.model = model
    this.strings = new UsedTable(model.strings.length, 'text')
    this.types = new UsedTable(model.types.length, 'type')
    this.protos = new UsedTable(model.protos.length, 'prototype')
    this.fields = new UsedTable(model.fields.length, 'field')
    this.methods = new UsedTable(model.methods.length, 'method')
    this.handles = new UsedTable(model.handles.length, 'method handle')
    this.callSites = new UsedTable(model.callSites.length, 'call site')
  }

  addClass(one: ClassDefinition): void {
    this.type(one.type)
    if (one.superclass >= 0) this.type(one.superclass)
    for (const type of one.interfaces) this.type(type)
    if (one.sourceFile >= 0) this.string(one.sourceFile)
    this.annotations(one.annotations)
    for (const list of [one.staticFields, one.instanceFields])
      for (const { field, annotations, value } of list) {
        this.field(field)
        this.annotations(annotations)
        if (value) this.value(value)
      }
    for (const method of methodsOf(one)) this.definition(method)
  }

  private definition({ method, code, annotations, parameterAnnotations }: MethodDefinition): void {
    this.method(method)
    this.annotations(annotations)
    for (const set of parameterAnnotations ?? []) this.annotations(set)
    if (code?.is === 'file') this.fileCode(code)
    else if (code?.is === 'body') this.body(code)
    else if (code) this.packed(code)
  }

  private fileCode(code: FileCode): void {
    const { units } = this.model.source
    const end = code.start + code.size
    for (let at = code.start; at < end; ) {
      const count = unitCount(units, at, end)
      const kind = INSTRUCTION_ROWS[units[at]! & 0xff]!
      if (kind !== ROW.none) {
        const row = kind === ROW.jumbo ? units[at + 1]! + units[at + 2]! * 0x10000 : units[at + 1]!
        this[tableOf(kind)](row)
        if (kind === ROW.polymorphic) this.proto(units[at + 3]!)
      }
      at += count
    }
    for (const { list } of readTries(this.model.source, code)) for (const { type } of list.handlers) this.type(type)
    if (!code.debug || code.detail === 'none') return
    // Many methods share one item.
    const key = `${code.debug} ${code.detail}`
    if (this.debugSeen.has(key)) return
    this.debugSeen.add(key)
    this.debug(reduceDebugInfo(readDebugInfo(this.model.source.bytes, code.debug), code.detail))
  }

  private body({ instructions, tries, debug, detail }: CodeBody): void {
    for (const { opcode, row, proto } of instructions) {
      const kind = INSTRUCTION_ROWS[opcode]
      if (kind) this[tableOf(kind)](row)
      if (kind === ROW.polymorphic) this.proto(proto)
    }
    for (const { handlers } of tries) for (const { type } of handlers) this.type(type)
    if (debug && detail !== 'none') this.debug(reduceDebugInfo(debug, detail))
  }

  private packed(code: PackedCode): void {
    for (const { kind, row, proto } of rowsOf(code)) {
      this[tableOf(kind)](row)
      if (kind === ROW.polymorphic) this.proto(proto)
    }
    for (const { list } of code.tries) for (const { type } of list.handlers) this.type(type)
    if (code.debug && code.detail !== 'none') this.debug(reduceDebugInfo(code.debug, code.detail))
  }

  private debug({ parameterNames, events }: DebugInfo<unknown>): void {
    for (const name of parameterNames) if (name >= 0) this.string(name)
    for (const { name, type, signature } of events) {
      if (name >= 0) this.string(name)
      if (type >= 0) this.type(type)
      if (signature >= 0) this.string(signature)
    }
  }

  string(row: number): void {
    this.strings.mark(row)
  }

  type(row: number): void {
    if (this.types.mark(row)) this.strings.mark(this.model.types[row]!)
  }

  proto(row: number): void {
    if (!this.protos.mark(row)) return
    const { shorty, returnType, parameters } = this.model.protos[row]!
    this.strings.mark(shorty)
    this.type(returnType)
    for (const type of parameters) this.type(type)
  }

  field(row: number): void {
    if (!this.fields.mark(row)) return
    const { owner, type, name } = this.model.fields[row]!
    this.type(owner)
    this.type(type)
    this.strings.mark(name)
  }

  method(row: number): void {
    if (!this.methods.mark(row)) return
    const { owner, proto, name } = this.model.methods[row]!
    this.type(owner)
    this.proto(proto)
    this.strings.mark(name)
  }

  handle(row: number): void {
    if (!this.handles.mark(row)) return
    const { kind, member } = this.model.handles[row]!
    if (kind <= 3) this.field(member)
    else this.method(member)
  }

  callSite(row: number): void {
    if (this.callSites.mark(row)) for (const value of this.model.callSites[row]!) this.value(value)
  }

  private annotations(set: AnnotationSet | undefined): void {
    for (const one of set ?? []) this.annotation(one)
  }

  private annotation({ type, elements }: DexAnnotation): void {
    this.type(type)
    for (const { name, value } of elements) {
      this.string(name)
      this.value(value)
    }
  }

  private value(value: DexValue): void {
    if (value.is === 'array') for (const one of value.values) this.value(one)
    else if (value.is === 'annotation') this.annotation(value.annotation)
    else if (value.is === 'row') this[VALUE_TABLES[value.type]!](value.row)
  }
}
