import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** Platform maintenance (MAINT-01). Times are epoch milliseconds, sizes bytes. */

const access = ['platform.maintain'] as const

// -------------------------------------------------------------------------------------------------- logs of the processes

const LogFileSchema = z.object({
  name: z.string(),
  /** The process that wrote it. */
  process: z.string(),
  bytes: z.number(),
  /** Time of its first line; null where it has none. */
  first_at: z.number().nullable(),
  changed_at: z.number(),
  /** The process still writes to it. */
  current: z.boolean(),
})
export type LogFileAnswer = z.infer<typeof LogFileSchema>

export const maintenanceLogs = endpoint({
  method: 'GET',
  path: '/api/maintenance/logs/',
  summary: 'Log files of the processes of this node, and how many lines ended detections have left in the job log',
  access,
  response: z.object({
    data: z.object({
      files: z.array(LogFileSchema),
      jobs: z.object({ lines: z.number(), bytes: z.number(), first_at: z.number().nullable() }),
    }),
  }),
})

export const downloadProcessLog = endpoint({
  method: 'GET',
  path: '/api/maintenance/logs/file/',
  summary: 'One log file as text',
  access,
  navigation: true,
  bare: true,
  query: z.object({ name: z.string().max(100) }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const downloadProcessLogs = endpoint({
  method: 'GET',
  path: '/api/maintenance/logs/archive/',
  summary: 'Log files as one ZIP archive; `names` is a list with commas, all files without it',
  access,
  navigation: true,
  bare: true,
  query: z.object({ names: z.string().max(10_000).optional() }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const CLEANED_LOGS = ['process', 'jobs'] as const
export type CleanedLog = (typeof CLEANED_LOGS)[number]

export const previewLogCleaning = endpoint({
  method: 'GET',
  path: '/api/maintenance/logs/cleaning/',
  summary: 'What cleaning would remove: log files whose last line is older, and lines of ended detections',
  access,
  query: z.object({ days: z.coerce.number().int().min(1).max(3650) }),
  response: z.object({
    data: z.object({
      /** What cleanLogs takes, so that it removes no more than was shown. */
      before: z.number(),
      process: z.object({ files: z.array(z.string()), bytes: z.number() }),
      jobs: z.object({ lines: z.number(), bytes: z.number() }),
    }),
  }),
})

export const cleanLogs = endpoint({
  method: 'POST',
  path: '/api/maintenance/logs/clean/',
  summary:
    'Remove process and job logs older than a time at least a day back; audit and network logs are never touched',
  access,
  body: z.strictObject({ logs: z.array(z.enum(CLEANED_LOGS)).min(1), before: z.number().int() }),
  response: z.object({ data: z.object({ files: z.number(), lines: z.number(), bytes: z.number() }) }),
  errors: ['maintenance.too_young'],
})
