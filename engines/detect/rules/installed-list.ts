import type { CallSite, MethodFacts, Program, ReadingOf, Value } from '../../dex/program.ts'
import { traceValue } from './trace.ts'

/**
 * Does code get the list of what is installed, and only look in it for applications that it names itself? Then no part of the list leaves
 * the method but what belongs to an application of such a name. A method that answers yes or no may be asked for any name.
 */
export function looksForCertain(program: Program, call: CallSite): boolean {
  let compares = false
  const readingOf: ReadingOf = (taker, given) => {
    const reading = READINGS.find(([pattern]) => pattern.test(taker.callee))?.[1]
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
  return program.isOnlyRead(call, readingOf) && compares
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
  [/^Lkotlin\/jvm\/internal\/Intrinsics;->check\w*\(/, 'nothing'],
  [/^Landroid\/content\/pm\/\w+;->(?:loadLabel|getApplicationLabel)\(/, 'same'],
  [new RegExp(`^${LISTS}->(?:get|next|previous|elementAt)\\(`), 'part'],
  [new RegExp(`^${LISTS}->(?:iterator|listIterator|elements)\\(`), 'same'],
  [new RegExp(`^${LISTS}->(?:hasNext|hasPrevious|size|isEmpty|clear)\\(`), 'nothing'],
  [new RegExp(`^${LISTS}->(?:contains|indexOf)\\(`), 'search'],
  [new RegExp(`^${LISTS}->(?:add|addAll|<init>)\\(`), 'into'],
]
