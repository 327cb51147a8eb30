import data from '../data/privacy-items.json' with { type: 'json' }
import type { FindingLevel, Text } from '../result/scan-result.ts'

/** One check of personal privacy, with the question that a person answers in the self-check. */
export interface PrivacyItem {
  readonly id: string
  readonly source: string
  readonly clause: string
  readonly level: FindingLevel
  readonly zh: string
  readonly en: string
  /** What can answer it: `static`, `policy_text`, `dynamic`, `questionnaire`. */
  readonly methods: readonly string[]
  readonly questionZh: string
  readonly questionEn: string
  /** The answer that is as it should be. */
  readonly good: 'yes' | 'no'
}

/** What an application type may ask for without giving reasons. */
export interface ApplicationTypeRules {
  readonly id: string
  readonly zh: string
  readonly en: string
  /** Type of the regulation, and the personal information that it calls necessary. */
  readonly regulation: string
  readonly necessary: readonly string[]
  readonly permissions: readonly string[]
  readonly needsProof: readonly string[]
}

export const PRIVACY_ITEMS: readonly PrivacyItem[] = data.items as readonly PrivacyItem[]
/** Key of a rule book -> its title. */
export const PRIVACY_SOURCES: ReadonlyMap<string, Text> = new Map(
  data.sources.map(([id, zh, en]) => [id!, { zh: zh!, en: en! }]),
)
export const APPLICATION_TYPE_RULES: ReadonlyMap<string, ApplicationTypeRules> = new Map(
  data.types.map((one) => [one.id, one]),
)
