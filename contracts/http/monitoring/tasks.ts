import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MARKET_KIND_NAMES, MarketProblemSchema } from './markets.ts'

/** Channel monitoring (MON-01, MON-02): a task looks for copies of one application, run after run. */

export const MONITOR_STATES = {
  monitoring: { zh: '监测中', en: 'Monitoring' },
  monitored: { zh: '监测成功', en: 'Monitored' },
  failed: { zh: '监测失败', en: 'Failed' },
  stopped: { zh: '已停止', en: 'Stopped' },
} as const
export type MonitorState = keyof typeof MONITOR_STATES
const StateSchema = z.enum(Object.keys(MONITOR_STATES) as [MonitorState, ...MonitorState[]])

export const MONITOR_SCHEDULES = {
  once: { zh: '仅一次', en: 'Once' },
  daily: { zh: '每天', en: 'Every day' },
  weekly: { zh: '每周', en: 'Every week' },
} as const
export type MonitorSchedule = keyof typeof MONITOR_SCHEDULES
const ScheduleSchema = z.enum(Object.keys(MONITOR_SCHEDULES) as [MonitorSchedule, ...MonitorSchedule[]])

/** What a copy is, as engines/similarity judges. */
export const COPY_VERDICTS = {
  genuine: { zh: '正版', en: 'Genuine' },
  'other-version': { zh: '正版其他版本', en: 'Other version' },
  're-signed': { zh: '重签名', en: 'Re-signed' },
  repackaged: { zh: '重打包', en: 'Repackaged' },
  clone: { zh: '克隆', en: 'Clone' },
  'look-alike': { zh: '仿冒', en: 'Look-alike' },
  unrelated: { zh: '无关', en: 'Unrelated' },
} as const
export type Verdict = keyof typeof COPY_VERDICTS
export const VerdictSchema = z.enum(Object.keys(COPY_VERDICTS) as [Verdict, ...Verdict[]])
export const PIRATED_VERDICTS: readonly Verdict[] = ['re-signed', 'repackaged', 'clone', 'look-alike']
export const GENUINE_VERDICTS: readonly Verdict[] = ['genuine', 'other-version']

export const MONITOR_NOTES = {
  'job.interrupted': { zh: '多次被中断', en: 'Interrupted several times' },
  'monitor.no_reference': { zh: '该应用没有可比对的安装包', en: 'The application has no package to compare with' },
  'monitor.none_asked': { zh: '没有一个渠道完整答复', en: 'Not one market gave a whole answer' },
  'monitor.internal': { zh: '内部错误', en: 'Internal error' },
} as const
export type MonitorNote = keyof typeof MONITOR_NOTES

/** Figures of the record, by the same words in the console and in reports. */
export const MONITOR_FIGURES = {
  pirated: { zh: '累计盗版', en: 'Pirated, cumulative' },
  genuine: { zh: '累计正版', en: 'Genuine, cumulative' },
  offered: { zh: '在架盗版', en: 'Pirated on offer' },
  fresh: { zh: '本次新增盗版', en: 'New in the newest run' },
  downloads: { zh: '盗版下载量', en: 'Downloads of pirated copies' },
  asked: { zh: '已查询的渠道', en: 'Channels asked' },
  unasked: { zh: '没有查询到的渠道', en: 'Channels that could not be asked' },
  devices: { zh: '装有盗版的设备', en: 'Devices with pirated copies' },
  versions: { zh: '比对的安装包', en: 'Packages compared with' },
} as const

/** Parts of a judgement, as engines/similarity compares them. */
export const COPY_PARTS = {
  signer: { zh: '签名证书', en: 'Signer' },
  package: { zh: '包名', en: 'Package name' },
  content: { zh: '签名以外的全部内容', en: 'All content but the signature' },
  code: { zh: '自有代码', en: 'Own code' },
  resources: { zh: '资源', en: 'Resources' },
  native: { zh: '原生库', en: 'Native libraries' },
  components: { zh: '组件', en: 'Components' },
  icon: { zh: '图标', en: 'Icon' },
  label: { zh: '名称', en: 'Name' },
} as const

/** Whether a copy is offered now. */
export const COPY_OFFERS = {
  offered: { zh: '在架', en: 'On offer' },
  gone: { zh: '已下架', en: 'Gone' },
  unknown: { zh: '未知', en: 'Unknown' },
} as const

const id = z.uuid()
const ids = z.array(id).min(1).max(200)
const appid = z.string().regex(/^\d{1,9}$/)
const keyword = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((value) => !/[\p{Cc}\p{Cf}]/u.test(value))

const TaskSchema = z.object({
  id: z.string(),
  appid: z.string(),
  app_name: z.string(),
  keywords: z.array(z.string()),
  schedule: ScheduleSchema,
  state: StateSchema,
  /** Why it failed, in the language of the request. */
  note: z.string(),
  /** Number of the run; 0 before the first. */
  run: z.number(),
  /** Waits for a worker. */
  waiting: z.boolean(),
  /** Markets of the run: all, asked, not asked for a named reason. */
  markets: z.number(),
  asked: z.number(),
  unasked: z.number(),
  /** Cumulative, over all runs. */
  genuine: z.number(),
  pirated: z.number(),
  /** Pirated copies seen for the first time in the newest run. */
  fresh: z.number(),
  operator: z.string(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  next_at: z.number().nullable(),
})
export type MonitorTask = z.infer<typeof TaskSchema>

export const monitorTasks = endpoint({
  method: 'GET',
  path: '/api/monitor/tasks/',
  summary: 'Monitoring tasks of the applications that the caller may see, newest first, with the number of each state',
  access: ['monitor.view', 'asset.monitor'],
  query: z.object({
    search: z.string().trim().max(100).default(''),
    state: StateSchema.or(z.literal('')).default(''),
    appid: appid.or(z.literal('')).default(''),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({
    data: z.array(TaskSchema),
    total: z.number(),
    states: z.partialRecord(StateSchema, z.number()),
  }),
})

export const createMonitorTask = endpoint({
  method: 'POST',
  path: '/api/monitor/tasks/create/',
  summary: 'Look for copies of an application in markets; the first run begins at once',
  access: ['asset.monitor'],
  body: z.object({
    appid,
    /** The application's own name is always looked for. */
    keywords: z.array(keyword).max(10).default([]),
    /** Kinds of markets and single ones; both empty: all. */
    kinds: z.array(z.enum(MARKET_KIND_NAMES)).max(10).default([]),
    markets: z.array(z.string().max(60)).max(1000).default([]),
    schedule: ScheduleSchema.default('once'),
  }),
  response: z.object({ data: TaskSchema }),
  errors: ['data.missing', 'monitor.no_reference', 'monitor.exists', 'licence.module'],
})

export const startMonitorTasks = endpoint({
  method: 'POST',
  path: '/api/monitor/tasks/start/',
  summary: 'Begin another run of tasks that have ended',
  access: ['asset.monitor'],
  body: z.object({ ids }),
  response: z.object({ started: z.number() }),
  errors: ['data.missing', 'licence.module'],
})

export const stopMonitorTasks = endpoint({
  method: 'POST',
  path: '/api/monitor/tasks/stop/',
  summary: 'Stop runs that wait or go on; what they found stays',
  access: ['asset.monitor'],
  body: z.object({ ids }),
  response: z.object({ stopped: z.number() }),
  errors: ['data.missing'],
})

export const deleteMonitorTasks = endpoint({
  method: 'POST',
  path: '/api/monitor/tasks/delete/',
  summary: 'Delete tasks with their copies and listings',
  access: ['monitor.delete'],
  body: z.object({ ids }),
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})

const RunSchema = z.object({
  run: z.number(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
  asked: z.number(),
  unasked: z.number(),
  /** Offered at its end. */
  pirated: z.number(),
  /** Seen for the first time, and no longer offered where they were asked for. */
  fresh: z.number(),
  gone: z.number(),
})
export type MonitorRun = z.infer<typeof RunSchema>

export const monitorDetail = endpoint({
  method: 'GET',
  path: '/api/monitor/tasks/detail/',
  summary:
    'One task: its record, its copies by kind of market and verdict, its runs, and the markets that could not be asked with the reasons',
  access: ['monitor.view'],
  query: z.object({ id }),
  response: z.object({
    data: TaskSchema,
    /** Packages that copies are compared with. */
    references: z.array(
      z.object({ file: z.number(), name: z.string(), version: z.string(), sha256: z.string(), problem: z.string() }),
    ),
    matrix: z.array(z.object({ kind: z.enum(MARKET_KIND_NAMES), verdict: VerdictSchema, copies: z.number() })),
    /** Markets of the newest run by kind: of a kind that was not asked nothing is known. */
    kinds: z.array(z.object({ kind: z.enum(MARKET_KIND_NAMES), markets: z.number(), asked: z.number() })),
    runs: z.array(RunSchema),
    unasked: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.enum(MARKET_KIND_NAMES),
        problem: MarketProblemSchema,
        detail: z.string(),
        /** Where people look: its search page with the name of the application, else its home page; '' without one. */
        look: z.string(),
        /** Entries that look like the application, of a market that offers no files. */
        leads: z.array(z.object({ name: z.string(), page: z.string() })),
      }),
    ),
    /** Sum of what markets say of their downloads of pirated copies; null where none says anything. */
    downloads: z.number().nullable(),
  }),
  errors: ['data.missing'],
})

/** `offered` in the newest run, `gone` where all its markets answered without it, `unknown` where one of them did not (yet) answer. */
const OfferSchema = z.enum(['offered', 'gone', 'unknown'])

const CopySchema = z.object({
  id: z.string(),
  task: z.string(),
  appid: z.string(),
  sha256: z.string(),
  label: z.string(),
  package: z.string(),
  version: z.string(),
  size: z.number(),
  certificate: z.string(),
  verdict: VerdictSchema,
  /** What the product judged, where a person judged otherwise. */
  judged: VerdictSchema,
  is_manual: z.boolean(),
  confidence: z.number(),
  markets: z.number(),
  offer: OfferSchema,
  downloads: z.number().nullable(),
  first_seen: z.number(),
  last_seen: z.number(),
  is_fresh: z.boolean(),
})
export type MonitorCopy = z.infer<typeof CopySchema>

export const monitorCopies = endpoint({
  method: 'GET',
  path: '/api/monitor/copies/',
  summary: 'Copies that a task has found, pirated ones first',
  access: ['monitor.view'],
  query: z.object({
    id,
    verdict: VerdictSchema.or(z.enum(['', 'pirated'])).default(''),
    kind: z.enum(MARKET_KIND_NAMES).or(z.literal('')).default(''),
    search: z.string().trim().max(100).default(''),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({ data: z.array(CopySchema), total: z.number() }),
  errors: ['data.missing'],
})

const EvidenceSchema = z.object({
  rows: z.array(z.object({ name: z.string(), difference: z.enum(['same', 'changed', 'added', 'removed']) })),
  counts: z.object({ same: z.number(), changed: z.number(), added: z.number(), removed: z.number() }),
})
export type CopyEvidenceList = z.infer<typeof EvidenceSchema>
const FactsSchema = z.object({
  package: z.string(),
  version: z.string(),
  version_code: z.string(),
  label: z.string(),
  size: z.number(),
  sha256: z.string(),
  signature: z.string(),
  certificates: z.array(z.string()),
  subject: z.string(),
  classes: z.number(),
  files: z.number(),
  packer: z.string(),
})
export type CopyFacts = z.infer<typeof FactsSchema>

export const copyDetail = endpoint({
  method: 'GET',
  path: '/api/monitor/copies/detail/',
  summary:
    'One copy beside the package it is most like: parts of the judgement, differences down to the class, where it is offered',
  access: ['monitor.view'],
  query: z.object({ id }),
  response: z.object({
    data: CopySchema,
    reason: z.string(),
    reference: FactsSchema,
    copy: FactsSchema,
    parts: z.array(
      z.object({ part: z.string(), likeness: z.number().nullable(), points: z.number(), most: z.number() }),
    ),
    notes: z.array(z.string()),
    evidence: z.object({
      classes: EvidenceSchema,
      files: EvidenceSchema,
      natives: EvidenceSchema,
      components: EvidenceSchema,
      permissions: EvidenceSchema,
      libraries: EvidenceSchema,
    }),
    listings: z.array(
      z.object({
        market: z.string(),
        market_name: z.string(),
        name: z.string(),
        version: z.string(),
        developer: z.string(),
        page: z.string(),
        downloads: z.number().nullable(),
        first_seen: z.number(),
        last_seen: z.number(),
        offer: OfferSchema,
      }),
    ),
  }),
  errors: ['data.missing'],
})

/** A certificate that pirated copies of an application are signed with, and the newest of these copies; one of the application's own id is named rather than a clone. */
export type PiratedCertificate = {
  appid: string
  /** SHA-256, lower-case hex. */
  certificate: string
  task: string
  copy: string
  label: string
  version: string
  verdict: Verdict
  /** Pirated copies of the application that it signs. */
  copies: number
}

/** Devices are counted over so many days, by occurrence. */
export const DEVICE_DAYS = 30

export const monitorDevices = endpoint({
  method: 'GET',
  path: '/api/monitor/devices/',
  summary:
    'Devices that report the certificate of a pirated copy, over the last 30 days: of one copy, or of all of a task; certificates of the application itself are never counted',
  access: ['monitor.view'],
  query: z.object({ id, copy: id.optional() }),
  response: z.object({
    /** SHA-256 of the certificates that are looked for; none where no copy is a pirated one with a certificate of its own. */
    certificates: z.array(z.string()),
    devices: z.number(),
    returns: z.number(),
    from: z.number(),
    to: z.number(),
    /** The most first; '' where a place is not known. */
    places: z.array(z.object({ country: z.string(), province: z.string(), devices: z.number() })),
  }),
  errors: ['data.missing', 'server.store_down'],
})

export const judgeMonitorCopy = endpoint({
  method: 'POST',
  path: '/api/monitor/copies/judge/',
  summary: "Judge a copy by hand with a reason; an empty verdict goes back to the product's own",
  access: ['monitor.report'],
  body: z.object({ id, verdict: VerdictSchema.or(z.literal('')), reason: z.string().trim().min(1).max(500) }),
  response: z.object({ data: CopySchema }),
  errors: ['data.missing'],
})
