import androidPack from '../data/android-items.json' with { type: 'json' }
import type { DetectionKind, FindingLevel, ItemResult, Text } from '../result/scan-result.ts'

/** An item of a rule pack as lists, strategies and reports tell it. */
export interface RuleItem {
  readonly id: string
  readonly platform: 'android' | 'ios'
  readonly category: string
  readonly level: FindingLevel
  readonly confidence: ItemResult['confidence']
  readonly name: Text
  readonly threat: Text
  readonly advice: Text
  readonly references: ItemResult['references']
  readonly signals: readonly string[]
  readonly detection: string
  readonly mustNotTrigger: string
}

export const ANDROID_PACK = { pack: androidPack.pack, version: androidPack.version }
export const ANDROID_ITEMS: readonly RuleItem[] = androidPack.items.map((item) => ({
  ...item,
  platform: 'android' as const,
  level: item.level as FindingLevel,
  confidence: item.confidence as ItemResult['confidence'],
}))

const WEAKNESSES = [
  'manifest',
  'component',
  'webview',
  'crypto',
  'network',
  'storage',
  'code',
  'secret_leak',
  'native_library',
  'signature',
  'third_party',
]
/** Categories whose items a kind of detection asks. */
const CATEGORIES: Readonly<Record<DetectionKind, readonly string[]>> = {
  vulnerability: WEAKNESSES,
  static: [...WEAKNESSES, 'anti_tamper', 'privacy'],
  compliance: ['privacy'],
  sdk: ['third_party'],
  privacy: ['privacy'],
  dynamic: [],
  content: [],
}
/** Items about permissions belong to compliance too. */
const PERMISSION_ITEMS = /permission|install-packages|overlay|accessibility|query-all|target-sdk/

/** Does one of these kinds ask the item? */
export function isAsked(item: RuleItem, kinds: readonly DetectionKind[]): boolean {
  return kinds.some(
    (kind) => CATEGORIES[kind].includes(item.category) || (kind === 'compliance' && PERMISSION_ITEMS.test(item.id)),
  )
}

/** An item's result before it is answered. Its fields are in the order in which they leave the engine. */
export function unanswered(
  { id, category, level, confidence, name, threat, advice, references }: RuleItem,
  forced?: FindingLevel,
): ItemResult {
  return {
    id,
    category,
    level: forced ?? level,
    confidence,
    name,
    verdict: 'not_assessed',
    reason: null,
    findings: [],
    hits: 0,
    owner: null,
    threat,
    advice,
    references,
  }
}
