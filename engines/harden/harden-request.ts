import type { ProtectedScript } from '../jsguard/protect-script.ts'
import type { RiskControl } from './add-runtime.ts'
import type { HardenLine } from './hardening.ts'
import type { KeepRules } from './keep-rules.ts'
import type { LogLevel } from './remove-logs.ts'
import type { WantedChecks } from './runtime-checks.ts'

/** Options that are wanted; absent ones are off. */
export interface HardenRequest {
  /** Code is encrypted for `certificate`. */
  readonly dexProtection?: boolean
  /** Patterns of classes and methods whose code an interpreter runs. */
  readonly virtualised?: readonly string[]
  /** Patterns of libraries that stay besides the known ones of others. */
  readonly thirdPartySoBan?: readonly string[]
  readonly soProtection?: boolean
  readonly logLevels?: readonly LogLevel[]
  readonly antiDecompile?: boolean
  readonly zipCheck?: boolean
  readonly manifest?: boolean
  readonly antiHijack?: boolean
  /** Patterns of class names of activities. */
  readonly screens?: readonly string[]
  /** Preferences of the app are encrypted on the device. */
  readonly preferences?: boolean
  /** Patterns of paths of files that are encrypted. */
  readonly resources?: readonly string[]
  /** Files of certificates and keys are encrypted. */
  readonly certificates?: boolean
  /** Packages for channels will be made of the result: `judgeChannelRoom` says of it whether they can. */
  readonly channels?: boolean
  /** Checks at run time, each with what it does when it finds something. */
  readonly checks?: WantedChecks
  /** SHA-256 of the certificate that the result will be signed with, lower-case hexadecimal. */
  readonly certificate?: string
  /** Findings of the checks are sent. */
  readonly riskControl?: RiskControl
  /** Protects a script; throws ScriptRefused where it cannot. */
  readonly protectScript?: (bytes: Uint8Array, path: string) => ProtectedScript | Promise<ProtectedScript>
  readonly keep: KeepRules
  /** Random bytes of this build; equal ones give equal output. */
  readonly seed: Uint8Array
  /** Called before each step: of `total` steps of the stage `done` are done, and `current`, an entry, comes next. */
  readonly onStep?: (stage: HardenStage, done: number, total: number, current: string) => void
  /** Asked between two steps; with an answer the work ends there (FormatError `time`). */
  readonly isLate?: () => boolean
}

/** In this order. */
export type HardenStage = 'read' | 'code' | 'resources' | 'libraries' | 'write'

export interface HardenedPackage {
  /** The package without signature, in pieces that follow each other. */
  readonly pieces: readonly Uint8Array[]
  readonly size: number
  readonly lines: readonly HardenLine[]
  /** Where code is encrypted or virtualised: the package with the same code readable, checks at run time too, for those who judge what was changed. */
  readonly open?: () => readonly Uint8Array[]
}
