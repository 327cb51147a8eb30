import type { CallSite, Program, Value } from '../../dex/program.ts'
import { callsIn, constantBytes } from './code.ts'
import type { CodeContext } from './rule.ts'

/** A possible value of an argument, and the call that contains it: the call itself, or a call of its method that passes the value on. */
export interface HandedValue {
  readonly value: Value
  readonly from: CallSite
}

const MOST_CALLERS = 32

/** Every value that may be in the n-th argument of a call, through one level of callers. */
export function handedValues(program: Program, call: CallSite, n: number): HandedValue[] {
  return program.possibleArguments(call, n).flatMap((value): HandedValue[] => {
    if (value.kind !== 'parameter' || value.index === 0) return [{ value, from: call }]
    return program
      .callsTo(call.method.reference)
      .slice(0, MOST_CALLERS)
      .flatMap((from) => program.possibleArguments(from, value.index).map((handed) => ({ value: handed, from })))
  })
}

/** A constant as bytes or characters, including one in a static final field; undefined for anything else. */
export function constantIn(context: CodeContext, value: Value): string | undefined {
  return constantBytes(context.program, value) ?? staticArray(context, value)
}

/** A static field that a class initialiser fills with a constant. */
function staticArray(context: CodeContext, value: Value): string | undefined {
  if (value.kind !== 'field') return undefined
  const { program } = context
  const descriptor = value.field.slice(0, value.field.indexOf('->'))
  const field = program.classOf(descriptor)?.fields.find(({ reference }) => reference === value.field)
  const writes = program.fieldUses(value.field).filter(({ write }) => write)
  if (!field || (field.accessFlags & 0x18) !== 0x18 || writes.length !== 1 || writes[0]!.method.name !== '<clinit>')
    return undefined
  // A value from a random source is not a constant.
  return callsIn(program, writes[0]!.method, 'SecureRandom', 'Random;->') ? undefined : field.name
}
