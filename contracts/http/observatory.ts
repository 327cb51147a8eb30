import { z } from 'zod'
import { type EventRow, QuerySchema } from '#domain/query.ts'
import { endpoint } from './endpoint.ts'

export const liveTicket = endpoint({
  method: 'POST',
  path: '/api/live/ticket/',
  summary: 'One-use ticket of 30 s for the socket; without events.read the socket delivers account notices only',
  access: 'session',
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
