import { z } from 'zod'
import { CONTRADICTION_KINDS, type Contradiction } from '#domain/baseline.ts'
import { type EventRow, QuerySchema } from '#domain/query.ts'
import { BaselineSchema } from './baselines.ts'
import { DeviceVerdictSchema } from './devices.ts'
import { endpoint } from './endpoint.ts'
import type { PiratedCertificate } from './monitoring/tasks.ts'

const AppidSchema = z.string().regex(/^\d{1,9}$/)

// ----------------------------------------------------------------------------------------------------------- baselines
// ---------------------------------------------------------------------------------------------------- abnormal returns

const kinds = z
  .array(z.enum(CONTRADICTION_KINDS as [Contradiction, ...Contradiction[]]))
  .max(CONTRADICTION_KINDS.length)
  .default([])

/** SHA-256 of the certificate that the returns name; '' for any. */
const signer = z
  .string()
  .regex(/^([0-9a-f]{64})?$/)
  .default('')

/** What narrows the list of abnormal returns. */
export const ABNORMAL_LIST = { query: QuerySchema, kinds, signer }

export type AbnormalReturn = { event: EventRow; kinds: Contradiction[] }

export const abnormalReturns = endpoint({
  method: 'POST',
  path: '/api/abnormal/query/',
  summary:
    'Returns that contradict the baseline of their version or name the certificate of a pirated copy: counts by kind, version, channel and time, and a page of them',
  access: ['events.read'],
  audit: false,
  body: z.object({
    ...ABNORMAL_LIST,
    now: z.int().optional(),
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(80).optional(),
    /** Further pages need the rows alone. */
    counts: z.boolean().default(true),
  }),
  response: z.object({
    now: z.number(),
    span: z.object({ from: z.number(), to: z.number() }),
    summary: z
      .object({
        total: z.number(),
        devices: z.number(),
        compared: z.number(),
        without_baseline: z.number(),
        kinds: z.custom<Record<Contradiction, number>>(),
        versions: z.array(z.object({ appid: z.string(), version: z.string(), count: z.number(), devices: z.number() })),
        channels: z.array(z.object({ channel: z.string(), count: z.number(), devices: z.number() })),
        bucket: z.enum(['hour', 'day']),
        points: z.array(z.object({ start: z.number(), count: z.number() })),
      })
      .nullable(),
    data: z.array(z.custom<AbnormalReturn>()),
    /** Of the certificates that these rows name, those of pirated copies; empty for those who may not see monitoring. */
    pirated: z.array(z.custom<PiratedCertificate>()),
    next_cursor: z.string().nullable(),
  }),
  errors: ['permission.missing', 'server.store_down'],
})

export const abnormalReturn = endpoint({
  method: 'GET',
  path: '/api/abnormal/event/',
  summary: 'One return beside the baseline of its version, and how many of its version differ alike',
  access: ['events.read'],
  query: z.object({ appid: AppidSchema, id: z.string().max(64) }),
  response: z.object({
    event: z.custom<EventRow>(),
    baseline: BaselineSchema.nullable(),
    kinds: z.custom<Contradiction[]>(),
    verdict: DeviceVerdictSchema.nullable(),
    /** The copy that its certificate signs; null where no pirated copy has it, and for those who may not see monitoring. */
    pirated: z.custom<PiratedCertificate | null>(),
    now: z.number(),
  }),
  errors: ['data.missing', 'server.store_down'],
})
