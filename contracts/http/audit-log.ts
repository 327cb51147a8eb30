import { z } from 'zod'
import { AuditChangeSchema } from '../audit-change.ts'
import { EXPORT_FILE, JobSchema } from '../jobs.ts'
import { endpoint } from './endpoint.ts'

/** Audit entries and network log lines younger than this cannot be deleted by anybody (six months). */
export const PROTECTED_LOG_DAYS = 184

const NameSchema = z.object({ zh: z.string(), en: z.string() })
const time = z.coerce.number().int().min(0).optional()

// ------------------------------------------------------------------------------------------------------- audit trail

export const AUDIT_RESULTS = ['ok', 'refused'] as const
/** Which entries; times in epoch ms, `from` inclusive, `to` exclusive. */
export const AuditFilters = z.object({
  search: z.string().max(100).optional(),
  account: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  /** `ok`, or any refusal. */
  result: z.enum(AUDIT_RESULTS).optional(),
  from: time,
  to: time,
})
export type AuditFilters = z.infer<typeof AuditFilters>

const AuditEntrySchema = z.object({
  id: z.number(),
  at: z.number(),
  account: z.string(),
  /** Key of the role that the account had. */
  role: z.string(),
  /** Its current name; null if the role no longer exists. */
  role_name: NameSchema.nullable(),
  /** Name of an endpoint, or of what the product did by itself: contracts/audit-actions.ts has the words. */
  action: z.string(),
  target: z.string(),
  /** `ok`, or the key of the refusal (contracts/errors.ts). */
  result: z.string(),
  /** Words of the refusal; null for `ok` and a key that is no longer known. */
  result_name: NameSchema.nullable(),
  address: z.string(),
  detail: z.string(),
  /** How many fields it changed. */
  changed: z.number(),
  /** Last sign-in of the account that did it; null for none, or if the account no longer exists. */
  last_login_at: z.number().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntrySchema>

export const auditLog = endpoint({
  method: 'GET',
  path: '/api/logs/audit/',
  summary: 'Audit trail, newest first',
  access: ['log.view'],
  query: AuditFilters.extend({
    /** Entries before this id. */
    cursor: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({ data: z.array(AuditEntrySchema), next_cursor: z.number().nullable() }),
})

/** Entries, or lines, in equal spans of time; spans without any are absent. */
const HistogramSchema = z.object({
  /** Width of a span in ms; spans of hours and days begin at a multiple of it in the zone of the platform. */
  width: z.number(),
  spans: z.array(z.object({ at: z.number(), ok: z.number(), refused: z.number() })),
})
export type LogHistogram = z.infer<typeof HistogramSchema>

export const auditSummary = endpoint({
  method: 'GET',
  path: '/api/logs/audit/summary/',
  summary:
    'Count of the entries that the filters leave, over time, and what accounts and actions there are to choose from',
  access: ['log.view'],
  query: AuditFilters,
  response: z.object({
    data: z.object({
      total: z.number(),
      histogram: HistogramSchema,
      accounts: z.array(z.string()),
      actions: z.array(z.string()),
    }),
  }),
})

const CheckpointSchema = z.object({
  id: z.number(),
  at: z.number(),
  /** The entry whose hash it signs, and with it all before. */
  entry_id: z.number(),
  hash: z.string(),
  /** SM2 with SM3 (GB/T 32918.2, default user id), DER in hexadecimal, over checkpointText. */
  signature: z.string(),
})
export type Checkpoint = z.infer<typeof CheckpointSchema>

/** What a checkpoint signs, so that it can be verified without this product. */
export function checkpointText({ id, at, entry_id, hash }: Omit<Checkpoint, 'signature'>): string {
  return `AppWarden audit checkpoint\n${id}\n${at}\n${entry_id}\n${hash}\n`
}

export const auditEntry = endpoint({
  method: 'GET',
  path: '/api/logs/audit/entry/',
  summary: 'One entry with its values before and after, its place in the chain, and what its account did around it',
  access: ['log.view'],
  query: z.object({ id: z.coerce.number().int() }),
  response: z.object({
    data: AuditEntrySchema.extend({
      changes: z.array(AuditChangeSchema),
      hash: z.string(),
      /** The hash recomputed from the entry and the one before it is the stored one. */
      fits: z.boolean(),
      previous: z.object({ id: z.number(), hash: z.string() }).nullable(),
      next: z.object({ id: z.number(), hash: z.string() }).nullable(),
      /** The first checkpoint that covers it. */
      checkpoint: CheckpointSchema.nullable(),
      /** Outputs (syslog, webhook), and whether the entry was sent there. */
      outputs: z.array(z.object({ name: z.string(), sent: z.boolean() })),
      /** Entries of the same account within five minutes before and after, at most 20. */
      around: z.array(AuditEntrySchema.pick({ id: true, at: true, action: true, target: true, result: true })),
    }),
  }),
  errors: ['data.missing'],
})

const VerificationSchema = z.object({
  at: z.number(),
  by: z.string(),
  entries: z.number(),
  /** The first entry whose hash does not fit; null: all fit. */
  broken_at: z.number().nullable(),
  checkpoints: z.number(),
  /** The first checkpoint whose signature or hash does not fit; null: all fit. */
  bad_checkpoint: z.number().nullable(),
  /** Entries that a checkpoint proves and that are not there: the tail was cut. */
  missing: z.object({ from: z.number(), to: z.number() }).nullable(),
})
export type Verification = z.infer<typeof VerificationSchema>
/** Nothing was changed, removed or cut off. */
export function isIntact({ broken_at, bad_checkpoint, missing }: Verification): boolean {
  return broken_at === null && bad_checkpoint === null && missing === null
}

export const auditState = endpoint({
  method: 'GET',
  path: '/api/logs/state/',
  summary: 'Size and age of the logs, newest checkpoint, last verification, and how much may be deleted',
  access: ['log.view'],
  response: z.object({
    data: z.object({
      entries: z.number(),
      first_at: z.number().nullable(),
      /** Entries that were deleted because of their age: the chain begins after this id. */
      begins_after: z.number(),
      checkpoint: CheckpointSchema.nullable(),
      /** Uncompressed point in hexadecimal. */
      public_key: z.string(),
      verification: VerificationSchema.nullable(),
      /** What is older than this (epoch ms) may be deleted. */
      deletable_before: z.number(),
      deletable: z.object({ audit: z.number(), network: z.number() }),
    }),
  }),
})

export const auditVerify = endpoint({
  method: 'POST',
  path: '/api/logs/audit/verify/',
  summary:
    'Recompute the hash chain and check every checkpoint; names the first that does not fit and what is missing at the end',
  access: ['audit.verify'],
  body: z.object({}),
  response: z.object({ data: VerificationSchema }),
})

export const auditCheckpoints = endpoint({
  method: 'GET',
  path: '/api/logs/audit/checkpoints/',
  summary: 'Signed checkpoints, newest first, and the public key that verifies them',
  access: ['log.view'],
  query: z.object({
    cursor: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: z.object({
    data: z.array(CheckpointSchema),
    public_key: z.string(),
    next_cursor: z.number().nullable(),
  }),
})

// ------------------------------------------------------------------------------------------------------- network log

export const NETWORK_KINDS = ['signin', 'console', 'token', 'wall', 'anonymous', 'collect'] as const
export const NETWORK_RESULTS = ['ok', 'refused', 'error'] as const
export const NetworkFilters = z.object({
  search: z.string().max(100).optional(),
  kind: z.enum(NETWORK_KINDS).optional(),
  account: z.string().max(200).optional(),
  address: z.string().max(64).optional(),
  /** `ok`: status below 400 and code 0; `error`: status 500 and above; `refused`: the others. */
  result: z.enum(NETWORK_RESULTS).optional(),
  from: time,
  to: time,
})
export type NetworkFilters = z.infer<typeof NetworkFilters>

const NetworkLineSchema = z.object({
  id: z.number(),
  at: z.number(),
  kind: z.enum(NETWORK_KINDS),
  account: z.string(),
  application: z.string().nullable(),
  address: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  code: z.number(),
  /** Bytes of the request's body. */
  size: z.number(),
  milliseconds: z.number(),
})
export type NetworkLine = z.infer<typeof NetworkLineSchema>

export const networkLog = endpoint({
  method: 'GET',
  path: '/api/logs/network/',
  summary: 'Network log, newest first: sign-ins, console and token requests, a line for each batch of a collector',
  access: ['log.view'],
  query: NetworkFilters.extend({
    cursor: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({ data: z.array(NetworkLineSchema), next_cursor: z.number().nullable() }),
})

export const networkSummary = endpoint({
  method: 'GET',
  path: '/api/logs/network/summary/',
  summary: 'Count of the lines that the filters leave, and over time',
  access: ['log.view'],
  query: NetworkFilters,
  response: z.object({ data: z.object({ total: z.number(), histogram: HistogramSchema }) }),
})

// ------------------------------------------------------------------------------------------- download, deletion, output

/** A log with the filters that choose from it. */
export const ChosenLog = z.discriminatedUnion('log', [
  z.strictObject({ log: z.literal('audit'), filters: AuditFilters }),
  z.strictObject({ log: z.literal('network'), filters: NetworkFilters }),
])
export type ChosenLog = z.infer<typeof ChosenLog>

export const exportLog = endpoint({
  method: 'POST',
  path: '/api/logs/export/',
  summary: 'Export the entries or lines that the filters leave, whole, in a job; audit entries with their hashes',
  access: ['log.download'],
  body: z.object({ list: ChosenLog, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists'],
})

export const deleteLogs = endpoint({
  method: 'POST',
  path: '/api/logs/delete/',
  summary: `Delete what is older than a time that lies ${PROTECTED_LOG_DAYS} days back or more; the chain goes on from where it begins then`,
  access: ['log.delete'],
  body: z.strictObject({ log: z.enum(['audit', 'network']), before: z.number().int() }),
  response: z.object({ data: z.object({ deleted: z.number() }) }),
  errors: ['log.protected'],
})

export const LOG_OUTPUT_KINDS = ['syslog', 'webhook'] as const
const LogOutputSchema = z.object({
  id: z.string(),
  kind: z.enum(LOG_OUTPUT_KINDS),
  name: z.string(),
  /** `host:port` of a syslog server; address of a webhook, whole only for who may change it. */
  target: z.string(),
  /** A certificate authority of its own was given. */
  has_ca: z.boolean(),
  enabled: z.boolean(),
  /** Entries up to this id were sent. */
  position: z.number(),
  /** Entries that are still to be sent. */
  waiting: z.number(),
  last_sent_at: z.number().nullable(),
  /** Why the last attempt failed; '' if it did not. */
  error: z.string(),
  /** When the next attempt is due after a failure. */
  next_at: z.number().nullable(),
})
export type LogOutput = z.infer<typeof LogOutputSchema>

export const logOutputs = endpoint({
  method: 'GET',
  path: '/api/logs/outputs/',
  summary: 'Where audit entries and checkpoints are copied to, and how far each copy is',
  access: ['log.view', 'platform.settings'],
  response: z.object({ data: z.array(LogOutputSchema) }),
})

export const saveLogOutput = endpoint({
  method: 'POST',
  path: '/api/logs/outputs/save/',
  summary:
    'Create (no id) or change an output: syslog (RFC 5424 over TLS) or webhook; a new webhook answers its signing secret, once',
  access: ['platform.settings'],
  body: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('syslog'),
      id: z.string().optional(),
      name: z.string().trim().min(1).max(60),
      enabled: z.boolean(),
      host: z.string().trim().min(1).max(253),
      port: z.int().min(1).max(65_535).default(6514),
      /** PEM of a certificate authority that is trusted beside the system's; '' for none, absent keeps the one there is. */
      ca: z.string().max(20_000).optional(),
      /** Send what is in the log already too. */
      history: z.boolean().default(false),
    }),
    z.strictObject({
      kind: z.literal('webhook'),
      id: z.string().optional(),
      name: z.string().trim().min(1).max(60),
      enabled: z.boolean(),
      url: z.string().trim().min(1).max(2000),
      history: z.boolean().default(false),
    }),
  ]),
  response: z.object({ data: LogOutputSchema, secret: z.string().optional() }),
  errors: ['data.missing', 'input.invalid', 'quota.reached'],
})

export const deleteLogOutput = endpoint({
  method: 'POST',
  path: '/api/logs/outputs/delete/',
  summary: 'Delete an output; what waits for it is not sent',
  access: ['platform.settings'],
  body: z.strictObject({ id: z.string() }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const testLogOutput = endpoint({
  method: 'POST',
  path: '/api/logs/outputs/test/',
  summary: 'Send a test message to an output and say whether it was taken',
  access: ['platform.settings'],
  body: z.strictObject({ id: z.string() }),
  response: z.object({ data: z.object({ sent: z.boolean(), error: z.string() }) }),
  errors: ['data.missing'],
})
