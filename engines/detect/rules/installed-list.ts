import type { CallSite, MethodFacts, Program, ReadingOf, Value } from '../../dex/program.ts'
import { isKotlinsComparison } from './constant-guard.ts'
import { traceValue } from './trace.ts'

/**
 * Does code get the list of what is installed, and only look in it for applications that it names itself? Then no part of the list leaves
 * the method but what belongs to an application of such a name. A method that answers yes or no may be asked for any name. A method that
 * returns the whole list to known callers counts as they do.
 */
export function looksForCertain(program: Program, call: CallSite): boolean {
  if (looksInside(program, call, false)) return true
  const { method } = call
  if (!/^Ljava\/util\//.test(method.returns) || !looksInside(program, call, true)) return false
  const calls = callersOfHelper(program, method)
  return calls.length > 0 && calls.every((one) => looksInside(program, one, false))
}

/** All calls of a method; none where Android, a missing class or too many may call it. */
function callersOfHelper(program: Program, method: MethodFacts): readonly CallSite[] {
  const isHidden = (method.accessFlags & (STATIC | PRIVATE)) !== 0 || extendsNothing(program, method.owner)
  const calls = isHidden ? program.callsTo(method.reference) : []
  const known = new Set(calls.map((one) => one.method.reference))
  const areAll = program.callersOf(method, 1).every(({ reference }) => known.has(reference))
  return areAll && calls.length <= MOST_CALLERS ? calls : []
}
const STATIC = 0x08
const PRIVATE = 0x02
const MOST_CALLERS = 16

function extendsNothing(program: Program, owner: string): boolean {
  const found = program.classOf(owner)
  return found?.superclass === 'Ljava/lang/Object;' && found.interfaces.length === 0
}

/** @param mayReturn whether the list as a whole may be returned, and no name need be looked for */
function looksInside(program: Program, call: CallSite, mayReturn: boolean): boolean {
  let compares = false
  const readingOf: ReadingOf = (taker, given) => {
    const reading = isKotlinsComparison(program, taker.callee)
      ? 'compare'
      : READINGS.find(([pattern]) => pattern.test(taker.callee))?.[1]
    if (reading !== 'compare' && reading !== 'search') return reading
    const [first] = given
    const isStatic = taker.kind === 'static'
    const [one, other] = isStatic ? [1, 2] : [0, 1]
    // A text that is compared with a part of the list is no name that code has.
    if (given.length !== 1 || (first !== one && first !== other)) return undefined
    const isCertain = isFixed(program, program.argument(taker, first === one ? other : one), call.method)
    if (!isCertain && call.method.returns !== 'Z') return undefined
    compares = true
    const isName = reading === 'compare' && isPackageName(program, program.argument(taker, first))
    return isName && isCertain ? 'match' : 'nothing'
  }
  return program.isOnlyRead(call, readingOf, mayReturn) && (compares || mayReturn)
}

/** A constant, what all callers give as one, or the name of the own package. */
function isFixed(program: Program, value: Value, method: MethodFacts): boolean {
  if (value.kind === 'call' && /;->getPackageName\(\)Ljava\/lang\/String;$/.test(value.callee)) return true
  const { strings, variable } = traceValue(program, value, method, 1, 'texts')
  return strings.size > 0 && !variable
}

/** The name of the package itself: two applications may share any other fact. */
function isPackageName(program: Program, value: Value): boolean {
  if (value.kind === 'field') return /^Landroid\/content\/pm\/\w+;->packageName:Ljava\/lang\/String;$/.test(value.field)
  if (value.kind !== 'call' || !/^Ljava\/lang\/String;->(?:toString|trim|intern)\(\)/.test(value.callee)) return false
  return isPackageName(program, program.argument(value.location, 0))
}

const LISTS = 'Ljava/(?:util/(?:[A-Za-z]*(?:List|Set|Deque|Collection|Iterator)|Vector)|lang/Iterable);'

/** By callee, what a call does that is given the list, an entry of it, or a text of an entry. */
const READINGS: readonly (readonly [RegExp, ReturnType<ReadingOf> | 'compare' | 'search'])[] = [
  [/^Ljava\/lang\/String;->(?:equals|equalsIgnoreCase|contentEquals)\(/, 'compare'],
  [/^Landroid\/text\/TextUtils;->equals\(/, 'compare'],
  [/^Lkotlin\/jvm\/internal\/Intrinsics;->areEqual\(Ljava\/lang\/Object;Ljava\/lang\/Object;\)/, 'compare'],
  [/^Ljava\/util\/Objects;->equals\(/, 'compare'],
  [/^Ljava\/lang\/(?:String|CharSequence);->(?:startsWith|endsWith|contains|indexOf|compareTo\w*)\(/, 'search'],
  [/^Ljava\/lang\/(?:String|CharSequence);->(?:toString|trim|intern|toLowerCase|toUpperCase|hashCode)\(/, 'same'],
  [/^Ljava\/lang\/(?:String|CharSequence);->(?:length|isEmpty)\(/, 'nothing'],
  [/^Landroid\/text\/TextUtils;->isEmpty\(/, 'nothing'],
  // Kotlin's checks for null, which may have other names.
  [/^Lkotlin\/jvm\/internal\/\w+;->\w+\(Ljava\/lang\/Object;(?:Ljava\/lang\/String;)?\)V$/, 'nothing'],
  [/^Landroid\/content\/pm\/\w+;->(?:loadLabel|getApplicationLabel)\(/, 'same'],
  [new RegExp(`^${LISTS}->(?:get|next|previous|elementAt)\\(`), 'part'],
  [new RegExp(`^${LISTS}->(?:iterator|listIterator|elements)\\(`), 'same'],
  [new RegExp(`^${LISTS}->(?:hasNext|hasPrevious|size|isEmpty|clear)\\(`), 'nothing'],
  [new RegExp(`^${LISTS}->(?:contains|indexOf)\\(`), 'search'],
  [new RegExp(`^${LISTS}->(?:add|addAll|<init>)\\(`), 'into'],
]
