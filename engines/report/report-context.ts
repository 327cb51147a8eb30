import type { Judged } from '../detect/result/judge-result.ts'
import type { FindingLevel, ScanResult, Text } from '../detect/result/scan-result.ts'
import type { LevelColors } from './level-chart.ts'
import type { Words } from './report-texts.ts'

/** Whom a report is for: one page to decide by, a list to mend from, or the facts an authority asks for. */
export type ReportReader = 'manager' | 'developer' | 'regulator'

/** A chapter that a platform may leave out or add. */
export type ReportPart =
  | 'first_steps'
  | 'basic'
  | 'certificates'
  | 'permissions'
  | 'components'
  | 'sdks'
  | 'risks'
  | 'details'
  | 'privacy'
  | 'domains'
  | 'content'
  | 'passed'

/** Words and colours that a report has in common with screens and command line. */
export interface ReportTerms {
  readonly gate: Readonly<Record<'pass' | 'fail' | 'none', Text>>
  readonly suppressed: Text
  readonly levels: Readonly<Record<FindingLevel, Text>>
  readonly colors: LevelColors
}

export interface ScanReportInput {
  readonly terms: ReportTerms
  readonly result: ScanResult
  /** The result with suppressions and gate applied. */
  readonly judged: Judged
  readonly language: 'zh' | 'en'
  readonly reader: ReportReader
  /** Name of the platform. */
  readonly issuer: string
  readonly logo: Uint8Array | null
  /** At the foot of every page; '' : nothing. */
  readonly footer: string
  /** Chapters beside the verdict and the coverage, which are always there. */
  readonly parts: readonly ReportPart[]
  readonly operator: string
  readonly strategy: Text
  /** When it was examined, as it is to be shown. */
  readonly date: string
  /** Of the report, epoch milliseconds. */
  readonly made: number
  readonly kindNames: Readonly<Record<string, Text>>
  readonly categoryName: (category: string) => string
}

/** What the parts of a report are made from. */
export interface ReportContext extends ScanReportInput {
  readonly words: Words
  readonly textOf: (text: Text) => string
}
