import { z } from 'zod'
import { type EventRow, QuerySchema } from '#domain/query.ts'
import {
  EXPAND_LIMITS,
  LINK_LIMITS,
  LinkRefSchema,
  type Links,
  type Subject,
  SubjectSchema,
  type Trail,
  type TrailStep,
} from '#domain/trail.ts'
import { endpoint } from './endpoint.ts'

/** Attack trace, links, cases. */

const SpanSchema = z.object({ from: z.number(), to: z.number() })
const asked = { query: QuerySchema, subject: SubjectSchema, now: z.int().optional() }

export const trail = endpoint({
  method: 'POST',
  path: '/api/investigation/trail/',
  summary:
    'The ordered trail of one device, user or address: stops, their events folded by kind, and the movement between them',
  access: ['events.read'],
  audit: false,
  body: z.object(asked),
  response: z.object({ data: z.custom<Trail>(), now: z.number(), span: SpanSchema, lag_seconds: z.number() }),
  errors: ['permission.missing', 'server.store_down'],
})

export const links = endpoint({
  method: 'POST',
  path: '/api/investigation/links/',
  summary:
    'What a subject is linked with: devices, users, addresses and builds, bounded; `expand` names nodes to look behind',
  access: ['events.read'],
  audit: false,
  body: z.object({
    ...asked,
    limit: z.int().min(1).max(LINK_LIMITS.most).default(LINK_LIMITS.first),
    expand: z.array(LinkRefSchema).max(EXPAND_LIMITS.nodes).default([]),
  }),
  response: z.object({ data: z.custom<Links>() }),
  errors: ['permission.missing', 'server.store_down'],
})

export const findSubjects = endpoint({
  method: 'POST',
  path: '/api/investigation/find/',
  summary:
    'Devices and users by hash (whole, its beginning, or short as in d_4af0…7b21), users by the id the app knows them by, addresses',
  access: ['events.read'],
  audit: false,
  body: z.object({ text: z.string().trim().min(1).max(128) }),
  response: z.object({
    data: z.array(
      z.object({ subject: z.custom<Subject>(), first_at: z.number().nullable(), apps: z.array(z.string()) }),
    ),
  }),
  errors: ['permission.missing', 'server.store_down'],
})

// ---------------------------------------------------------------------------------------------------------------- cases

export const CASE_STATES = { open: { zh: '进行中', en: 'Open' }, closed: { zh: '已结案', en: 'Closed' } } as const
export type CaseState = keyof typeof CASE_STATES
const StateSchema = z.enum(['open', 'closed'])

const CaseSchema = z.object({
  id: z.string(),
  title: z.string(),
  state: StateSchema,
  owner: z.string(),
  own: z.boolean(),
  /** Numbers of the applications that its entries are about. */
  apps: z.array(z.string()),
  entries: z.number(),
  version: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  closed_at: z.number().nullable(),
})
export type Case = z.infer<typeof CaseSchema>

/** What an entry shows; frozen when it was added, so that it outlives the retention of events. */
export type EntryBody =
  | { kind: 'event'; event: EventRow }
  | {
      kind: 'stop'
      subject: Subject
      number: number
      place: { country: string; province: string; city: string }
      from: number
      to: number
      events: number
      attacks: number
      move: { km: number; ms: number; kmh: number; impossible: boolean } | null
    }
  | {
      kind: 'step'
      subject: Subject
      place: { country: string; province: string; city: string }
      step: Pick<TrailStep, 'type' | 'risk' | 'level' | 'app' | 'device' | 'from' | 'to' | 'count'>
    }
  | { kind: 'subject'; subject: Subject; events: number; attacks: number; first_at: number; last_at: number }
  | { kind: 'note' }
  /** Personal data that was deleted on demand. */
  | { kind: 'erased'; was: 'event' | 'stop' | 'step' | 'subject' }
export type CaseEntry = {
  id: string
  body: EntryBody
  note: string
  author: string
  at: number
  /** SHA-256 over the evidence rows as they were; '' for a note. */
  hash: string
  /** How many rows the hash covers. */
  rows: number
}

export const cases = endpoint({
  method: 'GET',
  path: '/api/investigation/cases/',
  summary: 'Cases the caller may see, last changed first: own ones, and those whose applications all lie in his scope',
  access: ['events.read'],
  query: z.object({
    state: StateSchema.optional(),
    own: z.literal('1').optional(),
    text: z.string().max(100).optional(),
    /** Cases with an entry about this subject. */
    subject: z.string().max(80).optional(),
  }),
  response: z.object({ data: z.array(CaseSchema) }),
})

export const caseById = endpoint({
  method: 'GET',
  path: '/api/investigation/case/',
  summary: 'One case with its entries, oldest first; entries about applications out of scope are withheld and counted',
  access: ['events.read'],
  query: z.object({ id: z.string().max(64) }),
  response: z.object({ data: CaseSchema, entries: z.array(z.custom<CaseEntry>()), withheld: z.number() }),
  errors: ['data.missing'],
})

export const saveCase = endpoint({
  method: 'POST',
  path: '/api/investigation/case/save/',
  summary: 'Open a case (no id), rename, close or reopen it, or take it over',
  access: ['investigation.edit'],
  body: z.object({
    id: z.string().max(64).optional(),
    title: z.string().trim().min(1).max(100),
    state: StateSchema.default('open'),
    /** The caller becomes its owner. */
    take: z.literal(true).optional(),
    version: z.int().optional(),
  }),
  response: z.object({ data: CaseSchema }),
  errors: ['data.missing', 'data.conflict'],
})

export const deleteCase = endpoint({
  method: 'POST',
  path: '/api/investigation/case/delete/',
  summary: 'Delete an own case with its entries',
  access: ['investigation.edit'],
  body: z.object({ id: z.string().max(64) }),
  response: z.object({}),
  errors: ['data.missing'],
})

const note = z.string().trim().max(2000).default('')
export const NewEntrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), appid: z.string().regex(/^\d{1,9}$/), id: z.string().max(64), note }),
  /** A stop of the trail that this query gives, named by its first and last time. */
  z.object({ kind: z.literal('stop'), ...asked, from: z.int(), to: z.int(), note }),
  /** A step of a stop, by its kind and its first and last time. */
  z.object({
    kind: z.literal('step'),
    ...asked,
    from: z.int(),
    to: z.int(),
    type: z.string().max(16),
    risk: z.string().max(32),
    app: z.string().max(9),
    device: z.string().max(32),
    note,
  }),
  z.object({ kind: z.literal('subject'), ...asked, note }),
  z.object({ kind: z.literal('note'), note: z.string().trim().min(1).max(2000) }),
])
export type NewEntry = z.input<typeof NewEntrySchema>

export const addEntry = endpoint({
  method: 'POST',
  path: '/api/investigation/case/add/',
  summary:
    'Add an event, a stop, a device, user or address, or a note to an open case; what is in it already is answered as it is',
  access: ['investigation.edit'],
  body: z.object({ case_id: z.string().max(64), entry: NewEntrySchema }),
  response: z.object({ data: z.custom<CaseEntry>() }),
  errors: ['data.missing', 'permission.missing', 'case.closed', 'quota.reached', 'server.store_down'],
})

export const removeEntry = endpoint({
  method: 'POST',
  path: '/api/investigation/case/remove/',
  summary: 'Take an entry out of an open case',
  access: ['investigation.edit'],
  body: z.object({ id: z.string().max(64) }),
  response: z.object({}),
  errors: ['data.missing', 'case.closed'],
})
