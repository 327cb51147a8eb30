import { z } from 'zod'
import { type FindingLevel, TASK_STAGES, type TaskStage } from '#contracts/detection/kinds.ts'
import { type DetectionKindSchema, ScanResultSchema, TextSchema } from '#contracts/detection/scan-result.ts'
import { RuleTrialSchema } from '#contracts/http/detection/rules.ts'
import type { WordGroup } from '#engines/detect/input/content-input.ts'
import type { OwnRule } from '#engines/detect/input/own-rule.ts'

/** What is asked of a package, independent of the reader of its bytes. */
export type PackageOrder = {
  /** File name as uploaded. */
  name: string
  kinds: readonly z.infer<typeof DetectionKindSchema>[]
  applicationType: string | null
  /** null: every item. */
  items: readonly string[] | null
  levels: Readonly<Record<string, FindingLevel>>
  /** The day whose date counts for certificates, epoch ms; null where time shall not count. */
  date: number | null
  /** SHA-256 of the signers that the application is known by; null without a baseline. */
  baselineSigners: readonly string[] | null
  /** Without code, libraries and content: after the whole scan went over its limits. */
  reduced: boolean
  /** Asks this expression of an own rule and nothing else. */
  trial?: string
}
export const PACKAGE_ORDER: Omit<PackageOrder, 'name'> = {
  kinds: [],
  applicationType: null,
  items: null,
  levels: {},
  date: null,
  baselineSigners: null,
  reduced: false,
}

/** JSON sent before the package: too long for an argument. */
export type ScanExtras = {
  words: readonly WordGroup[]
  ownRules: readonly OwnRule[]
  /** The privacy policy as the application's owner gave it. */
  policyText: string | null
}
export const NO_EXTRAS: ScanExtras = { words: [], ownRules: [], policyText: null }

export type ScanOrder = PackageOrder & { size: number; extraBytes: number }

const stage = z.enum(Object.keys(TASK_STAGES) as [TaskStage, ...TaskStage[]])

const ScanProgressSchema = z.union([
  z.strictObject({ stage, share: z.number().min(0).max(1) }),
  z.strictObject({ log: z.enum(['info', 'warning', 'error']), text: TextSchema }),
])
export type ScanProgress = z.infer<typeof ScanProgressSchema>

/** What it says, one line of JSON a message; everything it says was made by what it read, and is checked. */
export const ScanMessageSchema = z.union([
  ScanProgressSchema,
  z.strictObject({ refused: z.string().max(2000) }),
  z.strictObject({ result: ScanResultSchema }),
  z.strictObject({ trial: RuleTrialSchema }),
])
export type ScanMessage = z.infer<typeof ScanMessageSchema>
