import { z } from 'zod'
import { DynamicResultSchema } from '../../detection/dynamic-result.ts'
import {
  CertificateSummarySchema,
  ComponentResultSchema,
  ContentHitSchema,
  CoverageSchema,
  DetectionKindSchema,
  DomainResultSchema,
  FindingLevelSchema,
  FindingSchema,
  ItemResultSchema,
  LevelCountsSchema,
  LibrarySchema,
  NotAssessedSchema,
  PackageSummarySchema,
  PermissionResultSchema,
  PrivacyResultSchema,
  RulesUsedSchema,
  ScoreSchema,
  SdkResultSchema,
  TextSchema,
  VerdictSchema,
} from '../../detection/scan-result.ts'
import { EXPORT_FILE, JobSchema } from '../../jobs.ts'
import { endpoint } from '../endpoint.ts'
import { ApplicationTypeSchema, TaskIdSchema } from './tasks.ts'

/** What detected tasks say, in parts: suppressions are applied as they stand when somebody asks. */

const appid = z.string().regex(/^\d{1,9}$/)
const itemId = z.string().regex(/^[\w.-]{1,100}$/)
const offset = z.coerce.number().int().min(0).max(100_000).default(0)
const limit = z.coerce.number().int().min(1).max(500).default(100)
const search = z.string().trim().max(100).default('')
const task = TaskIdSchema
const errors = ['data.missing', 'detection.no_result'] as const

// ---------------------------------------------------------------------------------------------------------- suppressions

const SuppressionSchema = z.object({
  id: z.string(),
  appid: z.string(),
  app_name: z.string(),
  package_id: z.string(),
  item: z.string(),
  item_name: TextSchema,
  /** null: the whole item. */
  fingerprint: z.string().nullable(),
  reason: z.string(),
  /** Counts before this time alone; null: without end. */
  until: z.number().nullable(),
  /** pending: asked for, does not count yet. expired: `until` is over. */
  state: z.enum(['pending', 'active', 'expired']),
  by: z.string(),
  approver: z.string().nullable(),
  created_at: z.number(),
  approved_at: z.number().nullable(),
  /** The task on whose finding it was asked. */
  task: z.string().nullable(),
})
export type Suppression = z.infer<typeof SuppressionSchema>
/** As shown at a finding: who, why, until. */
const AppliedSchema = SuppressionSchema.pick({
  id: true,
  fingerprint: true,
  reason: true,
  until: true,
  state: true,
  by: true,
  approver: true,
  created_at: true,
})

export const SUPPRESSION_STATES = ['pending', 'active', 'expired'] as const
const suppressionFilters = z.object({
  /** Part of the item's name or id, the package, the reason, the application. */
  search,
  /** '' asks for all. */
  state: z.enum(['', ...SUPPRESSION_STATES]).default(''),
  appid: z.union([z.literal(''), appid]).default(''),
})
export const suppressions = endpoint({
  method: 'GET',
  path: '/api/detection/suppressions/',
  summary: 'Suppressions of applications that the caller may see, newest first',
  access: ['detect.view'],
  query: suppressionFilters.extend({ offset, limit }),
  response: z.object({
    data: z.array(SuppressionSchema),
    total: z.number(),
    /** Of all that pass the other filters. */
    states: z.record(z.enum(SUPPRESSION_STATES), z.number()),
  }),
})
export const exportSuppressions = endpoint({
  method: 'POST',
  path: '/api/detection/suppressions/export/',
  summary: 'Export the suppressions with these filters, whole, in a job',
  access: ['detect.view'],
  body: z.object({ list: suppressionFilters, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists'],
})
export const suppress = endpoint({
  method: 'POST',
  path: '/api/detection/suppressions/add/',
  summary:
    'Suppress a finding (or, without fingerprint, an item) of a package in every version; it counts once a holder of rule.edit asked or approved it',
  access: ['asset.detect', 'asset.detect_privacy', 'rule.edit'],
  body: z.object({
    task,
    item: itemId,
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .nullable()
      .default(null),
    reason: z.string().trim().min(1).max(500),
    until: z.int().nullable().default(null),
  }),
  response: z.object({ data: SuppressionSchema }),
  errors: [...errors, 'task.exists', 'input.invalid'],
})
export const approveSuppression = endpoint({
  method: 'POST',
  path: '/api/detection/suppressions/approve/',
  summary: 'Approve what somebody asked for',
  access: ['rule.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({ data: SuppressionSchema }),
  errors: ['data.missing'],
})
export const withdrawSuppression = endpoint({
  method: 'POST',
  path: '/api/detection/suppressions/withdraw/',
  summary: 'Take a suppression back: what it hid counts again. One`s own pending one, or any with rule.edit',
  access: ['asset.detect', 'asset.detect_privacy', 'rule.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing', 'permission.missing'],
})

// --------------------------------------------------------------------------------------------------------------- result

/** A line a condition that the gate sets, met or not: what the screen lists under the verdict. */
const GateConditionSchema = z.object({
  key: z.enum(['min_score', 'high', 'middle', 'low', 'forbidden', 'assessed', 'signature']),
  /** Of `forbidden`: the item that may not fail. */
  item: z.string().nullable(),
  /** The score, how many items fail (0 or 1 of `forbidden`), or how many were not assessed. */
  now: z.number(),
  /** At least this of the score, at most this of all others. */
  required: z.number(),
  met: z.boolean(),
})
export type GateCondition = z.infer<typeof GateConditionSchema>
/** Without conditions there is no gate, and `verdict` says pass. */
const GateResultSchema = z.object({
  verdict: z.enum(['pass', 'fail']),
  reasons: z.array(TextSchema),
  conditions: z.array(GateConditionSchema),
})
export type GateResult = z.infer<typeof GateResultSchema>

export const detectionResult = endpoint({
  method: 'GET',
  path: '/api/detection/result/',
  summary: 'What a detected task says at a glance; the other calls below give its parts',
  access: ['detect.view'],
  query: z.object({ id: task }),
  response: z.object({
    data: z.object({
      package: PackageSummarySchema,
      rules: RulesUsedSchema,
      kinds: z.array(DetectionKindSchema),
      application_type: ApplicationTypeSchema.nullable(),
      /** With suppressions applied, and as the scan said it. */
      score: ScoreSchema,
      raw_score: z.number(),
      counts: LevelCountsSchema,
      /** Failed items that count, by level: in own code, and in SDKs alone. */
      own_counts: LevelCountsSchema,
      /** How many items have each verdict; `suppressed`: failed, with every finding suppressed. */
      verdicts: z.record(z.enum([...VerdictSchema.options, 'suppressed']), z.number()),
      /** Failed items that count, by category and level. */
      categories: z.array(z.object({ category: z.string(), items: z.number(), failed: LevelCountsSchema })),
      suppressed_findings: z.number(),
      gate: GateResultSchema,
      certificates: CertificateSummarySchema.array().readonly(),
      coverage: CoverageSchema,
      not_assessed: NotAssessedSchema,
      /** Lengths of the parts. */
      sizes: z.object({
        items: z.number(),
        permissions: z.number(),
        components: z.number(),
        sdks: z.number(),
        domains: z.number(),
        privacy: z.number(),
        content: z.number(),
        libraries: z.number(),
      }),
    }),
  }),
  errors,
})

export const whatIfFixed = endpoint({
  method: 'POST',
  path: '/api/detection/result/what-if/',
  summary: 'Score, counts and gate as they would be with these failed items fixed; nothing is kept',
  access: ['detect.view'],
  audit: false,
  body: z.object({ id: task, fixed: z.array(itemId).min(1).max(500) }),
  response: z.object({
    data: z.object({ score: ScoreSchema, counts: LevelCountsSchema, gate: GateResultSchema }),
  }),
  errors,
})

/** Item without its findings: `hits` counts all, `suppressed` those that do not count. */
const ItemLineSchema = ItemResultSchema.omit({ findings: true }).extend({
  suppressed: z.number(),
  /** Failed, but every finding or the item is suppressed. */
  muted: z.boolean(),
  /** Of the whole item. */
  suppression: AppliedSchema.nullable(),
})
export type ItemLine = z.infer<typeof ItemLineSchema>

export const resultItems = endpoint({
  method: 'GET',
  path: '/api/detection/result/items/',
  summary: 'Items of a result: failed first by level, then not assessed, passed, not applicable',
  access: ['detect.view'],
  query: z.object({
    id: task,
    verdict: z.union([z.enum(['', 'suppressed']), VerdictSchema]).default(''),
    level: z.union([z.literal(''), FindingLevelSchema]).default(''),
    category: z.string().max(100).default(''),
    owner: z.enum(['', 'own', 'sdk', 'unknown']).default(''),
    search,
    offset,
    limit,
  }),
  response: z.object({ data: z.array(ItemLineSchema), total: z.number() }),
  errors,
})
export const resultItem = endpoint({
  method: 'GET',
  path: '/api/detection/result/item/',
  summary: 'One item with a page of its findings',
  access: ['detect.view'],
  query: z.object({ id: task, item: itemId, offset, limit: z.coerce.number().int().min(1).max(50).default(20) }),
  response: z.object({
    data: ItemLineSchema,
    findings: z.array(FindingSchema.extend({ suppression: AppliedSchema.nullable() })),
    /** Findings that are kept: at most 50 of `hits`. */
    total: z.number(),
  }),
  errors,
})

const partQuery = z.object({ id: task, search, offset, limit })

export const resultPermissions = endpoint({
  method: 'GET',
  path: '/api/detection/result/permissions/',
  summary: 'Permissions: used, unused, undeclared, excessive',
  access: ['detect.view'],
  query: partQuery.extend({ state: z.enum(['', 'used', 'unused', 'undeclared', 'unknown', 'excessive']).default('') }),
  response: z.object({
    data: z.array(PermissionResultSchema),
    total: z.number(),
    states: z.record(z.string(), z.number()),
  }),
  errors,
})
export const resultComponents = endpoint({
  method: 'GET',
  path: '/api/detection/result/components/',
  summary: 'Components of the manifest',
  access: ['detect.view'],
  query: partQuery.extend({ exported: z.enum(['', 'yes', 'no']).default('') }),
  response: z.object({ data: z.array(ComponentResultSchema), total: z.number() }),
  errors,
})
export const resultSdks = endpoint({
  method: 'GET',
  path: '/api/detection/result/sdks/',
  summary: 'Third-party SDKs, called ones first',
  access: ['detect.view'],
  query: partQuery,
  response: z.object({ data: z.array(SdkResultSchema), total: z.number() }),
  errors,
})
export const resultDomains = endpoint({
  method: 'GET',
  path: '/api/detection/result/domains/',
  summary: 'Hosts that the package names',
  access: ['detect.view'],
  query: partQuery.extend({ cleartext: z.enum(['', 'yes', 'no']).default('') }),
  response: z.object({ data: z.array(DomainResultSchema), total: z.number() }),
  errors,
})
export const resultPrivacy = endpoint({
  method: 'GET',
  path: '/api/detection/result/privacy/',
  summary: 'Checks of the privacy catalogue with the chains of calls that lead to each access',
  access: ['detect.view'],
  query: partQuery.extend({
    verdict: z.union([z.enum(['', 'manual']), VerdictSchema]).default(''),
    source: z.string().max(100).default(''),
  }),
  response: z.object({
    data: z.array(PrivacyResultSchema),
    total: z.number(),
    verdicts: z.record(z.string(), z.number()),
    sources: z.array(z.string()),
  }),
  errors,
})
export const resultContent = endpoint({
  method: 'GET',
  path: '/api/detection/result/content/',
  summary: 'Sensitive words, codes and pictures',
  access: ['detect.view'],
  query: partQuery,
  response: z.object({ data: z.array(ContentHitSchema), total: z.number() }),
  errors,
})
export const resultLibraries = endpoint({
  method: 'GET',
  path: '/api/detection/result/libraries/',
  summary: 'Native libraries',
  access: ['detect.view'],
  query: partQuery,
  response: z.object({ data: z.array(LibrarySchema), total: z.number() }),
  errors,
})

export const resultDynamic = endpoint({
  method: 'GET',
  path: '/api/detection/result/dynamic/',
  summary: 'What was seen while the application ran on a phone; null where that was no part of the detection',
  access: ['detect.view'],
  query: z.object({ id: task }),
  response: z.object({ data: DynamicResultSchema.nullable() }),
  errors,
})
export const resultScreenshot = endpoint({
  method: 'GET',
  path: '/api/detection/result/screenshot/',
  summary: 'A screenshot of a dynamic detection, PNG',
  access: ['detect.view'],
  navigation: true,
  bare: true,
  query: z.object({ id: task, file: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.unknown(),
  errors,
})

export const downloadResult = endpoint({
  method: 'GET',
  path: '/api/detection/result/download/',
  summary: 'The whole result as the scan said it: JSON, or SARIF 2.1.0 with suppressions',
  access: ['detect.view'],
  navigation: true,
  bare: true,
  query: z.object({ id: task, format: z.enum(['json', 'sarif']).default('json') }),
  response: z.unknown(),
  errors,
})

// ------------------------------------------------------------------------------------------------ several tasks together

const changes = <T extends z.ZodType>(item: T) =>
  z.object({ added: z.array(item), removed: z.array(item), changed: z.array(z.object({ before: item, after: item })) })

const ComparedSchema = z.object({
  id: z.string(),
  name: z.string(),
  package_id: z.string(),
  version: z.string(),
  created_at: z.number(),
  score: z.number(),
  counts: LevelCountsSchema,
  rules: RulesUsedSchema,
  size: z.number(),
})

export const compareTasks = endpoint({
  method: 'GET',
  path: '/api/detection/compare/',
  summary: 'What changed from one detected task to another',
  access: ['detect.view'],
  query: z.object({ before: task, after: task }),
  response: z.object({
    before: ComparedSchema,
    after: ComparedSchema,
    /** The same package; the same rule pack. Where not, differences may come from that. */
    same_package: z.boolean(),
    same_rules: z.boolean(),
    /** Findings by fingerprint. */
    findings: z.object({ new: z.number(), fixed: z.number(), unchanged: z.number() }),
    /** Items whose verdict or findings differ, worst first; unchanged failed ones behind them. */
    items: z.array(
      z.object({
        id: z.string(),
        name: TextSchema,
        category: z.string(),
        level: FindingLevelSchema,
        /** new: fails now; fixed: failed before; changed: fails in both, with other findings; unchanged: the same findings. */
        change: z.enum(['new', 'fixed', 'changed', 'unchanged', 'verdict']),
        before: VerdictSchema.nullable(),
        after: VerdictSchema.nullable(),
        new_findings: z.array(FindingSchema),
        fixed_findings: z.array(FindingSchema),
        unchanged: z.number(),
      }),
    ),
    permissions: changes(PermissionResultSchema.omit({ uses: true })),
    sdks: changes(SdkResultSchema.omit({ evidence: true })),
    domains: changes(DomainResultSchema.omit({ place: true })),
    components: changes(ComponentResultSchema),
    certificates: changes(CertificateSummarySchema),
    /** Fields of the package that differ. */
    package: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  }),
  errors,
})
