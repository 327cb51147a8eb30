import { z } from 'zod'
import { type EventRow, type PartAnswer, PartSchema, QuerySchema } from '#domain/query.ts'
import { EXPORT_FILE, JobSchema } from '../jobs.ts'
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

export const exportEvents = endpoint({
  method: 'POST',
  path: '/api/statistics/export/',
  summary: 'Export the whole filtered set as CSV or as an Excel workbook in a job',
  access: ['events.export'],
  body: z.object({ query: QuerySchema, part: PartSchema, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists', 'server.store_down'],
})

export const jobs = endpoint({
  method: 'GET',
  path: '/api/jobs/',
  summary: 'Own jobs, newest first',
  access: 'session',
  response: z.object({ data: z.array(JobSchema) }),
})
export const cancelJob = endpoint({
  method: 'POST',
  path: '/api/jobs/cancel/',
  summary: 'Stop a waiting or running job of one`s own',
  access: 'session',
  body: z.object({ id: z.string() }),
  response: z.object({ job: JobSchema }),
  errors: ['data.missing'],
})
export const downloadJob = endpoint({
  method: 'GET',
  path: '/api/jobs/download/',
  summary: 'The file a finished job made',
  access: 'session',
  navigation: true,
  bare: true,
  query: z.object({ id: z.string() }),
  response: z.unknown(),
  errors: ['data.missing'],
})

/** Who reads any of the lists that views are of. */
export const MAY_KEEP_VIEWS = ['events.read', 'asset.read', 'detect.view'] as const
/** A page's whole view state as its address search, under a name. */
export const SavedViewSchema = z.object({
  id: z.string(),
  /** Page name of contracts/pages.ts. */
  page: z.string(),
  name: z.string(),
  shared: z.boolean(),
  own: z.boolean(),
  owner: z.string(),
  search: z.string(),
  version: z.number(),
  updated_at: z.number(),
})
export type SavedView = z.infer<typeof SavedViewSchema>
export const savedViews = endpoint({
  method: 'GET',
  path: '/api/views/',
  summary: 'Own and team views of a page',
  access: MAY_KEEP_VIEWS,
  tokens: { display: true },
  query: z.object({ page: z.string().max(40).optional() }),
  response: z.object({ data: z.array(SavedViewSchema) }),
})
export const saveView = endpoint({
  method: 'POST',
  path: '/api/views/save/',
  summary: 'Create (no id) or change a view; sharing needs view.share',
  access: MAY_KEEP_VIEWS,
  body: z.object({
    id: z.string().optional(),
    page: z.string().max(40),
    name: z.string().trim().min(1).max(64),
    shared: z.boolean().default(false),
    search: z.string().max(4000),
    version: z.int().optional(),
  }),
  response: z.object({ data: SavedViewSchema }),
  errors: ['data.missing', 'data.conflict', 'permission.missing'],
})
export const deleteView = endpoint({
  method: 'POST',
  path: '/api/views/delete/',
  summary: 'Delete an own view (or a team view with view.share)',
  access: MAY_KEEP_VIEWS,
  body: z.object({ id: z.string() }),
  response: z.object({}),
  errors: ['data.missing', 'permission.missing'],
})

export const liveTicket = endpoint({
  method: 'POST',
  path: '/api/live/ticket/',
  summary: 'One-use ticket of 30 s for the socket',
  access: ['events.read'],
  audit: false,
  tokens: { display: true },
  body: z.object({}),
  response: z.object({ ticket: z.string() }),
})

/** Replay: arrivals of a past window, paged by time, for playing at 1x to 60x (decision 23). */
export const replay = endpoint({
  method: 'POST',
  path: '/api/live/replay/',
  summary:
    'Attacks that arrived in [from, to): exact counts by second and level, top lists, and at most 40 sampled arcs a second',
  access: ['events.read'],
  audit: false,
  tokens: { display: true },
  body: z.object({ filters: QuerySchema.shape.filters, from: z.int(), to: z.int() }),
  response: z.object({
    data: z.object({
      from: z.number(),
      to: z.number(),
      /** [second, critical, high, medium, low, info, blocked] of seconds with any attack. */
      seconds: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])),
      /** ArcTuple plus feed facts of the sample: see contracts/live/messages.ts. */
      sample: z.array(z.custom<EventRow>()),
      sampleOf: z.number(),
    }),
  }),
  errors: ['input.invalid', 'server.store_down'],
})

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
