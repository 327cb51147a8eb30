import { z } from 'zod'
import { DEFAULT_ZONE } from '#domain/time-range.ts'
import { endpoint } from '../endpoint.ts'
import { MAINTENANCE_STATES } from './checks.ts'

/** Backups (MAINT-01): the daily plan, what there is, and the way back. Times are epoch milliseconds, sizes bytes. */

const access = ['platform.maintain'] as const

export const BackupPlanSchema = z.strictObject({
  enabled: z.boolean().default(false),
  /** Time of day in `zone`, HH:MM. */
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .default('02:30'),
  zone: z.string().max(64).refine(isZone).default(DEFAULT_ZONE),
  /** Absolute path outside the data folder; '' until one is chosen. */
  folder: z.string().trim().max(1000).default(''),
  /** A backup may be restored and is kept so many days, and of them so many. */
  keep_days: z.int().min(1).max(3650).default(30),
  keep_count: z.int().min(1).max(1000).default(14),
})
export type BackupPlan = z.infer<typeof BackupPlanSchema>

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false // no such zone
  }
}

const BackupRunSchema = z.object({
  id: z.string(),
  state: z.enum(MAINTENANCE_STATES),
  /** `room`, `copy`, `verify`, `delete`. */
  step: z.string().nullable(),
  /** Why it failed, in English; '' otherwise. */
  error: z.string(),
  /** Name of the account; '' for the plan. */
  by: z.string(),
  name: z.string().nullable(),
  files: z.number(),
  bytes: z.number(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
})
export type BackupRun = z.infer<typeof BackupRunSchema>

const BackupSchema = z.object({
  name: z.string(),
  path: z.string(),
  created_at: z.number(),
  /** Personal data may not be kept longer: then it is deleted and cannot be restored. */
  expires_at: z.number(),
  version: z.string(),
  files: z.number(),
  bytes: z.number(),
  /** A run of this installation read it again and compared all hashes. */
  verified: z.boolean(),
})
export type Backup = z.infer<typeof BackupSchema>

export const backups = endpoint({
  method: 'GET',
  path: '/api/maintenance/backups/',
  summary: 'Plan, next run, last runs, and the backups of the folder',
  access,
  response: z.object({
    data: z.object({
      plan: BackupPlanSchema,
      /** null: off. */
      next_at: z.number().nullable(),
      runs: z.array(BackupRunSchema),
      backups: z.array(BackupSchema),
      /** Free in the folder; null where it cannot be read. */
      free: z.number().nullable(),
      /** Why the folder cannot be used; '' if it can. */
      problem: z.string(),
      /** PostgreSQL is a server of its own and not in the backups. */
      external_database: z.boolean(),
      /** How the command line is called here, and on which data folder. */
      command: z.string(),
    }),
  }),
})

export const saveBackupPlan = endpoint({
  method: 'POST',
  path: '/api/maintenance/backups/plan/',
  summary: 'Change the plan; the folder is made and tried before it is saved',
  access,
  body: BackupPlanSchema,
  response: z.object({ data: BackupPlanSchema }),
  errors: ['maintenance.folder'],
})

export const startBackup = endpoint({
  method: 'POST',
  path: '/api/maintenance/backups/start/',
  summary: 'Make a backup now, in a job',
  access,
  body: z.strictObject({ confirmed: z.literal(true) }),
  response: z.object({ data: BackupRunSchema }),
  errors: ['task.exists', 'maintenance.folder'],
})

export const deleteBackups = endpoint({
  method: 'POST',
  path: '/api/maintenance/backups/delete/',
  summary: 'Delete a backup of the folder',
  access,
  body: z.strictObject({ name: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing'],
})
