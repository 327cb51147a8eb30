import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { XmlElement } from '../../axml/read-axml.ts'
import type { CodeLocation, Program } from '../../dex/program.ts'
import type { Owner } from '../input/inspected-package.ts'
import type { FindingLevel, Location, Text } from '../result/scan-result.ts'
import type { RuleContext } from './rule-context.ts'

/** One thing that a rule found. */
export interface Hit {
  readonly location: Location
  /** The code at the location; a few of its lines become the evidence. */
  readonly codeLocation?: CodeLocation
  /** The level of the item where absent. */
  readonly level?: FindingLevel
  /** Whose it is; of the location's class where absent, own where that has none. */
  readonly owner?: Owner
  /** What was found, without offsets: part of the fingerprint. */
  readonly key: string
  readonly detail: Text
  /** A text that the evidence shows masked only. */
  readonly secret?: string
}

/** What a rule says: things found (none: passed), or why the question does not arise or cannot be answered. */
export type Outcome =
  | readonly Hit[]
  /** With other locations that were examined and are no finding: what a passed item rests on. */
  | { readonly hits: readonly Hit[]; readonly looked: readonly CodeLocation[] }
  | Unasked

/** What must be there before a rule can be asked. */
export type Need = 'manifest' | 'code' | 'native' | 'signature' | 'certificate' | 'archive'

export interface Rule {
  readonly needs: readonly Need[]
  readonly check: (context: RuleContext) => Outcome
}

export type RuleTable = Readonly<Record<string, Rule>>

export type ManifestContext = RuleContext & { readonly facts: ApkFacts; readonly manifest: XmlElement }
export type CodeContext = RuleContext & { readonly program: Program }

export const text = (zh: string, en: string): Text => ({ zh, en })

interface Unasked {
  readonly verdict: 'pass' | 'not_applicable' | 'not_assessed'
  readonly reason: Text
}

export const notApplicable = (zh: string, en: string): Unasked => ({ verdict: 'not_applicable', reason: text(zh, en) })
export const notAssessed = (zh: string, en: string): Unasked => ({ verdict: 'not_assessed', reason: text(zh, en) })

/** A rule about the manifest. */
export const manifestRule = (check: (context: ManifestContext) => Outcome): Rule => ({
  needs: ['manifest'],
  check: check as Rule['check'],
})

/** A rule about code; the manifest may be missing (libraries). */
export const codeRule = (check: (context: CodeContext) => Outcome): Rule => ({
  needs: ['code'],
  check: check as Rule['check'],
})

/** A rule that asks code in the light of the manifest. */
export const appRule = (check: (context: ManifestContext & CodeContext) => Outcome): Rule => ({
  needs: ['manifest', 'code'],
  check: check as Rule['check'],
})
