import { z } from 'zod'
import { TextSchema } from '#contracts/detection/scan-result.ts'
import { PackageFactsSchema } from '#contracts/http/assets.ts'

/** What reading a package found; travels from the reading process as JSON and is checked: hostile bytes had a say in it. */
const InspectionSchema = z.strictObject({
  kind: z.string(),
  platform: z.enum(['android', 'ios']),
  /** Label of the application, '' where it names none. */
  name: z.string(),
  version: z.string(),
  versionCode: z.string(),
  packageName: z.string(),
  packer: z.string(),
  signers: z.array(z.string()),
  signature: z.enum(['verified', 'partial', 'broken', 'unsigned', 'unknown']),
  facts: PackageFactsSchema,
  /** PNG, base64. */
  icon: z.string().nullable(),
})
export type Inspection = z.infer<typeof InspectionSchema>

/** What the reading process answers: one of these. */
export const InspectionAnswerSchema = z.union([
  z.strictObject({ found: InspectionSchema }),
  z.strictObject({
    refused: z.strictObject({ key: z.enum(['asset.unreadable', 'asset.unknown_kind']), detail: TextSchema }),
  }),
])
export type InspectionAnswer = z.infer<typeof InspectionAnswerSchema>

/** Instructions for the reading process; the bytes come by its standard input. */
export type InspectionOrder = { name: string; size: number }
