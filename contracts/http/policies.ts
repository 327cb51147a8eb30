import { z } from 'zod'
import { POLICY_STARTS, PolicyRulesSchema } from '#domain/policy-rules.ts'
import type { GUARD, GuardReading } from '#domain/roll-out-guard.ts'
import { OPTIONAL_FIELDS } from '../telemetry/policy.ts'
import { endpoint } from './endpoint.ts'

/** Protection policies: what apps do about each risk, to whom a version goes, who has it, and what apps must not send. */

const ok = z.object({})
const appid = z.string().regex(/^\d{1,9}$/)
const id = z.string().regex(/^[0-9a-f-]{36}$/)
const name = z.string().trim().min(1).max(64)

export const DEPLOYMENT_STATES = ['running', 'paused', 'ended'] as const
/** The usual shares of devices that a roll-out goes through, in percent. */
export const ROLL_OUT_STAGES = [1, 10, 50, 100] as const

export const DeploymentSchema = z.object({
  id: z.string(),
  policy: z.string(),
  version: z.number(),
  /** Versions of the app; empty: all. */
  app_versions: z.array(z.string()),
  /** Share of the devices with those versions; by a stable drawing, so that it only ever takes devices along. */
  percent: z.number(),
  /** paused and ended: no device gets it, the policy beneath applies. */
  state: z.enum(DEPLOYMENT_STATES),
  /** It stops by itself where the published rule says so (domain/roll-out-guard.ts). */
  guarded: z.boolean(),
  /** No device can get it any more: a newer one covers all that it was for. */
  covered: z.boolean(),
  created_at: z.number(),
  created_by: z.string(),
  changed_at: z.number(),
  /** The version that was deployed before, for a roll-back; null if absent. */
  before: z.number().nullable(),
  changes: z.array(
    z.object({
      at: z.number(),
      /** '' for the platform itself. */
      by: z.string(),
      what: z.string(),
      percent: z.number(),
      /** Of an automatic stop: what was measured. */
      reading: z.custom<GuardReading>().nullable(),
    }),
  ),
})
export type Deployment = z.infer<typeof DeploymentSchema>

const summary = {
  id: z.string(),
  appid: z.string(),
  name: z.string(),
  /** Grows with every change of name or draft. */
  rev: z.number(),
  /** Newest fixed version; 0 if absent. */
  version: z.number(),
  /** The draft says something else than that version. */
  changed: z.boolean(),
  archived_at: z.number().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
  updated_by: z.string(),
}
export const PolicySummarySchema = z.object({ ...summary, live: z.array(DeploymentSchema) })
export type PolicySummary = z.infer<typeof PolicySummarySchema>
export const PolicySchema = z.object({
  ...summary,
  draft: PolicyRulesSchema,
  /** Newest first. */
  versions: z.array(
    z.object({ version: z.number(), rules: PolicyRulesSchema, created_at: z.number(), created_by: z.string() }),
  ),
  /** Newest first, ended ones too. */
  deployments: z.array(DeploymentSchema),
})
export type Policy = z.infer<typeof PolicySchema>

export const policyList = endpoint({
  method: 'GET',
  path: '/api/policies/',
  summary: 'Policies of one application or of all that the caller may see, archived ones last',
  access: ['policy.edit', 'policy.deploy'],
  query: z.object({ appid: appid.optional() }),
  response: z.object({ data: z.array(PolicySummarySchema) }),
})
export const policyDetail = endpoint({
  method: 'GET',
  path: '/api/policies/detail/',
  summary: 'One policy with its draft, versions and deployments',
  access: ['policy.edit', 'policy.deploy'],
  query: z.object({ id }),
  response: z.object({ data: PolicySchema }),
  errors: ['data.missing'],
})
export const createPolicy = endpoint({
  method: 'POST',
  path: '/api/policies/create/',
  summary: 'Create a policy as a draft: from a start, or as a copy of what another policy`s draft or version says',
  access: ['policy.edit'],
  body: z.object({
    appid,
    name,
    start: z.enum(Object.keys(POLICY_STARTS) as [keyof typeof POLICY_STARTS]).default('observe'),
    copy: z.object({ id, version: z.int().min(1).optional() }).optional(),
  }),
  response: z.object({ data: PolicySchema }),
  errors: ['data.missing', 'quota.reached'],
})
export const savePolicy = endpoint({
  method: 'POST',
  path: '/api/policies/save/',
  summary: 'Change name and draft; fixed versions stay as they are',
  access: ['policy.edit'],
  body: z.object({ id, rev: z.int(), name: name.optional(), rules: PolicyRulesSchema.optional() }),
  response: z.object({ data: PolicySchema }),
  errors: ['data.missing', 'data.conflict'],
})
export const archivePolicy = endpoint({
  method: 'POST',
  path: '/api/policies/archive/',
  summary: 'Put a policy away, or take it back; refused while a device can get it',
  access: ['policy.edit'],
  body: z.object({ id, archived: z.boolean() }),
  response: ok,
  errors: ['data.missing', 'policy.deployed'],
})

export const deployPolicy = endpoint({
  method: 'POST',
  path: '/api/policies/deploy/',
  summary: 'Deploy a fixed version, or (no version) fix the draft as the next one and deploy that',
  access: ['policy.deploy'],
  body: z.object({
    id,
    /** Of the draft that the caller has seen. */
    rev: z.int(),
    version: z.int().min(1).optional(),
    app_versions: z.array(z.string().trim().min(1).max(64)).max(50).default([]),
    percent: z.int().min(1).max(100),
    guarded: z.boolean().default(true),
  }),
  response: z.object({ data: PolicySchema }),
  errors: ['data.missing', 'data.conflict', 'policy.archived'],
})
export const changeDeployment = endpoint({
  method: 'POST',
  path: '/api/policies/deployment/',
  summary: 'Let a deployment reach more devices, pause it, go on, end it, or have it watched or not',
  access: ['policy.deploy'],
  body: z.object({
    id,
    change: z.enum(['grow', 'pause', 'resume', 'end', 'guard', 'unguard']),
    /** With grow: the new share, which never shrinks. */
    percent: z.int().min(1).max(100).optional(),
  }),
  response: z.object({ data: PolicySchema }),
  errors: ['data.missing', 'data.conflict', 'policy.shrink'],
})
export const rollOutGuard = endpoint({
  method: 'GET',
  path: '/api/policies/guard/',
  summary: 'What the automatic stop of a roll-out measures now, and what follows by the published rule',
  access: ['policy.edit', 'policy.deploy'],
  query: z.object({ id }),
  response: z.object({ data: z.custom<GuardReading>(), rule: z.custom<typeof GUARD>() }),
  errors: ['data.missing', 'server.store_down'],
})
export const rollBack = endpoint({
  method: 'POST',
  path: '/api/policies/roll-back/',
  summary: 'End a deployment and deploy an older version in its place, to all devices that it was for',
  access: ['policy.deploy'],
  body: z.object({ id, version: z.int().min(1) }),
  response: z.object({ data: PolicySchema }),
  errors: ['data.missing', 'data.conflict'],
})

export const policyReach = endpoint({
  method: 'GET',
  path: '/api/policies/reach/',
  summary: 'Which versions the devices of an application fetched last, and how many enrolled ones never fetched any',
  access: ['policy.edit', 'policy.deploy'],
  query: z.object({ appid }),
  response: z.object({
    data: z.object({
      /** Most devices first; policy '' and version 0 is 'no policy'. */
      versions: z.array(
        z.object({
          policy: z.string(),
          name: z.string(),
          version: z.number(),
          devices: z.number(),
          last_seen: z.number(),
        }),
      ),
      devices: z.number(),
      /** Enrolled, but never asked. */
      never: z.number(),
    }),
  }),
  errors: ['data.missing'],
})

const CollectFieldsSchema = z.object({ off: z.array(z.enum(OPTIONAL_FIELDS)), changed_at: z.number().nullable() })
export const collectFields = endpoint({
  method: 'GET',
  path: '/api/policies/collect-fields/',
  summary: 'Optional fields that the apps of an application must not send',
  access: ['policy.edit', 'policy.deploy', 'sdk.download'],
  query: z.object({ appid }),
  response: z.object({ data: CollectFieldsSchema }),
  errors: ['data.missing'],
})
export const setCollectFields = endpoint({
  method: 'POST',
  path: '/api/policies/collect-fields/set/',
  summary: 'Say which optional fields apps must not send; they learn it with their next policy',
  access: ['policy.edit'],
  body: z.object({ appid, off: z.array(z.enum(OPTIONAL_FIELDS)).max(OPTIONAL_FIELDS.length) }),
  response: z.object({ data: CollectFieldsSchema }),
  errors: ['data.missing'],
})

export const setProtectType = endpoint({
  method: 'POST',
  path: '/api/application/protect-type/',
  summary:
    'Protection type of an application: "0" observe, apps report only; "1" protect, apps do what the policy says',
  access: ['policy.deploy'],
  body: z.object({ appid, protect_type: z.enum(['0', '1']) }),
  response: ok,
  errors: ['data.missing'],
})
