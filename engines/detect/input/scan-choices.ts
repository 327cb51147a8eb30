import type { DetectionKind, FindingLevel } from '../result/scan-result.ts'
import type { WordGroup } from './content-input.ts'
import type { OwnRule } from './own-rule.ts'

/** What is asked of a package. The same choices and package give the same result. */
export interface ScanChoices {
  readonly kinds: readonly DetectionKind[]
  /** Ids of items; null asks all that belong to the kinds. */
  readonly items: readonly string[] | null
  /** Levels that a strategy gives to items in place of their own. */
  readonly levels: Readonly<Record<string, FindingLevel>>
  /** Keys of application types; several add up. */
  readonly applicationTypes: readonly string[]
  /** The day whose date counts for certificates and pins, in milliseconds since 1970; null where time shall not count. */
  readonly date: number | null
  /** SHA-256 digests (hexadecimal) of the signers that the asset is known by; null without a baseline. */
  readonly baselineSigners: readonly string[] | null
  readonly policyText: string | null
  /** Sensitive words to look for. */
  readonly words: readonly WordGroup[]
  readonly ownRules: readonly OwnRule[]
}

export const SCAN_CHOICES: ScanChoices = {
  kinds: ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content'],
  items: null,
  levels: {},
  applicationTypes: [],
  date: null,
  baselineSigners: null,
  policyText: null,
  words: [],
  ownRules: [],
}

export type ScanStage = 'manifest' | 'code' | 'native' | 'rules' | 'privacy' | 'content' | 'result'

/** How a scan reports its progress, and how it is stopped: at the next step, by ScanCancelled. */
export interface ScanWatch {
  readonly onStage?: (stage: ScanStage, share: number) => void
  readonly cancelled?: () => boolean
}

export class ScanCancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'ScanCancelled'
  }
}
