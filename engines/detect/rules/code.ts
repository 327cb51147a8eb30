import type { CallSite, ClassFacts, CodeLocation, MethodFacts, Program, Value } from '../../dex/program.ts'
import { shortName } from '../evidence/locations.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { codeHit } from './hits.ts'
import { type CodeContext, type Hit, text } from './rule.ts'

/** Is it own code, or may it be? An unknown owner counts as the application: no finding is left out on a guess. */
export const isOwn = (context: CodeContext, location: CodeLocation | MethodFacts): boolean =>
  context.ownerOf('method' in location ? location.method.owner : location.owner).kind !== 'sdk'

/** Calls of any of these methods. */
export const callsTo = (context: CodeContext, ...patterns: readonly string[]): CallSite[] =>
  patterns.flatMap((pattern) => [...context.program.callsTo(pattern)])

export function stringArgument(program: Program, call: CallSite, n: number): string | undefined {
  const value = program.argument(call, n)
  return value.kind === 'string' ? value.value : undefined
}

export function numberArgument(program: Program, call: CallSite, n: number): number | undefined {
  const value = program.argument(call, n)
  return value.kind === 'number' ? Number(value.value) : undefined
}

/** Declared parameter types of a reference. */
export function parameterTypes(reference: string): string[] {
  const open = reference.indexOf('(')
  return open < 0 ? [] : (reference.slice(open + 1, reference.indexOf(')')).match(/\[*(?:[ZBSCIJFD]|L[^;]*;)/g) ?? [])
}

/** Does a method call one whose reference contains any of these texts? */
export function callsIn(program: Program, method: MethodFacts, ...texts: readonly string[]): boolean {
  return program.callsFrom(method).some(({ callee }) => texts.some((part) => callee.includes(part)))
}

/** The same for all methods of a class. */
export function classCalls(program: Program, descriptor: string, ...texts: readonly string[]): boolean {
  return program.classOf(descriptor)?.methods.some((method) => callsIn(program, method, ...texts)) ?? false
}

/** `Lcom/foo/Bar;` of `Lcom/foo/Bar$1$2;`. */
export function outerClass(descriptor: string): string {
  const dollar = descriptor.indexOf('$', descriptor.lastIndexOf('/') + 2)
  return dollar < 0 ? descriptor : `${descriptor.slice(0, dollar)};`
}

/** `describe` says what a call means: a level, true for the item's, or false. */
export function callHits(
  context: CodeContext,
  patterns: readonly string[],
  judge: (call: CallSite) => FindingLevel | boolean | { level?: FindingLevel; what: string } = () => true,
): Hit[] {
  const hits: Hit[] = []
  for (const call of callsTo(context, ...patterns)) {
    const judged = judge(call)
    if (!judged) continue
    const what = typeof judged === 'object' ? judged.what : ''
    const level = typeof judged === 'object' ? judged.level : judged === true ? undefined : judged
    hits.push(codeHit(call, callKey(call, what), callText(call, what), level))
  }
  return hits
}

export const callKey = (call: CallSite, what = ''): string => `${shortName(call.callee)}${what && ` ${what}`}`

export function callText(call: CallSite, what = ''): Text {
  const name = shortName(call.callee)
  return what ? text(`调用 ${name}：${what}`, `calls ${name}: ${what}`) : text(`调用 ${name}`, `calls ${name}`)
}

/**
 * What is known of bytes or characters that are the same in each copy of the package: a constant array, or what framework methods
 * make of a constant string. Undefined where they come from elsewhere.
 */
export function constantBytes(program: Program, value: Value, depth = 3): string | undefined {
  if (value.kind === 'array') return value.bytes ? Buffer.from(value.bytes).toString('hex') : undefined
  if (value.kind !== 'call' || depth === 0) return undefined
  const { callee, location } = value
  if (!CONSTANT_MAKERS.some((maker) => callee.startsWith(maker))) return undefined
  const from = program.argument(location, location.kind === 'static' ? 1 : 0)
  if (from.kind === 'string') return from.value
  return constantBytes(program, from, depth - 1)
}

const CONSTANT_MAKERS = [
  'Ljava/lang/String;->getBytes(',
  'Ljava/lang/String;->toCharArray(',
  'Landroid/util/Base64;->decode(Ljava/lang/String;',
  'Ljava/util/Arrays;->copyOf([',
  'Ljava/util/Base64$Decoder;->decode(Ljava/lang/String;',
]

/** Every location where a class of the package overrides the method of a framework class, by name and parameters. */
export function* overrides(
  program: Program,
  ancestor: string,
  ...names: readonly string[]
): Generator<{ owner: ClassFacts; method: MethodFacts }> {
  for (const owner of program.subclassesOf(ancestor))
    for (const method of owner.methods) if (names.includes(method.name) && method.codeSize > 0) yield { owner, method }
}
