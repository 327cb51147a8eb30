import { z } from 'zod'
import { KeepRulesSchema, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import { APPLICATION_TYPES, type ApplicationType } from '../detection/kinds.ts'
import { endpoint } from './endpoint.ts'

/** Policies of reinforcement (HARD-01): which options are applied, with their settings and the signature. */

const access = ['asset.harden'] as const
const id = z.uuid()
const appid = z.string().regex(/^\d{1,9}$/)
const name = z.string().trim().max(64)
const industry = z.union([
  z.literal(''),
  z.enum(Object.keys(APPLICATION_TYPES) as [ApplicationType, ...ApplicationType[]]),
])
/** v1 is JAR signing; v3.1 and v4 come with v3 where a lineage or an incremental install asks for them. */
export const SIGNATURE_SCHEMES = ['v1', 'v2', 'v3'] as const
const schemes = z.array(z.enum(SIGNATURE_SCHEMES)).min(1).max(SIGNATURE_SCHEMES.length)
/** Of an imported file. */
export const POLICY_FILE_BYTES = 200_000

const summary = {
  id: z.string(),
  name: z.string(),
  /** Offered to all applications and visible to everyone who may reinforce. */
  general: z.boolean(),
  /** The application type whose template it began with, '' without one. */
  industry,
  /** null: of its owner alone, unless it is general. */
  appid: z.string().nullable(),
  owner: z.string(),
  /** Grows with every change. */
  rev: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  updated_by: z.string(),
  manageable: z.boolean(),
}
export const ReinforcePolicySummarySchema = z.object({
  ...summary,
  /** Options that are on, and those of them that this version implements. */
  chosen: z.number(),
  carried_out: z.number(),
  /** Name of its signature file where the caller may use that, else ''. */
  signature: z.string(),
})
export type ReinforcePolicySummary = z.infer<typeof ReinforcePolicySummarySchema>
export const ReinforcePolicySchema = z.object({
  ...summary,
  options: ReinforceOptionsSchema,
  keep_rules: z.string(),
  /** null: none, or one that the caller may not use (`hidden_signature`). */
  signature_id: z.string().nullable(),
  hidden_signature: z.boolean(),
  /** Whether the caller may make it general, or take that back. */
  may_be_general: z.boolean(),
  schemes,
})
export type ReinforcePolicy = z.infer<typeof ReinforcePolicySchema>

export const reinforcePolicies = endpoint({
  method: 'GET',
  path: '/api/reinforce/policies/',
  summary: 'Policies that the caller may use: general ones, own ones, and those of applications that he sees',
  access,
  query: z.object({ appid: appid.optional() }),
  response: z.object({ data: z.array(ReinforcePolicySummarySchema) }),
})

export const reinforcePolicy = endpoint({
  method: 'GET',
  path: '/api/reinforce/policies/detail/',
  summary: 'One policy with all options',
  access,
  query: z.object({ id }),
  response: z.object({ data: ReinforcePolicySchema }),
  errors: ['data.missing'],
})

export const createReinforcePolicy = endpoint({
  method: 'POST',
  path: '/api/reinforce/policies/create/',
  summary: 'Create a policy: with all options off, from the template of an application type, or as a copy',
  access,
  body: z.object({
    name,
    template: industry.default(''),
    copy: id.optional(),
    appid: appid.optional(),
  }),
  response: z.object({ data: ReinforcePolicySchema }),
  errors: ['data.missing', 'reinforce.required', 'quota.reached'],
})

export const saveReinforcePolicy = endpoint({
  method: 'POST',
  path: '/api/reinforce/policies/save/',
  summary: 'Change a policy; refused while an option that is on lacks what it needs',
  access,
  body: z.object({
    id,
    /** Of the state that the caller has seen. */
    rev: z.int(),
    name,
    /** Only callers who see every application may set it. */
    general: z.boolean(),
    appid: appid.nullable(),
    options: ReinforceOptionsSchema,
    keep_rules: KeepRulesSchema,
    /** undefined: as it is. */
    signature_id: id.nullable().optional(),
    schemes,
  }),
  response: z.object({ data: ReinforcePolicySchema }),
  errors: [
    'data.missing',
    'data.conflict',
    'reinforce.required',
    'reinforce.address',
    'reinforce.not_yours',
    'reinforce.general',
  ],
})

export const deleteReinforcePolicy = endpoint({
  method: 'POST',
  path: '/api/reinforce/policies/delete/',
  summary: 'Delete a policy for good',
  access,
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing', 'reinforce.not_yours'],
})

export const importReinforcePolicy = endpoint({
  method: 'POST',
  path: '/api/reinforce/policies/import/',
  summary: 'Create a policy from an exported file, given as its text',
  access,
  body: z.object({ text: z.string().max(POLICY_FILE_BYTES), appid: appid.optional() }),
  response: z.object({ data: ReinforcePolicySchema }),
  errors: ['data.missing', 'reinforce.file', 'quota.reached'],
})

export const exportReinforcePolicy = endpoint({
  method: 'GET',
  path: '/api/reinforce/policies/export/',
  summary: 'A policy as a file (JSON), without its signature file',
  access,
  navigation: true,
  bare: true,
  query: z.object({ id }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const reinforcePolicyFormat = endpoint({
  method: 'GET',
  path: '/api/reinforce/policies/schema/',
  summary: 'JSON Schema (2020-12) of exported policies',
  access,
  navigation: true,
  bare: true,
  response: z.unknown(),
})
