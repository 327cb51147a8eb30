import { z } from 'zod'
import { JOB_STATES } from '../../jobs.ts'
import { endpoint } from '../endpoint.ts'
import { REPORT_ITEMS, REPORT_KINDS, type ReportKind, STORED_FORMATS, type StoredFormat } from './make-report.ts'
import { REPORT_READERS, type ReportReader } from './task-reports.ts'

/**
 * Report management: every report and export that is kept. A caller sees what he asked for himself; with report.manage also the reports of
 * others, where all that is in them is of applications that he may see. Exports are what their owner might read (personal data included)
 * and are shown to him alone.
 */

const KindSchema = z.enum(Object.keys(REPORT_KINDS) as [ReportKind, ...ReportKind[]])

const FormatSchema = z.enum(Object.keys(STORED_FORMATS) as [StoredFormat, ...StoredFormat[]])

export const StoredReportSchema = z.object({
  id: z.string(),
  kind: KindSchema,
  title: z.string(),
  format: FormatSchema,
  /** Whom a detection report is written for; null for other kinds and formats. */
  reader: z.enum(Object.keys(REPORT_READERS) as [ReportReader, ...ReportReader[]]).nullable(),
  language: z.enum(['zh', 'en']),
  /** The one application that it is about; '' for none or several. */
  appid: z.string(),
  app_name: z.string(),
  /** The detected task; '' where it is of something else. */
  task: z.string(),
  /** Name of the account; '' where it was deleted. */
  by: z.string(),
  own: z.boolean(),
  state: z.enum(JOB_STATES),
  /** 0 to 1; null while unknown. */
  progress: z.number().nullable(),
  /** Why it failed, in the language of the request. */
  note: z.string(),
  bytes: z.number(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  /** When its file is deleted; null without a file. */
  expires_at: z.number().nullable(),
  has_file: z.boolean(),
  has_preview: z.boolean(),
})
export type StoredReport = z.infer<typeof StoredReportSchema>

export const REPORT_SORTS = ['created_at', 'title', 'bytes'] as const
const ids = z.array(z.uuid()).min(1).max(200)
const id = z.uuid()

export const storedReports = endpoint({
  method: 'GET',
  path: '/api/reports/',
  summary: 'Reports and exports that the caller may see, filtered, sorted, with counts and the size of all',
  access: REPORT_ITEMS,
  query: z.object({
    search: z.string().trim().max(100).default(''),
    kind: KindSchema.or(z.literal('')).default(''),
    format: FormatSchema.or(z.literal('')).default(''),
    state: z.enum(JOB_STATES).or(z.literal('')).default(''),
    language: z.enum(['zh', 'en', '']).default(''),
    appid: z
      .string()
      .regex(/^\d{0,9}$/)
      .default(''),
    /** Only what the caller asked for. */
    own: z.stringbool().default(false),
    /** Epoch milliseconds: created from, and before. */
    from: z.coerce.number().int().min(0).max(8.64e15).optional(),
    to: z.coerce.number().int().min(0).max(8.64e15).optional(),
    sort: z.enum(REPORT_SORTS).default('created_at'),
    descending: z.stringbool().default(true),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({
    data: z.array(StoredReportSchema),
    total: z.number(),
    /** Bytes of all that the filters leave. */
    bytes: z.number(),
    /** How many there are of each kind and state, without regard to the filters kind and state. */
    kinds: z.partialRecord(KindSchema, z.number()),
    states: z.partialRecord(z.enum(JOB_STATES), z.number()),
    /** Days that a finished report is kept, and the gigabytes that all may take. */
    days: z.number(),
    gigabytes: z.number(),
  }),
})

const tone = z.enum(['high', 'middle', 'low', 'info', 'good', 'bad', 'strong', 'quiet'])
const labelled = z.object({ label: z.string(), text: z.string() })
/** A block of the document model of reports (engines/report/document.ts). */
export const ReportBlockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), level: z.literal([1, 2, 3]), text: z.string() }),
  z.object({ kind: z.literal('text'), text: z.string(), tone: tone.optional() }),
  z.object({ kind: z.literal('labelled'), label: z.string(), text: z.string(), tone: tone.optional() }),
  z.object({
    kind: z.literal('links'),
    label: z.string(),
    links: z.array(z.object({ text: z.string(), url: z.string().startsWith('https://').nullable() })),
  }),
  z.object({ kind: z.literal('facts'), rows: z.array(labelled) }),
  z.object({
    kind: z.literal('table'),
    columns: z.array(z.object({ title: z.string(), share: z.number(), align: z.literal('right').optional() })),
    rows: z.array(z.array(z.union([z.string(), z.object({ text: z.string(), tone })]))),
  }),
  z.object({ kind: z.literal('chart'), svg: z.string(), alt: z.string(), width: z.number(), height: z.number() }),
  z.object({ kind: z.literal('evidence'), location: z.string(), note: z.string(), lines: z.array(z.string()) }),
  z.object({ kind: z.literal('verdict'), label: z.string(), text: z.string(), tone }),
])
export type ReportBlock = z.infer<typeof ReportBlockSchema>

export const PREVIEW_LINES = 100
const PreviewSchema = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('document'),
    language: z.enum(['zh', 'en']),
    title: z.string(),
    subject: z.string(),
    issuer: z.string(),
    footer: z.string(),
    cover: z.array(labelled),
    /** Titles of the chapters, in their order, and the one that is shown. */
    chapters: z.array(z.string()),
    chapter: z.number(),
    blocks: z.array(ReportBlockSchema),
  }),
  /** The first PREVIEW_LINES lines of a sheet. */
  z.object({
    of: z.literal('sheet'),
    header: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    more: z.boolean(),
  }),
  /** The beginning of a text file. */
  z.object({ of: z.literal('text'), text: z.string(), more: z.boolean() }),
])
export type ReportPreview = z.infer<typeof PreviewSchema>

export const previewReport = endpoint({
  method: 'GET',
  path: '/api/reports/preview/',
  summary: 'One chapter of a finished report, or the beginning of a sheet or text, as data that the page draws',
  access: REPORT_ITEMS,
  query: z.object({ id, chapter: z.coerce.number().int().min(0).max(1000).default(0) }),
  response: z.object({ data: PreviewSchema }),
  errors: ['data.missing', 'report.no_preview'],
})

export const downloadReport = endpoint({
  method: 'GET',
  path: '/api/reports/download/',
  summary: 'The file of a finished report',
  access: REPORT_ITEMS,
  navigation: true,
  bare: true,
  query: z.object({ id }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const cancelReports = endpoint({
  method: 'POST',
  path: '/api/reports/cancel/',
  summary: 'Stop reports that wait or are being written; those that have ended stay as they are',
  access: REPORT_ITEMS,
  body: z.object({ ids }),
  response: z.object({ stopped: z.number() }),
  errors: ['data.missing'],
})

export const regenerateReport = endpoint({
  method: 'POST',
  path: '/api/reports/regenerate/',
  summary: 'Write a report again with what holds now, as the caller; the earlier one stays',
  access: REPORT_ITEMS,
  body: z.object({ id }),
  response: z.object({ id: z.string() }),
  errors: ['data.missing', 'permission.missing', 'report.not_repeatable', 'detection.no_result', 'task.exists'],
})

export const deleteReports = endpoint({
  method: 'POST',
  path: '/api/reports/delete/',
  summary: 'Delete reports with their files; those that are being written are stopped first',
  access: REPORT_ITEMS,
  body: z.object({ ids }),
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})
