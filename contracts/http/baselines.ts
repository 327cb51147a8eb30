import { z } from 'zod'
import { MAX_HASHES } from '#domain/baseline.ts'
import { endpoint } from './endpoint.ts'

const AppidSchema = z.string().regex(/^\d{1,9}$/)

const noteText = z.string().trim().max(500)

// ----------------------------------------------------------------------------------------------------------- baselines

const Sha256 = z
  .string()
  .trim()
  .transform((text) => text.replaceAll(':', '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{64}$/, 'SHA-256'))

export const BaselineSchema = z.object({
  id: z.string(),
  appid: AppidSchema,
  version: z.string(),
  package_name: z.string(),
  signers: z.array(z.string()),
  hashes: z.record(z.string(), z.string()),
  channels: z.array(z.string()),
  note: z.string(),
  rev: z.number(),
  by: z.string(),
  updated_at: z.number(),
})

export type Baseline = z.infer<typeof BaselineSchema>

export const baselines = endpoint({
  method: 'GET',
  path: '/api/baselines/',
  summary: 'Baselines of the applications that the caller sees, or of one',
  access: ['events.read'],
  query: z.object({ appid: AppidSchema.optional() }),
  response: z.object({ data: z.array(BaselineSchema) }),
  errors: ['data.missing'],
})

export const saveBaseline = endpoint({
  method: 'POST',
  path: '/api/baselines/save/',
  summary: 'Add (no id) or change a baseline; `rev` guards against an edit in between',
  access: ['investigation.edit'],
  body: z
    .object({
      id: z.string().max(64).optional(),
      rev: z.int().optional(),
      appid: AppidSchema,
      version: z.string().trim().min(1).max(64),
      package_name: z.string().trim().max(256).default(''),
      signers: z.array(Sha256).max(8).default([]),
      hashes: z
        .record(z.string().regex(/^[\w.\-/]{1,64}$/, 'part'), Sha256)
        .refine((hashes) => Object.keys(hashes).length <= MAX_HASHES, `at most ${MAX_HASHES}`)
        .default({}),
      channels: z.array(z.string().trim().min(1).max(64)).max(64).default([]),
      note: noteText.default(''),
    })
    .refine(
      (one) => one.package_name !== '' || one.signers.length + one.channels.length + Object.keys(one.hashes).length > 0,
      'package_name, signers, hashes, channels',
    ),
  response: z.object({ data: BaselineSchema }),
  errors: ['data.missing', 'data.conflict', 'baseline.exists'],
})

export const deleteBaseline = endpoint({
  method: 'POST',
  path: '/api/baselines/delete/',
  summary: 'Delete a baseline: its version counts as without one again',
  access: ['investigation.edit'],
  body: z.object({ id: z.string().max(64) }),
  response: z.object({}),
  errors: ['data.missing'],
})
