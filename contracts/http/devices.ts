import { z } from 'zod'
import { CONTRADICTION_KINDS, type Contradiction, MAX_HASHES } from '#domain/baseline.ts'
import { type ScoreRule, VERDICTS, type Verdict } from '#domain/device-score.ts'
import { type EventRow, QuerySchema } from '#domain/query.ts'
import { JobSchema } from '../jobs.ts'
import { endpoint } from './endpoint.ts'

/** Devices: score, profile, verdicts, baselines of versions, returns that contradict them, deletion of personal data. */

/** A device or user as events name it. */
export const HashSchema = z.string().regex(/^[0-9a-f]{32}$/, 'not a device or user')
const VerdictSchema = z.enum(Object.keys(VERDICTS) as [Verdict, ...Verdict[]])
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
  verdicts: { appid: string; verdict: Verdict }[]
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
  /** In what its returns contradict the baseline of the version; null where the version has none. */
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
  /** Networks: /24 of IPv4, /48 of IPv6. Whole addresses are told by revealAddresses alone. */
  addresses: (Seen & { network: string })[]
  systems: (Seen & { model: string; os: string; sdk: string })[]
  counts: Record<'apps' | 'builds' | 'users' | 'places' | 'addresses' | 'systems', number>
}
export type VerdictEntry = {
  id: string
  appid: string
  /** null: taken back. */
  verdict: Verdict | null
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
    verdicts: z.array(z.custom<VerdictEntry>()),
    history: z.array(z.custom<VerdictEntry>()),
    enrolments: z.array(z.custom<DeviceEnrolment>()),
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
  response: z.object({ data: z.array(z.object({ device: z.string(), appid: z.string(), verdict: VerdictSchema })) }),
})
export const setVerdict = endpoint({
  method: 'POST',
  path: '/api/devices/verdict/',
  summary: 'Judge a device for some applications, or (null) take the verdict back; the answer says what stood before',
  access: ['investigation.edit'],
  body: z.object({
    device: HashSchema,
    appids: z.array(AppidSchema).min(1).max(100),
    verdict: VerdictSchema.nullable(),
    note: noteText.default(''),
  }),
  response: z.object({
    verdicts: z.array(z.custom<VerdictEntry>()),
    before: z.array(z.object({ appid: z.string(), verdict: VerdictSchema.nullable(), note: z.string() })),
  }),
  errors: ['data.missing'],
})

// ----------------------------------------------------------------------------------------------------------- baselines

const Sha256 = z
  .string()
  .trim()
  .transform((text) => text.replaceAll(':', '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{64}$/, 'SHA-256'))
const BaselineSchema = z.object({
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

// ---------------------------------------------------------------------------------------------------- abnormal returns

const kinds = z
  .array(z.enum(CONTRADICTION_KINDS as [Contradiction, ...Contradiction[]]))
  .max(4)
  .default([])
/** What narrows the list of abnormal returns. */
export const ABNORMAL_LIST = { query: QuerySchema, kinds }
export type AbnormalReturn = { event: EventRow; kinds: Contradiction[] }
export const abnormalReturns = endpoint({
  method: 'POST',
  path: '/api/abnormal/query/',
  summary:
    'Returns that contradict the baseline of their version: counts by kind, version, channel and time, and a page of them',
  access: ['events.read'],
  audit: false,
  body: z.object({
    ...ABNORMAL_LIST,
    now: z.int().optional(),
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(80).optional(),
    /** Further pages need the rows alone. */
    counts: z.boolean().default(true),
  }),
  response: z.object({
    now: z.number(),
    span: z.object({ from: z.number(), to: z.number() }),
    summary: z
      .object({
        total: z.number(),
        devices: z.number(),
        compared: z.number(),
        without_baseline: z.number(),
        kinds: z.custom<Record<Contradiction, number>>(),
        versions: z.array(z.object({ appid: z.string(), version: z.string(), count: z.number(), devices: z.number() })),
        channels: z.array(z.object({ channel: z.string(), count: z.number(), devices: z.number() })),
        bucket: z.enum(['hour', 'day']),
        points: z.array(z.object({ start: z.number(), count: z.number() })),
      })
      .nullable(),
    data: z.array(z.custom<AbnormalReturn>()),
    next_cursor: z.string().nullable(),
  }),
  errors: ['permission.missing', 'server.store_down'],
})
export const abnormalReturn = endpoint({
  method: 'GET',
  path: '/api/abnormal/event/',
  summary: 'One return beside the baseline of its version, and how many of its version differ alike',
  access: ['events.read'],
  query: z.object({ appid: AppidSchema, id: z.string().max(64) }),
  response: z.object({
    event: z.custom<EventRow>(),
    baseline: BaselineSchema.nullable(),
    kinds: z.custom<Contradiction[]>(),
    verdict: VerdictSchema.nullable(),
    now: z.number(),
  }),
  errors: ['data.missing', 'server.store_down'],
})

// ------------------------------------------------------------------------------------------------------------- erasure

const ErasureSchema = z.object({
  id: z.string(),
  kind: z.enum(['device', 'user']),
  /** The first characters of the hash. */
  subject: z.string(),
  appids: z.array(z.string()),
  by: z.string(),
  asked_at: z.number(),
  done_at: z.number().nullable(),
  events: z.number(),
  quarantined: z.number(),
  installs: z.number(),
  verdicts: z.number(),
})
export const erasePersonal = endpoint({
  method: 'POST',
  path: '/api/personal/erase/',
  summary: 'Delete everything about one device or user in the applications that the caller sees, as a job',
  access: ['personal.erase'],
  tokens: { access: false },
  body: z.object({
    kind: z.enum(['device', 'user']),
    subject: HashSchema,
    /** The first eight characters of the hash, typed by hand. */
    confirm: z.string().max(64),
  }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists', 'input.invalid'],
})
export const erasures = endpoint({
  method: 'GET',
  path: '/api/personal/erasures/',
  summary: 'What was deleted on request, newest first',
  access: ['personal.erase'],
  response: z.object({ data: z.array(ErasureSchema) }),
})
