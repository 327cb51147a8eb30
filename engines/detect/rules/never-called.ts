import type { ClassFacts, MethodFacts } from '../../dex/program.ts'
import type { CodeContext } from './rule.ts'

const OBJECT = 'Ljava/lang/Object;'
const DEPTH = 3

/**
 * Is it certain that nothing in an application calls a method, or only methods that nothing calls? Where Android, reflection, a missing part
 * of the code or the users of a library may call it, it is not.
 */
export function isNeverCalled(context: CodeContext, method: MethodFacts, depth = DEPTH): boolean {
  const { program, kind, codeGap, packer, facts } = context
  if (!facts || facts.split || codeGap || packer || kind === 'aar' || kind === 'jar' || kind === 'so') return false
  if (method.name.startsWith('<') || method.annotations.some((name) => !name.startsWith('Ldalvik/'))) return false
  if (hasOutsideAncestor(context, method.owner) || program.stringUses(method.name).length > 0) return false
  const callers = program.callersOf(method, 1).filter(({ reference }) => reference !== method.reference)
  return callers.length === 0 || (depth > 0 && callers.every((caller) => isNeverCalled(context, caller, depth - 1)))
}

/** A class outside of the package that it extends or implements may call its methods. */
function hasOutsideAncestor({ program }: CodeContext, descriptor: string): boolean {
  const seen = new Set<string>()
  const queue = [descriptor]
  for (const at of queue) {
    if (at === OBJECT || seen.has(at)) continue
    seen.add(at)
    const found: ClassFacts | undefined = program.classOf(at)
    if (!found) return true
    if (found.superclass) queue.push(found.superclass)
    queue.push(...found.interfaces)
  }
  return false
}
