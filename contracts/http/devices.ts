import { z } from 'zod'
import type { Contradiction } from '#domain/baseline.ts'
import { DEVICE_VERDICTS, type DeviceVerdict, type ScoreRule } from '#domain/device-score.ts'
import { QuerySchema } from '#domain/query.ts'
import { endpoint } from './endpoint.ts'
import type { PiratedCertificate } from './monitoring/tasks.ts'

/** Devices: score, profile, verdicts, baselines of versions, returns that contradict them, deletion of personal data. */

/** A device or user as events name it. */
export const HashSchema = z.string().regex(/^[0-9a-f]{32}$/, 'not a device or user')
export const DeviceVerdictSchema = z.enum(Object.keys(DEVICE_VERDICTS) as [DeviceVerdict, ...DeviceVerdict[]])
const AppidSchema = z.string().regex(/^\d{1,9}$/)
const noteText = z.string().trim().max(500)

// -------------------------------------------------------------------------------------------------------------- score

export const scoreRules = endpoint({
  method: 'GET',
  path: '/api/devices/score-rules/',
  summary: 'The published rules of the device score, its window and from which score on a device is suspicious',
  access: ['events.read'],
  response: z.object({
    data: z.array(z.custom<ScoreRule>()),
    version: z.number(),
    window_days: z.number(),
    limit: z.number(),
  }),
})

/** What one rule counted; its events are those of filtersOf (domain/device-score.ts) in the window. */
type ScoreReason = { rule: string; count: number; points: number; last_at: number }
export type DeviceScore = {
  score: number
  /** Suspicious from here on. */
  limit: number
  /** The window by occurrence, epoch ms. */
  from: number
  to: number
  reasons: ScoreReason[]
}
export type SuspiciousDevice = {
  device: string
  score: number
  last_at: number
  reasons: ScoreReason[]
  verdicts: { appid: string; verdict: DeviceVerdict }[]
}
/** What narrows the list of suspicious devices. */
export const SUSPICIOUS_LIST = {
  filters: QuerySchema.shape.filters,
  from: z.int().min(20).max(100).optional(),
}
export const suspiciousDevices = endpoint({
  method: 'POST',
  path: '/api/devices/suspicious/',
  summary: 'Devices by score over the last 30 days, highest first; `from` defaults to the platform`s limit',
  access: ['events.read'],
  audit: false,
  body: z.object({
    ...SUSPICIOUS_LIST,
    limit: z.int().min(1).max(200).default(50),
    offset: z.int().min(0).max(100_000).default(0),
    now: z.int().optional(),
  }),
  response: z.object({
    data: z.array(z.custom<SuspiciousDevice>()),
    total: z.number(),
    limit: z.number(),
    now: z.number(),
    window: z.object({ from: z.number(), to: z.number() }),
  }),
  errors: ['permission.missing', 'server.store_down'],
})

// ------------------------------------------------------------------------------------------------------------- profile

type Seen = { events: number; attacks: number; first_at: number; last_at: number }
export type DeviceBuild = Seen & {
  appid: string
  version: string
  channel: string
  packages: string[]
  signers: string[]
  /** Lines `name=sha256`. */
  hashes: string[]
  /** In what its returns contradict the baseline of the version, and whether they name a pirated certificate; null where nothing is known of the version. */
  contradictions: Contradiction[] | null
}
export type DeviceFacts = Seen & {
  model: string
  brand: string
  os: string
  platform: string
  network: string
  sdk: string
  crashes: number
  anrs: number
  exceptions: number
  country: string
  province: string
  city: string
  sessions: number
  apps: (Seen & { appid: string; version: string })[]
  builds: DeviceBuild[]
  users: (Seen & { user: string; devices: number })[]
  places: (Seen & { country: string; province: string; city: string; lon: number | null; lat: number | null })[]
  /** Networks: /24 of IPv4, /48 of IPv6. Whole addresses are returned by revealAddresses alone. */
  addresses: (Seen & { network: string })[]
  systems: (Seen & { model: string; os: string; sdk: string })[]
  counts: Record<'apps' | 'builds' | 'users' | 'places' | 'addresses' | 'systems', number>
}
export type DeviceVerdictEntry = {
  id: string
  appid: string
  /** null: taken back. */
  verdict: DeviceVerdict | null
  note: string
  by: string
  at: number
}
export type DeviceEnrolment = { appid: string; key_name: string; enrolled_at: number; revoked_at: number | null }

const deviceBody = { device: HashSchema, query: QuerySchema, now: z.int().optional() }
export const deviceProfile = endpoint({
  method: 'POST',
  path: '/api/devices/profile/',
  summary: 'One device: facts over the query, score of the last 30 days with its reasons, verdicts, enrolments',
  access: ['events.read'],
  audit: false,
  body: z.object(deviceBody),
  response: z.object({
    now: z.number(),
    span: z.object({ from: z.number(), to: z.number() }),
    /** null where the query finds none of its events. */
    facts: z.custom<DeviceFacts>().nullable(),
    score: z.custom<DeviceScore>(),
    verdicts: z.array(z.custom<DeviceVerdictEntry>()),
    history: z.array(z.custom<DeviceVerdictEntry>()),
    enrolments: z.array(z.custom<DeviceEnrolment>()),
    /** Of the certificates of its builds, those of pirated copies; none for those who may not see monitoring. */
    pirated: z.array(z.custom<PiratedCertificate>()),
  }),
  errors: ['permission.missing', 'server.store_down'],
})

export type Session = {
  from: number
  to: number
  appid: string
  version: string
  events: number
  attacks: number
  level: string
  country: string
  province: string
  city: string
  /** Event types, and risk types of attacks, in order; the first few. */
  steps: string[]
}
export const deviceSessions = endpoint({
  method: 'POST',
  path: '/api/devices/sessions/',
  summary: 'Sessions of one device, newest first: they end after 15 quiet minutes, and after 4 hours',
  access: ['events.read'],
  audit: false,
  body: z.object({
    ...deviceBody,
    attacked: z.boolean().default(false),
    limit: z.int().min(1).max(200).default(50),
    offset: z.int().min(0).max(100_000).default(0),
  }),
  response: z.object({ data: z.array(z.custom<Session>()), total: z.number() }),
  errors: ['permission.missing', 'server.store_down'],
})

export const revealAddresses = endpoint({
  method: 'POST',
  path: '/api/devices/reveal/',
  summary: 'The whole addresses of one device; each call is an audit entry',
  access: ['personal.reveal'],
  tokens: { access: false },
  body: z.object(deviceBody),
  response: z.object({ data: z.array(z.custom<Seen & { address: string }>()), total: z.number() }),
  errors: ['data.missing', 'server.store_down'],
})

// ------------------------------------------------------------------------------------------------------------ verdicts

export const verdictsOf = endpoint({
  method: 'POST',
  path: '/api/devices/verdicts/',
  summary: 'Verdicts that stand, of up to 200 devices',
  access: ['events.read'],
  audit: false,
  body: z.object({ devices: z.array(HashSchema).min(1).max(200) }),
  response: z.object({
    data: z.array(z.object({ device: z.string(), appid: z.string(), verdict: DeviceVerdictSchema })),
  }),
})
export const setVerdict = endpoint({
  method: 'POST',
  path: '/api/devices/verdict/',
  summary: 'Judge a device for some applications, or (null) take the verdict back; the answer says what stood before',
  access: ['investigation.edit'],
  body: z.object({
    device: HashSchema,
    appids: z.array(AppidSchema).min(1).max(100),
    verdict: DeviceVerdictSchema.nullable(),
    note: noteText.default(''),
  }),
  response: z.object({
    verdicts: z.array(z.custom<DeviceVerdictEntry>()),
    before: z.array(z.object({ appid: z.string(), verdict: DeviceVerdictSchema.nullable(), note: z.string() })),
  }),
  errors: ['data.missing'],
})

// ----------------------------------------------------------------------------------------------------------- baselines
// ---------------------------------------------------------------------------------------------------- abnormal returns
// ------------------------------------------------------------------------------------------------------------- erasure
