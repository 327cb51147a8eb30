import { z } from 'zod'
import {
  SERVICE_KIND_NAMES,
  SERVICE_MOVE_NAMES,
  SERVICE_STATE_NAMES,
  SERVICE_URGENCY_NAMES,
  type ServiceKind,
  type ServiceMove,
  type ServiceState,
  type ServiceUrgency,
} from '#domain/service-requests.ts'
import { FORM_BYTES } from './assets.ts'
import { endpoint } from './endpoint.ts'

/**
 * Security service: requests of an account, the conversation about each, and its files. An account has its own requests; with service.use also
 * those about applications that it sees; with service.answer it is the service side of what it sees. noEmpower leaves the own ones.
 */

export const ATTACHMENT_LIMITS = { bytes: FORM_BYTES, message: 10, request: 50, unsent: 20 } as const
/** What may be attached, by the ending of the name. */
export const ATTACHMENT_KINDS = [
  ...['png', 'jpg', 'jpeg', 'gif', 'webp'],
  ...['txt', 'log', 'md', 'csv', 'json', 'xml', 'har'],
  ...['pdf', 'docx', 'xlsx'],
  ...['zip', 'gz', '7z', 'apk', 'aab', 'ipa', 'jar', 'aar'],
] as const
export const SERVICE_TEXT = { subject: 120, message: 4000 } as const
/** A page of the list. */
export const MOST_REQUESTS = 50

const id = z.string().regex(/^[1-9]\d{0,8}$/)
const KindSchema = z.enum(SERVICE_KIND_NAMES as [ServiceKind, ...ServiceKind[]])
const UrgencySchema = z.enum(SERVICE_URGENCY_NAMES as [ServiceUrgency, ...ServiceUrgency[]])
const StateSchema = z.enum(SERVICE_STATE_NAMES as [ServiceState, ...ServiceState[]])
const MoveSchema = z.enum(SERVICE_MOVE_NAMES as [ServiceMove, ...ServiceMove[]])
const SideSchema = z.enum(['requester', 'service'])

export const ServiceRequestSchema = z.object({
  /** SV-n is the number n. */
  id: z.string(),
  subject: z.string(),
  kind: KindSchema,
  urgency: UrgencySchema,
  state: StateSchema,
  /** '' without application, or with one that the caller does not see any more. */
  appid: z.string(),
  app_name: z.string(),
  author: z.string(),
  own: z.boolean(),
  /** Who accepted it; '' before. */
  handler: z.string(),
  version: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  reply_due: z.number(),
  solve_due: z.number(),
  first_reply_at: z.number().nullable(),
  /** Since when the requester is asked: the solution limit rests. */
  waiting_since: z.number().nullable(),
  solved_at: z.number().nullable(),
  closed_at: z.number().nullable(),
})
export type ServiceRequest = z.infer<typeof ServiceRequestSchema>

const AttachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  /** false: deleted after the request was closed. */
  kept: z.boolean(),
})
export type ServiceAttachment = z.infer<typeof AttachmentSchema>

export const ServiceEntrySchema = z.object({
  id: z.string(),
  at: z.number(),
  author: z.string(),
  side: SideSchema,
  text: z.string(),
  /** What it changed, or null: a message alone. */
  move: z.union([MoveSchema, z.literal('create')]).nullable(),
  state: StateSchema,
  /** Where the move set another one. */
  urgency: UrgencySchema.nullable(),
  attachments: z.array(AttachmentSchema),
})
export type ServiceEntry = z.infer<typeof ServiceEntrySchema>

export const serviceRequests = endpoint({
  method: 'GET',
  path: '/api/service/requests/',
  summary: 'Requests that the caller sees, last changed first; `text` is looked for in number, subject and messages',
  access: 'session',
  query: z.object({
    view: z.enum(['open', 'all', 'own']).default('open'),
    text: z.string().trim().max(100).default(''),
    kind: z.union([z.literal(''), KindSchema]).default(''),
    urgency: z.union([z.literal(''), UrgencySchema]).default(''),
    state: z.union([z.literal(''), StateSchema]).default(''),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(MOST_REQUESTS).default(20),
  }),
  response: z.object({
    data: z.array(ServiceRequestSchema),
    total: z.number(),
    /** Of the three views, without the other filters. */
    views: z.object({ open: z.number(), all: z.number(), own: z.number() }),
  }),
})

export const serviceRequest = endpoint({
  method: 'GET',
  path: '/api/service/request/',
  summary: 'One request with its conversation, oldest first, and what the caller may do with it',
  access: 'session',
  query: z.object({ id }),
  response: z.object({
    data: ServiceRequestSchema,
    entries: z.array(ServiceEntrySchema),
    /** The detection that it is about, where the caller sees it. */
    task: z.object({ id: z.string(), name: z.string() }).nullable(),
    moves: z.array(MoveSchema),
    /** The caller may write for the service side. */
    answers: z.boolean(),
    deletes: z.boolean(),
    /** How mail about it went: waiting, sent, failed; null where none was due. */
    mail: z.object({ state: z.enum(['waiting', 'sent', 'failed']), at: z.number() }).nullable(),
  }),
  errors: ['data.missing'],
})

const text = z.string().trim().max(SERVICE_TEXT.message)
const attachments = z.array(z.uuid()).max(ATTACHMENT_LIMITS.message).default([])

export const createServiceRequest = endpoint({
  method: 'POST',
  path: '/api/service/request/create/',
  summary:
    'Submit a request, about an application and a detection where they are named, with files that were uploaded before',
  access: 'session',
  tokens: { access: false },
  body: z.object({
    subject: z.string().trim().min(1).max(SERVICE_TEXT.subject),
    kind: KindSchema,
    urgency: UrgencySchema,
    appid: z.union([z.literal(''), id]).default(''),
    task: z.union([z.literal(''), z.uuid()]).default(''),
    text: text.min(1),
    attachments,
  }),
  response: z.object({ data: ServiceRequestSchema }),
  errors: ['data.missing', 'request.rate'],
})

export const addServiceMessage = endpoint({
  method: 'POST',
  path: '/api/service/message/',
  summary:
    'Write into the conversation; `service`: for the service side. A message of the requester ends the waiting for it',
  access: 'session',
  tokens: { access: false },
  body: z.object({ id, text: text.min(1), attachments, service: z.boolean().default(false) }),
  response: z.object({ data: ServiceRequestSchema }),
  errors: ['data.missing', 'service.closed', 'quota.reached', 'request.rate'],
})

export const moveServiceRequest = endpoint({
  method: 'POST',
  path: '/api/service/move/',
  summary: 'Change the state of a request, with a message where the move needs one; accepting it may set its urgency',
  access: 'session',
  tokens: { access: false },
  body: z.object({
    id,
    move: MoveSchema.exclude(['answer']),
    text: text.default(''),
    attachments,
    /** Of the request as the caller saw it. */
    version: z.int().min(1),
    urgency: UrgencySchema.optional(),
  }),
  response: z.object({ data: ServiceRequestSchema }),
  errors: ['data.missing', 'data.conflict', 'service.move', 'input.empty', 'quota.reached', 'request.rate'],
})

export const deleteServiceRequest = endpoint({
  method: 'POST',
  path: '/api/service/delete/',
  summary: 'Delete a request with its conversation and files; `confirm` is its name, such as SV-12',
  access: ['service.delete'],
  body: z.object({ id, confirm: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing', 'input.invalid'],
})

export const uploadServiceAttachment = endpoint({
  method: 'POST',
  path: '/api/service/attachment/',
  summary: `Upload one file of at most ${FORM_BYTES / 2 ** 20} MB for a message (multipart/form-data, part \`file\`); unsent, it is deleted after a day`,
  access: 'session',
  tokens: { access: false },
  takes: 'form',
  body: z.object({}),
  response: z.object({ data: AttachmentSchema }),
  errors: ['service.attachment_size', 'service.attachment_kind', 'input.empty', 'quota.reached', 'request.rate'],
})

export const dropServiceAttachment = endpoint({
  method: 'POST',
  path: '/api/service/attachment/drop/',
  summary: 'Delete an own file that was not sent',
  access: 'session',
  tokens: { access: false },
  body: z.object({ id: z.uuid() }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const downloadServiceAttachment = endpoint({
  method: 'GET',
  path: '/api/service/attachment/download/',
  summary: 'A file of a request that the caller sees',
  access: 'session',
  tokens: { access: false },
  navigation: true,
  bare: true,
  query: z.object({ id: z.uuid() }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const exportServiceRequest = endpoint({
  method: 'GET',
  path: '/api/service/export/',
  summary: 'A request as ZIP (request.json and its files), to be handed over where there is no internet access',
  access: 'session',
  tokens: { access: false },
  navigation: true,
  bare: true,
  query: z.object({ id }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const serviceContact = endpoint({
  method: 'GET',
  path: '/api/service/contact/',
  summary: 'How the service side is reached, and what becomes of files',
  access: 'session',
  response: z.object({
    /** '' where the settings name none. */
    phone: z.string(),
    mail: z.string(),
    hours: z.string(),
    /** The platform has a mail server: messages are mailed as well. */
    mails: z.boolean(),
    /** Files are deleted so many days after a request was closed. */
    attachment_days: z.number(),
  }),
})
