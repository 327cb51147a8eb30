import type { IpaFacts } from '../../ipa/ipa-facts.ts'
import type { PackageSignature } from '../../package/package-signature.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { SdkResult } from '../result/scan-result.ts'
import type { Hit, Outcome } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'

/** An iOS application as rules ask about it. */
export interface IosContext {
  readonly app: IpaFacts
  readonly signature: PackageSignature
  readonly inspected: InspectedPackage
  /** The main executable; null where it is missing or unreadable. */
  readonly main: BinaryCode | null
  /** All executables that can be read, the main one first. */
  readonly binaries: readonly BinaryCode[]
  readonly texts: readonly IosText[]
  readonly sdks: readonly SdkResult[]
  readonly applicationTypes: readonly string[]
  /** Day of the scan in milliseconds since 1970; null where time shall not count. */
  readonly date: number | null
}

/** A text in the application: of a binary, a property list, a file. */
export interface IosText {
  readonly value: string
  readonly entry: string
  readonly offset: number
  readonly path?: string
  readonly owner: Hit['owner']
}

/**
 * What must be readable before a rule is asked: `binary` the main executable's header and symbols, which FairPlay leaves open; `code` its texts,
 * names and instructions too.
 */
export type IosNeed = 'binary' | 'code'

export interface IosRule {
  readonly needs?: IosNeed
  readonly check: (context: IosContext & { readonly main: BinaryCode }) => Outcome
}

export type IosRuleTable = Readonly<Record<string, IosRule>>

/** A rule about property lists, profile and files; `main` may be missing there, so it is not to be used. */
export const listRule = (check: (context: IosContext) => Outcome): IosRule => ({ check })
export const binaryRule = (check: IosRule['check']): IosRule => ({ needs: 'binary', check })
export const codeRule = (check: IosRule['check']): IosRule => ({ needs: 'code', check })

/** The binaries that are the application's own: main executable, own frameworks and extensions. */
export const ownBinaries = ({ binaries }: IosContext): readonly BinaryCode[] =>
  binaries.filter(({ owner }) => owner.kind === 'own')
