import { z } from 'zod'
import {
  EnvironmentSettingsSchema,
  METRIC_NAMES,
  type Metric,
  RANGE_NAMES,
  WATCHED_NAMES,
} from '#domain/environment.ts'
import { endpoint } from './endpoint.ts'

/** Environment monitoring: what the nodes measured of themselves, thresholds, and the diagnostics bundle (ENV-01). */

const NullableNumber = z.number().nullable()
const ValuesSchema = z.partialRecord(z.enum(METRIC_NAMES as [Metric, ...Metric[]]), NullableNumber)

export const ProcessSchema = z.object({
  /** Name in logs: supervisor, postgres, store, collector, console, relay, jobs, demo. */
  name: z.string(),
  pid: NullableNumber,
  /** Epoch ms of its last start. */
  since: NullableNumber,
  /** Since the supervisor started. */
  restarts: z.number(),
  /** How it ended the last time: exit code, signal, or a sentence. */
  last_end: z.object({ at: z.number(), reason: z.string() }).nullable(),
  /** Percent of one processor, and bytes (proportional share of what is shared), of the process and those that it started. */
  cpu: NullableNumber,
  memory: NullableNumber,
  /** How many processes that are. */
  count: NullableNumber,
})
export type EnvironmentProcess = z.infer<typeof ProcessSchema>

/** What a node measured last. */
export const SnapshotSchema = z.object({
  /** Epoch ms. */
  at: z.number(),
  version: z.string(),
  /** When the supervisor started, epoch ms. */
  started_at: NullableNumber,
  roles: z.array(z.string()),
  machine: z.object({
    /** Processors that may be used: a container's limit can be a fraction. */
    processors: NullableNumber,
    load: NullableNumber,
    /** Whose numbers CPU and memory are. */
    cpu_of: z.enum(['machine', 'container']),
    memory_of: z.enum(['machine', 'container']),
    memory_total: NullableNumber,
    memory_used: NullableNumber,
    disk_total: NullableNumber,
    disk_free: NullableNumber,
  }),
  values: ValuesSchema,
  processes: z.array(ProcessSchema),
  queues: z.array(
    z.object({
      name: z.enum(['jobs', 'detection', 'deliveries']),
      waiting: z.number(),
      running: z.number(),
      /** Age of the oldest that waits, in seconds. */
      oldest: NullableNumber,
    }),
  ),
  stores: z.object({
    events: z.enum(['ok', 'behind', 'down']),
    metadata: z.enum(['ok', 'down']),
    journal: z.enum(['ok', 'full', 'down']),
  }),
})
export type EnvironmentSnapshot = z.infer<typeof SnapshotSchema>

export const EnvironmentAlertSchema = z.object({
  id: z.string(),
  node: z.string(),
  metric: z.enum(WATCHED_NAMES),
  opened_at: z.number(),
  closed_at: NullableNumber,
  /** When it opened, and the highest since. */
  value: z.number(),
  peak: z.number(),
  limit: z.number(),
})
export type EnvironmentAlert = z.infer<typeof EnvironmentAlertSchema>

export const environment = endpoint({
  method: 'GET',
  path: '/api/platform/environment/',
  summary: 'What the nodes measured last, sizes of the stores, alerts (open ones first) and thresholds',
  access: ['platform.maintain'],
  /** `node`: the chosen one; absent: the node that was first measured. */
  query: z.object({ node: z.string().max(200).optional() }),
  response: z.object({
    /** The server's time, for ages. */
    now: z.number(),
    nodes: z.array(z.object({ name: z.string(), first_at: z.number(), at: z.number() })),
    /** Null on an installation that has not measured yet. */
    data: z
      .object({
        node: z.string(),
        first_at: z.number(),
        snapshot: SnapshotSchema,
        sizes: z.array(
          z.object({
            metric: z.enum(['size_events', 'size_metadata', 'size_files', 'size_journal', 'size_logs']),
            bytes: NullableNumber,
            /** In the last 24 hours; null while that is not known. */
            growth: NullableNumber,
          }),
        ),
        /** When the disk reaches its limit if it grows on as in the last week; null where it does not, or not within a year. */
        disk_full_at: NullableNumber,
      })
      .nullable(),
    alerts: z.array(EnvironmentAlertSchema),
    settings: EnvironmentSettingsSchema,
  }),
  errors: ['environment.unknown_node'],
})
export type EnvironmentAnswer = NonNullable<z.infer<typeof environment.response>['data']>

export const environmentHistory = endpoint({
  method: 'GET',
  path: '/api/platform/environment/history/',
  summary: 'Means and highest values of a range, a point a step; null where nothing was measured',
  access: ['platform.maintain'],
  query: z.object({ node: z.string().max(200).optional(), range: z.enum(RANGE_NAMES).default('1h') }),
  response: z.object({
    /** Epoch ms: start of the first point, end of the last. */
    from: z.number(),
    to: z.number(),
    step_ms: z.number(),
    series: z.partialRecord(
      z.enum(METRIC_NAMES as [Metric, ...Metric[]]),
      z.object({ mean: z.array(NullableNumber), peak: z.array(NullableNumber) }),
    ),
  }),
  errors: ['environment.unknown_node'],
})
export type EnvironmentHistory = z.infer<typeof environmentHistory.response>

export const exportEnvironment = endpoint({
  method: 'GET',
  path: '/api/platform/environment/export/',
  summary: 'The stored means of a range as CSV: of a minute up to 24 hours, of 15 minutes beyond',
  access: ['platform.maintain'],
  navigation: true,
  bare: true,
  query: z.object({ node: z.string().max(200).optional(), range: z.enum(RANGE_NAMES).default('1h') }),
  response: z.unknown(),
  errors: ['environment.unknown_node'],
})

export const saveEnvironmentSettings = endpoint({
  method: 'POST',
  path: '/api/platform/environment/settings/save/',
  summary: 'Thresholds, after how many samples an alert opens and closes, and the alert channels that are notified',
  access: ['platform.maintain'],
  body: EnvironmentSettingsSchema,
  response: z.object({ data: EnvironmentSettingsSchema }),
  errors: ['environment.unknown_channel'],
})

export const environmentDiagnostics = endpoint({
  method: 'GET',
  path: '/api/platform/environment/diagnostics/',
  summary:
    'Diagnostics bundle (ZIP): versions, health, metrics, settings, migrations, samples, logs; without secrets and personal data',
  access: ['platform.maintain'],
  navigation: true,
  bare: true,
  response: z.unknown(),
})
