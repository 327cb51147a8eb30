import { z } from 'zod'
import { QuerySchema } from '#domain/query.ts'
import type { PermissionItem } from '../../permissions.ts'
import { endpoint } from '../endpoint.ts'

/** Asking for a report, apart from the management of reports: pages with figures load this and not the contracts of detections. */

export const REPORT_KINDS = {
  detection: { zh: '检测', en: 'Detection' },
  statistics: { zh: '统计', en: 'Statistics' },
  case: { zh: '案件', en: 'Case' },
  self_check: { zh: '自检', en: 'Self-check' },
  article: { zh: '知识', en: 'Knowledge' },
  script: { zh: 'JS 保护', en: 'JS protection' },
  reinforcement: { zh: '加固', en: 'Reinforcement' },
  monitoring: { zh: '监测', en: 'Monitoring' },
  takedown: { zh: '下架函', en: 'Takedown request' },
  export: { zh: '导出', en: 'Export' },
} as const
export type ReportKind = keyof typeof REPORT_KINDS

/** Formats that a stored report may have. */
export const STORED_FORMATS = {
  pdf: 'PDF',
  docx: 'DOC',
  xlsx: 'XLSX',
  csv: 'CSV',
  cyclonedx: 'SBOM',
} as const
export type StoredFormat = keyof typeof STORED_FORMATS

/** What making a report of each kind needs; exports are made in their lists. */
export const REPORT_NEEDS = {
  detection: 'detect.report',
  statistics: 'events.export',
  case: 'events.export',
  self_check: 'asset.detect_privacy',
  article: 'detect.report',
  script: 'script.protect',
  reinforcement: 'harden.view',
  monitoring: 'monitor.report',
  takedown: 'monitor.report',
} as const satisfies Record<Exclude<ReportKind, 'export'>, PermissionItem>
/** What a DOC needs beside it, where that is an item of its own. */
export const DOC_NEEDS: Partial<Record<ReportKind, PermissionItem>> = { monitoring: 'monitor.doc' }
/** Who may make some report sees his own here; the kind of a report decides what making it needs. */
export const REPORT_ITEMS = [
  'report.manage',
  'detect.report',
  'events.export',
  'asset.detect_privacy',
  'script.protect',
  'harden.view',
  'monitor.report',
] as const
/** Documents have previews; tables are exports. */
const WRITTEN = { format: z.enum(['pdf', 'docx']), language: z.enum(['zh', 'en']) }

export const makeReport = endpoint({
  method: 'POST',
  path: '/api/reports/make/',
  summary:
    'Write a report of a case, of the self-check of an application, of encrypted scripts, of a reinforcement, of the figures of a query, of the monitoring of an application, or of an article, or a letter that asks markets to take a pirated copy down; report management shows it',
  access: REPORT_ITEMS,
  body: z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('case'), case: z.string().max(64), ...WRITTEN }),
    z.strictObject({ of: z.literal('self_check'), appid: z.string().regex(/^\d{1,9}$/), ...WRITTEN }),
    z.strictObject({ of: z.literal('script'), script: z.uuid(), ...WRITTEN }),
    z.strictObject({ of: z.literal('reinforcement'), task: z.uuid(), ...WRITTEN }),
    z.strictObject({ of: z.literal('monitoring'), monitor: z.uuid(), ...WRITTEN }),
    // One market, or every market that the copy was found in.
    z.strictObject({ of: z.literal('takedown'), copy: z.uuid(), market: z.string().max(60).default(''), ...WRITTEN }),
    z.strictObject({ of: z.literal('statistics'), query: QuerySchema, ...WRITTEN }),
    z.strictObject({ of: z.literal('article'), article: z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/), ...WRITTEN }),
  ]),
  response: z.object({ id: z.string() }),
  errors: ['data.missing', 'permission.missing', 'task.exists', 'monitor.not_pirated'],
})
