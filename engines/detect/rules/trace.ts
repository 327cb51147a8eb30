import type { CallSite, MethodFacts, Program, Value } from '../../dex/program.ts'
import { parameterTypes } from './code.ts'

/** Where a value comes from, followed backwards through framework calls, builders, callers and called methods. */
export interface Trace {
  /** References of all calls on the way. */
  readonly calls: ReadonlySet<string>
  readonly strings: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
  /** It depends on a parameter of a method on the way. */
  readonly fromParameter: boolean
  /** Some part is not constant. */
  readonly variable: boolean
}

/** Values looked at for one question; what lies behind counts as unknown. */
const MOST_VALUES = 400
const MOST_CALLERS = 16

/** Where the n-th argument of a call comes from, `depth` methods away at most. */
export function traceArgument(program: Program, call: CallSite, n: number, depth = 2): Trace {
  const tracer = new Tracer(program, 'all')
  tracer.all(program.possibleArguments(call, n), call.method, depth)
  return tracer
}

/** Where a value of a method comes from. `texts`: parts that are numbers by their type, and parameters that all callers give constants to, are no variables. */
export function traceValue(
  program: Program,
  value: Value,
  method: MethodFacts,
  depth: number,
  parts: 'all' | 'texts',
): Trace {
  const tracer = new Tracer(program, parts)
  tracer.visit(value, method, depth)
  return tracer
}

/** Does the trace pass a call whose reference contains one of these texts? */
export const passes = (trace: Trace, ...texts: readonly string[]): boolean => {
  for (const callee of trace.calls) if (texts.some((part) => callee.includes(part))) return true
  return false
}

class Tracer implements Trace {
  readonly calls = new Set<string>()
  readonly strings = new Set<string>()
  readonly fields = new Set<string>()
  fromParameter = false
  variable = false
  private readonly program: Program
  private readonly seen = new Set<string>()
  private left = MOST_VALUES

  private readonly parts: 'all' | 'texts'

  constructor(program: Program, parts: 'all' | 'texts') {
    this.program = program
    this.parts = parts
  }

  all(values: readonly Value[], method: MethodFacts, depth: number): void {
    for (const value of values) this.visit(value, method, depth)
  }

  visit(value: Value, method: MethodFacts, depth: number): void {
    if (this.left-- <= 0) {
      this.variable = true
      return
    }
    switch (value.kind) {
      case 'string':
        this.strings.add(value.value)
        return
      case 'number':
      case 'null':
      case 'class':
        return
      case 'array':
        for (const one of value.texts ?? []) this.strings.add(one)
        if (!value.bytes && !value.texts) this.variable = true
        return
      case 'field':
        this.fields.add(value.field)
        this.field(value.field)
        return
      case 'parameter':
        this.parameter(value.index, method, depth)
        return
      case 'call':
        this.call(value.location, depth)
        return
      case 'new':
        this.made(value, method, depth)
        return
      case 'unknown':
        this.variable = true
    }
  }

  private field(field: string): void {
    const held = this.parts === 'texts' ? this.program.fieldValues(field) : []
    for (const value of held) if (value.kind === 'string') this.strings.add(value.value)
    if (this.isPart(field.slice(field.indexOf(':') + 1)) && !(held.length && held.every(isConstant)))
      this.variable = true
  }

  private call(call: CallSite, depth: number): void {
    if (this.visited(`c ${call.entry} ${call.offset}`)) return
    if (!this.isPart(call.callee.slice(call.callee.indexOf(')') + 1))) return
    this.calls.add(call.callee)
    if (this.parts === 'texts' && NUMBER_TEXT.test(call.callee)) return
    this.arguments(call, depth)
    const called = depth > 0 ? this.methodOf(call.callee) : undefined
    if (!called) {
      if (!BUILDERS.some((builder) => call.callee.startsWith(builder))) this.variable = true
      return
    }
    for (const value of this.program.returns(called))
      if (value.kind !== 'parameter') this.visit(value, called, depth - 1)
  }

  private arguments(call: CallSite, depth: number): void {
    const first = call.kind === 'static' ? 1 : 0
    const types = parameterTypes(call.callee)
    for (let n = first; n <= types.length; n++)
      if (n === 0 || this.isPart(types[n - 1]!)) this.all(this.program.possibleArguments(call, n), call.method, depth)
  }

  private isPart(type: string): boolean {
    return this.parts === 'all' || !NUMBER_TYPE.test(type)
  }

  /** A new object consists of what its constructor and the calls on it were given. */
  private made(value: Value & { kind: 'new' }, method: MethodFacts, depth: number): void {
    if (this.visited(`n ${value.location.entry} ${value.location.offset}`)) return
    for (const call of this.program.callsFrom(method)) {
      if (call.kind === 'static' || !parameterTypes(call.callee).length) continue
      const made = madeBy(this.program, this.program.argument(call, 0))
      if (made?.location.offset !== value.location.offset) continue
      this.calls.add(call.callee)
      const types = parameterTypes(call.callee)
      for (let n = types.length; n > 0; n--)
        if (this.isPart(types[n - 1]!)) this.all(this.program.possibleArguments(call, n), method, depth)
    }
  }

  private parameter(index: number, method: MethodFacts, depth: number): void {
    if (index === 0 || !this.isPart(method.parameters[index - 1] ?? '')) return
    const repeated = this.visited(`p ${method.reference} ${index}`)
    const callers = depth === 0 || repeated ? [] : this.program.callsTo(method.reference)
    const before = this.variable
    this.variable = false
    for (const call of callers.slice(0, MOST_CALLERS))
      this.all(this.program.possibleArguments(call, index), call.method, depth - 1)
    const constant = this.parts === 'texts' && !this.variable && (repeated || this.areAll(callers, method))
    if (!constant) this.fromParameter = true
    this.variable = before || !constant
  }

  /** No caller is missing: none beyond the limit, none through a class that this one extends or an interface. */
  private areAll(callers: readonly CallSite[], method: MethodFacts): boolean {
    if (!callers.length || callers.length > MOST_CALLERS) return false
    const known = new Set(callers.map((call) => call.method.reference))
    return this.program.callersOf(method, 1).every(({ reference }) => known.has(reference))
  }

  private methodOf(reference: string): MethodFacts | undefined {
    const owner = this.program.classOf(reference.slice(0, reference.indexOf('->')))
    return owner?.methods.find((method) => method.reference === reference)
  }

  private visited(key: string): boolean {
    if (this.seen.has(key)) return true
    this.seen.add(key)
    return false
  }
}

const isConstant = ({ kind }: Value): boolean => kind === 'string' || kind === 'number' || kind === 'null'

const NUMBER_TYPE = /^(?:[ZBSIJFD]|Ljava\/lang\/(?:Boolean|Byte|Short|Integer|Long|Float|Double|Number);)$/
/** A number as text holds no SQL. */
const NUMBER_TEXT = /^Ljava\/lang\/(?:Boolean|Byte|Short|Integer|Long|Float|Double);->to\w*String\(/

/** Framework calls that make a constant of constants. */
const BUILDERS = [
  'Ljava/lang/StringBuilder;',
  'Ljava/lang/StringBuffer;',
  'Ljava/lang/String;',
  'Landroid/net/Uri;->parse(',
  'Ljava/io/File;-><init>',
  'Ljava/io/File;->getPath',
  'Ljava/io/File;->getAbsolutePath',
  'Ljava/lang/CharSequence;->toString',
]

/** The new object that a value is, seen through builder methods that return the object they are called on. */
export function madeBy(program: Program, value: Value): (Value & { kind: 'new' }) | undefined {
  let at = value
  for (let step = 0; step < 64; step++) {
    if (at.kind === 'new') return at
    if (at.kind !== 'call' || at.location.kind === 'static') return undefined
    const arrow = at.callee.indexOf('->')
    const returns = at.callee.slice(at.callee.indexOf(')') + 1)
    if (returns !== at.callee.slice(0, arrow)) return undefined
    at = program.argument(at.location, 0)
  }
  return undefined
}

/** Calls on the same new object within the method that makes it. */
export function callsOn(program: Program, made: Value & { kind: 'new' }): CallSite[] {
  return program.callsFrom(made.location.method).filter((call) => {
    if (call.kind === 'static') return false
    return madeBy(program, program.argument(call, 0))?.location.offset === made.location.offset
  })
}

/**
 * The text that a text begins with: itself, or what a builder was given first. Undefined where that is no constant, and of a builder whose
 * beginning may change later.
 */
export function beginningOf(program: Program, value: Value, depth = DEEPEST): string | undefined {
  if (value.kind === 'string') return value.value
  if (depth === 0 || value.kind !== 'call' || !/StringBu(?:ilder|ffer);->toString\(/.test(value.callee))
    return undefined
  const made = madeBy(program, program.argument(value.location, 0))
  const steps = made ? callsOn(program, made) : []
  if (
    steps.some(({ callee }) => /;->(?:insert|setLength|delete|deleteCharAt|replace|reverse|setCharAt)\(/.test(callee))
  )
    return undefined
  const first = steps.find(({ callee }) => /;->append\(|;-><init>\(Ljava\/lang\/(?:String|CharSequence);/.test(callee))
  const text = first && program.argument(first, 1)
  return text && beginningOf(program, text, depth - 1)
}
/** Builders that were given what another made. */
const DEEPEST = 12
