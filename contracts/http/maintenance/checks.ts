import { z } from 'zod'
import { CHECK_IDS, type FoundKey } from '../../maintenance-checks.ts'
import { endpoint } from '../endpoint.ts'

/** Detection and repair (MAINT-01): runs of the checks of contracts/maintenance-checks.ts. Times are epoch milliseconds. */

const access = ['platform.maintain'] as const

const FoundItemSchema = z.object({
  name: z.string(),
  /** Key of FOUND. */
  text: z.custom<FoundKey>((value) => typeof value === 'string'),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** False: it is said, and nothing can be done. */
  repairable: z.boolean(),
  repaired: z.boolean(),
  /** Why its repair failed. */
  reason: z.string().nullable(),
})
export type FoundItem = z.infer<typeof FoundItemSchema>

const CheckOutcomeSchema = z.object({
  check: z.enum(CHECK_IDS),
  /** How many things were looked at. */
  checked: z.number(),
  /** Damaged things; those that can be repaired; those that this run repaired. */
  count: z.number(),
  repairable: z.number(),
  repaired: z.number(),
  /** Why the check could not look. */
  reason: z.string().nullable(),
  /** At most 50. */
  items: z.array(FoundItemSchema),
})
export type CheckOutcome = z.infer<typeof CheckOutcomeSchema>

export const MAINTENANCE_STATES = ['waiting', 'running', 'done', 'failed', 'stopped'] as const
export const CheckRunSchema = z.object({
  id: z.string(),
  kind: z.enum(['check', 'repair']),
  state: z.enum(MAINTENANCE_STATES),
  /** 0 to 1. */
  progress: z.number(),
  /** The check that is under way. */
  step: z.enum(CHECK_IDS).nullable(),
  outcomes: z.array(CheckOutcomeSchema),
  /** Name of the account. */
  by: z.string(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
})
export type CheckRun = z.infer<typeof CheckRunSchema>

export const checkRuns = endpoint({
  method: 'GET',
  path: '/api/maintenance/checks/',
  summary: 'The last runs of detection and repair, the newest first; the newest with what it found',
  access,
  response: z.object({ data: z.array(CheckRunSchema) }),
})

export const startCheck = endpoint({
  method: 'POST',
  path: '/api/maintenance/checks/start/',
  summary: 'Look for damage without changing anything, in a job; an empty list means all checks',
  access,
  body: z.strictObject({ checks: z.array(z.enum(CHECK_IDS)) }),
  response: z.object({ data: CheckRunSchema }),
  errors: ['task.exists'],
})

export const startRepair = endpoint({
  method: 'POST',
  path: '/api/maintenance/checks/repair/',
  summary: 'Repair what these checks find, in a job; needs a run that looked at all of them within the last day',
  access,
  body: z.strictObject({ checks: z.array(z.enum(CHECK_IDS)).min(1) }),
  response: z.object({ data: CheckRunSchema }),
  errors: ['task.exists', 'maintenance.look_first'],
})

export const stopMaintenance = endpoint({
  method: 'POST',
  path: '/api/maintenance/runs/stop/',
  summary: 'Stop a run of checks, a repair or a backup; what a repair has done stays done',
  access,
  body: z.strictObject({ id: z.string().max(64) }),
  response: z.object({}),
  errors: ['data.missing'],
})
