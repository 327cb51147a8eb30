import type { MethodFacts } from '../../dex/program.ts'
import { callsIn } from './code.ts'
import type { CodeContext } from './rule.ts'

/** Is the method's work bound to a debug build? Compilers drop constant conditions, so a check that is left reads a field or the flags. */
export function guardedByDebug(context: CodeContext, method: MethodFacts): boolean {
  const reads = (pattern: string) =>
    context.program.fieldUses(pattern).some(({ write, method: user }) => !write && user.reference === method.reference)
  return (
    reads('L*;->DEBUG') ||
    reads('Landroid/content/pm/ApplicationInfo;->flags') ||
    callsIn(context.program, method, '->isDebuggable(', '->isDebug(')
  )
}
