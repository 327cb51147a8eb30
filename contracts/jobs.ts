import { z } from 'zod'

/** Long work. `waiting` and `running` may be cancelled, which ends in `stopped`; `failed` has an error key of errors.ts. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'stopped'] as const
export const JobSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['export', 'erase', 'report']),
  title: z.string(),
  state: z.enum(JOB_STATES),
  /** 0 to 1; null while the total is unknown. */
  progress: z.number().nullable(),
  /** What it is doing, or how it ended, in the language of the request. */
  note: z.string(),
  rows: z.number(),
  bytes: z.number(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  /** Where the result lies: a navigation path under /api/. */
  download: z.string().nullable(),
})
export type Job = z.infer<typeof JobSchema>
export type JobState = Job['state']

const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
/** What an export is written as, and what it is called. */
export const EXPORT_FILE = {
  format: z.enum(EXPORT_FORMATS).default('csv'),
  title: z.string().trim().min(1).max(100),
}
