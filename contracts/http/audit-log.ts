import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const auditLog = endpoint({
  method: 'GET',
  path: '/api/logs/audit/',
  summary: 'Audit trail, newest first',
  access: ['log.view'],
  query: z.object({
    cursor: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    search: z.string().max(100).optional(),
  }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        account: z.string(),
        role: z.string(),
        action: z.string(),
        target: z.string(),
        result: z.string(),
        address: z.string(),
        detail: z.string(),
      }),
    ),
    next_cursor: z.number().nullable(),
    total: z.number(),
  }),
})

export const auditVerify = endpoint({
  method: 'POST',
  path: '/api/logs/audit/verify/',
  summary: 'Recompute the hash chain; names the first entry that does not fit',
  access: ['audit.verify'],
  body: z.object({}),
  response: z.object({ data: z.object({ entries: z.number(), broken_at: z.number().nullable() }) }),
})
