import { z } from 'zod'
import { WATCHED_NAMES } from '#domain/environment.ts'
import { endpoint } from './endpoint.ts'

/** Health and settings. */

const ProcessState = z.enum(['ok', 'down', 'off'])

export const healthz = endpoint({
  method: 'GET',
  path: '/healthz',
  summary: 'Version, roles, stores and their state',
  access: 'public',
  navigation: true,
  bare: true,
  response: z.object({
    version: z.string(),
    roles: z.array(z.string()),
    state: z.enum(['ok', 'degraded']),
    stores: z.object({
      metadata: z.enum(['ok', 'down']),
      events: z.enum(['ok', 'behind', 'down']),
      journal: z.enum(['ok', 'full', 'down']),
    }),
    /** Why the event store is down; null while it works. `progress` (0 to 1) while a new version converts its file. */
    problem: z
      .object({ kind: z.enum(['opening', 'converting', 'unavailable', 'damaged']), progress: z.number().nullable() })
      .nullable(),
    /** Durable and not stored yet. `events` is null while the store is down and how many there are is not known; `bytes` is always. */
    backlog: z.object({ events: z.number().nullable(), seconds: z.number(), bytes: z.number() }),
    /** Metrics of this node over their limit (environment page). `state` does not depend on them. */
    alerts: z.array(z.enum(WATCHED_NAMES)),
    /**
     * What happened to the journal in the last 7 days: spans of positions whose entries were lost (damaged, missing), or that were skipped
     * without loss because the journal was older than the event store (renumbered). `at` in epoch ms; `events`: how many a damaged span
     * held, where that can still be read.
     */
    journal_incidents: z.array(
      z.object({
        at: z.number(),
        reason: z.enum(['damaged', 'missing', 'renumbered']),
        from: z.number(),
        to: z.number(),
        events: z.number().optional(),
      }),
    ),
    /** The other processes of this node, by role: 'off' where it has not the role. */
    processes: z.object({ console: ProcessState, relay: ProcessState }),
    uptime_seconds: z.number(),
    demo: z.boolean(),
    /** Origins of simulated markets that monitoring may ask although they are private addresses: none in production. */
    simulated_markets: z.array(z.string()),
  }),
})
