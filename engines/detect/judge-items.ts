import { judgeHits } from './finding.ts'
import type { RuleItem } from './rule-items.ts'
import type { Need, Outcome, Rule, RuleTable } from './rules/rule.ts'
import { notApplicable, notAssessed } from './rules/rule.ts'
import type { RuleContext } from './rules/rule-context.ts'
import type { FindingLevel, ItemResult } from './scan-result.ts'

/**
 * Asks every item, in the order of the pack. A rule is not asked where what it needs is missing: that is said with the reason.
 * @param onItem told before each item how many are done
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
  const { id, category, confidence, name, threat, advice, references } = item
  const plain = {
    id,
    category,
    level: forced ?? item.level,
    confidence,
    name,
    findings: [],
    hits: 0,
    owner: null,
    threat,
    advice,
    references,
  }
  if (!rule)
    return {
      ...plain,
      verdict: 'not_assessed',
      reason: { zh: '本版本没有该项的规则', en: 'this version has no rule for it' },
    }
  const outcome = obstacle(rule.needs, context) ?? rule.check(context)
  if ('verdict' in outcome) return { ...plain, verdict: outcome.verdict, reason: outcome.reason }
  if (outcome.length === 0) return { ...plain, verdict: 'pass', reason: null }
  const { findings, hits, owner, level } = judgeHits(id, item.level, forced, outcome, context.program, context.ownerOf)
  return { ...plain, level, verdict: 'fail', reason: null, findings, hits, owner }
}

/** Why a rule cannot be asked of this package; undefined where it can. */
function obstacle(needs: readonly Need[], context: RuleContext): Exclude<Outcome, readonly unknown[]> | undefined {
  for (const need of needs) {
    const found = OBSTACLES[need](context)
    if (found && 'verdict' in found) return found
  }
  return undefined
}

const OBSTACLES: Readonly<Record<Need, (context: RuleContext) => Outcome | undefined>> = {
  manifest: ({ facts }) =>
    facts ? undefined : notApplicable('该类型的包没有清单', 'this kind of package has no manifest'),
  code: (context) => {
    if (context.packer)
      return notAssessed(
        `代码由${context.packer}隐藏，请提供加固前的包`,
        `${context.packer} hides the code: scan the package as it was before packing`,
      )
    if (context.program && context.program.classCount > 0) return undefined
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
  signature: ({ kind, signing, certificates }) => {
    if (kind !== 'apk') return notApplicable('该类型的包不在此签名', 'this kind of package is not signed here')
    return signing && certificates.length ? undefined : notApplicable('包未签名', 'the package is not signed')
  },
  archive: () => undefined,
}
