import { z } from 'zod'
import { TextSchema } from '#contracts/detection/scan-result.ts'
import { InspectedPackageSchema, PatternTrialSchema, SignatureReadingSchema } from '#contracts/http/tools.ts'

/** What a tool process is asked; the bytes of the file (for a pattern the question as JSON) come by its standard input. */
export type ToolOrder = { tool: 'package' | 'entries' | 'signature' | 'pattern'; name: string; size: number }
export type PatternQuestion =
  | { kind: 'pattern'; expression: string; ignore_case: boolean; text: string }
  | { kind: 'words'; words: readonly string[]; text: string }

/** What it answers, one of these, as JSON that is checked: hostile bytes had a say in it. */
export const ToolAnswerSchema = z.union([
  z.strictObject({ package: InspectedPackageSchema }),
  z.strictObject({ signature: SignatureReadingSchema }),
  z.strictObject({ pattern: PatternTrialSchema }),
  z.strictObject({
    refused: z.strictObject({
      key: z.enum(['asset.unreadable', 'asset.unknown_kind', 'tool.no_certificate']),
      detail: TextSchema,
    }),
  }),
])
export type ToolAnswer = z.infer<typeof ToolAnswerSchema>
