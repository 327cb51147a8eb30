import { z } from 'zod'
import { parseAddressRange } from '#domain/address-range.ts'
import { EnvironmentSettingsSchema } from '#domain/environment.ts'
import { DEFAULT_ZONE } from '#domain/time-range.ts'
import { PRODUCT_KEYS } from '../product-names.ts'
import { endpoint } from './endpoint.ts'

/** Settings that an administrator may change, with defaults; stored as one row a key. */
export const SettingsSchema = z.object({
  product: z.enum(PRODUCT_KEYS).default('AppWarden'),
  product_name: z.string().trim().max(40).default(''),
  force_zh: z.boolean().default(false),
  zone: z.string().max(64).default(DEFAULT_ZONE),
  /** Approval number (审图号) printed on every map of China. */
  map_approval: z.string().trim().max(64).default(''),
  idle_minutes: z.int().min(5).max(120).default(30),
  absolute_hours: z.int().min(1).max(24).default(12),
  /** Addresses and ranges (CIDR) that sign in to the console and use its sessions; empty: all. Not for tokens and the collector. */
  console_addresses: z
    .array(
      z
        .string()
        .max(64)
        .refine((text) => parseAddressRange(text) !== undefined),
    )
    .max(200)
    .default([]),
  /** Requests and answers of the console travel as `encrypt_data` (isSealable in endpoint.ts). */
  encrypt_requests: z.boolean().default(false),
  /** Keys of the roles whose accounts must use a second factor (decision 8). */
  second_factor_roles: z.array(z.string().max(64)).max(200).default([]),
  /** Rows and logs: never under six months (RET-01). */
  event_days: z.int().min(184).max(3660).default(184),
  log_days: z.int().min(184).max(3660).default(184),
  /** Sender address and raw payload in full; then /24, /48 and the modelled fields. */
  personal_days: z.int().min(1).max(30).default(30),
  /** Finished reports are deleted after so many days, the oldest earlier where all together take more than so many gigabytes. */
  report_days: z.int().min(1).max(3660).default(184),
  report_gb: z.int().min(1).max(10_000).default(20),
  /** From this score on a device is suspicious (domain/device-score.ts). */
  suspicious_from: z.int().min(20).max(100).default(60),
  /** Requests of one enrolled device: one batch in so many seconds, with a burst. */
  device_batch_seconds: z.int().min(1).max(600).default(10),
  device_burst: z.int().min(1).max(100).default(5),
  /** Enrolments an hour from one /24 (IPv6 /56). */
  enrolments_per_hour: z.int().min(1).max(100_000).default(20),
  /** Events a second of one application and of the platform; 0: the machine's capacity. */
  app_ceiling: z.int().min(0).max(10_000_000).default(0),
  platform_ceiling: z.int().min(0).max(10_000_000).default(0),
  /** Webhooks may go to addresses and ports inside the own network. */
  webhook_private: z.boolean().default(false),
  /** Largest package that may be uploaded, in MB. */
  package_limit_mb: z.int().min(1).max(3072).default(2048),
  /** How the service side is reached, as the page of the security service shows it; '' where it is not. */
  service_phone: z.string().trim().max(60).default(''),
  /** Outside support: new requests and messages go there by mail. '': the administrators of this platform are the service side. */
  service_mail: z.union([z.literal(''), z.email().max(200)]).default(''),
  service_hours: z.string().trim().max(120).default(''),
  /** Files of a service request are deleted so many days after it was closed. */
  service_days: z.int().min(1).max(365).default(30),
  /** Limits of the environment page, and the channels of its alerts. */
  environment: EnvironmentSettingsSchema.prefault({}),
})
export type Settings = z.infer<typeof SettingsSchema>

export const readSettings = endpoint({
  method: 'GET',
  path: '/api/platform/settings/',
  summary: 'Platform settings',
  access: ['platform.settings'],
  /** `address`: of the caller, as the server sees it. */
  response: z.object({ data: SettingsSchema, address: z.string() }),
})
export const saveSettings = endpoint({
  method: 'POST',
  path: '/api/platform/settings/save/',
  summary: 'Change some settings',
  access: ['platform.settings'],
  body: SettingsSchema.partial().strict(),
  response: z.object({ data: SettingsSchema }),
  errors: ['input.invalid', 'settings.own_address'],
})

const EnvelopeKeySchema = z.object({
  kid: z.int(),
  /** Epoch milliseconds. */
  made_at: z.number(),
  /** Epoch milliseconds; null for the current key. */
  opens_until: z.number().nullable(),
})
export const envelopeKeys = endpoint({
  method: 'GET',
  path: '/api/platform/envelope-keys/',
  summary: 'Keys that open encrypted requests, the current one first',
  access: ['platform.settings'],
  response: z.object({ data: z.array(EnvelopeKeySchema) }),
})
export const rotateEnvelopeKey = endpoint({
  method: 'POST',
  path: '/api/platform/envelope-keys/rotate/',
  summary: 'Make a new key for encrypted requests; the old one opens requests for 24 hours more',
  access: ['platform.settings'],
  response: z.object({ data: z.array(EnvelopeKeySchema) }),
})
