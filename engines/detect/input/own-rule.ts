import type { FindingLevel, Text } from '../result/scan-result.ts'

/** A rule that an installation brings itself. */
export interface OwnRule {
  /** `own-…`: never the id of an item of the rule pack. */
  readonly id: string
  readonly name: Text
  readonly level: FindingLevel
  readonly expression: string
  readonly threat: Text
  readonly advice: Text
}
