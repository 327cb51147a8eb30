import { z } from 'zod'
import { type EventRow, type PartAnswer, PartSchema, QuerySchema } from '#domain/query.ts'
import { endpoint } from './endpoint.ts'

/** Everything that reads events: one query object, parts answered against one `now`. */

const SpanSchema = z.object({ from: z.number(), to: z.number() })

export const statistics = endpoint({
  method: 'POST',
  path: '/api/statistics/query/',
  summary: 'Answer up to 16 named parts of one query; a part that fails names its error and the others still answer',
  access: ['events.read'],
  audit: false,
  tokens: { display: true },
  body: z.object({
    query: QuerySchema,
    /** `now` of an earlier answer, so that a page's cards agree; at most one minute ahead of the server's clock. */
    now: z.int().optional(),
    parts: z
      .record(z.string().regex(/^\w{1,32}$/), PartSchema)
      .refine((parts) => Object.keys(parts).length <= 16, 'at most 16 parts'),
  }),
  response: z.object({
    now: z.number(),
    span: SpanSchema,
    previous: SpanSchema.nullable(),
    parts: z.record(
      z.string(),
      z.union([z.custom<PartAnswer>(), z.object({ kind: z.literal('error'), code: z.number(), codemsg: z.string() })]),
    ),
    /** Newest event in the store by arrival, and how far the store lags behind the journal. */
    stored_to: z.number().nullable(),
    lag_seconds: z.number(),
  }),
  errors: ['server.store_down', 'data.missing'],
})

export const eventById = endpoint({
  method: 'GET',
  path: '/api/statistics/event/',
  summary: 'One event by application and id: first in the tail that is not stored yet, then in the store',
  access: ['events.read'],
  tokens: { display: false },
  query: z.object({ appid: z.string(), id: z.string().max(64) }),
  response: z.object({ data: z.custom<EventRow>(), stored: z.boolean() }),
  errors: ['data.missing', 'server.store_down'],
})

export const revealEventAddress = endpoint({
  method: 'POST',
  path: '/api/statistics/event/reveal/',
  summary: 'The whole address of one event, which lists and events tell as its network; each call is an audit entry',
  access: ['personal.reveal'],
  tokens: { access: false },
  body: z.object({ appid: z.string().max(9), id: z.string().max(64) }),
  response: z.object({ address: z.string() }),
  errors: ['data.missing', 'server.store_down'],
})
