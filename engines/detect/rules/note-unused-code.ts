import type { MethodFacts, Program } from '../../dex/program.ts'
import { isUncalledPlugin } from '../evidence/cordova-plugins.ts'
import { descriptorOf } from '../evidence/locations.ts'
import type { FindingLevel } from '../result/scan-result.ts'
import { isKeptByConstants, isMethodKept } from './constant-guard.ts'
import { type CodeContext, type Hit, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'
import { isUnstarted, isUnused } from './unused-code.ts'

/**
 * Findings in code that nothing of the package uses, or that a condition of constants keeps from running, become notes, those in a Cordova plug-in that no script calls, and in screens that
 * nothing starts, low findings. Texts that are secrets stay what they are: who unpacks the package has them.
 */
export function withUnusedCodeNoted(
  item: string,
  base: FindingLevel,
  hits: readonly Hit[],
  context: RuleContext,
): readonly Hit[] {
  if (!context.program || item.includes('-secret-')) return hits
  const isKnown = hasKnownStart(context as CodeContext)
  return hits.map((hit): Hit => {
    const level = hit.level ?? base
    const method = level === 'high' || level === 'middle' ? methodOf(context.program!, hit) : undefined
    if (!method) return hit
    const noted = (level: FindingLevel, zh: string, en: string): Hit => ({
      ...hit,
      level,
      detail: text(`${hit.detail.zh}；${zh}`, `${hit.detail.en}; ${en}`),
    })
    const isKept = hit.codeLocation
      ? isKeptByConstants(context as CodeContext, hit.codeLocation)
      : isMethodKept(context as CodeContext, method)
    if (isKept)
      return noted('info', '其前的条件由常量构成，从不成立', 'a condition of constants before it is never met')
    if (isUncalledPlugin(context, method.owner))
      return noted('low', '包内没有脚本调用该 Cordova 插件', 'no script of the package calls this Cordova plug-in')
    if (!isKnown) return hit
    if (isUnused(context as CodeContext, method))
      return noted('info', '包内没有代码用到它', 'no code of the package uses this')
    return isUnstarted(context as CodeContext, method)
      ? noted('low', '仅用于包内没有代码启动的界面', 'only screens that no code of the package starts use this')
      : hit
  })
}

/** Is it certain that the method never runs, in a package of which it is known where its code begins? */
export const neverRuns = (context: RuleContext, method: MethodFacts): boolean =>
  isUncalledPlugin(context, method.owner) ||
  (context.program !== null && hasKnownStart(context as CodeContext) && isUnused(context as CodeContext, method))

function methodOf(program: Program, { codeLocation, location }: Hit): MethodFacts | undefined {
  if (codeLocation) return codeLocation.method
  if (!location.class || !location.method) return undefined
  const reference = `${descriptorOf(location.class)}->${location.method}`
  return program.classOf(descriptorOf(location.class))?.methods.find((method) => method.reference === reference)
}

/** Is there a component or an application class to begin at? */
const hasKnownStart = ({ facts, program }: CodeContext): boolean =>
  [facts?.applicationClass?.value, ...(facts?.components ?? []).map(({ name }) => name)].some(
    (name) => name && program.classOf(descriptorOf(name))?.methods.some(({ codeSize }) => codeSize > 0),
  )
