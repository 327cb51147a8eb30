import { z } from 'zod'
import { JobSchema } from '../../jobs.ts'
import { LOGO_BYTES } from '../../logo-limit.ts'
import { TaskIdSchema } from '../detection/tasks.ts'
import { endpoint } from '../endpoint.ts'

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
  summary:
    'Write a report of a detected task, with the current suppressions; the progress of the job says when it is ready',
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

// ------------------------------------------------------------------------------------------------------------- template

/** Chapters of a report. Each one contains the verdict and what was not checked, so that no report omits them. */
export const REPORT_PARTS = {
  first_steps: { zh: '先修哪些', en: 'What to fix first' },
  basic: { zh: '基本信息', en: 'Basic info' },
  certificates: { zh: '签名证书', en: 'Certificates' },
  permissions: { zh: '权限', en: 'Permissions' },
  components: { zh: '组件', en: 'Components' },
  sdks: { zh: '第三方 SDK', en: 'Third-party SDKs' },
  risks: { zh: '问题一览', en: 'Table of failed items' },
  details: { zh: '问题详情与证据', en: 'Failed items with evidence' },
  privacy: { zh: '个人信息', en: 'Personal information' },
  domains: { zh: '域名', en: 'Domains' },
  content: { zh: '图文', en: 'Image and text' },
  passed: { zh: '通过的检测项', en: 'Items that passed' },
} as const
export type ReportPart = keyof typeof REPORT_PARTS
/** What each reader gets where the platform chose nothing else. */
export const DEFAULT_PARTS: Readonly<Record<ReportReader, readonly ReportPart[]>> = {
  manager: ['first_steps', 'risks'],
  developer: [
    'basic',
    'certificates',
    'permissions',
    'components',
    'sdks',
    'risks',
    'details',
    'privacy',
    'domains',
    'content',
    'passed',
  ],
  regulator: ['basic', 'certificates', 'permissions', 'sdks', 'privacy', 'risks', 'details'],
}
const PartSchema = z.enum(Object.keys(REPORT_PARTS) as [ReportPart, ...ReportPart[]])

const templateFields = {
  /** Who issues reports; '' : the name of the platform. */
  issuer: z.string().trim().max(60),
  /** At the foot of every page, as 'Confidential'. */
  footer: z.string().trim().max(80),
  parts: z.record(ReaderSchema, z.array(PartSchema).max(20)),
}
const TemplateSchema = z.object({
  ...templateFields,
  /** PNG, base64; null: none. */
  logo: z.string().nullable(),
})
export type ReportTemplate = z.infer<typeof TemplateSchema>

export const reportTemplate = endpoint({
  method: 'GET',
  path: '/api/platform/report-template/',
  summary: 'Logo, issuer, foot and chapters of the PDF and DOC reports of this platform',
  access: ['platform.settings'],
  response: z.object({ data: TemplateSchema }),
})
export const saveReportTemplate = endpoint({
  method: 'POST',
  path: '/api/platform/report-template/save/',
  summary: 'Change them for reports written from now on',
  access: ['platform.settings'],
  body: z.object({
    ...templateFields,
    /** PNG or SVG of 256 KB, base64; it is drawn again. null takes it away, absent leaves it. */
    logo: z
      .base64()
      .max(Math.ceil(LOGO_BYTES / 3) * 4)
      .nullable()
      .optional(),
  }),
  response: z.object({ data: TemplateSchema }),
  errors: ['report.logo'],
})
