import { isAsked, type RuleItem } from './catalogue/rule-items.ts'
import { findContent } from './content/find-content.ts'
import { gatherTexts } from './content/text-parts.ts'
import { CONTENT_LIMITS, type ImageTools } from './input/content-input.ts'
import type { InspectedPackage } from './input/inspected-package.ts'
import { ScanCancelled, type ScanChoices, type ScanStage, type ScanWatch } from './input/scan-choices.ts'
import type { Access } from './permissions/collecting-apis.ts'
import { judgePrivacy } from './privacy/judge-privacy.ts'
import type { FindingLevel, ItemResult, PermissionResult, PrivacyResult, SdkResult } from './result/scan-result.ts'

export type Step = (stage: ScanStage, share: number) => void

/** Reports the stage of a scan; throws ScanCancelled when the watch says so. */
export const stepsOf =
  (watch: ScanWatch): Step =>
  (stage, share) => {
    if (watch.cancelled?.()) throw new ScanCancelled()
    watch.onStage?.(stage, share)
  }

/** Those that the kinds ask and the strategy has chosen. */
export const askedItems = (items: readonly RuleItem[], { kinds, items: chosen }: ScanChoices): readonly RuleItem[] =>
  items.filter((item) => isAsked(item, kinds) && (!chosen || chosen.includes(item.id)))

export function countLevels(items: readonly ItemResult[]): Record<FindingLevel, number> {
  const counts = { high: 0, middle: 0, low: 0, info: 0 }
  for (const { verdict, level } of items) if (verdict === 'fail') counts[level]++
  return counts
}

/** Personal information and sensitive words, as far as the kinds ask for them; both read the same texts. */
export function judgeTexts(
  choices: ScanChoices,
  step: Step,
  images: ImageTools,
  found: {
    readonly inspected: InspectedPackage
    readonly permissions: readonly PermissionResult[]
    readonly sdks: readonly SdkResult[]
    readonly accesses: () => readonly Access[]
    readonly items: readonly ItemResult[]
  },
): { readonly privacy: readonly PrivacyResult[]; readonly content: ReturnType<typeof findContent> } {
  const asks = (kind: 'privacy' | 'content') => choices.kinds.includes(kind)
  step('privacy', 0)
  const texts = asks('privacy') || asks('content') ? gatherTexts(found.inspected, CONTENT_LIMITS) : null
  const { applicationTypes: types, policyText } = choices
  const privacy =
    asks('privacy') && texts
      ? judgePrivacy({ ...found, accesses: found.accesses(), types, policyText, texts: texts.parts })
      : []
  step('content', 0)
  const content =
    asks('content') && texts ? findContent(found.inspected, texts, choices.words, images) : { hits: [], notes: [] }
  step('result', 0)
  return { privacy, content }
}
