import { z } from 'zod'
import { TextSchema } from '../detection/scan-result.ts'
import { endpoint } from './endpoint.ts'

/** The vulnerability library: what ships with the product, and what was imported (VULN-01). */

export const VULNERABILITY_LEVELS = {
  super: { zh: '超危', en: 'Super danger' },
  high: { zh: '高危', en: 'High' },
  middle: { zh: '中危', en: 'Middle' },
  low: { zh: '低危', en: 'Low' },
} as const
export type VulnerabilityLevel = keyof typeof VULNERABILITY_LEVELS
const LevelSchema = z.enum(Object.keys(VULNERABILITY_LEVELS) as [VulnerabilityLevel, ...VulnerabilityLevel[]])
const number = z.string().regex(/^[A-Z]{2,8}-[\w-]{4,40}$/)

/** Where an entry comes from. */
export const ENTRY_ORIGINS = {
  built_in: { zh: '内置', en: 'Built in' },
  nvd: { zh: 'NVD', en: 'NVD' },
  cnnvd: { zh: 'CNNVD', en: 'CNNVD' },
  own: { zh: '自建', en: 'Own' },
} as const
export type EntryOrigin = keyof typeof ENTRY_ORIGINS
export type StoredOrigin = Exclude<EntryOrigin, 'built_in'>
const OriginSchema = z.enum(Object.keys(ENTRY_ORIGINS) as [EntryOrigin, ...EntryOrigin[]])

/** An imported entry waits for a review; accepted ones are compared with components, and who is concerned is notified. */
export const ENTRY_STATES = {
  accepted: { zh: '已通过', en: 'Accepted' },
  pending: { zh: '待审核', en: 'To review' },
  rejected: { zh: '已驳回', en: 'Rejected' },
} as const
export type EntryState = keyof typeof ENTRY_STATES
const StateSchema = z.enum(Object.keys(ENTRY_STATES) as [EntryState, ...EntryState[]])

const rangeOf = (name: z.ZodString, version: z.ZodString) => ({
  vendor: name,
  product: name,
  version: version.optional(),
  from: version.optional(),
  after: version.optional(),
  before: version.optional(),
  through: version.optional(),
})
/** Versions of one product: one of them, or between two ends; `from` and `through` belong to the range, `after` and `before` do not. */
const OwnRangeSchema = z
  .strictObject(
    rangeOf(
      z.string().trim().max(100),
      z
        .string()
        .trim()
        .regex(/^[\w.+~-]{1,60}$/),
    ),
  )
  .refine(({ product }) => product !== '')

const LineSchema = z.object({
  number: z.string(),
  type: z.string(),
  level: LevelSchema,
  platform: z.string(),
  component: z.string(),
  name: TextSchema,
  source: z.string(),
  released: z.string().nullable(),
  updated: z.string().nullable(),
  cvss: z.number().nullable(),
  cvss_confirmed: z.boolean(),
  known_exploited: z.boolean(),
  origin: OriginSchema,
  state: StateSchema,
})
export type VulnerabilityLine = z.infer<typeof LineSchema>

export const VULNERABILITY_SORTS = ['released', 'updated', 'level', 'number'] as const

export const vulnerabilities = endpoint({
  method: 'GET',
  path: '/api/knowledge/vulnerabilities/',
  summary: 'Entries of the library by number, type, level, platform and words, a page of them with the total',
  access: 'session',
  query: z.object({
    /** Part of the number. */
    number: z.string().trim().max(60).default(''),
    type: z.string().max(40).default(''),
    level: z.union([z.literal(''), LevelSchema]).default(''),
    platform: z.string().max(20).default(''),
    /** Words of name, component or introduction; all must be there. */
    search: z.string().trim().max(100).default(''),
    exploited: z.enum(['', 'yes']).default(''),
    origin: z.union([z.literal(''), OriginSchema]).default(''),
    /** '' : all but rejected ones. */
    state: z.union([z.literal(''), StateSchema]).default(''),
    sort: z.enum(VULNERABILITY_SORTS).default('released'),
    order: z.enum(['desc', 'asc']).default('desc'),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({
    data: z.array(LineSchema),
    total: z.number(),
    /** Of all that pass the other filters. */
    levels: z.record(LevelSchema, z.number()),
    /** Of the whole library. */
    states: z.record(StateSchema, z.number()),
    types: z.array(z.object({ id: z.string(), name: TextSchema })),
    platforms: z.array(z.string()),
    /** Day of the entries that ship with the product. */
    version: z.string(),
  }),
})

export const vulnerability = endpoint({
  method: 'GET',
  path: '/api/knowledge/vulnerability/',
  summary:
    'One entry, the detection items that look for it, the applications of the caller where such an item failed, and packages with a component that it names',
  access: 'session',
  query: z.object({ number }),
  response: z.object({
    data: LineSchema.extend({
      level_basis: z.string(),
      introduction: TextSchema,
      affected: TextSchema,
      advice: TextSchema,
      fixed_in: TextSchema,
      references: z.array(z.string()),
      confirmed_by: z.array(z.string()),
      type_name: TextSchema,
      ranges: z.array(z.object(rangeOf(z.string(), z.string()))),
      /** When it was stored last; null for those that ship with the product. */
      changed_at: z.number().nullable(),
      added_by: z.string(),
      reviewed_by: z.string(),
      reviewed_at: z.number().nullable(),
    }),
    items: z.array(z.object({ id: z.string(), name: TextSchema })),
    found: z.array(
      z.object({
        task: z.string(),
        name: z.string(),
        version: z.string(),
        item: z.string(),
        ended_at: z.number().nullable(),
      }),
    ),
    /** The newest detection of each package that the caller sees. */
    packages: z.array(
      z.object({
        task: z.string(),
        name: z.string(),
        version: z.string(),
        component: z.string(),
        component_version: z.string(),
        /** `affected`: its version is in a range; `version_unknown`: the versions cannot be compared. */
        certainty: z.enum(['affected', 'version_unknown']),
      }),
    ),
    /** Detections of the caller whose components were not compared yet. */
    unexamined: z.number(),
  }),
  errors: ['data.missing'],
})

export const taskVulnerabilities = endpoint({
  method: 'GET',
  path: '/api/knowledge/vulnerabilities/task/',
  summary: 'Accepted entries that name a component of a detected package, the most serious first',
  access: ['detect.view'],
  query: z.object({
    id: z.string().regex(/^[\w-]{1,64}$/),
    search: z.string().trim().max(100).default(''),
    certainty: z.enum(['', 'affected']).default(''),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    data: z.array(
      LineSchema.pick({
        number: true,
        name: true,
        level: true,
        cvss: true,
        known_exploited: true,
        origin: true,
      }).extend({
        component: z.string(),
        component_version: z.string(),
        certainty: z.enum(['affected', 'version_unknown']),
        fixed_in: TextSchema,
      }),
    ),
    total: z.number(),
    /** false: the components of this detection were not compared yet. */
    compared: z.boolean(),
  }),
  errors: ['data.missing'],
})

/** Entries of one call: a file is sent in parts of this many. */
export const IMPORT_ENTRIES = 50
/** Imported entries that the library keeps at most. */
export const MOST_IMPORTED = 20_000

export const importVulnerabilities = endpoint({
  method: 'POST',
  path: '/api/knowledge/vulnerabilities/import/',
  summary:
    'Take in elements of `vulnerabilities` of NVD JSON (CVE API 2.0), or `entry` elements of CNNVD XML as texts: new ones wait for a review; those that ship with the product, and own ones, stay as they are',
  access: ['rule.edit'],
  body: z.object({
    format: z.enum(['nvd', 'cnnvd']).default('nvd'),
    entries: z.array(z.unknown()).min(1).max(IMPORT_ENTRIES),
  }),
  response: z.object({
    added: z.number(),
    changed: z.number(),
    /** Of the changed ones: a review rejected them before, and they stay so. */
    rejected: z.number(),
    /** Known already, from the product itself or written by an administrator. */
    kept: z.number(),
    problems: z.array(
      z.object({ number: z.string(), problem: z.enum(['shape', 'number', 'rejected', 'text', 'score']) }),
    ),
  }),
  errors: ['quota.reached'],
})

const words = (most: number) => z.string().trim().max(most)
const OwnEntrySchema = z.object({
  number,
  type: z.string().regex(/^[a-z_]{1,40}$/),
  level: LevelSchema,
  platform: z.string().trim().max(20),
  name: z.object({ zh: words(300), en: words(300) }).refine(({ zh, en }) => zh !== '' || en !== ''),
  introduction: z.object({ zh: words(8000), en: words(8000) }),
  advice: z.object({ zh: words(8000), en: words(8000) }),
  fixed_in: words(200),
  references: z
    .array(
      z
        .string()
        .trim()
        .regex(/^https?:\/\/\S{1,2000}$/),
    )
    .max(30),
  cvss: z.number().min(0).max(10).nullable(),
  released: z.iso.date().nullable(),
  known_exploited: z.boolean(),
  ranges: z.array(OwnRangeSchema).max(50),
})
export type OwnEntry = z.infer<typeof OwnEntrySchema>

export const saveVulnerability = endpoint({
  method: 'POST',
  path: '/api/knowledge/vulnerability/save/',
  summary: 'Write an own entry; `changed_at` is that of the entry that was read, null for a new one',
  access: ['rule.edit'],
  body: z.object({ entry: OwnEntrySchema, changed_at: z.number().nullable() }),
  response: z.object({ changed_at: z.number() }),
  errors: ['quota.reached', 'data.conflict', 'vulnerability.exists'],
})

/** Entries of one review. */
export const REVIEW_ENTRIES = 200

export const reviewVulnerabilities = endpoint({
  method: 'POST',
  path: '/api/knowledge/vulnerabilities/review/',
  summary: 'Accept or reject imported entries; accepted ones are compared with the components of detected packages',
  access: ['rule.edit'],
  body: z.object({
    numbers: z.array(number).min(1).max(REVIEW_ENTRIES),
    state: z.enum(['accepted', 'rejected']),
  }),
  response: z.object({ changed: z.number(), notified: z.number() }),
  errors: ['data.missing'],
})

export const deleteVulnerability = endpoint({
  method: 'POST',
  path: '/api/knowledge/vulnerabilities/delete/',
  summary: 'Delete an imported or own entry',
  access: ['rule.edit'],
  body: z.object({ number }),
  response: z.object({}),
  errors: ['data.missing'],
})
