import type { LocationTable } from './location-table.ts'
import type { ClassFacts, DexSummary, FieldFacts, ReadingOf, Value } from './program.ts'

/** What references name: owner, name, and the signature of a method or the type of a field. */
export interface References {
  readonly count: number
  owner(index: number): string
  name(index: number): string
  /** `(I)V` of a method, `I` of a field. */
  signature(index: number): string
  /** Those with that name. */
  named(name: string): ArrayLike<number>
  ownedBy(descriptor: string): ArrayLike<number>
}

/** Texts or types by number. */
export interface Names {
  readonly count: number
  at(index: number): string
  /** -1 if absent. */
  find(text: string): number
}

export interface Texts extends Names {
  /** Those that begin with a text. */
  beginning(text: string): Iterable<string>
}

/**
 * One file of code with its index: a dex file, or all class files of an archive. Classes, defined methods and references are numbers from 0;
 * an address is a location in its code. A Program is made of such parts.
 */
export interface CodePart {
  readonly summary: DexSummary
  readonly classCount: number
  readonly methodCount: number
  descriptorOf(classIndex: number): string
  superclassOf(classIndex: number): string | null
  interfacesOf(classIndex: number): readonly string[]
  accessFlagsOf(classIndex: number): number
  sourceFileOf(classIndex: number): string | null
  annotationsOf(classIndex: number): readonly string[]
  fieldsOf(classIndex: number): readonly FieldFacts[]
  locationOf(classIndex: number): Pick<ClassFacts, 'entry' | 'offset'>
  /** Its methods are those from the first number up to, not including, the second. */
  methodsOf(classIndex: number): readonly [from: number, to: number]

  methodClass(method: number): number
  methodName(method: number): string
  methodSignature(method: number): string
  methodParameters(method: number): readonly string[]
  methodFlags(method: number): number
  codeSize(method: number): number
  methodAnnotations(method: number): readonly string[]

  readonly methods: References
  readonly fields: References
  readonly types: Names
  readonly strings: Texts
  readonly calls: LocationTable
  readonly fieldLocations: LocationTable
  readonly typeLocations: LocationTable
  readonly stringLocations: LocationTable
  /** Texts that static fields hold. */
  readonly constantTexts: readonly { readonly text: string; readonly field: string }[]

  callKind(address: number): 'virtual' | 'super' | 'direct' | 'static' | 'interface' | 'polymorphic'
  writesField(address: number): boolean
  entryAt(address: number): { readonly entry: string; readonly offset: number }
  lineAt(method: number, address: number): number | null
  /** Does a try block with a handler cover the instruction? */
  isCaught(method: number, address: number): boolean
  /** Do the `count` instructions before the instruction, and no other way, lead to it? */
  isStraight(method: number, address: number, count: number): boolean
  runsAlways(method: number, address: number): boolean
  conditions(method: number, address: number): readonly PartCondition[]
  /** Is the object of the call compared with null before it? */
  isNullChecked(method: number, address: number): boolean
  /** Does what the call gives stay in the method? `readingOf` is asked of the calls at these addresses. */
  isOnlyRead(
    method: number,
    address: number,
    readingOf: (address: number, callee: string, given: readonly number[]) => ReturnType<ReadingOf>,
    mayReturn: boolean,
  ): boolean
  listing(method: number, address: number, lines: number): readonly string[]
  /** What may be in the n-th parameter (0: the object) of the call at this address. */
  argumentValues(method: number, address: number, n: number): readonly PartValue[]
  returnValues(method: number): readonly PartValue[]
  /** What a method writes into a field of its class (for initialisers). */
  storedValues(method: number, field: string): readonly PartValue[]
  /** What the instruction at this address writes into the field. */
  storedAt(method: number, address: number, field: string): readonly PartValue[]
}

/** A Condition whose values are still those of the part. */
export interface PartCondition {
  readonly values: readonly PartValue[]
  readonly isZero: boolean
}

/** A Value whose locations are still addresses of the part. */
export type PartValue =
  | Exclude<Value, { kind: 'new' } | { kind: 'call' }>
  | { readonly kind: 'new'; readonly descriptor: string; readonly address: number }
  | { readonly kind: 'call'; readonly callee: string; readonly address: number }

/** More values than this are not distinguished. */
export const VALUE_LIMIT = 16
export const UNKNOWN: PartValue = { kind: 'unknown' }
