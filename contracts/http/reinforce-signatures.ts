import { z } from 'zod'
import { CertificateSchema } from './assets.ts'
import { endpoint } from './endpoint.ts'

/**
 * Signature files of reinforcement (HARD-03): key stores with alias and passwords. The file goes up by itself, since a form is not sealed;
 * alias and passwords follow in a call that is. Nothing answers a key or a password again.
 */

const access = ['asset.harden'] as const
const id = z.uuid()
const appid = z.string().regex(/^\d{1,9}$/)
const name = z.string().trim().min(1).max(64)
/** A key store with a long chain takes some 20 KB. */
export const KEY_FILE_BYTES = 256 * 1024
/** Wrong passwords after which an upload is deleted. */
export const KEY_TRIES = 5
/** Days before its end at which a certificate is announced and marked. */
export const SIGNATURE_WARNING_DAYS = [60, 30, 7, 1] as const
export const SIGNATURE_FORMATS = {
  pkcs12: 'PKCS#12',
  jks: 'JKS',
  jceks: 'JCEKS',
  bks: 'BKS',
  pem: 'PEM',
} as const
export type SignatureFormat = keyof typeof SIGNATURE_FORMATS
const format = z.enum(Object.keys(SIGNATURE_FORMATS) as [SignatureFormat, ...SignatureFormat[]])

export const uploadKey = endpoint({
  method: 'POST',
  path: '/api/protect/upload-key/',
  summary:
    'Upload the file of a signing key (multipart/form-data, part `file`): JKS, JCEKS, PKCS#12, BKS or PEM. It is kept encrypted for an hour until createSignature takes it',
  access,
  takes: 'form',
  body: z.object({}),
  response: z.object({
    file_object: z.object({
      id: z.string(),
      name: z.string(),
      size: z.number(),
      format,
      /** Names of its keys where they can be read without a password, else null. */
      aliases: z.array(z.string()).nullable(),
    }),
  }),
  errors: ['signature.none', 'signature.format', 'asset.too_large', 'signature.busy', 'quota.reached'],
})
export type KeyUpload = z.infer<typeof uploadKey.response>['file_object']

export const SignatureFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** As it was uploaded. */
  file_name: z.string(),
  size: z.number(),
  format,
  alias: z.string(),
  /** null: of its owner alone; else of everyone who sees the application. */
  appid: z.string().nullable(),
  /** The key's own certificate first. */
  certificates: z.array(CertificateSchema),
  not_before: z.number(),
  not_after: z.number(),
  owner: z.string(),
  created_at: z.number(),
  /** When it was last opened with the stored passwords. */
  checked_at: z.number(),
  /** Policies that sign with it, those of others included. */
  policies: z.number(),
  manageable: z.boolean(),
})
export type SignatureFile = z.infer<typeof SignatureFileSchema>

export const signatureList = endpoint({
  method: 'GET',
  path: '/api/protect/signatures/',
  summary: 'Signature files that the caller may use: own ones, and those of applications that he sees',
  access,
  query: z.object({ appid: appid.optional() }),
  response: z.object({ data: z.array(SignatureFileSchema), now: z.number() }),
})

const OPENING = [
  'signature.store_password',
  'signature.key_password',
  'signature.alias',
  'signature.unusable',
  'signature.busy',
] as const

export const createSignature = endpoint({
  method: 'POST',
  path: '/api/protect/signatures/create/',
  summary: 'Check alias and passwords against an uploaded key file, and keep all of it encrypted',
  access,
  body: z.object({
    upload: id,
    name: z.string().trim().max(64),
    appid: appid.optional(),
    alias: z.string().trim().max(256),
    store_password: z.string().max(256),
    /** The private-key integrity password. */
    key_password: z.string().max(256),
  }),
  response: z.object({ data: SignatureFileSchema }),
  errors: ['data.missing', 'reinforce.required', 'quota.reached', ...OPENING],
})

export const saveSignature = endpoint({
  method: 'POST',
  path: '/api/protect/signatures/save/',
  summary: 'Change name or application of a signature file',
  access,
  body: z.object({ id, name, appid: appid.nullable() }),
  response: z.object({ data: SignatureFileSchema }),
  errors: ['data.missing', 'signature.not_yours'],
})

export const checkSignature = endpoint({
  method: 'POST',
  path: '/api/protect/signatures/check/',
  summary: 'Open a stored signature file with its stored passwords, to see that it still signs',
  access,
  body: z.object({ id }),
  response: z.object({ data: SignatureFileSchema }),
  errors: ['data.missing', ...OPENING],
})

export const deleteSignature = endpoint({
  method: 'POST',
  path: '/api/protect/signatures/delete/',
  summary: 'Delete a signature file for good; policies that sign with it then have none',
  access,
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing', 'signature.not_yours'],
})
