import { z } from 'zod'
import {
  APPLICATION_TYPES,
  type ApplicationType,
  DETECTION_KINDS,
  type DetectionKind,
  PHONE_RUNS,
  type PhoneRun,
  TASK_STAGES,
  TASK_STATES,
  type TaskStage,
  type TaskState,
} from '../../detection/kinds.ts'
import {
  DetectionKindSchema,
  FindingLevelSchema,
  LevelCountsSchema,
  PackageKindSchema,
  TextSchema,
} from '../../detection/scan-result.ts'
import { EXPORT_FILE, JobSchema } from '../../jobs.ts'
import { endpoint } from '../endpoint.ts'

/** What may be detected, strategies, and tasks; their results stand in detection-result.ts. A file is one of contracts/http/assets.ts. */

const fileId = z.string().regex(/^[\w-]{1,64}$/)
export const TaskIdSchema = z.uuid()
const itemId = z.string().regex(/^[\w.-]{1,100}$/)
const StateSchema = z.enum(Object.keys(TASK_STATES) as [TaskState, ...TaskState[]])
const StageSchema = z.enum(Object.keys(TASK_STAGES) as [TaskStage, ...TaskStage[]])
export const ApplicationTypeSchema = z.enum(Object.keys(APPLICATION_TYPES) as [ApplicationType, ...ApplicationType[]])
const offset = z.coerce.number().int().min(0).max(1_000_000).default(0)
const limit = z.coerce.number().int().min(1).max(200).default(20)

// ---------------------------------------------------------------------------------------------------------------- kinds

/** Which item a caller needs for a kind. */
export const KIND_PERMISSIONS = {
  vulnerability: 'asset.detect',
  static: 'asset.detect',
  dynamic: 'asset.detect',
  compliance: 'asset.detect',
  content: 'asset.detect',
  sdk: 'asset.detect_sdk',
  privacy: 'asset.detect_privacy',
} as const satisfies Record<DetectionKind, string>

/** A line of the table of decision 33; a line that names an application type goes before the one that does not. */
const OfferSchema = z.object({
  package_kind: PackageKindSchema,
  application_type: ApplicationTypeSchema.nullable(),
  kinds: z.array(DetectionKindSchema).max(Object.keys(DETECTION_KINDS).length),
})
export type Offer = z.infer<typeof OfferSchema>

export const detectionOffers = endpoint({
  method: 'GET',
  path: '/api/detection/offers/',
  summary: 'Which kinds are offered, by package kind and application type',
  access: 'session',
  response: z.object({ data: z.array(OfferSchema) }),
})
export const saveDetectionOffers = endpoint({
  method: 'POST',
  path: '/api/detection/offers/save/',
  summary: 'Replace the table; package kinds that it does not name keep their default',
  access: ['platform.settings'],
  body: z.object({ data: z.array(OfferSchema).max(200) }),
  response: z.object({ data: z.array(OfferSchema) }),
})

export const detectionKinds = endpoint({
  method: 'POST',
  path: '/api/detection/kinds/',
  summary: 'What each of these files can be examined for, and whether a phone is there',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy'],
  audit: false,
  body: z.object({
    files: z.array(fileId).min(1).max(50),
    /** Instead of what the files say. */
    application_type: ApplicationTypeSchema.nullable().optional(),
  }),
  response: z.object({
    data: z.array(
      z.object({
        file: z.string(),
        name: z.string(),
        version: z.string(),
        package_kind: PackageKindSchema,
        application_type: ApplicationTypeSchema.nullable(),
        kinds: z.array(
          z.object({
            kind: DetectionKindSchema,
            /** By the table, for this package kind and application type. */
            offered: z.boolean(),
            /** The caller holds the permission item of the kind. */
            allowed: z.boolean(),
          }),
        ),
      }),
    ),
    /** Phones that the adb server lists as ready. */
    phones: z.array(z.object({ serial: z.string(), model: z.string() })),
  }),
  errors: ['data.missing'],
})

// ----------------------------------------------------------------------------------------------------------- strategies

const most = z.int().min(0).max(1000).nullable()
export const GateSchema = z.object({
  /** The lowest score that passes. */
  min_score: z.int().min(0).max(100).nullable().default(null),
  /** Failed items of a level that pass at most. */
  max: z
    .object({ high: most.default(null), middle: most.default(null), low: most.default(null) })
    .default({ high: null, middle: null, low: null }),
  /** Items that may not fail. */
  forbidden: z.array(itemId).max(300).default([]),
  /** Count failures in own code alone. */
  own_only: z.boolean().default(false),
  /** An item that could not be assessed does not pass. */
  need_assessed: z.boolean().default(false),
  /** The signature must verify and be the expected one. Off for bundles and builds before signing. */
  need_signature: z.boolean().default(true),
})
export type Gate = z.infer<typeof GateSchema>

export const StrategyRulesSchema = z.object({
  /** null: every item, also those that later rule packs bring. */
  items: z.array(itemId).min(1).max(1000).nullable().default(null),
  levels: z.record(itemId, FindingLevelSchema).default({}),
  gate: GateSchema.prefault({}),
})
export type StrategyRules = z.infer<typeof StrategyRulesSchema>

const StrategySchema = StrategyRulesSchema.extend({
  id: z.string(),
  /** Built-in ones are named in both languages and never change. */
  name: TextSchema,
  note: TextSchema,
  built_in: z.boolean(),
  rev: z.number(),
  by: z.string(),
  updated_at: z.number(),
  /** Tasks that used it. */
  tasks: z.number(),
})
export type Strategy = z.infer<typeof StrategySchema>

export const strategies = endpoint({
  method: 'GET',
  path: '/api/detection/strategies/',
  summary: 'Strategies: the built-in ones, then own ones by name',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy', 'rule.edit', 'detect.view'],
  response: z.object({ data: z.array(StrategySchema) }),
})
export const saveStrategy = endpoint({
  method: 'POST',
  path: '/api/detection/strategies/save/',
  summary: 'Create (no id; a copy is one with the rules of another) or change a strategy',
  access: ['rule.edit'],
  body: StrategyRulesSchema.extend({
    id: z.string().max(40).optional(),
    name: z.string().trim().min(1).max(64),
    note: z.string().trim().max(500).default(''),
    rev: z.int().optional(),
  }),
  response: z.object({ data: StrategySchema }),
  errors: ['data.missing', 'data.conflict', 'input.invalid'],
})
export const deleteStrategy = endpoint({
  method: 'POST',
  path: '/api/detection/strategies/delete/',
  summary: 'Delete a strategy; tasks keep what they were done by',
  access: ['rule.edit'],
  body: z.object({ id: z.string().max(40) }),
  response: z.object({}),
  errors: ['data.missing', 'input.invalid'],
})

// ---------------------------------------------------------------------------------------------------------------- items

const ItemSchema = z.object({
  id: z.string(),
  platform: z.enum(['android', 'ios']),
  category: z.string(),
  level: FindingLevelSchema,
  confidence: z.enum(['high', 'medium', 'low']),
  name: TextSchema,
})
export type DetectionItem = z.infer<typeof ItemSchema>

export const detectionItems = endpoint({
  method: 'GET',
  path: '/api/detection/items/',
  summary: 'Every item of the rule pack by name, in its order; changes with `version` alone',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy', 'rule.edit', 'detect.view'],
  response: z.object({ version: z.string(), data: z.array(ItemSchema) }),
})
export const detectionItem = endpoint({
  method: 'GET',
  path: '/api/detection/item/',
  summary: 'One item with everything that is written about it',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy', 'rule.edit', 'detect.view'],
  query: z.object({ id: itemId }),
  response: z.object({
    data: ItemSchema.extend({
      threat: TextSchema,
      advice: TextSchema,
      /** What is looked for, and what must not count, as the rule author wrote it. */
      detection: z.string(),
      must_not_trigger: z.string(),
      references: z.record(z.string(), z.array(z.string())),
    }),
  }),
  errors: ['data.missing'],
})

// ---------------------------------------------------------------------------------------------------------------- tasks

export const PRIORITIES = { low: -1, normal: 0, high: 1 } as const
const PhoneRunSchema = z.enum(Object.keys(PHONE_RUNS) as [PhoneRun, ...PhoneRun[]])
const PrioritySchema = z.enum(['low', 'normal', 'high'])

const TaskSchema = z.object({
  id: z.string(),
  /** '' of a file that belongs to no application. */
  appid: z.string(),
  app_name: z.string(),
  file: z.string(),
  /** The file is still stored. */
  has_file: z.boolean(),
  name: z.string(),
  /** Address of a PNG under /api/media/ while the file is stored and has one. */
  icon: z.string().nullable(),
  package_id: z.string(),
  version: z.string(),
  package_kind: PackageKindSchema,
  platform: z.enum(['android', 'ios']),
  size: z.number(),
  md5: z.string(),
  application_type: ApplicationTypeSchema.nullable(),
  kinds: z.array(DetectionKindSchema),
  strategy: z.object({ id: z.string(), name: TextSchema }),
  priority: PrioritySchema,
  /** Of dynamic detection: the phone and how long the application runs on it. */
  phone: z.object({ serial: z.string(), model: z.string(), run: PhoneRunSchema }).nullable(),
  state: StateSchema,
  stage: StageSchema,
  /** 0 to 1. */
  progress: z.number(),
  /** How it ended where it did not end well, in the language of the request. */
  note: z.string(),
  /** Below here: null until it is detected. Suppressed findings do not count. */
  score: z.number().nullable(),
  counts: LevelCountsSchema.nullable(),
  gate: z.enum(['pass', 'fail']).nullable(),
  suppressed: z.number(),
  /** Parts that could not be looked at. */
  not_assessed: z.number(),
  packer: z.string().nullable(),
  /** Checks of the privacy catalogue by verdict; null where privacy was not asked. */
  privacy: z
    .object({
      fail: z.number(),
      manual: z.number(),
      pass: z.number(),
      not_assessed: z.number(),
      not_applicable: z.number(),
    })
    .nullable(),
  by: z.string(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
})
export type DetectionTask = z.infer<typeof TaskSchema>

export const createTasks = endpoint({
  method: 'POST',
  path: '/api/detection/tasks/create/',
  summary:
    'Examine files: per file one task for static detection and one for dynamic. Refused tasks are listed separately; if all are refused, the first refusal is the answer',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy'],
  body: z.object({
    files: z.array(fileId).min(1).max(50),
    kinds: z.array(DetectionKindSchema).min(1).max(7),
    strategy: z.string().max(40).default('full'),
    priority: PrioritySchema.default('normal'),
    /** Instead of what the files say. */
    application_type: ApplicationTypeSchema.nullable().optional(),
    /** Serial of the phone for dynamic detection; null: the first that is ready. */
    phone: z
      .string()
      .regex(/^[\w.:-]{1,128}$/)
      .nullable()
      .default(null),
    run: PhoneRunSchema.default('normal'),
  }),
  response: z.object({
    data: z.array(TaskSchema),
    refused: z.array(
      z.object({
        file: z.string(),
        kinds: z.array(DetectionKindSchema),
        code: z.number(),
        codemsg: z.string(),
        /** The task that exists already. */
        task: z.string().nullable(),
      }),
    ),
  }),
  errors: [
    'data.missing',
    'task.exists',
    'detection.no_phone',
    'detection.not_offered',
    'permission.missing',
    'quota.reached',
  ],
})

export const TASK_SORTS = ['created', 'score', 'name'] as const
const taskFilters = z.object({
  /** Part of the name, package, version or file name. */
  search: z.string().trim().max(100).default(''),
  /** '' asks for all. */
  state: z.union([z.literal(''), StateSchema]).default(''),
  kind: z.union([z.literal(''), DetectionKindSchema]).default(''),
  gate: z.enum(['', 'pass', 'fail']).default(''),
  appid: z.string().max(9).default(''),
  file: z.union([z.literal(''), fileId]).default(''),
  /** When it was asked for, epoch ms. */
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  sort: z.enum(TASK_SORTS).default('created'),
  order: z.enum(['desc', 'asc']).default('desc'),
})
export const detectionTasks = endpoint({
  method: 'GET',
  path: '/api/detection/tasks/',
  summary: 'Tasks that the caller may see, a page of them with the total and the counts by state',
  access: ['detect.view'],
  query: taskFilters.extend({ offset, limit }),
  response: z.object({
    data: z.array(TaskSchema),
    total: z.number(),
    /** Of all that pass the other filters. */
    states: z.record(StateSchema, z.number()),
  }),
})

export const exportTasks = endpoint({
  method: 'POST',
  path: '/api/detection/tasks/export/',
  summary: 'Export the tasks that pass the filters, whole, in a job',
  access: ['detect.view'],
  body: z.object({ list: taskFilters, ...EXPORT_FILE }),
  response: z.object({ job: JobSchema }),
  errors: ['task.exists'],
})

const LogLineSchema = z.object({
  at: z.number(),
  stage: StageSchema,
  level: z.enum(['info', 'warning', 'error']),
  text: TextSchema,
})
export type TaskLogLine = z.infer<typeof LogLineSchema>

export const detectionTask = endpoint({
  method: 'GET',
  path: '/api/detection/task/',
  summary: 'One task: state, stages with their times, the lines of its log behind `after`, and what to compare it with',
  access: ['detect.view'],
  query: z.object({ id: TaskIdSchema, after: z.coerce.number().int().min(0).default(0) }),
  response: z.object({
    data: TaskSchema,
    /** In the order they began; the running one has no end. */
    stages: z.array(z.object({ stage: StageSchema, from: z.number(), to: z.number().nullable() })),
    log: z.array(LogLineSchema),
    /** What `after` of the next call is. */
    log_length: z.number(),
    /** Waiting tasks that go first. */
    ahead: z.number(),
    /** The last detected task of the same package before this one. */
    previous: z.object({ id: z.string(), version: z.string(), created_at: z.number() }).nullable(),
    /** What kept the worker in: limits and isolation, as the machine allowed. */
    isolation: z.array(z.string()),
  }),
  errors: ['data.missing'],
})

const ids = z.object({ ids: z.array(TaskIdSchema).min(1).max(100) })
export const stopTasks = endpoint({
  method: 'POST',
  path: '/api/detection/tasks/stop/',
  summary: 'Stop waiting or running tasks; those that ended stay as they are',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy'],
  body: ids,
  response: z.object({ data: z.array(TaskSchema) }),
  errors: ['data.missing'],
})
export const retryTask = endpoint({
  method: 'POST',
  path: '/api/detection/tasks/retry/',
  summary: 'Do a failed or stopped task again, or a detected one that another rule pack made',
  access: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy'],
  body: z.object({ id: TaskIdSchema }),
  response: z.object({ data: TaskSchema }),
  errors: ['data.missing', 'permission.missing', 'quota.reached', 'task.exists'],
})
export const deleteTasks = endpoint({
  method: 'POST',
  path: '/api/detection/tasks/delete/',
  summary: 'Delete tasks with their results and logs; running ones are stopped',
  access: ['detect.delete'],
  body: ids,
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})

export const downloadTaskLog = endpoint({
  method: 'GET',
  path: '/api/detection/tasks/log/',
  summary: 'The log of a task as a text file: what is offered with "Your app detection failed!"',
  access: ['detect.view'],
  navigation: true,
  bare: true,
  query: z.object({ id: TaskIdSchema }),
  response: z.unknown(),
  errors: ['data.missing'],
})
