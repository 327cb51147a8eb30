import type { CallSite, MethodFacts, Program, Value } from '../../dex/program.ts'
import type { CodeContext } from './rule.ts'
import { callsOf, isDecided } from './unused-code.ts'

const STATIC = 0x08
/** More writes of a field, or callers of a method, are not looked at. */
const MOST = 8

/**
 * Is it certain whether a value of a method is zero? Followed through parameters that every caller gives the same constant, `depth` methods up,
 * and through truth values in fields that the initialisers of their class alone write.
 */
export function isZero(
  context: CodeContext,
  values: readonly Value[],
  method: MethodFacts,
  depth: number,
): boolean | undefined {
  const answers = values.map((value) => isZeroValue(context, value, method, depth))
  return answers.every((one) => one === answers[0]) ? answers[0] : undefined
}

function isZeroValue(context: CodeContext, value: Value, method: MethodFacts, depth: number): boolean | undefined {
  if (value.kind === 'number') return Number(value.value) === 0
  if (value.kind === 'field') return isDecided(context) ? isZeroField(context.program, value.field) : undefined
  if (value.kind !== 'parameter' || value.index === 0 || depth === 0) return undefined
  const calls = callsOf(context, method)
  if (!calls?.length || calls.length > MOST) return undefined
  const given = (call: CallSite) =>
    isZero(context, context.program.possibleArguments(call, value.index), call.method, depth - 1)
  const answer = given(calls[0]!)
  return answer !== undefined && calls.every((call) => given(call) === answer) ? answer : undefined
}

/** A truth value that no code changes once the initialisers have set it, each of them to the same. */
function isZeroField(program: Program, reference: string): boolean | undefined {
  if (!reference.endsWith(':Z')) return undefined
  const owner = program.classOf(reference.slice(0, reference.indexOf('->')))
  const field = owner?.fields.find((one) => one.reference === reference)
  if (!owner || !field) return undefined
  const writes = program.fieldUses(reference).filter(({ write }) => write)
  if (writes.length > MOST) return undefined
  const isStatic = (field.accessFlags & STATIC) !== 0
  const initialiser = isStatic ? '<clinit>' : '<init>'
  if (writes.some(({ method }) => method.owner !== owner.descriptor || method.name !== initialiser)) return undefined
  const values = writes.flatMap((use) => program.written(use))
  // What no initialiser is certain to write begins as zero, or as the declaration says.
  const isAlwaysWritten =
    writes.length > 0 &&
    owner.methods
      .filter(({ name }) => name === initialiser)
      .every((one) => writes.some((use) => use.method.reference === one.reference && program.runsAlways(use)))
  const begins: Value = { kind: 'number', value: Number(field.constant ?? 0) }
  const all = isAlwaysWritten ? values : [begins, ...values]
  if (!all.every(({ kind }) => kind === 'number')) return undefined
  const [first, ...others] = all.map((one) => one.kind === 'number' && Number(one.value) === 0)
  return others.every((one) => one === first) ? first : undefined
}
