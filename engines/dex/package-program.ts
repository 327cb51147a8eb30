import { CallGraph } from './call-graph.ts'
import { CodeBase, fieldReference, methodReference } from './code-base.ts'
import { DefinedClass, DefinedMethod, FieldLocation, InstructionLocation, InvokeSite } from './code-locations.ts'
import type { CodePart } from './code-part.ts'
import type {
  CallSite,
  ClassFacts,
  CodeLocation,
  Condition,
  DexSummary,
  FieldUse,
  MethodFacts,
  Program,
  ReadingOf,
  StringConstant,
  Value,
} from './program.ts'
import { ProgramValues } from './program-values.ts'
import { searchReferences } from './reference-search.ts'
import { textConstants } from './text-constants.ts'
import { classesNaming, typesNamedBy } from './type-references.ts'

const UNKNOWN: Value = { kind: 'unknown' }

/** Parts of code as one program; what it answers is worked out when first asked. */
export class PackageProgram implements Program {
  private readonly base: CodeBase
  private readonly graph: CallGraph
  private readonly values: ProgramValues
  private readonly unreadable: readonly DexSummary[]
  private readonly known = new Map<string, DefinedClass>()
  private texts: readonly StringConstant[] | undefined
  private all: readonly ClassFacts[] | undefined

  /** @param unreadable entries that are no code at all; they have a summary and nothing else */
  constructor(parts: readonly CodePart[], unreadable: readonly DexSummary[] = []) {
    this.base = new CodeBase(parts)
    this.graph = new CallGraph(this.base)
    this.values = new ProgramValues(this.base)
    this.unreadable = unreadable
  }

  get dexes(): readonly DexSummary[] {
    return [...this.base.parts.map((part) => part.summary), ...this.unreadable]
  }

  get classCount(): number {
    return this.base.definitions.size
  }

  get methodCount(): number {
    return this.base.parts.reduce((sum, part) => sum + part.methodCount, 0)
  }

  classes(): Iterable<ClassFacts> {
    this.all ??= Array.from(this.base.definitions.keys(), (descriptor) => this.classOf(descriptor)!)
    return this.all
  }

  classOf(descriptor: string): ClassFacts | undefined {
    const known = this.known.get(descriptor)
    const definition = this.base.definitions.get(descriptor)
    if (known || !definition) return known
    const facts = new DefinedClass(definition.part, definition.index, (method) =>
      this.base.methodAt(definition.part, method),
    )
    this.known.set(descriptor, facts)
    return facts
  }

  isA(descriptor: string, ancestor: string): boolean {
    return this.base.hierarchy.ancestors(descriptor).has(ancestor)
  }

  subclassesOf(ancestor: string): readonly ClassFacts[] {
    return this.base.hierarchy.descendants(ancestor).map((descriptor) => this.classOf(descriptor)!)
  }

  typesNamedBy({ descriptor }: ClassFacts): ReadonlySet<string> {
    const definition = this.base.definitions.get(descriptor)
    return definition ? typesNamedBy(definition) : new Set()
  }

  classesNaming(descriptor: string): ReadonlySet<string> {
    return classesNaming(this.base.parts, descriptor)
  }

  callsTo(pattern: string): readonly CallSite[] {
    return this.base.parts.flatMap((part) =>
      searchReferences(this.base, part.methods, part.calls, pattern).flatMap((target) =>
        this.base.callSites(part, target),
      ),
    )
  }

  callsFrom(method: MethodFacts): readonly CallSite[] {
    if (!(method instanceof DefinedMethod)) return []
    const { calls, methods } = method.part
    const from = calls.methodStarts[method.index]!
    const count = calls.methodStarts[method.index + 1]! - from
    return Array.from(
      { length: count },
      (_, i) => new InvokeSite(method, calls.addresses[from + i]!, methodReference(methods, calls.targets[from + i]!)),
    )
  }

  fieldUses(pattern: string): readonly FieldUse[] {
    return this.base.parts.flatMap((part) =>
      searchReferences(this.base, part.fields, part.fieldLocations, pattern).flatMap((target) => {
        const field = fieldReference(part.fields, target)
        return this.base.placesOf(
          part,
          part.fieldLocations,
          target,
          (method, at) => new FieldLocation(method, at, field),
        )
      }),
    )
  }

  typeUses(descriptor: string): readonly CodeLocation[] {
    return this.base.parts.flatMap((part) => {
      const type = part.types.find(descriptor)
      return type < 0 ? [] : this.base.locations(part, part.typeLocations, type)
    })
  }

  stringConstants(): Iterable<StringConstant> {
    this.texts ??= textConstants(this.base)
    return this.texts
  }

  textsBeginning(text: string): ReadonlySet<string> {
    return new Set(this.base.parts.flatMap((part) => [...part.strings.beginning(text)]))
  }

  stringUses(value: string): readonly CodeLocation[] {
    return this.base.parts.flatMap((part) => {
      const text = part.strings.find(value)
      return text < 0 ? [] : this.base.locations(part, part.stringLocations, text)
    })
  }

  argument(call: CallSite, n: number): Value {
    const values = this.possibleArguments(call, n)
    return values.length === 1 ? values[0]! : UNKNOWN
  }

  possibleArguments(call: CallSite, n: number): readonly Value[] {
    if (!(call instanceof InvokeSite)) return [UNKNOWN]
    return this.values.of(call.method, call.method.part.argumentValues(call.method.index, call.address, n))
  }

  fieldValues(field: string): readonly Value[] {
    return this.values.inField(field)
  }

  returns(method: MethodFacts): readonly Value[] {
    if (!(method instanceof DefinedMethod)) return []
    return this.values.of(method, method.part.returnValues(method.index))
  }

  callersOf(method: MethodFacts, depth: number): readonly MethodFacts[] {
    return method instanceof DefinedMethod ? this.graph.callersOf(method, depth) : []
  }

  written(use: FieldUse): readonly Value[] {
    if (!(use instanceof FieldLocation)) return [UNKNOWN]
    const { method, address } = use
    return this.values.of(method, method.part.storedAt(method.index, address, use.field))
  }

  conditions(location: CodeLocation): readonly Condition[] {
    if (!(location instanceof InstructionLocation)) return []
    const { method, address } = location
    return method.part
      .conditions(method.index, address)
      .map(({ values, isZero }) => ({ values: this.values.of(method, values), isZero }))
  }

  runsAlways(location: CodeLocation): boolean {
    return (
      location instanceof InstructionLocation &&
      location.method.part.runsAlways(location.method.index, location.address)
    )
  }

  isCaught(location: CodeLocation): boolean {
    return (
      location instanceof InstructionLocation && location.method.part.isCaught(location.method.index, location.address)
    )
  }

  isStraight(location: CodeLocation, count: number): boolean {
    return (
      location instanceof InstructionLocation &&
      location.method.part.isStraight(location.method.index, location.address, count)
    )
  }

  isOnlyRead(call: CallSite, readingOf: ReadingOf, mayReturn = false): boolean {
    if (!(call instanceof InvokeSite)) return false
    const { method } = call
    const reading = (address: number, callee: string, given: readonly number[]) =>
      readingOf(new InvokeSite(method, address, callee), given)
    return method.part.isOnlyRead(method.index, call.address, reading, mayReturn)
  }

  isNullChecked(call: CallSite): boolean {
    return call instanceof InvokeSite && call.method.part.isNullChecked(call.method.index, call.address)
  }

  listing(location: CodeLocation, lines: number): readonly string[] {
    if (!(location instanceof InstructionLocation)) return []
    return location.method.part.listing(location.method.index, location.address, lines)
  }
}
