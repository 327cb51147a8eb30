import type { CallSite } from '../../dex/program.ts'
import { callKey, callsIn, callsTo, callText, isOwn, numberArgument, stringArgument } from './code.ts'
import { codeHit } from './hits.ts'
import { type CodeContext, type Hit, text } from './rule.ts'

/** `CONTEXT_INCLUDE_CODE | CONTEXT_IGNORE_SECURITY` */
const WITH_CODE = 3
const FLAGS = 'CONTEXT_INCLUDE_CODE | CONTEXT_IGNORE_SECURITY'

/**
 * Where code makes a context of a package with the right to load its code.
 * @param playServices classes that load modules of Google Play services
 */
export function packageContextHits(context: CodeContext, playServices: ReadonlySet<string>): Hit[] {
  const calls = callsTo(context, 'L*;->createPackageContext(Ljava/lang/String;I')
  const isKnown = (call: CallSite) => !isOwn(context, call) || playServices.has(call.method.owner)
  const makesOthers = calls.some((call) => !isKnown(call) && !isNamed(context, call) && !asksName(context, call))
  return calls.flatMap((call): Hit[] => {
    if (((numberArgument(context.program, call, 2) ?? 0) & WITH_CODE) !== WITH_CODE) return []
    const isByName = isNamed(context, call)
    if (isByName && !usesLoader(context, call)) return []
    const { zh, en } = callText(call, FLAGS)
    const key = callKey(call, FLAGS)
    // A context of another package would give the name of that one.
    return isByName || (!makesOthers && asksName(context, call))
      ? [codeHit(call, key, text(`${zh}；为应用自身的包`, `${en}; of the package itself`), 'info')]
      : [codeHit(call, key, text(zh, en), isKnown(call) ? 'info' : undefined)]
  })
}

/** Is it the package that the code is part of, as hooks in other processes open it? */
function isNamed({ facts, program }: CodeContext, call: CallSite): boolean {
  const own = facts?.package?.value
  return own !== undefined && stringArgument(program, call, 1) === own
}

/** Is it the package that a context is of? */
function asksName({ program }: CodeContext, call: CallSite): boolean {
  const name = program.argument(call, 1)
  return name.kind === 'call' && NAME.test(name.callee)
}
const NAME = /^Landroid\/(?:content\/Context(?:Wrapper)?|app\/(?:Activity|Application|Service));->getPackageName\(/

/** Without one the context is asked for files and texts alone. */
const usesLoader = ({ program }: CodeContext, { method }: CallSite): boolean =>
  callsIn(program, method, '->getClassLoader(', '->loadClass(', 'Ljava/lang/Class;->forName(')
