import type { CodeLocation } from '../dex/program.ts'
import { issueWords } from '../signing/issue-words.ts'
import { type RuleItem, unanswered } from './catalogue/rule-items.ts'
import { dotted } from './evidence/locations.ts'
import { isConfigurationSplit } from './input/configuration-split.ts'
import type { FindingLevel, ItemResult, Text } from './result/scan-result.ts'
import { judgeHits } from './rules/finding.ts'
import { withUnusedCodeNoted } from './rules/note-unused-code.ts'
import type { Hit, Need, Rule, RuleTable } from './rules/rule.ts'
import { notApplicable, notAssessed } from './rules/rule.ts'
import type { RuleContext } from './rules/rule-context.ts'

/**
 * Asks every item, in the order of the pack. A rule is not asked where what it needs is missing: that is said with the reason.
 * @param onItem called before each item how many are done
 */
export function judgeItems(
  items: readonly RuleItem[],
  rules: RuleTable,
  context: RuleContext,
  levels: Readonly<Record<string, FindingLevel>>,
  onItem: (done: number) => void = () => {},
): ItemResult[] {
  return items.map((item, index) => {
    onItem(index)
    return judgeItem(item, rules[item.id], context, levels[item.id])
  })
}

function judgeItem(
  item: RuleItem,
  rule: Rule | undefined,
  context: RuleContext,
  forced: FindingLevel | undefined,
): ItemResult {
  const plain = unanswered(item, forced)
  if (!rule)
    return {
      ...plain,
      verdict: 'not_assessed',
      reason: { zh: '本版本没有该项的规则', en: 'this version has no rule for it' },
    }
  const outcome =
    askOfLibrary(item.id, context) ??
    askOfSplit(item.id, rule, context) ??
    obstacle(rule.needs, context) ??
    rule.check(context)
  if ('verdict' in outcome) {
    const uncertain = context.codeGap !== null && outcome.verdict === 'pass' && rule.needs.includes('code')
    return uncertain
      ? { ...plain, verdict: 'not_assessed', reason: context.codeGap }
      : { ...plain, verdict: outcome.verdict, reason: outcome.reason }
  }
  const hits = 'hits' in outcome ? outcome.hits : outcome
  const looked = 'hits' in outcome ? lookedAt(outcome.looked, hits, context) : null
  const gap = rule.needs.includes('code') || ABSENCE.test(item.id) ? context.codeGap : null
  // What incomplete code lacks may be in the rest: neither a pass nor the absence of a protection is certain.
  if (gap && (hits.length === 0 || ABSENCE.test(item.id))) return { ...plain, verdict: 'not_assessed', reason: gap }
  if (hits.length === 0) return { ...plain, verdict: 'pass', reason: looked }
  return {
    ...plain,
    ...judgeHits(
      item.id,
      item.level,
      forced,
      withUnusedCodeNoted(item.id, item.level, hits, context),
      context.program,
      context.ownerOf,
    ),
    verdict: 'fail',
    reason: looked,
  }
}

/** Items that fail where the code lacks something. */
const ABSENCE = /^android-no-(?!packer$)/
const MOST_METHODS = 60

/** The classes and methods of locations that are no finding, each once; own code only. */
function lookedAt(locations: readonly CodeLocation[], hits: readonly Hit[], context: RuleContext): Text | null {
  const found = new Set(hits.map(({ codeLocation }) => codeLocation && `${codeLocation.entry} ${codeLocation.offset}`))
  const names = new Set<string>()
  for (const location of locations)
    if (!found.has(`${location.entry} ${location.offset}`) && context.ownerOf(location.method.owner).kind !== 'sdk')
      names.add(`${dotted(location.method.owner)}.${location.method.name}`)
  if (!names.size) return null
  const shown = [...names].slice(0, MOST_METHODS)
  const more = names.size - shown.length
  return {
    zh: `已查看、未构成问题：${shown.join('、')}${more > 0 ? ` 等 ${names.size} 处` : ''}`,
    en: `looked at and found to be no problem: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  }
}

/** What only whole applications decide: a library inherits it from its application. */
const OF_APPLICATIONS =
  /^android-(?:allow-backup|min-sdk-low|target-sdk-low|cleartext-allowed|nsc-user-ca|extract-native-libs|no-|privacy-policy-absent|privacy-target-bypass|screenshot-|tapjacking|debug-info-)/

const askOfLibrary = (id: string, { kind }: RuleContext) =>
  (kind === 'aar' || kind === 'jar' || kind === 'so') && OF_APPLICATIONS.test(id)
    ? notApplicable('由使用该库的应用决定', 'the application that uses the library decides it')
    : undefined

/** A split has a manifest of its own, but the application is what the one of the base package says. */
function askOfSplit(id: string, { needs }: Rule, { facts }: RuleContext) {
  if (!facts?.split) return undefined
  const decided = OF_APPLICATIONS.test(id) || (isConfigurationSplit(facts) && needs.includes('manifest'))
  if (!decided) return undefined
  return isConfigurationSplit(facts)
    ? notAssessed('配置分包：由基础包决定', 'configuration split: the base package decides')
    : notAssessed('功能分包：由基础包决定', 'feature split: the base package decides')
}

/** Why a rule cannot be asked of this package; undefined where it can. */
function obstacle(needs: readonly Need[], context: RuleContext): Obstacle | undefined {
  for (const need of needs) {
    const found = OBSTACLES[need](context)
    if (found) return found
  }
  return undefined
}

type Obstacle = ReturnType<typeof notApplicable>

const OBSTACLES: Readonly<Record<Need, (context: RuleContext) => Obstacle | undefined>> = {
  manifest: ({ facts }) =>
    facts ? undefined : notApplicable('该类型的包没有清单', 'this kind of package has no manifest'),
  code: (context) => {
    if (context.packer)
      return notAssessed(
        `代码由${context.packer.zh}隐藏，请提供加固前的包`,
        `${context.packer.en} hides the code: scan the package as it was before packing`,
      )
    if (context.program && context.program.classCount > 0) return undefined
    if (context.codeGap) return notAssessed(context.codeGap.zh, context.codeGap.en)
    return context.program?.dexes.length
      ? notAssessed('代码无法读取', 'the code cannot be read')
      : notApplicable('包中没有代码', 'the package holds no code')
  },
  native: ({ natives }) => {
    if (!natives.length) return notApplicable('没有原生库', 'there are no native libraries')
    return natives.some(({ elf }) => elf)
      ? undefined
      : notAssessed('原生库无法读取', 'the native libraries cannot be read')
  },
  signature: (context) =>
    context.signing
      ? noCertificate(context)
      : notApplicable('该类型的包没有 Android 签名', 'this kind of package has no signature of Android'),
  certificate: (context) => noCertificate(context),
  archive: () => undefined,
}

function noCertificate({ certificates, signature }: RuleContext): Obstacle | undefined {
  if (certificates.length) return undefined
  const [issue] = signature.errors
  if (signature.state === 'unsigned' || signature.state === 'unknown')
    return notApplicable('包未签名', 'the package is not signed')
  const words = issue && issueWords(issue)
  return notAssessed(
    `签名无法读取${words ? `：${words.zh}` : ''}`,
    `the signers cannot be read${words ? `: ${words.en}` : ''}`,
  )
}
