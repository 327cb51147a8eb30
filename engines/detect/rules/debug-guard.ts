import type { MethodFacts } from '../../dex/program.ts'
import { callsIn } from './code.ts'
import type { CodeContext } from './rule.ts'

/** How far callers are asked. */
const DEPTH = 2

/**
 * Is the method's work bound to a debug build, by itself or by every caller? Compilers drop constant conditions, so a check that is left reads
 * a field or the flags.
 */
export function guardedByDebug(context: CodeContext, method: MethodFacts, depth = DEPTH): boolean {
  const reads = (pattern: string) =>
    context.program.fieldUses(pattern).some(({ write, method: user }) => !write && user.reference === method.reference)
  if (
    reads('L*;->DEBUG') ||
    reads('Landroid/content/pm/ApplicationInfo;->flags') ||
    callsIn(context.program, method, '->isDebuggable(', '->isDebug(')
  )
    return true
  const callers = depth > 0 ? context.program.callsTo(method.reference) : []
  return callers.length > 0 && callers.every((call) => guardedByDebug(context, call.method, depth - 1))
}
