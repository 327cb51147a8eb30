import { FormatError } from '../bytes/format-error.ts'
import type { CodeBody, DebugDetail, PackedCode } from './code-body.ts'

/** Tables of a dex file whose rows code and values name. */
export type RowTable = 'string' | 'type' | 'proto' | 'field' | 'method' | 'handle' | 'callSite'

/** No type, text or other row. */
export const NO_ROW = -1

export interface ProtoRow {
  /** Text with a letter for the result and each parameter; `L` for every reference. */
  readonly shorty: number
  readonly returnType: number
  readonly parameters: readonly number[]
}
export interface FieldRow {
  readonly owner: number
  readonly type: number
  readonly name: number
}
export interface MethodRow {
  readonly owner: number
  readonly proto: number
  readonly name: number
}
/** A method_handle_item: its kind decides whether `member` is a field (0 to 3) or a method. */
export interface HandleRow {
  readonly kind: number
  readonly member: number
}

/** VALUE_* of encoded_value. */
export const ENCODED = {
  methodType: 0x15,
  methodHandle: 0x16,
  string: 0x17,
  type: 0x18,
  field: 0x19,
  method: 0x1a,
  enum: 0x1b,
  array: 0x1c,
  annotation: 0x1d,
  null: 0x1e,
  boolean: 0x1f,
} as const

/** By the type of a value: the table of the row that it names; other values name none. */
export const VALUE_TABLES: Readonly<Record<number, RowTable | undefined>> = {
  [ENCODED.methodType]: 'proto',
  [ENCODED.methodHandle]: 'handle',
  [ENCODED.string]: 'string',
  [ENCODED.type]: 'type',
  [ENCODED.field]: 'field',
  [ENCODED.method]: 'method',
  [ENCODED.enum]: 'field',
}

export type DexValue =
  /** A number, its bytes as they were. */
  | { readonly is: 'number'; readonly type: number; readonly bytes: Uint8Array }
  /** A row of the table that the type says. */
  | { readonly is: 'row'; readonly type: number; readonly row: number }
  | { readonly is: 'array'; readonly values: readonly DexValue[] }
  | { readonly is: 'annotation'; readonly annotation: DexAnnotation }
  | { readonly is: 'null' }
  | { readonly is: 'boolean'; readonly value: boolean }

export interface DexAnnotation {
  readonly type: number
  /** Names are texts. */
  readonly elements: readonly { readonly name: number; readonly value: DexValue }[]
}

export interface VisibleAnnotation extends DexAnnotation {
  readonly visibility: number
}

export type AnnotationSet = readonly VisibleAnnotation[]

export interface FieldDefinition {
  field: number
  flags: number
  annotations?: AnnotationSet
  /** Of a static field: what it holds before the initialiser of its class runs. */
  value?: DexValue
  /** hiddenapi_class_data_item: flags that only dex files of the system have. */
  hidden?: number
}

export interface MethodDefinition {
  method: number
  flags: number
  /** None of an abstract or native method. */
  code?: DexCode
  annotations?: AnnotationSet
  parameterAnnotations?: readonly (AnnotationSet | undefined)[]
  hidden?: number
}

export interface ClassDefinition {
  readonly type: number
  flags: number
  superclass: number
  interfaces: readonly number[]
  sourceFile: number
  annotations?: AnnotationSet
  readonly staticFields: FieldDefinition[]
  readonly instanceFields: FieldDefinition[]
  readonly directMethods: MethodDefinition[]
  readonly virtualMethods: MethodDefinition[]
}

/** Code that lies in the file as it was read. Its rows are those of the file. */
export interface FileCode {
  readonly is: 'file'
  readonly registers: number
  readonly ins: number
  readonly outs: number
  /** Of the first code unit, counted in units from the start of the file. */
  readonly start: number
  readonly size: number
  readonly tries: number
  /** Of debug_info_item, 0 without. */
  readonly debug: number
  detail: DebugDetail
}

export type DexCode = FileCode | CodeBody | PackedCode

/** Bytes of the file that code and debug information are still read from. */
export interface DexSource {
  readonly bytes: Uint8Array
  readonly units: Uint16Array
}

/**
 * A dex file that can be edited. Rows of its tables are only appended, so that numbers stay valid; the writer drops what is not used,
 * sorts and renumbers.
 */
export class DexModel {
  readonly version: string
  readonly source: DexSource
  readonly strings: string[] = []
  /** Row of the descriptor. */
  readonly types: number[] = []
  readonly protos: ProtoRow[] = []
  readonly fields: FieldRow[] = []
  readonly methods: MethodRow[] = []
  readonly handles: HandleRow[] = []
  readonly callSites: (readonly DexValue[])[] = []
  readonly classes: ClassDefinition[] = []
  private readonly known = new Map<string, Map<string, number>>()

  constructor(version: string, source: DexSource) {
    this.version = version
    this.source = source
  }

  string(text: string): number {
    return this.rowOf('string', this.strings, text, text, (row) => row)
  }

  type(descriptor: string): number {
    return this.rowOf('type', this.types, descriptor, this.string(descriptor), (row) => this.strings[row]!)
  }

  /** `(ILjava/lang/String;)V` */
  proto(signature: string): number {
    const end = signature.indexOf(')')
    const returned = signature.slice(end + 1)
    const parameters = signature.slice(1, end).match(/\[*(?:L[^;]*;|.)/g) ?? []
    const row = {
      shorty: this.string([returned, ...parameters].map((one) => (one[0] === '[' ? 'L' : one[0])).join('')),
      returnType: this.type(returned),
      parameters: parameters.map((one) => this.type(one)),
    }
    return this.rowOf('proto', this.protos, protoKey(row), row, protoKey)
  }

  /** `La/B;->name(I)V` */
  method(reference: string): number {
    const { owner, name, rest } = partsOf(reference, '(')
    const row = { owner: this.type(owner), proto: this.proto(rest), name: this.string(name) }
    const key = (one: MethodRow) => `${one.owner} ${one.name} ${one.proto}`
    return this.rowOf('method', this.methods, key(row), row, key)
  }

  /** `La/B;->name:I` */
  field(reference: string): number {
    const { owner, name, rest } = partsOf(reference, ':')
    const row = { owner: this.type(owner), type: this.type(rest.slice(1)), name: this.string(name) }
    const key = (one: FieldRow) => `${one.owner} ${one.name} ${one.type}`
    return this.rowOf('field', this.fields, key(row), row, key)
  }

  descriptor(type: number): string {
    return this.strings[this.types[type]!]!
  }

  signature(proto: number): string {
    const { returnType, parameters } = this.protos[proto]!
    return `(${parameters.map((one) => this.descriptor(one)).join('')})${this.descriptor(returnType)}`
  }

  methodReference(method: number): string {
    const { owner, name, proto } = this.methods[method]!
    return `${this.descriptor(owner)}->${this.strings[name]}${this.signature(proto)}`
  }

  fieldReference(field: number): string {
    const { owner, name, type } = this.fields[field]!
    return `${this.descriptor(owner)}->${this.strings[name]}:${this.descriptor(type)}`
  }

  private rowOf<Row>(table: string, rows: Row[], key: string, row: Row, keyOf: (row: Row) => string): number {
    let known = this.known.get(table)
    if (!known) {
      known = new Map(rows.map((one, i) => [keyOf(one), i]))
      this.known.set(table, known)
    }
    const found = known.get(key)
    if (found !== undefined) return found
    rows.push(row)
    known.set(key, rows.length - 1)
    return rows.length - 1
  }
}

const protoKey = ({ returnType, parameters }: ProtoRow): string => `${returnType} ${parameters.join(' ')}`

function partsOf(reference: string, separator: string): { owner: string; name: string; rest: string } {
  const arrow = reference.indexOf('->')
  const end = reference.indexOf(separator, arrow)
  if (arrow < 0 || end < 0) throw new FormatError('dex', 'reference', -1, `no reference: ${reference}`)
  return { owner: reference.slice(0, arrow), name: reference.slice(arrow + 2, end), rest: reference.slice(end) }
}

/** Methods of a class, direct ones first, as class data lists them. */
export const methodsOf = (one: ClassDefinition): readonly MethodDefinition[] => [
  ...one.directMethods,
  ...one.virtualMethods,
]
