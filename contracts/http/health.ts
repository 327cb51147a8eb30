import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Health, settings, and the specification's calls of later areas that answer feature.not_built until then (decision 1). */

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
    backlog: z.object({ events: z.number(), seconds: z.number() }),
    uptime_seconds: z.number(),
    demo: z.boolean(),
  }),
})
