import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The platform licence (LIC-01, USER-04): what holds, the code that renews it, and the reminder. Times are epoch milliseconds. */

/** Status numbers of the reminder. */
export const LICENCE_STATUS = { valid: 200, expired: 407 } as const

const limit = z.number().nullable()
export const LicenceTermsSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  customer: z.string(),
  product: z.string(),
  macs: z.array(z.string()),
  /** null: all. */
  modules: z.array(z.string()).nullable(),
  applications: limit,
  users: limit,
  devices: limit,
  events_per_day: limit,
  issued_at: z.number(),
  not_before: z.number(),
  not_after: z.number(),
})
export type LicenceTermsAnswer = z.infer<typeof LicenceTermsSchema>

/** Why a code is refused: with licence.code_empty, licence.format, and licence.invalid for all others. */
export const LICENCE_REFUSALS = [
  'empty',
  'format',
  'version',
  'signature',
  'no_keys',
  'other_product',
  'other_machine',
  'not_yet',
  'expired',
  'older',
  'applied',
] as const
export type LicenceRefusal = (typeof LICENCE_REFUSALS)[number]

export const LicenceSchema = z.object({
  kind: z.enum(['trial', 'licensed', 'grace', 'ended']),
  problem: z.enum(['trial_over', 'expired', 'other_product', 'other_machine']).nullable(),
  /** 'Authorization does not exist' or 'Authorization invalid' where the state is one of them. */
  message: z.string(),
  /** Hardware MAC addresses of this machine. */
  macs: z.array(z.string()),
  product_code: z.string(),
  /** What is sent to the vendor (domain/licence.ts, writeRequest). */
  request: z.string(),
  /** When the trial or licence began. */
  begin: z.number(),
  deadline: z.number(),
  days_remaining: z.number(),
  grace_until: z.number(),
  apps_used: z.number(),
  /** null: without limit, as in a trial. */
  apps_licensed: limit,
  users_used: z.number(),
  users_licensed: limit,
  /** Enrolled devices and events since midnight, which are shown and never refused; null: not known now. */
  devices_used: z.number().nullable(),
  devices_licensed: limit,
  events_today: z.number().nullable(),
  events_licensed: limit,
  /** The code in force; null in a trial. */
  code: z.string().nullable(),
  terms: LicenceTermsSchema.nullable(),
  /** Fingerprint of the vendor's key that signed the licence. */
  signer: z.string().nullable(),
  /** This build holds a vendor key, so that it can take a licence. */
  has_keys: z.boolean(),
  clock: z.object({ back: z.boolean(), now: z.number(), highest: z.number() }),
  /** Newest first, at most 50. */
  history: z.array(
    z.object({
      id: z.number(),
      applied_at: z.number(),
      applied_by: z.string(),
      /** null where the keys of this build no longer read it. */
      terms: LicenceTermsSchema.nullable(),
    }),
  ),
})
export type LicenceAnswer = z.infer<typeof LicenceSchema>

export const showLicence = endpoint({
  method: 'GET',
  path: '/api/authorize/show-license',
  summary: 'The platform licence: machine, deadline, figures used and licensed, history',
  access: ['license.manage'],
  response: z.object({ data: LicenceSchema }),
})

/** Longer than any licence, so that a wrong file is refused in the required words. */
const code = z.string().max(200_000).default('')

export const previewLicence = endpoint({
  method: 'POST',
  path: '/api/authorize/license/check/',
  summary: 'What a code would bring, or why it is refused; changes nothing',
  access: ['license.manage'],
  body: z.strictObject({ code }),
  audit: false,
  response: z.object({
    data: z.object({
      refusal: z.enum(LICENCE_REFUSALS).nullable(),
      /** Where the signature is good. */
      terms: LicenceTermsSchema.nullable(),
    }),
  }),
})

export const applyLicence = endpoint({
  method: 'POST',
  path: '/api/authorize/license',
  summary: 'Submit an authorization code; in force at once. A refusal has its `reason`',
  access: ['license.manage'],
  body: z.object({ code }),
  response: z.object({ data: LicenceSchema }),
  errors: ['licence.code_empty', 'licence.format', 'licence.invalid'],
})

export const downloadLicence = endpoint({
  method: 'GET',
  path: '/api/authorize/license-file/',
  summary: 'The licence in force, or an earlier one by the id of its history entry, as a file',
  access: ['license.manage'],
  navigation: true,
  bare: true,
  query: z.object({
    id: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional(),
  }),
  response: z.unknown(),
  errors: ['licence.missing', 'data.missing'],
})

export const licenseRemind = endpoint({
  method: 'GET',
  path: '/license-remind',
  summary:
    'Licence reminder: status 200, or 407 where trial or licence have ended; `days` until the deadline; message in the language asked for, empty where there is nothing to say',
  access: 'public',
  response: z.object({ status: z.number(), message: z.string(), days: z.number() }),
})
