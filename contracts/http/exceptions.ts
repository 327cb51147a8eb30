import { z } from 'zod'
import { EXCEPTION_KINDS, EXCEPTION_STATES, SYMBOL_KINDS, SYMBOL_LIMITS } from '#domain/exceptions.ts'
import { QuerySchema } from '#domain/query.ts'
import { endpoint } from './endpoint.ts'

/** Crashes, ANRs and exceptions by group, what is done about them, and the files that give names back. */

const KindSchema = z.enum(EXCEPTION_KINDS)
const StateSchema = z.enum(EXCEPTION_STATES)
const appid = z.string().regex(/^\d{1,9}$/)
const group = z.string().regex(/^[0-9a-f]{16}$/)
const version = z.string().trim().min(1).max(256)

/** What was decided about a group; `regressed` names the first later version that it was seen in. */
const TriageStateSchema = z.object({
  /** As it counts now: a regressed or no longer ignored group is open. */
  state: StateSchema,
  resolved_version: z.string().nullable(),
  resolved_at: z.number().nullable(),
  ignored_until: z.number().nullable(),
  regressed: z.object({ version: z.string(), at: z.number() }).nullable(),
  assignee: z.string().nullable(),
  /** Grows with every change; 0: not dealt with yet. */
  rev: z.number(),
})
export type TriageState = z.infer<typeof TriageStateSchema>

const NameSchema = z.object({
  /** Class of the exception, signal, or reason. */
  type: z.string(),
  /** First own frame; '' if there is no such frame. */
  culprit: z.string(),
  platform: z.string(),
  /** Names of a shrunk build that no mapping gave back. */
  obfuscated: z.boolean(),
})

const GroupSchema = NameSchema.extend({
  appid: z.string(),
  group: z.string(),
  events: z.number(),
  devices: z.number(),
  users: z.number(),
  /** Newest first. */
  versions: z.array(z.string()),
  /** Over all that is kept. */
  first_at: z.number(),
  last_at: z.number(),
  first_version: z.string(),
  /** Never seen before this range. */
  is_new: z.boolean(),
  triage: TriageStateSchema,
  /** Events by bucket of `starts`. */
  trend: z.array(z.number()),
})
export type ExceptionGroup = z.infer<typeof GroupSchema>

export const EXCEPTION_SORTS = ['events', 'devices', 'users', 'last', 'first'] as const
export const EXCEPTION_MARKS = ['all', 'open', 'resolved', 'ignored', 'new', 'regressed'] as const

/** What narrows and orders the list of groups. */
export const GROUP_LIST = {
  query: QuerySchema,
  kind: KindSchema,
  mark: z.enum(EXCEPTION_MARKS).default('all'),
  /** User name; '' if no user is assigned. */
  assignee: z.string().max(256).optional(),
  /** Part of the exception's type or of the first own frame. */
  search: z.string().max(100).default(''),
  sort: z.enum(EXCEPTION_SORTS).default('events'),
}
export const exceptionGroups = endpoint({
  method: 'POST',
  path: '/api/exceptions/groups/',
  summary:
    'Groups of one kind in the query, with their triage state; groups beyond the 5,000 most frequent are not looked at',
  access: ['events.read'],
  audit: false,
  body: z.object({
    ...GROUP_LIST,
    now: z.int().optional(),
    limit: z.int().min(1).max(100).default(50),
    offset: z.int().min(0).max(5000).default(0),
  }),
  response: z.object({
    now: z.number(),
    span: z.object({ from: z.number(), to: z.number() }),
    data: z.array(GroupSchema),
    /** Groups that pass, before paging. */
    total: z.number(),
    /** Groups by mark, whatever `mark` asks for. */
    counts: z.record(z.enum(EXCEPTION_MARKS), z.number()),
    /** Events with neither stack nor reason: in no group. */
    ungrouped: z.number(),
    bucket: z.string(),
    starts: z.array(z.number()),
  }),
  errors: ['server.store_down', 'input.invalid'],
})

export const exceptionGroup = endpoint({
  method: 'GET',
  path: '/api/exceptions/group/',
  summary:
    'One group over all that is kept: name, triage state, versions by age, history; a fingerprint answers with its group',
  access: ['events.read'],
  query: z.object({ kind: KindSchema, group }),
  response: z.object({
    data: NameSchema.extend({
      appid: z.string(),
      group: z.string(),
      /** How many fingerprints it holds. */
      fingerprints: z.number(),
      triage: TriageStateSchema,
      /** Newest version first, by the published order. */
      versions: z.array(
        z.object({ version: z.string(), events: z.number(), first_at: z.number(), last_at: z.number() }),
      ),
      history: z.array(z.object({ at: z.number(), by: z.string(), what: z.string(), detail: z.string() })),
    }),
  }),
  errors: ['data.missing', 'server.store_down'],
})

/** State and assignee of one group. The answer of a change has the values before it, so sending them back undoes it. */
const ChangeSchema = z.object({
  appid,
  group,
  state: StateSchema,
  resolved_version: z.string().max(256).nullable(),
  ignored_until: z.number().nullable(),
  assignee: z.string().max(256).nullable(),
})
export type TriageChange = z.infer<typeof ChangeSchema>

export const setExceptionTriage = endpoint({
  method: 'POST',
  path: '/api/exceptions/standing/',
  summary: 'Set state and assignee of up to 100 groups; answers what they were before',
  access: ['investigation.edit'],
  body: z.object({ changes: z.array(ChangeSchema).min(1).max(100) }),
  response: z.object({ before: z.array(ChangeSchema) }),
  errors: ['data.missing', 'input.invalid'],
})

export const noteException = endpoint({
  method: 'POST',
  path: '/api/exceptions/note/',
  summary: 'Add a line to the history of a group',
  access: ['investigation.edit'],
  body: z.object({ appid, group, text: z.string().trim().min(1).max(500) }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const exceptionAssignees = endpoint({
  method: 'GET',
  path: '/api/exceptions/assignees/',
  summary: 'Who may be given a group of an application: its owner and members',
  access: ['investigation.edit'],
  query: z.object({ appid }),
  response: z.object({ data: z.array(z.string()) }),
  errors: ['data.missing'],
})

const FrameSchema = z.object({
  raw: z.string(),
  language: z.enum(['java', 'native', 'js']),
  module: z.string(),
  name: z.string(),
  file: z.string(),
  line: z.number(),
  column: z.number(),
  address: z.string(),
  own: z.boolean(),
  inlined: z.boolean(),
  context: z.object({ from: z.number(), lines: z.array(z.string()) }).nullable(),
})
export type StackFrame = z.infer<typeof FrameSchema>
const SegmentSchema = z.object({
  relation: z.enum(['thrown', 'caused', 'suppressed', 'thread']),
  type: z.string(),
  message: z.string(),
  omitted: z.number(),
  frames: z.array(FrameSchema),
})
export type StackSegment = z.infer<typeof SegmentSchema>

export const exceptionStack = endpoint({
  method: 'GET',
  path: '/api/exceptions/stack/',
  summary: 'The stack of one event, read and, where files of its version are there, with names given back',
  access: ['events.read'],
  query: z.object({ appid, id: z.string().max(64) }),
  response: z.object({
    data: z.object({
      /** As sent; '' where the event has none, or has it no more. */
      text: z.string(),
      raw: z.array(SegmentSchema),
      /** null: no file of this version knows any of its names. */
      retraced: z.array(SegmentSchema).nullable(),
      /** The names are those of a shrunk build. */
      obfuscated: z.boolean(),
      /** Longer than what is read. */
      cut: z.boolean(),
    }),
  }),
  errors: ['data.missing', 'server.store_down'],
})

// ------------------------------------------------------------------------------------------------------- symbol files

const SymbolFileSchema = z.object({
  id: z.string(),
  appid: z.string(),
  version: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  name: z.string(),
  size: z.number(),
  /** Classes of a mapping, sources of a map. */
  entries: z.number(),
  by: z.string(),
  created_at: z.number(),
})
export type SymbolFile = z.infer<typeof SymbolFileSchema>

export const symbolFiles = endpoint({
  method: 'GET',
  path: '/api/exceptions/symbols/',
  summary: 'Mappings and source maps of an application, newest first',
  access: ['events.read'],
  query: z.object({ appid }),
  response: z.object({ data: z.array(SymbolFileSchema) }),
  errors: ['data.missing'],
})

export const uploadSymbols = endpoint({
  method: 'POST',
  path: '/api/exceptions/symbols/upload/',
  summary:
    'One part of a gzipped mapping.txt or source map, in order; the last one checks the file, keeps it and regroups its version',
  access: ['asset.upload'],
  body: z.object({
    appid,
    version,
    kind: z.enum(SYMBOL_KINDS),
    /** Of a source map: file name of the script. */
    name: z.string().max(200).default(''),
    /** Any text that names this upload, the same for all of its parts. */
    upload: z.string().regex(/^[\w-]{8,64}$/),
    part: z.int().min(0).max(100),
    last: z.boolean(),
    /** base64 of the bytes of this part. */
    content: z.string().max(SYMBOL_LIMITS.part),
  }),
  response: z.object({ data: SymbolFileSchema.nullable() }),
  errors: ['data.missing', 'input.invalid', 'quota.reached'],
})

export const deleteSymbols = endpoint({
  method: 'POST',
  path: '/api/exceptions/symbols/delete/',
  summary: 'Delete a mapping or source map; groups that it joined part again',
  access: ['asset.upload'],
  body: z.object({ id: z.string() }),
  response: z.object({}),
  errors: ['data.missing'],
})
