import type { CodeNotes } from '../dex/code-notes.ts'
import { type CodePart, type PartValue, UNKNOWN } from '../dex/code-part.ts'
import type { CallSite, ClassFacts, DexSummary, FieldFacts } from '../dex/program.ts'
import { sameValue, typedValue } from '../dex/typed-part-value.ts'
import { parameterTypes, returnType } from './descriptor.ts'
import { indexClasses, type JvmIndex, type LocatedClass, type LocatedMethod } from './index-classes.ts'
import { listJvm } from './jvm-listing.ts'
import { type MethodTrace, traceMethod } from './method-trace.ts'
import { readable } from './readable.ts'
import { type Cell, cellValues } from './stack-cell.ts'

const TRACES_KEPT = 32
const STATIC = 8

/** All class files of an archive as one part of a program. */
export class JvmPart implements CodePart {
  readonly summary: DexSummary
  private readonly classes: readonly LocatedClass[]
  private readonly index: JvmIndex
  private readonly traces = new Map<number, MethodTrace>()

  constructor(classes: readonly LocatedClass[], size: number, notes: CodeNotes, mostMethods: number) {
    this.classes = classes
    this.index = indexClasses(classes, mostMethods, (key, offset, detail) => notes.add(key, offset, detail))
    this.summary = {
      entry: classes[0]?.entry ?? '',
      version: String(classes.reduce((highest, { file }) => Math.max(highest, file.version), 0)),
      size,
      classCount: classes.length,
      methodCount: this.index.methods.length,
      stringCount: this.index.strings.count,
      notes: notes.list,
    }
  }

  get classCount() {
    return this.classes.length
  }

  get methodCount() {
    return this.index.methods.length
  }

  get methods() {
    return this.index.methodReferences
  }

  get fields() {
    return this.index.fieldReferences
  }

  get types() {
    return this.index.types
  }

  get strings() {
    return this.index.strings
  }

  get calls() {
    return this.index.calls
  }

  get fieldLocations() {
    return this.index.fieldLocations
  }

  get typeLocations() {
    return this.index.typeLocations
  }

  get stringLocations() {
    return this.index.stringLocations
  }

  get constantTexts(): readonly { readonly text: string; readonly field: string }[] {
    return this.classes.flatMap((_, index) =>
      this.fieldsOf(index).flatMap(({ constant, reference }) =>
        typeof constant === 'string' ? [{ text: constant, field: reference }] : [],
      ),
    )
  }

  descriptorOf(index: number): string {
    return this.classes[index]!.file.descriptor
  }

  superclassOf(index: number): string | null {
    return this.classes[index]!.file.superclass
  }

  interfacesOf(index: number): readonly string[] {
    return this.classes[index]!.file.interfaces
  }

  accessFlagsOf(index: number): number {
    return this.classes[index]!.file.accessFlags
  }

  sourceFileOf(index: number): string | null {
    const { file } = this.classes[index]!
    const at = file.attributes.get('SourceFile')
    return at === undefined ? null : file.text(file.u16(at)) || null
  }

  annotationsOf(index: number): readonly string[] {
    const { file } = this.classes[index]!
    return listOf(readable(() => file.annotationsOf(file.attributes)))
  }

  fieldsOf(index: number): readonly FieldFacts[] {
    const { file } = this.classes[index]!
    return file.fields.map(({ name, descriptor, flags, attributes }) => {
      const at = attributes.get('ConstantValue')
      const constant = at === undefined ? undefined : file.constantAt(file.u16(at))
      return {
        reference: `${file.descriptor}->${name}:${descriptor}`,
        name,
        type: descriptor,
        accessFlags: flags,
        ...(constant && constant.kind !== 'class' && { constant: constant.value }),
      }
    })
  }

  locationOf(index: number): Pick<ClassFacts, 'entry' | 'offset'> {
    return { entry: this.classes[index]!.entry, offset: 0 }
  }

  methodsOf(index: number): readonly [from: number, to: number] {
    return [this.index.methodStarts[index]!, this.index.methodStarts[index + 1] ?? this.methodCount]
  }

  methodClass(method: number): number {
    return this.at(method).owner
  }

  methodName(method: number): string {
    return this.at(method).member.name
  }

  methodSignature(method: number): string {
    return this.at(method).member.descriptor
  }

  methodParameters(method: number): readonly string[] {
    return parameterTypes(this.at(method).member.descriptor)
  }

  methodFlags(method: number): number {
    return this.at(method).member.flags
  }

  /** In bytes, as class files count. */
  codeSize(method: number): number {
    return this.at(method).code?.size ?? 0
  }

  methodAnnotations(method: number): readonly string[] {
    const { owner, member } = this.at(method)
    return listOf(readable(() => this.classes[owner]!.file.annotationsOf(member.attributes)))
  }

  callKind(address: number): CallSite['kind'] {
    const { file, base } = this.classAt(address)
    const at = address - base
    const opcode = file.bytes[at]
    if (opcode === 0xb8) return 'static'
    if (opcode === 0xb9) return 'interface'
    if (opcode !== 0xb7) return 'virtual'
    const reference = file.referenceAt(file.u16(at + 1))
    return reference?.name === '<init>' || reference?.owner === file.descriptor ? 'direct' : 'super'
  }

  writesField(address: number): boolean {
    const { file, base } = this.classAt(address)
    const opcode = file.bytes[address - base]
    return opcode === 0xb3 || opcode === 0xb5
  }

  entryAt(address: number) {
    const { entry, base } = this.classAt(address)
    return { entry, offset: address - base }
  }

  lineAt(method: number, address: number): number | null {
    const at = address - this.placed(method).base
    let found: number | null = null
    let nearest = -1
    for (const [from, line] of this.at(method).code?.lines ?? [])
      if (from <= at && from > nearest) {
        nearest = from
        found = line
      }
    return found
  }

  isCaught(method: number, address: number): boolean {
    const at = address - this.placed(method).base
    return (this.at(method).code?.tries ?? []).some(([from, to]) => at >= from && at < to)
  }

  isStraight(): boolean {
    return false
  }

  runsAlways(): boolean {
    return false
  }

  conditions(): readonly [] {
    return []
  }

  isOnlyRead(): boolean {
    return false
  }

  isNullChecked(method: number, address: number): boolean {
    const trace = this.traceOf(method)
    const object = trace?.calls.get(address)?.[0]
    if (!trace || !object) return false
    return trace.nullChecks.some(({ at, cell }) => at < address && mayBeSame(cell, object))
  }

  listing(method: number, address: number, lines: number): readonly string[] {
    const { code } = this.at(method)
    const { file, base } = this.placed(method)
    return code ? listJvm(file, code, address - base, lines) : []
  }

  argumentValues(method: number, address: number, n: number): readonly PartValue[] {
    const cells = this.traceOf(method)?.calls.get(address)
    const { file, base } = this.classAt(address)
    const types = parameterTypes(file.referenceAt(file.u16(address - base + 1))?.descriptor ?? '')
    const isStatic = file.bytes[address - base] === 0xb8
    const cell = isStatic ? (n === 0 ? undefined : cells?.[n - 1]) : cells?.[n]
    return cell ? valuesOf(cell, types[n - 1] ?? 'Ljava/lang/Object;') : [UNKNOWN]
  }

  returnValues(method: number): readonly PartValue[] {
    const type = returnType(this.at(method).member.descriptor)
    return distinct((this.traceOf(method)?.returned ?? []).flatMap((cell) => valuesOf(cell, type)))
  }

  storedValues(method: number, field: string): readonly PartValue[] {
    const cells = this.traceOf(method)?.stored.get(field) ?? []
    return distinct(cells.flatMap((cell) => valuesOf(cell, field.slice(field.lastIndexOf(':') + 1))))
  }

  /** All that the method writes into the field. */
  storedAt(method: number, _address: number, field: string): readonly PartValue[] {
    return this.storedValues(method, field)
  }

  private at(method: number): LocatedMethod {
    return this.index.methods[method]!
  }

  private placed(method: number): LocatedClass {
    return this.classes[this.at(method).owner]!
  }

  /** The class whose file holds the address. */
  private classAt(address: number): LocatedClass {
    let low = 0
    let high = this.classes.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.classes[middle]!.base <= address) low = middle
      else high = middle - 1
    }
    return this.classes[low]!
  }

  private traceOf(method: number): MethodTrace | undefined {
    const known = this.traces.get(method)
    const { code, member } = this.at(method)
    if (known || !code) return known
    const { file, base } = this.placed(method)
    const isStatic = (member.flags & STATIC) !== 0
    const trace = traceMethod(file, code, { isStatic, descriptor: member.descriptor }, base)
    this.traces.set(method, trace)
    if (this.traces.size > TRACES_KEPT) this.traces.delete(this.traces.keys().next().value!)
    return trace
  }
}

const listOf = (list: readonly string[] | 'unreadable'): readonly string[] => (list === 'unreadable' ? [] : list)

/** Numbers of a class file are values already; an int where an object is wanted cannot be. */
const valuesOf = (cell: Cell, type: string): PartValue[] =>
  cellValues(cell).map((value) => (type === 'F' || type === 'D' ? value : typedValue(value, type)))

function distinct(values: readonly PartValue[]): PartValue[] {
  const kept: PartValue[] = []
  for (const value of values) if (!kept.some((other) => sameValue(other, value))) kept.push(value)
  return kept.length > 16 ? [UNKNOWN] : kept
}

function mayBeSame(a: Cell, b: Cell): boolean {
  if (a.slot >= 0 && a.slot === b.slot) return true
  return a.values.some((value) => value.kind !== 'unknown' && b.values.some((other) => sameValue(value, other)))
}
