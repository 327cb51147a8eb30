import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const quarantine = endpoint({
  method: 'GET',
  path: '/api/ingest/quarantine/',
  summary: 'Quarantined events, newest first, with counts by reason',
  access: ['ingest.quarantine'],
  query: z.object({
    reason: z.string().max(32).optional(),
    cursor: z.string().max(80).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    data: z.array(
      z.object({
        received_at: z.number(),
        app: z.string(),
        reason: z.string(),
        event_id: z.string(),
        device: z.string(),
        note: z.string(),
        raw: z.string(),
      }),
    ),
    counts: z.array(z.object({ reason: z.string(), count: z.number() })),
    next_cursor: z.string().nullable(),
  }),
  errors: ['server.store_down'],
})

/** Ingest keys of applications (decision 20). */

const ok = z.object({})

const appid = z.string().regex(/^\d{1,9}$/)

export const INGEST_SCOPES = ['events', 'import'] as const

export const IngestKeySchema = z.object({
  id: z.string(),
  appid: z.string(),
  /** server: secret, for servers, gateways and tests; enrolment: public, ships in apps, can only enrol. */
  kind: z.enum(['server', 'enrolment']),
  name: z.string(),
  hint: z.string(),
  /** The whole text of an enrolment key (it is public); null for server keys. */
  text: z.string().nullable(),
  scopes: z.array(z.enum(INGEST_SCOPES)),
  created_at: z.number(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})

export const ingestKeys = endpoint({
  method: 'GET',
  path: '/api/application/keys/',
  summary: 'Ingest keys of an application',
  access: ['ingest.keys'],
  query: z.object({ appid }),
  response: z.object({ data: z.array(IngestKeySchema) }),
})

export const createIngestKey = endpoint({
  method: 'POST',
  path: '/api/application/keys/create/',
  summary: 'Create an ingest key; the text of a server key is in this answer only',
  access: ['ingest.keys'],
  body: z.object({
    appid,
    kind: z.enum(['server', 'enrolment']),
    name: z.string().trim().min(1).max(64),
    scopes: z.array(z.enum(INGEST_SCOPES)).min(1).max(2).default(['events']),
  }),
  response: z.object({ data: IngestKeySchema, key: z.string() }),
  errors: ['data.missing', 'application.not_yours'],
})

export const revokeIngestKey = endpoint({
  method: 'POST',
  path: '/api/application/keys/revoke/',
  summary: 'Revoke an ingest key; enrolled devices of an enrolment key are refused too',
  access: ['ingest.keys'],
  body: z.object({ id: z.string() }),
  response: ok,
  errors: ['data.missing', 'application.not_yours'],
})
