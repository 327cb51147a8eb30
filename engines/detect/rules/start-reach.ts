import type { MethodFacts } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import type { CodeContext } from './rule.ts'

const MOST_METHODS = 4000
const DEPTH = 6
const cache = new WeakMap<object, ReadonlySet<string>>()

/**
 * Methods that run before any screen: those called, through at most six methods of the package, from the application's start and from
 * the start of its providers. Calls by interface or reflection are not followed: this names what certainly may run, not all that may.
 */
export function startReach(context: CodeContext): ReadonlySet<string> {
  const known = cache.get(context.program)
  if (known) return known
  const { program } = context
  const reached = new Set<string>()
  let layer: MethodFacts[] = entryMethods(context)
  for (let depth = 0; depth <= DEPTH && layer.length && reached.size < MOST_METHODS; depth++) {
    const next: MethodFacts[] = []
    for (const method of layer) {
      if (reached.has(method.reference) || reached.size >= MOST_METHODS) continue
      reached.add(method.reference)
      for (const call of program.callsFrom(method)) {
        if (call.kind === 'interface') continue
        const owner = program.classOf(call.callee.slice(0, call.callee.indexOf('->')))
        const called = owner?.methods.find(({ reference }) => reference === call.callee)
        if (called && called.codeSize > 0 && !reached.has(called.reference)) next.push(called)
      }
    }
    layer = next
  }
  cache.set(program, reached)
  return reached
}

function entryMethods({ program, facts }: CodeContext): MethodFacts[] {
  const application = facts?.applicationClass?.value
  const classes: (readonly [string, readonly string[]])[] = [
    ...(application ? [[descriptorOf(application), ['attachBaseContext', 'onCreate']] as const] : []),
    ...(facts?.components ?? [])
      .filter(({ kind }) => kind === 'provider')
      .map(({ name }) => [descriptorOf(name), ['onCreate', 'attachInfo']] as const),
  ]
  return classes.flatMap(
    ([descriptor, names]) =>
      program.classOf(descriptor)?.methods.filter(({ name, codeSize }) => names.includes(name) && codeSize > 0) ?? [],
  )
}
