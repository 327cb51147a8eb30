import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Platform update (UPD-01, UPD-02): upload, check, update, rollback and their records. Times are epoch milliseconds. */

/** Status numbers of an update. */
export const UPDATE_STATUS = {
  /** Updated, or rolled back. */
  success: 200,
  /** A package was uploaded, can be installed and waits. */
  uploaded: 202,
  /** 'Update failed': the version before runs. */
  failed: 400,
  /** An uploaded package or the point to go back to is too old. */
  expired: 407,
  /** Updating or rolling back. */
  running: 102,
  /** 'The fallback failure'. */
  fallback_failed: 500,
  /** The processes could not be stopped, so nothing was changed. */
  close_failed: 103,
} as const
const STATUS_NUMBERS = Object.values(UPDATE_STATUS) as [number, ...number[]]
const UpdateStatusSchema = z.union(
  STATUS_NUMBERS.map((one) => z.literal(one)) as unknown as [z.ZodLiteral<number>, z.ZodLiteral<number>],
)

/** Bytes of an update package. */
export const UPDATE_PACKAGE_BYTES = 512 * 2 ** 20
/** After so many days the point to go back to is deleted: it holds personal data that may have been erased since. */
export const RETURN_DAYS = 30

/** In their order; those of a rollback begin with `back_`. */
export const UPDATE_STEPS = ['verify', 'unpack', 'backup', 'stop', 'copy', 'switch', 'start', 'health'] as const
export const RETURN_STEPS = ['back_stop', 'back_data', 'back_switch', 'back_start', 'back_health'] as const
export type UpdateStep = (typeof UPDATE_STEPS)[number] | (typeof RETURN_STEPS)[number]

export const UPDATE_STATES = [
  'updating',
  'returning',
  'updated',
  'failed',
  'returned',
  'fallback_failed',
  'close_failed',
] as const
export type UpdateState = (typeof UPDATE_STATES)[number]

/** Why an update was refused or failed. */
export const UPDATE_PROBLEMS = [
  'signature',
  'unsigned',
  'no_keys',
  'damaged',
  'platform',
  'older',
  'same',
  'format',
  'irreversible',
  'disk',
  'read_only',
  'launcher',
  'interrupted',
  'cancelled',
  'backup',
  'close',
  'start',
  'health',
  'data',
  'internal',
] as const
export type UpdateProblem = (typeof UPDATE_PROBLEMS)[number]

const ProblemSchema = z.object({ key: z.enum(UPDATE_PROBLEMS), detail: z.string() })

export const UpdateRecordSchema = z.object({
  id: z.string(),
  kind: z.enum(['update', 'rollback']),
  /** Original version. */
  from: z.string(),
  /** Target version. */
  to: z.string(),
  by: z.string(),
  began_at: z.number(),
  ended_at: z.number().nullable(),
  state: z.enum(UPDATE_STATES),
  /** Why it failed or was rolled back. */
  problem: ProblemSchema.nullable(),
  steps: z.array(
    z.object({
      name: z.enum([...UPDATE_STEPS, ...RETURN_STEPS]),
      began_at: z.number(),
      ended_at: z.number().nullable(),
      detail: z.string(),
    }),
  ),
  /** Lines about what was done, oldest first. */
  log: z.array(z.object({ at: z.number(), text: z.string(), warning: z.boolean() })),
})
export type UpdateRecord = z.infer<typeof UpdateRecordSchema>

const VersionFactsSchema = z.object({
  version: z.string(),
  files: z.number(),
  bytes: z.number(),
  migrations: z.number(),
  events_format: z.number(),
  postgres: z.number(),
})

export const UpdatePackageSchema = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.number(),
  uploaded_at: z.number(),
  expires_at: z.number(),
  /** Null: it can be installed. */
  problem: ProblemSchema.nullable(),
  /** Null where its manifest cannot be trusted. */
  facts: VersionFactsSchema.nullable(),
  /** Fingerprint of the vendor's key. */
  signer: z.string().nullable(),
  /** Names of the migrations that it brings; `down`: undone without the backup. */
  migrations: z.array(z.object({ name: z.string(), down: z.boolean() })),
})
export type UpdatePackageAnswer = z.infer<typeof UpdatePackageSchema>

export const UpdatesSchema = z.object({
  /** False in a source checkout: updates need the packaged product. */
  packaged: z.boolean(),
  version: z.string(),
  /** Of the update that runs, else of the last one; 200 if there was none. */
  status: UpdateStatusSchema,
  /** Required words of that status; empty where there are none. */
  message: z.string(),
  current: VersionFactsSchema.omit({ files: true, bytes: true }),
  has_keys: z.boolean(),
  limit_bytes: z.number(),
  uploaded: UpdatePackageSchema.nullable(),
  active: UpdateRecordSchema.nullable(),
  /** Where a rollback leads; null: there is no version to go back to. */
  return_point: z
    .object({
      id: z.string(),
      version: z.string(),
      made_at: z.number(),
      expires_at: z.number(),
      expired: z.boolean(),
      /** The tables were not changed, or each migration can be undone: nothing written since is lost. */
      lossless: z.boolean(),
      migrations: z.number(),
    })
    .nullable(),
  /** Newest first, at most 50. */
  records: z.array(UpdateRecordSchema),
})
export type UpdatesAnswer = z.infer<typeof UpdatesSchema>

export const showUpdates = endpoint({
  method: 'GET',
  path: '/api/platform/updates/',
  summary: 'Platform update: version, uploaded package, progress, the point to go back to, records',
  access: ['platform.update'],
  response: z.object({ data: UpdatesSchema }),
})

export const createUpdateUpload = endpoint({
  method: 'POST',
  path: '/api/platform/updates/uploads/',
  summary: 'tus creation for an update package: Upload-Length and Upload-Metadata (`filename`, a ZIP)',
  access: ['platform.update'],
  takes: 'bytes',
  bare: true,
  audit: false,
  response: z.unknown(),
  errors: [
    'update.only_zip',
    'update.too_large',
    'update.source',
    'update.running',
    'asset.disk',
    'quota.reached',
    'input.invalid',
  ],
})
export const updateUploadState = endpoint({
  method: 'HEAD',
  path: '/api/platform/updates/uploads/:id',
  summary: 'tus: Upload-Offset, the bytes that are there',
  access: ['platform.update'],
  bare: true,
  response: z.unknown(),
  errors: ['data.missing'],
})
export const appendUpdateUpload = endpoint({
  method: 'PATCH',
  path: '/api/platform/updates/uploads/:id',
  summary: 'tus: the bytes from Upload-Offset on (8 MiB at most)',
  access: ['platform.update'],
  takes: 'bytes',
  bare: true,
  response: z.unknown(),
  errors: ['data.missing', 'asset.offset', 'asset.disk'],
})
export const dropUpdateUpload = endpoint({
  method: 'DELETE',
  path: '/api/platform/updates/uploads/:id',
  summary: 'tus termination: forget an update package',
  access: ['platform.update'],
  bare: true,
  response: z.unknown(),
  errors: ['data.missing'],
})

const id = z.string().regex(/^[\da-f]{32}$/)

export const checkUpdate = endpoint({
  method: 'POST',
  path: '/api/platform/updates/check/',
  summary:
    'Verify an uploaded package: signature, manifest, versions, formats, space; its `problem` says why it cannot be installed',
  access: ['platform.update'],
  body: z.strictObject({ upload_id: id }),
  response: z.object({ data: UpdatePackageSchema }),
  errors: ['update.expired', 'update.incomplete', 'update.source', 'update.running'],
})

export const beginUpdate = endpoint({
  method: 'POST',
  path: '/api/platform/updates/begin/',
  summary: 'Update to the uploaded package; goes on when the caller leaves',
  access: ['platform.update'],
  body: z.strictObject({ upload_id: id }),
  response: z.object({ data: UpdateRecordSchema }),
  errors: ['update.incomplete', 'update.running', 'update.source', 'update.refused', 'update.expired'],
})

export const beginRollback = endpoint({
  method: 'POST',
  path: '/api/platform/updates/rollback/',
  summary: 'Go back to the version before: of a finished update, or of one that runs now, which is cancelled',
  access: ['platform.update'],
  body: z.strictObject({ id: z.string().max(64) }),
  response: z.object({ data: UpdateRecordSchema }),
  errors: ['update.no_return', 'update.running', 'update.source', 'update.expired'],
})
