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
  imported: z.boolean(),
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
    'One entry, the detection items that look for it, and the applications of the caller where such an item failed',
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
    'Take in elements of `vulnerabilities` of NVD JSON (CVE API 2.0); those that ship with the product stay as they are',
  access: ['rule.edit'],
  body: z.object({ entries: z.array(z.unknown()).min(1).max(IMPORT_ENTRIES) }),
  response: z.object({
    added: z.number(),
    changed: z.number(),
    /** Known already, from the product itself. */
    kept: z.number(),
    problems: z.array(
      z.object({ number: z.string(), problem: z.enum(['shape', 'number', 'rejected', 'text', 'score']) }),
    ),
  }),
  errors: ['quota.reached'],
})

export const deleteVulnerability = endpoint({
  method: 'POST',
  path: '/api/knowledge/vulnerabilities/delete/',
  summary: 'Delete an imported entry',
  access: ['rule.edit'],
  body: z.object({ number }),
  response: z.object({}),
  errors: ['data.missing'],
})
