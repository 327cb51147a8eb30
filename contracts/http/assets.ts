import { z } from 'zod'
import { APPLICATION_TYPES, FILE_TYPES } from '../detection/kinds.ts'
import { EXPORT_FILE, JobSchema } from '../jobs.ts'
import { endpoint } from './endpoint.ts'

/** Application files: upload, list, detail, push, download (ASSET-01 to ASSET-06; decisions 5, 6 and 26). */

const id = z.string().regex(/^\d{1,9}$/)
const time = z.coerce.number().int().min(0)
const applicationType = z.enum(Object.keys(APPLICATION_TYPES) as [keyof typeof APPLICATION_TYPES])
const fileType = z.enum(Object.keys(FILE_TYPES) as [keyof typeof FILE_TYPES])
/** '' asks for all (ASSET-02). */
const orAll = <T extends z.ZodType>(one: T) => z.union([z.literal(''), one])

/** Up to this size a file goes as one form; above it in chunks first. */
export const FORM_BYTES = 8 * 1024 * 1024
/** Files that go up in one round of the dialog. */
export const FILES_AT_ONCE = 10
/** Unfinished uploads live this long after their last chunk. */
export const UPLOAD_HOURS = 24

export const AppFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** As it was uploaded. */
  file_name: z.string(),
  version: z.string(),
  version_code: z.string(),
  size: z.number(),
  md5: z.string(),
  sha256: z.string(),
  package_name: z.string(),
  /** APPID: the application that it belongs to, or null. */
  appid: z.string().nullable(),
  /** That application's name; '' without one. */
  application: z.string(),
  /** One of the 21 application types, '' where it was not set. */
  type: orAll(applicationType),
  file_type: fileType,
  /** Container as it was read: apk, apks, xapk, aab, aar, jar, so, ipa. */
  kind: z.string(),
  platform: z.enum(['android', 'ios']),
  protection: z.enum(['unreinforced', 'reinforced']),
  /** Who reinforced it, as far as that is known. */
  packer: z.string(),
  /** Baseline of abnormal return for its version. */
  pushed: z.boolean(),
  /** Address of a PNG under /api/media/; null where the package has no picture that can be drawn. */
  icon: z.string().nullable(),
  signature: z.enum(['verified', 'partial', 'broken', 'unsigned', 'unknown']),
  /** SHA-256 of the signing certificates. */
  signers: z.array(z.string()),
  uploaded_at: z.number(),
  operator: z.string(),
  /** The bytes are still there. */
  has_file: z.boolean(),
})
export type AppFile = z.infer<typeof AppFileSchema>

export const CertificateSchema = z.object({
  subject: z.string(),
  issuer: z.string(),
  serial: z.string(),
  /** Epoch milliseconds. */
  not_before: z.number(),
  not_after: z.number(),
  algorithm: z.string(),
  key: z.string(),
  sha256: z.string(),
  sha1: z.string(),
  md5: z.string(),
  /** What limits the trust in it, expiry aside; absent in facts of earlier versions. */
  caveats: z.array(z.enum(['debug', 'test_key', 'weak_key', 'weak_digest'])).optional(),
})

export type ShownCertificate = z.infer<typeof CertificateSchema>

/** What reading the package found; kept with the file. Lists are cut at a few thousand, `cut` names those that were. */
export const PackageFactsSchema = z.object({
  /** Name, value: min SDK, launchable activity and the like, in the order of showing. */
  identity: z.array(z.object({ key: z.string(), value: z.string() })),
  abis: z.array(z.string()),
  native_libraries: z.array(z.string()),
  dex_files: z.number(),
  entries: z.number(),
  /** Scheme and whether it is there and holds. */
  schemes: z.array(z.object({ scheme: z.string(), state: z.string() })),
  certificates: z.array(CertificateSchema),
  signature_issues: z.array(z.object({ severity: z.enum(['error', 'warning']), key: z.string(), detail: z.string() })),
  permissions: z.array(
    z.object({
      name: z.string(),
      max_sdk: z.number().nullable(),
      implied_by: z.string(),
      /** The reason that an iOS application shows to the user. */
      text: z.string().optional(),
    }),
  ),
  components: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      exported: z.boolean(),
      permission: z.string(),
      enabled: z.boolean(),
    }),
  ),
  /** What could not be read, and what is odd. */
  notes: z.array(z.object({ key: z.string(), detail: z.string() })),
  /** SHA-256 by part: what a device's build is compared with. */
  hashes: z.record(z.string(), z.string()),
  cut: z.array(z.string()),
})
export type PackageFacts = z.infer<typeof PackageFactsSchema>

export const showFile = endpoint({
  method: 'GET',
  path: '/api/application/show-file/',
  summary: 'Application files newest first (200 at most): of an application, or of a package name',
  access: ['asset.read'],
  query: z.object({ appid: id.optional(), package_name: z.string().max(256).optional() }),
  response: z.object({ object_list: z.array(AppFileSchema) }),
  errors: ['data.missing'],
})

export const createFile = endpoint({
  method: 'POST',
  path: '/api/application/create-file/',
  summary:
    'Make an uploaded file an application file, or change that: its name, its type, its application (`new`: make one of it)',
  access: ['asset.upload'],
  body: z.object({
    id,
    name: z.string().trim().min(1).max(120).optional(),
    type: orAll(applicationType).optional(),
    appid: z.union([id, z.literal('new')]).optional(),
  }),
  response: z.object({ file_object: AppFileSchema }),
  errors: ['data.missing', 'permission.missing', 'quota.reached'],
})

export const delFile = endpoint({
  method: 'POST',
  path: '/api/application/del-file/',
  summary: 'Delete a file: its record and, with the last record that names them, its bytes',
  access: ['asset.delete'],
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const FILE_SORTS = ['uploaded_at', 'size', 'name'] as const
const fileFilters = z.object({
  /** Part of the name, the file's name or the package name. */
  search: z.string().trim().max(120).default(''),
  /** Upload date, epoch milliseconds: from, and before. */
  from: time.optional(),
  to: time.optional(),
  type: orAll(applicationType).default(''),
  file_type: orAll(fileType).default(''),
  protection: z.enum(['', 'unreinforced', 'reinforced']).default(''),
  appid: orAll(id).default(''),
  sort: z.enum(FILE_SORTS).default('uploaded_at'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export const fileManage = endpoint({
  method: 'GET',
  path: '/api/application/file-manage/',
  summary: 'The asset list: a page of it, how many there are, and what they add up to',
  access: ['asset.read'],
  query: fileFilters.extend({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    page_size: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: z.object({
    data: z.array(AppFileSchema),
    total: z.number(),
    summary: z.object({
      /** Bytes of all that match. */
      size: z.number(),
      reinforced: z.number(),
      /** Of all that match but for the file type asked for. */
      by_file_type: z.record(z.string(), z.number()),
    }),
  }),
})

export const exportFiles = endpoint({
  method: 'POST',
  path: '/api/application/file-export/',
  summary: 'Export the asset list with these filters, whole, in a job',
  access: ['asset.read'],
  body: z.object({ list: fileFilters, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists'],
})

export const fileDetail = endpoint({
  method: 'GET',
  path: '/api/application/file/',
  summary: 'One file with what reading it found',
  access: ['asset.read'],
  query: z.object({ id }),
  response: z.object({ data: AppFileSchema.extend({ facts: PackageFactsSchema, version_pushed: z.boolean() }) }),
  errors: ['data.missing'],
})

export const downFile = endpoint({
  method: 'GET',
  path: '/api/application/down-file/',
  summary: 'Download the installation package of an application (its newest), or one file',
  access: ['asset.read'],
  navigation: true,
  bare: true,
  query: z.object({ appid: id.optional(), file: id.optional() }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const uploadFile = endpoint({
  method: 'POST',
  path: '/api/application/upload-file/',
  summary:
    'Upload a package as multipart/form-data (part `file`), or end a resumable upload (`upload_id`). It joins the application named by `appid`, else one that has its package name; `create` makes an application of it where none has',
  access: ['asset.upload'],
  takes: 'form',
  body: z.object({
    upload_id: z.string().max(64).optional(),
    appid: id.optional(),
    create: z.enum(['application']).optional(),
    type: orAll(applicationType).optional(),
  }),
  response: z.object({ file_object: AppFileSchema.extend({ existing: z.boolean() }) }),
  errors: [
    'asset.too_large',
    'asset.unreadable',
    'asset.unknown_kind',
    'asset.only_apk',
    'asset.disk',
    'asset.incomplete',
    'asset.busy',
    'data.missing',
    'quota.reached',
    'request.media_type',
  ],
})

export const pushFile = endpoint({
  method: 'POST',
  path: '/api/application/push-file/',
  summary: 'Push to the platform: the file becomes the baseline of its version (or no longer is)',
  access: ['asset.upload'],
  body: z.object({ id, pushed: z.boolean() }),
  response: z.object({ file_object: AppFileSchema }),
  errors: ['data.missing', 'asset.no_identity', 'baseline.exists'],
})

export const media = endpoint({
  method: 'GET',
  path: '/api/media/:name',
  summary: 'A picture that the product made, by its name: icons of application files as PNG',
  access: ['asset.read'],
  navigation: true,
  bare: true,
  response: z.unknown(),
  errors: ['data.missing'],
})

// ------------------------------------------------------------------------------------- resumable uploads: tus 1.0

export const createUpload = endpoint({
  method: 'POST',
  path: '/api/application/uploads/',
  summary: 'tus creation: Upload-Length and Upload-Metadata (`filename`); answers its address as Location',
  access: ['asset.upload', 'tool.use', 'script.protect'],
  takes: 'bytes',
  bare: true,
  audit: false,
  response: z.unknown(),
  errors: ['asset.too_large', 'asset.disk', 'quota.reached', 'input.invalid'],
})
export const uploadState = endpoint({
  method: 'HEAD',
  path: '/api/application/uploads/:id',
  summary: 'tus: Upload-Offset, the bytes that are there',
  access: ['asset.upload', 'tool.use', 'script.protect'],
  bare: true,
  response: z.unknown(),
  errors: ['data.missing'],
})
export const appendUpload = endpoint({
  method: 'PATCH',
  path: '/api/application/uploads/:id',
  summary: 'tus: the bytes from Upload-Offset on (8 MiB at most)',
  access: ['asset.upload', 'tool.use', 'script.protect'],
  takes: 'bytes',
  bare: true,
  response: z.unknown(),
  errors: ['data.missing', 'asset.offset', 'asset.disk'],
})
export const dropUpload = endpoint({
  method: 'DELETE',
  path: '/api/application/uploads/:id',
  summary: 'tus termination: forget an unfinished upload',
  access: ['asset.upload', 'tool.use', 'script.protect'],
  bare: true,
  response: z.unknown(),
  errors: ['data.missing'],
})
