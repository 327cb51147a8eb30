import { z } from 'zod'
import { type FindingLevel, TASK_STAGES, type TaskStage } from '#contracts/detection.ts'
import { type DetectionKindSchema, ScanResultSchema, TextSchema } from '#contracts/scan-result.ts'

/** What the jobs process asks a scan worker for. */
export type ScanOrder = {
  /** File name as uploaded. */
  name: string
  size: number
  /** JSON that stands before the package: the sensitive words, too long for an argument. */
  wordBytes: number
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
}

const stage = z.enum(Object.keys(TASK_STAGES) as [TaskStage, ...TaskStage[]])

/** What is asked of a package, whoever reads its bytes. */
export type PackageOrder = Omit<ScanOrder, 'size' | 'wordBytes'>

/** What it says, one line of JSON a message; everything it says was made by what it read, and is checked. */
export const ScanMessageSchema = z.union([
  z.strictObject({ stage, share: z.number().min(0).max(1) }),
  z.strictObject({ log: z.enum(['info', 'warning', 'error']), text: TextSchema }),
  z.strictObject({ refused: z.string().max(2000) }),
  z.strictObject({ result: ScanResultSchema }),
])
export type ScanMessage = z.infer<typeof ScanMessageSchema>
