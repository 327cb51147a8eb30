import type { MethodFacts, Program } from '../../dex/program.ts'
import { callsIn } from './code.ts'
import type { CodeContext } from './rule.ts'

/** How far callers are asked. */
const DEPTH = 2

/**
 * Is the method's work bound to a debug build, by itself or by every caller? Compilers drop constant conditions, so a check that is left reads
 * a field or the flags. What Android or a missing library may call has callers that are not in the package.
 */
export function guardedByDebug(context: CodeContext, method: MethodFacts, depth = DEPTH): boolean {
  const reads = (pattern: string) =>
    context.program
      .fieldUses(pattern)
      .some(
        ({ write, method: user, field }) =>
          !write && user.reference === method.reference && !isAlwaysTrue(context.program, field),
      )
  if (
    reads('L*;->DEBUG') ||
    reads('Landroid/content/pm/ApplicationInfo;->flags') ||
    callsIn(context.program, method, '->isDebuggable(', '->isDebug(')
  )
    return true
  if (depth === 0 || mayBeCalledFromOutside(context, method)) return false
  // Calls through a superclass or an interface count too.
  const callers = context.program.callersOf(method, 1)
  return callers.length > 0 && callers.every((caller) => guardedByDebug(context, caller, depth - 1))
}

/** A field that is true in this package guards nothing. */
function isAlwaysTrue(program: Program, field: string): boolean {
  const values = program.fieldValues(field)
  return values.length > 0 && values.every((one) => one.kind === 'number' && Number(one.value) === 1)
}

/** A method of an object that may be declared by a class or an interface beyond the package. */
function mayBeCalledFromOutside({ program }: CodeContext, { owner, name, accessFlags }: MethodFacts): boolean {
  if (accessFlags & PRIVATE_OR_STATIC || name.startsWith('<')) return false
  const family = [owner, ...program.subclassesOf(owner).map(({ descriptor }) => descriptor)]
  return family.some((descriptor) => hasForeignAncestor(program, descriptor, name))
}
const PRIVATE_OR_STATIC = 0x0a

/** Of screens and services Android calls what begins so; their other methods are the application's own. Of providers it calls most. */
const CALLBACK = /^(?:on|dispatch|get|should|is)[A-Z]|^(?:attachBaseContext|finish|run|call|handleMessage)$/
const COMPONENT =
  /^Landroid\/app\/(?:Activity|Service|Application);$|^Landroid\/content\/(?:Context(?:Wrapper)?|BroadcastReceiver);$/

function hasForeignAncestor(program: Program, descriptor: string, name: string): boolean {
  const queue = new Set([descriptor])
  for (const at of queue) {
    if (at === 'Ljava/lang/Object;') continue
    const found = program.classOf(at)
    if (!found && (!COMPONENT.test(at) || CALLBACK.test(name))) return true
    if (found?.superclass) queue.add(found.superclass)
    for (const one of found?.interfaces ?? []) queue.add(one)
  }
  return false
}
