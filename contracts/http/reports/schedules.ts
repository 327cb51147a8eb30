import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { REPORT_ITEMS } from './make-report.ts'
import { REPORT_READERS, type ReportReader } from './task-reports.ts'

/**
 * Reports by the clock: at each run one report of the newest detection of each chosen application, as the creator of the schedule with the
 * rights of that moment, and mail to the addresses.
 */

export const SCHEDULE_LIMITS = { schedules: 50, applications: 20, addresses: 20, minutes: 15, results: 10 } as const
/** What is made of each application: its newest detection, its figures, its self-check. The latter two are documents: PDF or DOC. */
export const SCHEDULE_KINDS = ['detection', 'statistics', 'self_check'] as const
export const SCHEDULE_RANGES = ['-24h', '-7d', '-30d', '-90d'] as const
export const SCHEDULE_FORMATS = ['pdf', 'docx', 'xlsx', 'csv'] as const

const appid = z.string().regex(/^\d{1,9}$/)
/** Five fields: minute, hour, day of month, month, weekday. */
const cron = z.string().trim().max(100)
const zone = z.string().min(1).max(64)
const readers = Object.keys(REPORT_READERS) as [ReportReader, ...ReportReader[]]

const fields = {
  name: z.string().trim().min(1).max(100),
  of: z.enum(SCHEDULE_KINDS).default('detection'),
  /** Of statistics: the period before each run. */
  range: z.enum(SCHEDULE_RANGES).default('-7d'),
  cron,
  zone,
  appids: z.array(appid).min(1).max(SCHEDULE_LIMITS.applications),
  format: z.enum(SCHEDULE_FORMATS),
  reader: z.enum(readers).default('developer'),
  language: z.enum(['zh', 'en']),
}

/** Why a schedule paused by itself. */
export const SCHEDULE_PAUSES = {
  disabled: { zh: '创建人账号已停用', en: 'The account of its creator is disabled' },
  expired: { zh: '创建人授权已到期', en: 'The authorisation of its creator has expired' },
  permission: { zh: '创建人已无生成报告的权限', en: 'Its creator may no longer make reports' },
} as const
export type SchedulePause = keyof typeof SCHEDULE_PAUSES

export const ReportScheduleSchema = z.object({
  id: z.string(),
  ...fields,
  of: z.enum(SCHEDULE_KINDS),
  range: z.enum(SCHEDULE_RANGES),
  reader: z.enum(readers),
  app_names: z.array(z.string()),
  addresses: z.array(z.string()),
  enabled: z.boolean(),
  pause: z.enum(Object.keys(SCHEDULE_PAUSES) as [SchedulePause, ...SchedulePause[]]).nullable(),
  by: z.string(),
  own: z.boolean(),
  /** Null while it is paused. */
  next_at: z.number().nullable(),
  /** Newest first. `reports` were asked for; `problem` says why others were not, in the language of the request. */
  results: z.array(z.object({ at: z.number(), reports: z.number(), problem: z.string() })),
})
export type ReportSchedule = z.infer<typeof ReportScheduleSchema>

export const reportSchedules = endpoint({
  method: 'GET',
  path: '/api/reports/schedules/',
  summary: 'Own schedules of reports; all of them for roles that manage reports and see every application',
  access: REPORT_ITEMS,
  response: z.object({ data: z.array(ReportScheduleSchema), zone: z.string() }),
})

export const scheduleRuns = endpoint({
  method: 'POST',
  path: '/api/reports/schedules/runs/',
  summary: 'The next five runs of a cron expression in a time zone',
  access: REPORT_ITEMS,
  audit: false,
  body: z.object({ cron, zone }),
  response: z.object({ data: z.array(z.number()) }),
  errors: ['report.schedule_cron', 'report.schedule_zone', 'report.schedule_often'],
})

export const saveSchedule = endpoint({
  method: 'POST',
  path: '/api/reports/schedules/save/',
  summary: 'Create a schedule, or change an own one; enabling a paused one takes the rights of now',
  access: REPORT_ITEMS,
  body: z.object({
    id: z.uuid().optional(),
    ...fields,
    /** Mail addresses, separated; empty: nothing is mailed. */
    addresses: z.string().max(4000).default(''),
    enabled: z.boolean().default(true),
  }),
  response: z.object({ data: ReportScheduleSchema }),
  errors: [
    'data.missing',
    'quota.reached',
    'permission.missing',
    'report.schedule_cron',
    'report.schedule_zone',
    'report.schedule_often',
    'report.schedule_format',
    'report.mail_addresses',
    'report.mail_server',
  ],
})

export const enableSchedule = endpoint({
  method: 'POST',
  path: '/api/reports/schedules/enable/',
  summary: 'Pause a schedule, or let it go on from its next run',
  access: REPORT_ITEMS,
  body: z.object({ id: z.uuid(), enabled: z.boolean() }),
  response: z.object({ data: ReportScheduleSchema }),
  errors: ['data.missing'],
})

export const runSchedule = endpoint({
  method: 'POST',
  path: '/api/reports/schedules/run/',
  summary: 'Run a schedule now, besides its times',
  access: REPORT_ITEMS,
  body: z.object({ id: z.uuid() }),
  response: z.object({ data: ReportScheduleSchema }),
  errors: ['data.missing'],
})

export const deleteSchedule = endpoint({
  method: 'POST',
  path: '/api/reports/schedules/delete/',
  summary: 'Delete a schedule; reports that it made stay',
  access: REPORT_ITEMS,
  body: z.object({ id: z.uuid() }),
  response: z.object({}),
  errors: ['data.missing'],
})
