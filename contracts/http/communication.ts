import { z } from 'zod'
import { GATEWAY_POLICY_NAMES, KEY_DAYS, KEY_STATES, type KeyState, OVERLAP_DAYS } from '#domain/communication.ts'
import { endpoint } from './endpoint.ts'

/** Communication protection: SM2 keys of applications, gateways and what they counted, and the live test. */

const access = ['communication.protect'] as const
const appid = z.string().regex(/^\d{1,9}$/)
const kid = z.number().int().min(1).max(2_147_483_647)
const days = z.number().int().min(KEY_DAYS.least).max(KEY_DAYS.most).default(KEY_DAYS.preset)
const policy = z.enum(GATEWAY_POLICY_NAMES)
const count = z.number().int()

export const CommunicationKeySchema = z.object({
  kid: z.number().int(),
  appid: z.string(),
  application: z.string(),
  state: z.enum(Object.keys(KEY_STATES) as [KeyState, ...KeyState[]]),
  /** 04, x, y as 130 hex digits. */
  public_key: z.string(),
  created_at: z.number(),
  expires_at: z.number(),
  /** Of a replaced key: when messages under it end. */
  closes_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  replaced_by: z.number().int().nullable(),
  last_seen_at: z.number().nullable(),
  /** Messages of the last 24 hours, the refused ones among them. */
  requests: count,
  refused: count,
  /** SDKs seen under this key in the last 24 hours, the most frequent first. */
  versions: z.array(z.object({ sdk: z.string(), count })),
  /** Whether the caller may change it. */
  manageable: z.boolean(),
})
export type CommunicationKey = z.infer<typeof CommunicationKeySchema>

const GatewaySchema = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  upstream: z.string(),
  version: z.string(),
  /** Given at its start; null: the policy of the console applies. */
  policy: policy.nullable(),
  started_at: z.number(),
  seen_at: z.number(),
})
export type CommunicationGateway = z.infer<typeof GatewaySchema>

export const communicationOverview = endpoint({
  method: 'GET',
  path: '/api/protect/communication/',
  summary:
    'Keys of the applications that the caller sees, running gateways, and what they counted in the last 24 hours',
  access,
  query: z.object({ appid: appid.optional() }),
  response: z.object({
    data: z.object({
      now: z.number(),
      policy,
      /** Whether the caller may change the policy: it applies to every application. */
      may_set_policy: z.boolean(),
      gateways: z.array(GatewaySchema),
      keys: z.array(CommunicationKeySchema),
      /** Applications that the caller may make keys for and that have none in use. */
      without_key: z.array(z.object({ appid: z.string(), name: z.string() })),
      figures: z.object({
        requests: count,
        refused: count,
        replayed: count,
        /**
         * Not sealed: let through under the policy 'observe', refused under 'enforce'. They name no application: null unless the caller
         * sees every application and asks for all.
         */
        plain: count.nullable(),
        handshakes: count,
        /** Mean of the gateway's own time for an accepted message, in µs; null without one. */
        mean_micros: z.number().nullable(),
        /** The 24 hours before. */
        before: z.object({ requests: count, refused: count }),
      }),
      /** 48 half hours, oldest first. */
      slots: z.array(z.object({ at: z.number(), requests: count, refused: count })),
      /** Most frequent first; keys of REFUSAL_REASONS. */
      reasons: z.array(z.object({ reason: z.string(), count })),
    }),
  }),
  errors: ['data.missing'],
})

export const createCommunicationKey = endpoint({
  method: 'POST',
  path: '/api/protect/communication/create/',
  summary: 'Make the key of an application that has none in use',
  access,
  body: z.object({ appid, days }),
  response: z.object({ data: CommunicationKeySchema }),
  errors: ['data.missing', 'application.not_yours', 'communication.key_exists'],
})

export const rotateCommunicationKey = endpoint({
  method: 'POST',
  path: '/api/protect/communication/rotate/',
  summary: 'Make a new key; the old one stays valid for the days of the overlap',
  access,
  body: z.object({
    kid,
    days,
    overlap_days: z.number().int().min(OVERLAP_DAYS.least).max(OVERLAP_DAYS.most).default(OVERLAP_DAYS.preset),
  }),
  response: z.object({ data: CommunicationKeySchema }),
  errors: ['data.missing', 'application.not_yours', 'communication.key_state'],
})

export const closeCommunicationKey = endpoint({
  method: 'POST',
  path: '/api/protect/communication/close/',
  summary: 'Change when a replaced key ends: after so many days from now, 0 for at once',
  access,
  body: z.object({ kid, days: z.number().int().min(0).max(OVERLAP_DAYS.most) }),
  response: z.object({ data: CommunicationKeySchema }),
  errors: ['data.missing', 'application.not_yours', 'communication.key_state'],
})

export const revokeCommunicationKey = endpoint({
  method: 'POST',
  path: '/api/protect/communication/revoke/',
  summary: 'Refuse messages under a key and end its sessions, for a key that leaked',
  access,
  body: z.object({ kid }),
  response: z.object({ data: CommunicationKeySchema }),
  errors: ['data.missing', 'application.not_yours', 'communication.key_state'],
})

export const exportCommunicationKey = endpoint({
  method: 'GET',
  path: '/api/protect/communication/public-key/',
  summary: 'The public part of a key as PEM (SubjectPublicKeyInfo) or as hex digits',
  access,
  navigation: true,
  bare: true,
  query: z.object({ kid: z.coerce.number().pipe(kid), format: z.enum(['pem', 'hex']).default('pem') }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const setGatewayPolicy = endpoint({
  method: 'POST',
  path: '/api/protect/communication/policy/',
  summary: 'What gateways do with requests that are not sealed, for all applications',
  access,
  body: z.object({ policy }),
  response: z.object({}),
  errors: ['communication.policy_scope'],
})

/** The gateway that the console itself runs for the live test, in front of a server that repeats what it got. */
export const OWN_GATEWAY = 'console'

const TestRequestSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT']),
  /** Without query. */
  path: z
    .string()
    .max(1024)
    .regex(/^\/[\w.~!$&'()*+,;=:@%/-]*$/),
  content_type: z.string().max(128),
  /** base64url. */
  body: z
    .string()
    .max(100_000)
    .regex(/^[\w-]*$/),
})
export const TEST_STAGES = ['handshake', 'find', 'open', 'claim', 'upstream', 'seal'] as const

export const runCommunicationTest = endpoint({
  method: 'POST',
  path: '/api/protect/communication/test/',
  summary:
    'Sends requests that the browser made to a gateway and answers what it answered, and what it did inside; for the live test',
  access,
  body: z.object({
    /** Id of a running gateway, or OWN_GATEWAY. */
    gateway: z.string().max(64),
    requests: z.array(TestRequestSchema).min(1).max(8),
  }),
  response: z.object({
    data: z.array(
      z.object({
        status: z.number().int(),
        content_type: z.string(),
        /** base64url. */
        body: z.string(),
        /** From the console to the gateway and back, µs. */
        micros: z.number().int(),
        /** 'accepted', 'handshake', 'plain_passed', or a key of REFUSAL_REASONS; '' where the gateway does not tell. */
        outcome: z.string(),
        stages: z.array(z.object({ stage: z.enum(TEST_STAGES), micros: z.number().int(), bytes: z.number().int() })),
      }),
    ),
  }),
  errors: ['data.missing', 'communication.gateway_away'],
})
export type TestAnswer = z.infer<typeof runCommunicationTest.response>['data'][number]
