import { z } from 'zod'
import { JobSchema } from '../jobs.ts'
import { TaskIdSchema } from './detection.ts'
import { endpoint } from './endpoint.ts'

/** Reports of detected tasks: long work like exports, downloaded like them. JSON and SARIF come at once (detection-result.ts). */

export const REPORT_FORMATS = {
  pdf: { zh: 'PDF', en: 'PDF' },
  docx: { zh: 'DOC', en: 'DOC' },
  xlsx: { zh: 'XLSX', en: 'XLSX' },
  csv: { zh: 'CSV', en: 'CSV' },
  cyclonedx: { zh: 'SBOM（CycloneDX）', en: 'SBOM (CycloneDX)' },
} as const
export type ReportFormat = keyof typeof REPORT_FORMATS

export const REPORT_READERS = {
  manager: { zh: '管理摘要', en: 'Management summary' },
  developer: { zh: '开发整改清单', en: 'Developer list' },
  regulator: { zh: '监管格式', en: 'Regulator form' },
} as const
export type ReportReader = keyof typeof REPORT_READERS

const FormatSchema = z.enum(Object.keys(REPORT_FORMATS) as [ReportFormat, ...ReportFormat[]])
const ReaderSchema = z.enum(Object.keys(REPORT_READERS) as [ReportReader, ...ReportReader[]])
const LanguageSchema = z.enum(['zh', 'en'])

const ReportSchema = z.object({
  job: JobSchema,
  format: FormatSchema,
  /** PDF and DOC alone are written for a reader. */
  reader: ReaderSchema,
  language: LanguageSchema,
})
export type Report = z.infer<typeof ReportSchema>

export const createReport = endpoint({
  method: 'POST',
  path: '/api/detection/report/',
  summary: 'Write a report of a detected task, with suppressions as they stand now; the job tells when it is there',
  access: ['detect.report'],
  body: z.object({
    id: TaskIdSchema,
    format: FormatSchema,
    reader: ReaderSchema.default('developer'),
    language: LanguageSchema,
  }),
  response: z.object({ data: ReportSchema }),
  errors: ['data.missing', 'detection.no_result', 'task.exists'],
})

export const taskReports = endpoint({
  method: 'GET',
  path: '/api/detection/reports/',
  summary: 'Reports of a task that the caller asked for, newest first: the last of each format, reader and language',
  access: ['detect.report'],
  query: z.object({ id: TaskIdSchema }),
  response: z.object({ data: z.array(ReportSchema) }),
  errors: ['data.missing'],
})
