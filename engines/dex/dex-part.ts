import type { CodePart, PartCondition, PartValue, References } from './code-part.ts'
import { lineOf } from './debug-lines.ts'
import { annotationsAt, classAnnotations, methodAnnotationSets } from './dex-annotations.ts'
import type { DexFile } from './dex-file.ts'
import type { DexLimits } from './dex-limits.ts'
import { listDex } from './dex-listing.ts'
import { DexReferences, DexStrings, DexTypes } from './dex-names.ts'
import { DexValues } from './dex-values.ts'
import { EncodedReader, type EncodedValue } from './encoded-value.ts'
import { type DexIndex, indexDex } from './index-dex.ts'
import type { LocationTable } from './location-table.ts'
import { callKind, writesField } from './opcodes.ts'
import type { ClassFacts, DexSummary, FieldFacts } from './program.ts'

const NO_INDEX = 0xffffffff
/** Instructions before one among which conditions are looked for. */
const FARTHEST_CONDITION = 24

/** A dex file as a part of a program. */
export class DexPart implements CodePart {
  readonly methods: References
  readonly fields: References
  readonly types: DexTypes
  readonly strings: DexStrings
  private readonly dex: DexFile
  private readonly entry: string
  private readonly index: DexIndex
  /** By class definition: 1 where its fields can be those of a class. */
  private readonly sound: Uint8Array
  private readonly values: DexValues
  /** Bytes of static values and annotations that may still be read. */
  private valueBudget: number
  private methodSets: { directory: number; sets: ReadonlyMap<number, number> } | undefined

  /** @param isWanted whether code of the class with this descriptor runs at all, asked once for each in order */
  constructor(entry: string, dex: DexFile, limits: DexLimits, isWanted: (descriptor: string) => boolean) {
    this.entry = entry
    this.dex = dex
    this.sound = soundDefinitions(dex)
    const damaged = this.sound.reduce((sum, sound) => sum + 1 - sound, 0)
    if (damaged)
      dex.notes.add(
        'class-definition',
        dex.classDefs.offset,
        `${damaged} of ${dex.classDefs.count} class definitions are damaged`,
      )
    this.index = indexDex(dex, (c) => this.sound[c] === 1 && isWanted(this.descriptorOf(c)), limits)
    this.values = new DexValues(dex, this.index)
    this.strings = new DexStrings(dex)
    this.types = new DexTypes(dex, this.strings)
    this.methods = new DexReferences(dex, dex.methods, this.strings, this.types, (i) =>
      dex.signature(dex.methodProto(i)),
    )
    this.fields = new DexReferences(dex, dex.fields, this.strings, this.types, (i) => dex.fieldType(i))
    this.valueBudget = 4 * limits.overlap * dex.bytes.length
  }

  get summary(): DexSummary {
    const { version, size, notes } = this.dex
    return {
      entry: this.entry,
      version,
      size,
      classCount: this.dex.classDefs.count,
      methodCount: this.dex.methods.count,
      stringCount: this.dex.strings.count,
      notes: notes.list,
    }
  }

  get classCount(): number {
    return this.dex.classDefs.count
  }

  get methodCount(): number {
    return this.index.methodCount
  }

  get calls(): LocationTable {
    return this.index.calls
  }

  get fieldLocations(): LocationTable {
    return this.index.fieldLocations
  }

  get typeLocations(): LocationTable {
    return this.index.typeLocations
  }

  get stringLocations(): LocationTable {
    return this.index.stringLocations
  }

  /** '' for a damaged class definition. */
  descriptorOf(classIndex: number): string {
    if (!this.sound[classIndex]) return ''
    return this.dex.type(this.word(classIndex, 0))
  }

  superclassOf(classIndex: number): string | null {
    const type = this.word(classIndex, 8)
    return type === NO_INDEX ? null : this.dex.type(type)
  }

  interfacesOf(classIndex: number): readonly string[] {
    return this.dex.typeList(this.word(classIndex, 12))
  }

  accessFlagsOf(classIndex: number): number {
    return this.word(classIndex, 4)
  }

  sourceFileOf(classIndex: number): string | null {
    const text = this.word(classIndex, 16)
    return text === NO_INDEX ? null : this.dex.string(text)
  }

  annotationsOf(classIndex: number): readonly string[] {
    return classAnnotations(this.dex, this.word(classIndex, 20))
  }

  locationOf(classIndex: number): Pick<ClassFacts, 'entry' | 'offset'> {
    return { entry: this.entry, offset: this.dex.classDefs.offset + 32 * classIndex }
  }

  methodsOf(classIndex: number): readonly [from: number, to: number] {
    return [this.index.methodStarts[classIndex]!, this.index.methodStarts[classIndex + 1]!]
  }

  fieldsOf(classIndex: number): readonly FieldFacts[] {
    const from = this.index.fieldStarts[classIndex]!
    const to = this.index.fieldStarts[classIndex + 1]!
    const constants = this.staticValues(classIndex)
    return Array.from({ length: to - from }, (_, i) => {
      const field = this.index.fieldIds[from + i]!
      const constant = constants[i]
      const type = this.dex.fieldType(field)
      return {
        reference: this.dex.fieldReference(field),
        name: this.dex.fieldName(field),
        type,
        accessFlags: this.index.fieldFlags[from + i]!,
        ...(constant !== undefined && { constant }),
      }
    })
  }

  get constantTexts(): readonly { readonly text: string; readonly field: string }[] {
    const texts: { text: string; field: string }[] = []
    for (let c = 0; c < this.classCount; c++)
      this.staticValues(c).forEach((value, i) => {
        if (typeof value === 'string')
          texts.push({
            text: value,
            field: this.dex.fieldReference(this.index.fieldIds[this.index.fieldStarts[c]! + i]!),
          })
      })
    return texts
  }

  methodClass(method: number): number {
    const starts = this.index.methodStarts
    let low = 0
    let high = this.classCount - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= method) low = middle
      else high = middle - 1
    }
    return low
  }

  methodName(method: number): string {
    return this.dex.methodName(this.index.methodIds[method]!)
  }

  methodSignature(method: number): string {
    return this.dex.signature(this.dex.methodProto(this.index.methodIds[method]!))
  }

  methodParameters(method: number): readonly string[] {
    return this.dex.parameters(this.dex.methodProto(this.index.methodIds[method]!))
  }

  methodFlags(method: number): number {
    return this.index.methodFlags[method]!
  }

  codeSize(method: number): number {
    return this.index.insnsSizes[method]! >> 1
  }

  methodAnnotations(method: number): readonly string[] {
    const directory = this.word(this.methodClass(method), 20)
    if (this.methodSets?.directory !== directory) {
      const sets = this.valueBudget > 0 ? methodAnnotationSets(this.dex, directory) : new Map<number, number>()
      this.valueBudget -= 8 * sets.size
      this.methodSets = { directory, sets }
    }
    return annotationsAt(this.dex, this.methodSets.sets.get(this.index.methodIds[method]!))
  }

  callKind(address: number) {
    return callKind(this.dex.u8(address))
  }

  writesField(address: number): boolean {
    return writesField(this.dex.u8(address))
  }

  entryAt(address: number) {
    return { entry: this.entry, offset: address }
  }

  lineAt(method: number, address: number): number | null {
    const insns = this.index.insnsOffsets[method]!
    return lineOf(this.dex, this.dex.u32(insns - 8), (address - insns) >> 1)
  }

  isCaught(method: number, address: number): boolean {
    return this.values.flowOf(method).isCaught(address)
  }

  isStraight(method: number, address: number, count: number): boolean {
    const flow = this.values.flowOf(method)
    const at = flow.indexAt(address)
    if (!flow.complete || at < count) return false
    for (let i = at; i > at - count; i--) if (!flow.isStraight(i)) return false
    return true
  }

  conditions(method: number, address: number): readonly PartCondition[] {
    const flow = this.values.flowOf(method)
    const found: PartCondition[] = []
    const from = flow.complete ? flow.indexAt(address) : 0
    for (let i = from; i > Math.max(0, from - FARTHEST_CONDITION) && flow.isStraight(i); i--) {
      const at = flow.addresses[i - 1]!
      const opcode = this.dex.u8(at)
      // `if-eqz` and `if-nez`, which go on where they do not jump.
      if (opcode === 0x38 || opcode === 0x39)
        found.push({ values: this.values.firstOf(method, at, 'I'), isZero: opcode === 0x39 })
    }
    return found
  }

  runsAlways(method: number, address: number): boolean {
    const flow = this.values.flowOf(method)
    const at = flow.indexAt(address)
    if (!flow.complete || at < 0) return false
    // Returns, throws, jumps, switches and conditions; `cmp` lies among them.
    const leaves = (opcode: number) =>
      (opcode >= 0x0e && opcode <= 0x11) || (opcode >= 0x27 && opcode <= 0x2c) || (opcode >= 0x32 && opcode <= 0x3d)
    for (let i = at; i > 0; i--) if (!flow.isStraight(i) || leaves(this.dex.u8(flow.addresses[i - 1]!))) return false
    return true
  }

  storedAt(method: number, address: number, field: string): readonly PartValue[] {
    return this.values.firstOf(method, address, field.slice(field.indexOf(':') + 1))
  }

  isOnlyRead(...asked: Parameters<CodePart['isOnlyRead']>): boolean {
    return this.values.isOnlyRead(...asked)
  }

  isNullChecked(method: number, address: number): boolean {
    return this.values.isNullChecked(method, address)
  }

  listing(method: number, address: number, lines: number): readonly string[] {
    return listDex(this.dex, this.index.insnsOffsets[method]!, this.index.insnsSizes[method]!, address, lines)
  }

  argumentValues(method: number, address: number, n: number): readonly PartValue[] {
    return this.values.argument(method, address, n)
  }

  returnValues(method: number): readonly PartValue[] {
    return this.index.insnsSizes[method] ? this.values.returns(method) : []
  }

  storedValues(method: number, field: string): readonly PartValue[] {
    const [owner = '', name = ''] = field.split(/->|:/)
    const found = Array.from(this.fields.ownedBy(owner)).find((i) => this.fields.name(i) === name)
    return found === undefined || !this.index.insnsSizes[method] ? [] : this.values.stored(method, found)
  }

  private word(classIndex: number, at: number): number {
    return this.dex.u32(this.dex.classDefs.offset + 32 * classIndex + at)
  }

  /** Values of the first static fields of a class, in their order. */
  private staticValues(classIndex: number): readonly EncodedValue[] {
    const offset = this.word(classIndex, 28)
    const fields = this.index.staticFieldCounts[classIndex]!
    if (offset === 0 || fields === 0) return []
    if (this.valueBudget <= 0) {
      this.dex.notes.add('limit', offset, 'static values laid over each other hold more than is read')
      return []
    }
    const reader = new EncodedReader(this.dex, offset)
    const count = Math.min(reader.uleb(), fields)
    const values: EncodedValue[] = []
    while (values.length < count && !reader.ended) values.push(reader.value())
    this.valueBudget -= Math.min(reader.at, this.dex.bytes.length) - offset
    return values
  }
}

/**
 * Class definitions whose indexes and offsets lie within the file and whose type is a class. Whatever else a damaged header makes a class
 * definition of is left out before its class data is read: it would cost time and invent classes.
 */
function soundDefinitions(dex: DexFile): Uint8Array {
  const { bytes, classDefs, types, strings } = dex
  const sound = new Uint8Array(classDefs.count)
  const inFile = (offset: number) => offset < bytes.length
  for (let c = 0; c < classDefs.count; c++) {
    const word = (field: number) => dex.u32(classDefs.offset + 32 * c + field)
    const [type, superclass, source] = [word(0), word(8), word(16)]
    if (type >= types.count || (superclass !== NO_INDEX && superclass >= types.count)) continue
    if (source !== NO_INDEX && source >= strings.count) continue
    if (!inFile(word(12)) || !inFile(word(20)) || !inFile(word(24)) || !inFile(word(28))) continue
    const name = dex.type(type)
    if (name.length > 2 && name.startsWith('L') && name.endsWith(';')) sound[c] = 1
  }
  return sound
}
