import type { PolicyText } from '../content/policy-text.ts'
import type { TextPart } from '../content/text-parts.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { Access } from '../permissions/collecting-apis.ts'
import type { ItemResult, Location, PermissionResult, PrivacyResult, SdkResult, Text } from '../result/scan-result.ts'
import type { Reach } from './reach.ts'
import type { TextMark } from './text-marks.ts'

/** What a scan knows when privacy is judged. */
export interface PrivacyInput {
  readonly inspected: InspectedPackage
  readonly permissions: readonly PermissionResult[]
  readonly sdks: readonly SdkResult[]
  /** Where code takes information; nothing where a packer hides the code. */
  readonly accesses: readonly Access[]
  /** Results of the rule items; some checks rest on them. */
  readonly items: readonly ItemResult[]
  /** Chosen application types. */
  readonly types: readonly string[]
  /** Text of the privacy policy as uploaded, null where none was. */
  readonly policyText: string | null
  /** All texts of the package. */
  readonly texts: readonly TextPart[]
}

export type Chain = PrivacyResult['chains'][number]

/** The same with what several checks ask, found once. */
export interface PrivacyContext extends PrivacyInput {
  readonly policy: PolicyText | null
  readonly marks: ReadonlyMap<TextMark, Location>
  /** From process start to a collecting call, before any look at the consent; one for each kind of information and owner. */
  readonly early: readonly Chain[]
  /** The same from services, receivers and jobs. */
  readonly background: readonly Chain[]
  readonly resumed: readonly Chain[]
  readonly startReach: Reach | null
  /** Texts come from a server, a script engine or compiled code that cannot be read: what is not found may still be there. */
  readonly hiddenTexts: boolean
}

/** What a check says of its item. */
export interface Answer {
  readonly verdict: PrivacyResult['verdict']
  readonly reason: Text
  readonly chains?: readonly Chain[]
}

export type Check = (context: PrivacyContext) => Answer

export const text = (zh: string, en: string): Text => ({ zh, en })
export const fail = (zh: string, en: string, chains?: readonly Chain[]): Answer => ({
  verdict: 'fail',
  reason: text(zh, en),
  ...(chains && { chains }),
})
export const pass = (zh: string, en: string): Answer => ({ verdict: 'pass', reason: text(zh, en) })
export const notApplicable = (zh: string, en: string): Answer => ({ verdict: 'not_applicable', reason: text(zh, en) })
export const notAssessed = (zh: string, en: string): Answer => ({ verdict: 'not_assessed', reason: text(zh, en) })
export const manual = (zh: string, en: string, chains?: readonly Chain[]): Answer => ({
  verdict: 'manual',
  reason: text(zh, en),
  ...(chains && { chains }),
})

/** A single location as a chain of one step. */
export const locationChain = (location: Location, owner: string | null, info = ''): Chain => ({
  info,
  owner,
  steps: [location],
})
