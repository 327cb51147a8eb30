/**
 * All code of one package as rules ask about it: several dex files (or the classes of a JAR) seen as one program. References are written as in
 * dex: a class `Lcom/foo/Bar;`, a method `Lcom/foo/Bar;->name(I)V`, a field `Lcom/foo/Bar;->name:I`. Where a *pattern* is taken, it is such a
 * reference or a prefix of one that ends behind `;`, `->`, a whole name, or `(`; `L*;->name` means any class, `Lcom/foo/*;->name` any class
 * of that package and below.
 */
export interface Program {
  /** One per dex entry, in the order of loading. */
  readonly dexes: readonly DexSummary[]
  readonly classCount: number
  readonly methodCount: number
  /** Every defined class; the first definition wins, as on a device. */
  classes(): Iterable<ClassFacts>
  classOf(descriptor: string): ClassFacts | undefined
  /** Is it that class, or does it extend or implement it, directly or through classes of this package? */
  isA(descriptor: string, ancestor: string): boolean
  /** Defined classes that extend or implement it, directly or through others. */
  subclassesOf(ancestor: string): readonly ClassFacts[]
  /** Types that its hierarchy, signatures and code name, each once; of an array its elements, no primitives. */
  typesNamedBy(found: ClassFacts): ReadonlySet<string>
  /** Defined classes whose code calls, reads or names that class. */
  classesNaming(descriptor: string): ReadonlySet<string>
  /** Calls of a method, by pattern; a call through a subclass of the named class counts where the subclass does not define the method. */
  callsTo(pattern: string): readonly CallSite[]
  /** Calls that a method makes, in the order of its code. */
  callsFrom(method: MethodFacts): readonly CallSite[]
  fieldUses(pattern: string): readonly FieldUse[]
  /** `new-instance`, `const-class`, `check-cast`, `instance-of`. */
  typeUses(descriptor: string): readonly CodeLocation[]
  /** Each distinct string that code loads or a static field holds, with up to `limit` locations. */
  stringConstants(): Iterable<StringConstant>
  /** Texts in the code's files that begin so, whether code loads them or an annotation holds them. */
  textsBeginning(text: string): ReadonlySet<string>
  /** Where the code loads this very string. */
  stringUses(value: string): readonly CodeLocation[]
  /**
   * The value in the n-th declared parameter (from 1; 0: the object itself) where that is decided inside the calling method, by a
   * static final field, or by a text that initialisers of its class alone write.
   */
  argument(call: CallSite, n: number): Value
  /** Every value that are possible there, one for each way through the method, at most 16; `unknown` among them where a way is not decided. */
  possibleArguments(call: CallSite, n: number): readonly Value[]
  /** What a field holds, where its declaration or initialisers alone decide that; the field itself elsewhere. */
  fieldValues(field: string): readonly Value[]
  /** What the method may return, where that is decided inside it. */
  returns(method: MethodFacts): readonly Value[]
  /** Methods from which this one may be reached (class hierarchy analysis), nearest first, at most `depth` calls away. */
  callersOf(method: MethodFacts, depth: number): readonly MethodFacts[]
  /** What a write stores in its field, where that is decided inside its method. */
  written(use: FieldUse): readonly Value[]
  /**
   * Conditions that compare with zero on the only way to an instruction, nearest first: the instruction runs only where the value is zero
   * (`isZero`), or only where it is not. Those near it alone, and none of class files.
   */
  conditions(location: CodeLocation): readonly Condition[]
  /** Is the instruction one of the first of its method, which always run? False where that is not known, as of class files. */
  runsAlways(location: CodeLocation): boolean
  /** Does a try block with a handler cover the instruction? */
  isCaught(location: CodeLocation): boolean
  /**
   * Do the `count` instructions before this one, and no other way, lead to it: no jump, no switch, no handler of an exception? False where
   * that is not known, as of class files.
   */
  isStraight(location: CodeLocation, count: number): boolean
  /**
   * Does what a call gives, followed forwards through its method, stay in it? `readingOf` says what calls do with it that are given it or a
   * part of it; where it says nothing, the call takes it elsewhere, as returning, storing and throwing do; with `mayReturn` the whole of it
   * may be returned. False where the method was not
   * followed, as of class files.
   */
  isOnlyRead(call: CallSite, readingOf: ReadingOf, mayReturn?: boolean): boolean
  /** Is the object that the call is made on compared with null in this method before the call (any `if-eqz`/`if-nez` on it)? */
  isNullChecked(call: CallSite): boolean
  /** Instructions of one method as text, for evidence: a few lines around an offset. */
  listing(location: CodeLocation, lines: number): readonly string[]
}

export interface DexSummary {
  readonly entry: string
  /** `035` to `041`. */
  readonly version: string
  readonly size: number
  readonly classCount: number
  readonly methodCount: number
  readonly stringCount: number
  /** Unreadable parts, each a named problem with its offset; what they hold is missing from the program. */
  readonly notes: readonly { readonly key: string; readonly offset: number; readonly detail: string }[]
}

export interface ClassFacts {
  readonly descriptor: string
  readonly accessFlags: number
  readonly superclass: string | null
  readonly interfaces: readonly string[]
  readonly sourceFile: string | null
  readonly methods: readonly MethodFacts[]
  readonly fields: readonly FieldFacts[]
  readonly annotations: readonly string[]
  /** Entry of the package that defines it. */
  readonly entry: string
  readonly offset: number
}

export interface MethodFacts {
  readonly reference: string
  readonly owner: string
  readonly name: string
  readonly parameters: readonly string[]
  readonly returns: string
  readonly accessFlags: number
  /** 16-bit code units; 0 where it has no code (abstract, native). */
  readonly codeSize: number
  readonly annotations: readonly string[]
}

export interface FieldFacts {
  readonly reference: string
  readonly name: string
  readonly type: string
  readonly accessFlags: number
  /** Of static fields with an encoded constant. */
  readonly constant?: string | number | bigint | boolean | null
}

/** A location in code. */
export interface CodeLocation {
  readonly method: MethodFacts
  readonly entry: string
  /** Byte offset of the instruction in the entry. */
  readonly offset: number
  /** From debug information. */
  readonly line: number | null
}

export interface CallSite extends CodeLocation {
  /** The reference as the instruction names it. */
  readonly callee: string
  readonly kind: 'virtual' | 'super' | 'direct' | 'static' | 'interface' | 'polymorphic'
}

/**
 * What a call gives that is given a followed value in these parameters (0: its object): the same or something that says as much (`same`),
 * one of its parts (`part`), whether a part is the wanted one, which may go anywhere then (`match`), or nothing of it (`nothing`). `into`: its
 * object holds the value from now on.
 */
export type ReadingOf = (
  call: CallSite,
  given: readonly number[],
) => 'same' | 'part' | 'match' | 'nothing' | 'into' | undefined

export interface FieldUse extends CodeLocation {
  readonly field: string
  readonly write: boolean
}

export interface Condition {
  readonly values: readonly Value[]
  readonly isZero: boolean
}

export interface StringConstant {
  readonly value: string
  readonly locations: readonly CodeLocation[]
  /** The first of the locations, found without the others. */
  readonly first: CodeLocation | undefined
  /** Static final fields that hold it. */
  readonly fields: readonly string[]
}

export type Value =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'null' }
  | { readonly kind: 'class'; readonly descriptor: string }
  /** A new object of that class. */
  | { readonly kind: 'new'; readonly descriptor: string; readonly location: CodeLocation }
  | { readonly kind: 'call'; readonly callee: string; readonly location: CallSite }
  | { readonly kind: 'field'; readonly field: string }
  /** `texts`: of a `String[]` that is filled with constants alone. */
  | {
      readonly kind: 'array'
      readonly bytes?: Uint8Array
      readonly texts?: readonly string[]
      readonly length: number | null
    }
  /** A parameter of the calling method, counted as `argument` counts (0 its object, 1 its first declared one, also of static methods). */
  | { readonly kind: 'parameter'; readonly index: number }
  | { readonly kind: 'unknown' }
