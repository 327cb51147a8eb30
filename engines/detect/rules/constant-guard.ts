import type { CodeLocation, MethodFacts, Program } from '../../dex/program.ts'
import { isZero } from './constant-flags.ts'
import type { CodeContext } from './rule.ts'
import { callsOf } from './unused-code.ts'

/** Instructions before a location that are looked at. */
const MOST_STEPS = 24
const SAME =
  /^invoke-(?:virtual|static) \{(v\d+), (v\d+)\}, (Ljava\/lang\/(?:String|Object);->equals\(Ljava\/lang\/Object;\)Z|Lkotlin\/jvm\/internal\/\w+;->\w+\(Ljava\/lang\/Object;Ljava\/lang\/Object;\)Z)$/
const KOTLINS_COMPARISON = /^Lkotlin\/jvm\/internal\/\w+;->\w+\(Ljava\/lang\/Object;Ljava\/lang\/Object;\)Z$/
const STATIC = 0x08
const STATIC_FINAL = 0x18
/** Longer texts are cut in a listing. */
const LONGEST_TEXT = 100

/** Instructions as text, without their addresses. */
interface Steps {
  readonly program: Program
  readonly location: CodeLocation
  readonly lines: readonly string[]
  /** Place of the location among the lines. */
  readonly at: number
}

/** Methods up to which what leads to an instruction is followed, and the most calls of one. */
const MOST_METHODS = 2
const MOST_CALLS = 8

/**
 * Does a condition of constants keep an instruction from running, such as a comparison of a text with itself that a build type left, or a flag
 * that everything sets to the same? Seen where the condition is before the instruction, or before each call that leads to it, with no other
 * way between.
 */
export function isKeptByConstants(context: CodeContext, location: CodeLocation, depth = MOST_METHODS): boolean {
  const { program } = context
  const conditions = program.conditions(location)
  const isMet = ({ values, isZero: wanted }: (typeof conditions)[number]) =>
    isZero(context, values, location.method, MOST_METHODS) !== !wanted
  if (!conditions.every(isMet) || (conditions.length && isComparedBefore(program, location))) return true
  return depth > 0 && isMethodKept(context, location.method, depth - 1)
}

/** The same of a method: of all that calls it, or makes an object that has it. */
export function isMethodKept(context: CodeContext, method: MethodFacts, depth = MOST_METHODS - 1): boolean {
  const isKept = (one: MethodFacts) => {
    const calls = callsOf(context, one) ?? []
    return (
      calls.length > 0 && calls.length <= MOST_CALLS && calls.every((call) => isKeptByConstants(context, call, depth))
    )
  }
  if (isKept(method)) return true
  if (method.accessFlags & STATIC || method.name.startsWith('<')) return false
  const makers = context.program.classOf(method.owner)?.methods.filter(({ name }) => name === '<init>') ?? []
  return makers.length > 0 && makers.every(isKept)
}

/** Do texts or flags that are loaded right before the instruction, and compared there, keep it from running? */
function isComparedBefore(program: Program, location: CodeLocation): boolean {
  const own = program.listing(location, 1)[0]
  const lines = program.listing(location, 2 * MOST_STEPS + 1)
  const at = own === undefined ? -1 : lines.indexOf(own)
  const steps = { program, location, lines: lines.map((line) => line.replace(/^\w+: /, '')), at }
  for (let i = at - 1; isWay(steps, i); i--) {
    const [, sign, register] = /^if-(eq|ne)z (v\d+), /.exec(steps.lines[i]!) ?? []
    const value = register && valueBefore(steps, i, register)
    if (typeof value === 'number' && (value === 0) === (sign === 'eq')) return true
  }
  return false
}

/** Do the instructions from this one on, and no others, lead to the location? */
const isWay = ({ program, location, at }: Steps, i: number): boolean => i >= 0 && program.isStraight(location, at - i)

/** What a register holds before an instruction, where that is a constant number or text. */
function valueBefore(steps: Steps, before: number, register: string): number | string | undefined {
  for (let i = before - 1; isWay(steps, i); i--) {
    const line = steps.lines[i]!
    const [, operation, target] = /^(\S+) v(\d+)/.exec(line) ?? []
    if (operation === undefined || NO_RESULT.test(operation)) continue
    // A wide value fills the register behind its own, too.
    if (`v${Number(target) + 1}` === register && /wide|long|double/.test(operation)) return undefined
    if (`v${target}` === register) return resultOf(steps, i, line.slice(operation.length + 1))
  }
  return undefined
}
const NO_RESULT = /^(?:if-|[is]put|aput|return|throw|monitor-|packed-|sparse-|fill-)/

function resultOf(steps: Steps, i: number, operands: string): number | string | undefined {
  const operation = steps.lines[i]!.slice(0, -operands.length - 1)
  const [, first = ''] = operands.split(', ')
  if (/^const(?:\/4|\/16)?$/.test(operation)) return Number(first)
  if (operation === 'const-string') {
    const text = operands.slice(operands.indexOf('"'))
    return text.length <= LONGEST_TEXT ? text : undefined
  }
  if (operation === 'sget-boolean') return fieldValue(steps.program, first)
  if (operation === 'xor-int/2addr' || operation === 'xor-int/lit8') return inverted(steps, i, operands)
  return operation === 'move-result' && isWay(steps, i - 1) ? sameness(steps, i - 1) : undefined
}

/** `xor-int/2addr v1, v2` or `xor-int/lit8 v1, v2, 1`: of a truth value and one. */
function inverted(steps: Steps, i: number, operands: string): number | undefined {
  const [target = '', source = '', literal] = operands.split(', ')
  const one = literal === undefined ? valueBefore(steps, i, target) : valueBefore(steps, i, source)
  const other = literal === undefined ? valueBefore(steps, i, source) : Number(literal)
  return typeof one === 'number' && typeof other === 'number' ? one ^ other : undefined
}

/** Are two constant texts the same? Kotlin's own comparison may have another name. */
function sameness(steps: Steps, i: number): number | undefined {
  const [, first, second, callee] = SAME.exec(steps.lines[i]!) ?? []
  if (!first || !second || !callee || !compares(steps.program, callee)) return undefined
  const [one, other] = [valueBefore(steps, i, first), valueBefore(steps, i, second)]
  return typeof one === 'string' && typeof other === 'string' ? Number(one === other) : undefined
}

function compares(program: Program, callee: string): boolean {
  return callee.startsWith('Ljava/') || isKotlinsComparison(program, callee)
}

/** Kotlin's comparison of two objects, whatever its name: it calls `equals` alone. */
export function isKotlinsComparison(program: Program, callee: string): boolean {
  if (!KOTLINS_COMPARISON.test(callee)) return false
  const owner = callee.slice(0, callee.indexOf('->'))
  const method = program.classOf(owner)?.methods.find(({ reference }) => reference === callee)
  const calls = method ? program.callsFrom(method) : []
  return calls.length === 1 && calls[0]!.callee === 'Ljava/lang/Object;->equals(Ljava/lang/Object;)Z'
}

function fieldValue(program: Program, field: string): number | undefined {
  const found = program
    .classOf(field.slice(0, field.indexOf('->')))
    ?.fields.find(({ reference }) => reference === field)
  if (!found || (found.accessFlags & STATIC_FINAL) !== STATIC_FINAL) return undefined
  const values = program.fieldValues(field)
  const [value] = values
  return values.length === 1 && value?.kind === 'number' ? Number(value.value) : undefined
}
