import { z } from 'zod'
import { FindingLevelSchema, LevelCountsSchema, OwnerKindSchema, TextSchema } from '../../detection/scan-result.ts'
import { endpoint } from '../endpoint.ts'

/** Failed items over applications. */

const appid = z.string().regex(/^\d{1,9}$/)
const itemId = z.string().regex(/^[\w.-]{1,100}$/)
const offset = z.coerce.number().int().min(0).max(100_000).default(0)
const limit = z.coerce.number().int().min(1).max(500).default(100)
const search = z.string().trim().max(100).default('')

const AffectedSchema = z.object({
  task: z.string(),
  appid: z.string(),
  app_name: z.string(),
  name: z.string(),
  package_id: z.string(),
  version: z.string(),
  hits: z.number(),
  owner: OwnerKindSchema.nullable(),
  created_at: z.number(),
})

const analysisQuery = z.object({
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  platform: z.enum(['', 'android', 'ios']).default(''),
  level: z.union([z.literal(''), FindingLevelSchema]).default(''),
  category: z.string().max(100).default(''),
  appid: z.union([z.literal(''), appid]).default(''),
  search,
})

export const vulnerabilityAnalysis = endpoint({
  method: 'GET',
  path: '/api/detection/vulnerabilities/',
  summary:
    'Failed items over the newest detected task of each package version: how many packages and versions each affects, and their course by day',
  access: ['detect.view'],
  query: analysisQuery.extend({
    sort: z.enum(['level', 'packages', 'versions', 'hits']).default('packages'),
    offset,
    limit,
  }),
  response: z.object({
    data: z.array(
      z.object({
        item: z.string(),
        name: TextSchema,
        category: z.string(),
        platform: z.enum(['android', 'ios']),
        level: FindingLevelSchema,
        /** Distinct package ids, distinct versions of them, findings. */
        packages: z.number(),
        versions: z.number(),
        hits: z.number(),
        /** Of the packages: those whose newest version still has it. */
        open: z.number(),
        last_at: z.number(),
      }),
    ),
    total: z.number(),
    /** What was looked at. */
    examined: z.object({ packages: z.number(), versions: z.number() }),
    levels: LevelCountsSchema,
    /** By day of the platform's zone: tasks detected, failed items by level, mean score. */
    trend: z.array(z.object({ day: z.string(), tasks: z.number(), failed: LevelCountsSchema, mean_score: z.number() })),
  }),
})

export const vulnerabilityAffected = endpoint({
  method: 'GET',
  path: '/api/detection/vulnerabilities/affected/',
  summary: 'Package versions that an item was found in, newest first',
  access: ['detect.view'],
  query: analysisQuery.extend({ item: itemId, offset, limit }),
  response: z.object({ data: z.array(AffectedSchema), total: z.number() }),
})
