import { type RuleItem, unanswered } from '../catalogue/rule-items.ts'
import pack from '../data/ios-items.json' with { type: 'json' }
import type { FindingLevel, ItemResult } from '../result/scan-result.ts'
import { judgeHits } from '../rules/finding.ts'
import { notAssessed, type Outcome } from '../rules/rule.ts'
import { binaryRules } from './binary-rules.ts'
import { codeRules } from './code-rules.ts'
import { cryptoRules } from './crypto-rules.ts'
import type { IosContext, IosRule, IosRuleTable } from './ios-context.ts'
import { networkRules } from './network-rules.ts'
import { privacyRules } from './privacy-rules.ts'
import { protectionRules } from './protection-rules.ts'
import { secretRules } from './secret-rules.ts'
import { signingRules } from './signing-rules.ts'
import { storageRules } from './storage-rules.ts'

export const IOS_PACK = { pack: pack.pack, version: pack.version }
export const IOS_ITEMS: readonly RuleItem[] = pack.items.map((item) => ({
  ...item,
  platform: 'ios' as const,
  level: item.level as FindingLevel,
  confidence: item.confidence as ItemResult['confidence'],
}))

export const IOS_RULES: IosRuleTable = {
  ...binaryRules,
  ...signingRules,
  ...networkRules,
  ...storageRules,
  ...cryptoRules,
  ...codeRules,
  ...protectionRules,
  ...privacyRules,
  ...secretRules,
}

/**
 * Asks every item of an iOS application, in the order of the pack. What FairPlay has encrypted is not judged: that is said with the reason.
 * @param onItem called before each item how many are done
 */
export function iosItems(
  items: readonly RuleItem[],
  context: IosContext,
  levels: Readonly<Record<string, FindingLevel>>,
  onItem: (done: number) => void = () => {},
): ItemResult[] {
  return items.map((item, index) => {
    onItem(index)
    return judgeItem(item, context, levels[item.id])
  })
}

function judgeItem(item: RuleItem, context: IosContext, forced: FindingLevel | undefined): ItemResult {
  const plain = unanswered(item, forced)
  const outcome = ask(IOS_RULES[item.id], context)
  if ('verdict' in outcome) return { ...plain, verdict: outcome.verdict, reason: outcome.reason }
  const seen = 'hits' in outcome ? outcome.hits : outcome
  if (seen.length === 0) return { ...plain, verdict: 'pass', reason: null }
  const { findings, hits, owner, level } = judgeHits(item.id, item.level, forced, seen, null, context.inspected.ownerOf)
  return { ...plain, level, verdict: 'fail', reason: null, findings, hits, owner }
}

function ask(rule: IosRule | undefined, context: IosContext): Outcome {
  if (!rule) return notAssessed('本版本没有该项的规则', 'this version has no rule for it')
  const { main } = context
  if (rule.needs && !main) return notAssessed('没有可读取的主程序', 'there is no main executable that can be read')
  if (rule.needs === 'code' && main?.binary.encrypted)
    return notAssessed(
      '主程序已由 FairPlay 加密，请上传解密后的构建',
      'FairPlay has encrypted the main executable: upload a decrypted build',
    )
  return rule.check(context as IosContext & { main: NonNullable<IosContext['main']> })
}
