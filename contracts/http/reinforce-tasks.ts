import { z } from 'zod'
import { REINFORCE_KINDS, type ReinforceKind } from '#domain/reinforce-kinds.ts'
import { REINFORCE_OPTION_KEYS, type ReinforceOption } from '#domain/reinforce-options.ts'
import { ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import { FindingLevelSchema, TextSchema } from '../detection/scan-result.ts'
import { endpoint } from './endpoint.ts'
import { SIGNATURE_SCHEMES } from './reinforce-policies.ts'

/** Reinforcement tasks (HARD-05, HARD-06): one package, one policy, the reinforced package and what was done to it. */

export const REINFORCE_STATES = {
  waiting: { zh: '排队中', en: 'Waiting' },
  reinforcing: { zh: '加固中', en: 'Reinforcing' },
  success: { zh: '加固成功', en: 'Success' },
  failed: { zh: '加固失败', en: 'Failure' },
  stopped: { zh: '已取消', en: 'Cancelled' },
} as const
export type ReinforceState = keyof typeof REINFORCE_STATES
const StateSchema = z.enum(Object.keys(REINFORCE_STATES) as [ReinforceState, ...ReinforceState[]])

/** In the order in which they run. */
export const REINFORCE_STAGES = {
  scripts: { zh: 'JS 保护', en: 'JS protection' },
  read: { zh: '解包与解析', en: 'Unpack and read' },
  code: { zh: '代码', en: 'Code' },
  resources: { zh: '清单与资源', en: 'Manifest and resources' },
  libraries: { zh: '原生库', en: 'Native libraries' },
  write: { zh: '写出与对齐', en: 'Write and align' },
  sign: { zh: '签名与核对', en: 'Sign and verify' },
  check: { zh: '复检', en: 'Scan again' },
  compare: { zh: '读回核对', en: 'Read back and compare' },
} as const
export type ReinforceStage = keyof typeof REINFORCE_STAGES
export const ReinforceStageSchema = z.enum(Object.keys(REINFORCE_STAGES) as [ReinforceStage, ...ReinforceStage[]])

/** The stages that a package of the kind can have: libraries are not signed, and not scanned again. */
export function stagesOf(kind: ReinforceKind): readonly ReinforceStage[] {
  switch (kind) {
    case 'apk':
    case 'aab':
      return ['scripts', 'read', 'code', 'resources', 'libraries', 'write', 'sign', 'check']
    case 'so':
      return ['read', 'libraries', 'compare']
    default:
      return ['scripts', 'read', 'code', 'resources', 'libraries', 'write', 'compare']
  }
}

/** What became of an option: `partial` where a part of it is missing in this version, `not_built` where all of it is. */
export const OPTION_STATES = {
  applied: { zh: '生效', en: 'Applied' },
  partial: { zh: '部分', en: 'Partial' },
  skipped: { zh: '跳过', en: 'Skipped' },
  not_built: { zh: '本版本不执行', en: 'Not in this version' },
} as const
export type OptionState = keyof typeof OPTION_STATES
const OptionStateSchema = z.enum(Object.keys(OPTION_STATES) as [OptionState, ...OptionState[]])

/** What is checked of every result before it is kept. */
export const REINFORCE_CHECKS = {
  signature: {
    zh: '签名可被校验，证书与签名文件一致',
    en: 'The signature verifies, with the certificate of the signature file',
  },
  structure: { zh: 'ZIP 结构、对齐', en: 'ZIP structure and alignment' },
  manifest: { zh: '清单可解析，包名与版本不变', en: 'The manifest reads, with the same package name and version' },
  permissions: { zh: '没有新增的权限', en: 'No new permission' },
  components: { zh: '没有新增的导出组件', en: 'No new exported component' },
  dex: { zh: 'DEX 文件可解析，原有的类都在', en: 'Dex files read, and every class is still there' },
  archive: {
    zh: '压缩包可读回，条目与顺序不变',
    en: 'The archive reads back, with the same entries in the same order',
  },
  contents: {
    zh: '类、原生库和脚本以外的内容逐字节不变',
    en: 'All but classes, native libraries and scripts is the same, byte by byte',
  },
  classes: {
    zh: '类文件可解析，类、字段和方法的声明不变',
    en: 'Class files read, with the same declarations of classes, fields and methods',
  },
  elf: {
    zh: '原生库可解析，系统加载器读取的段、依赖和符号不变',
    en: 'Native libraries read, with the same segments, dependencies and symbols for the loader',
  },
  bundle: {
    zh: 'AAB 可读回，模块与条目不变，新增的只有 DEX 文件',
    en: 'The bundle reads back, with the same modules and entries; only dex files are added',
  },
  untouched: {
    zh: 'DEX 文件、原生库、脚本和清单以外的内容逐字节不变',
    en: 'All but dex files, native libraries, scripts and manifests is the same, byte by byte',
  },
  assets: {
    zh: 'assets 目录下的文件齐全，脚本以外的内容逐字节不变（已加密的按原文比较）',
    en: 'All files below assets are there and, scripts apart, the same, byte by byte; encrypted ones by their content before',
  },
  manifests: {
    zh: '各模块的清单只有选项所改的属性不同，包名和版本不变',
    en: 'Manifests of all modules differ only in what options set; package name and version are the same',
  },
} as const
export type ReinforceCheck = keyof typeof REINFORCE_CHECKS
export const ReinforceCheckSchema = z.enum(Object.keys(REINFORCE_CHECKS) as [ReinforceCheck, ...ReinforceCheck[]])

/** Why a package is not reinforced: keys of FormatError (engines/harden, engines/package, engines/signing), and limits of the worker. */
export const REINFORCE_REFUSALS = {
  'harden kind': { zh: '不是 APK、AAB、AAR、JAR 或 SO', en: 'it is no APK, AAB, AAR, JAR or SO' },
  'harden library': { zh: '不是 Android 会加载的库', en: 'it is no library that Android loads' },
  'harden judged': { zh: '结果读回后不是同一种文件', en: 'the result does not read as what it was' },
  unchanged: {
    zh: '策略中没有选项对它起作用',
    en: 'no option of the policy changes anything in it',
  },
  'harden split': {
    zh: '是拆分包的一部分，不能单独加固',
    en: 'it is a split of an application, which is not reinforced alone',
  },
  'harden packed': { zh: '已经加固，请上传原包', en: 'it is already reinforced, upload the original' },
  'harden manifest': { zh: '清单缺失或没有 application', en: 'its manifest is missing or has no application' },
  'harden container': {
    zh: '一个 DEX 文件里有多个 DEX，不支持',
    en: 'one of its files holds several dex files, which is not supported',
  },
  'harden overflow': {
    zh: 'DEX 文件已满，而最低系统版本只先载入第一个',
    en: 'a dex file is full, and its oldest Android loads the first file alone',
  },
  'harden sealed': { zh: '加密后的代码复核不一致', en: 'its encrypted code does not open as it was' },
  'harden time': { zh: '处理超出时间限制', en: 'it takes longer than the limit' },
  'package unknown-kind': { zh: '不是可识别的安装包', en: 'it is no package that can be read' },
  'signing archive': {
    zh: '压缩包结构异常，任何设备都不能安装',
    en: 'its archive is built so that no device installs it',
  },
  'signing judged': { zh: '签名后未通过核对', en: 'the signed package does not verify' },
  'keystore store-password': { zh: '签名文件的口令不再正确', en: 'the password of the signature file is wrong' },
  limit: { zh: '处理超出时间或内存限制', en: 'it takes more time or memory than the limit' },
  disk: { zh: '磁盘空间不足', en: 'the disk has no room for the result' },
  crashed: { zh: '加固程序提前结束', en: 'the worker ended early' },
} as const
export type ReinforceRefusal = keyof typeof REINFORCE_REFUSALS

const id = z.uuid()
const ids = z.array(id).min(1).max(200)
const appid = z.string().regex(/^\d{1,9}$/)
const scheme = z.enum(SIGNATURE_SCHEMES)
const OptionSchema = z.enum(REINFORCE_OPTION_KEYS as [ReinforceOption, ...ReinforceOption[]])

const TaskSchema = z.object({
  id: z.string(),
  /** '' where the package belongs to no application. */
  appid: z.string(),
  app_name: z.string(),
  /** The package that is reinforced; null where it was deleted meanwhile. */
  file: z.number().nullable(),
  kind: z.enum(REINFORCE_KINDS),
  name: z.string(),
  /** Address of the icon of `file`; null where it has none. */
  icon: z.string().nullable(),
  package_id: z.string(),
  version: z.string(),
  state: StateSchema,
  stage: ReinforceStageSchema.nullable(),
  /** 0 to 1 over all stages. */
  progress: z.number(),
  /** Why it failed, in the language of the request. */
  note: z.string(),
  policy_id: z.string().nullable(),
  policy: z.string(),
  policy_rev: z.number(),
  /** Options that are on. */
  chosen: z.number(),
  /** Name of the signature file, '' where the result is not signed. */
  signature: z.string(),
  size_before: z.number(),
  size_after: z.number().nullable(),
  /** Options by what became of them; null before the end. */
  results: z.record(OptionStateSchema, z.number()).nullable(),
  /** The application file that the result became; null where that was deleted, or before the end. */
  result_file: z.number().nullable(),
  operator: z.string(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
})
export type ReinforceTask = z.infer<typeof TaskSchema>

/** What became of one class, file or attribute. */
export const LINE_OUTCOMES = {
  applied: { zh: '生效', en: 'Applied' },
  skipped: { zh: '跳过', en: 'Skipped' },
  absent: { zh: '本版本不做', en: 'Not in this version' },
} as const
type LineOutcome = keyof typeof LINE_OUTCOMES
const OutcomeSchema = z.enum(Object.keys(LINE_OUTCOMES) as [LineOutcome, ...LineOutcome[]])

/** On what the engine was tried; shown with every result. */
export const ENGINE_NOTE = {
  zh: '加固引擎在 ART 11 主机运行时上验证，不是在真机上',
  en: 'The engine is verified on the ART 11 host runtime, not on devices',
} as const
/** The same of bundles. */
export const BUNDLE_NOTE = {
  zh: '签名后的 AAB 读回核对并复检，没有经 Google Play 或 bundletool 拆分，也没有在真机上运行',
  en: 'The signed bundle is read back, compared and scanned again; it was not split by Google Play or bundletool, and not run on devices',
} as const
/** The same of libraries. */
export const LIBRARY_NOTE = {
  zh: '库的加固结果读回核对，没有在真机上载入',
  en: 'Reinforced libraries are read back and compared, not loaded on devices',
} as const

const LineSchema = z.object({
  outcome: OutcomeSchema,
  /** Entry of the package, and class, component or attribute in it; '' for all of it. */
  file: z.string(),
  place: z.string(),
  text: z.string(),
  count: z.number(),
})
const OptionResultSchema = z.object({
  option: OptionSchema,
  state: OptionStateSchema,
  /** Calls, texts, classes or files, as the lines say. */
  applied: z.number(),
  skipped: z.number(),
  /** Sums over files and places, by what was done or why not. */
  sums: z.array(
    z.object({
      outcome: z.enum(['applied', 'skipped', 'absent']),
      text: z.string(),
      count: z.number(),
      places: z.number(),
    }),
  ),
})
export type OptionResult = z.infer<typeof OptionResultSchema>

/** Figures of a package, null for what its kind does not have; counts of dex items as its headers and tables say. */
export const FiguresSchema = z.object({
  size: z.number(),
  dex_files: z.number().nullable(),
  dex_bytes: z.number().nullable(),
  classes: z.number().nullable(),
  methods: z.number().nullable(),
  /** Texts that are readable in code. */
  strings: z.number().nullable(),
  exported: z.number().nullable(),
  library_bytes: z.number().nullable(),
  /** Bits a byte over all dex files, 0 to 8; null without one. */
  entropy: z.number().nullable(),
})
export type PackageFigures = z.infer<typeof FiguresSchema>

/** One method before and after, as instructions; cut where it is very long. */
export const ShownMethodSchema = z.object({
  method: z.string().max(500),
  before: z.array(z.string().max(500)).max(200),
  after: z.array(z.string().max(500)).max(200),
})
export type ShownMethod = z.infer<typeof ShownMethodSchema>

const RescanSchema = z.object({
  score_before: z.number(),
  score_after: z.number(),
  closed: z.number(),
  unchanged: z.number(),
  added: z.number(),
  /** Of those that the code still has, the ones that the result does not show, since its code is encrypted. */
  hidden: z.number(),
  /** Items with a finding that is closed or new, those first; then those that stay. */
  items: z.array(
    z.object({
      id: z.string(),
      name: TextSchema,
      level: FindingLevelSchema,
      closed: z.number(),
      added: z.number(),
      unchanged: z.number(),
      hidden: z.number(),
    }),
  ),
})
export type ReinforceRescan = z.infer<typeof RescanSchema>

const ReportSchema = z.object({
  options: z.array(OptionResultSchema),
  before: FiguresSchema,
  after: FiguresSchema,
  checks: z.array(z.object({ check: ReinforceCheckSchema, passed: z.boolean(), detail: z.string() })),
  /** null where it was not signed. */
  signed: z.object({ schemes: z.array(z.string()), subject: z.string(), sha256: z.string() }).nullable(),
  /** Name of the signature file of the policy where the result is a library, which is not signed; '' else. */
  unused_signature: z.string(),
  methods: z.array(ShownMethodSchema),
  /** null where the scan failed, with the reason in `rescan_note`, and of a library, which is not scanned again. */
  rescan: RescanSchema.nullable(),
  rescan_note: z.string(),
  /** SHA-256 of the result. */
  sha256: z.string(),
  notes: z.array(z.string()),
})
export type ReinforceReport = z.infer<typeof ReportSchema>

const TaskStageSchema = z.object({
  stage: ReinforceStageSchema,
  began_at: z.number(),
  done: z.number(),
  total: z.number(),
  /** Entry that is worked on. */
  current: z.string(),
})
export type ReinforceTaskStage = z.infer<typeof TaskStageSchema>

export const reinforceTasks = endpoint({
  method: 'GET',
  path: '/api/reinforce/tasks/',
  summary: 'Reinforcement records that the caller may see, newest first, with the number of each state',
  access: ['harden.view', 'asset.harden'],
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

export const createReinforceTasks = endpoint({
  method: 'POST',
  path: '/api/reinforce/tasks/create/',
  summary: 'Reinforce application files (APK, AAB, AAR, JAR, SO) with a policy, one task a file',
  access: ['asset.harden'],
  body: z.object({ files: z.array(z.int().positive()).min(1).max(10), policy: id }),
  response: z.object({ data: z.array(TaskSchema) }),
  errors: [
    'data.missing',
    'task.exists',
    'reinforce.kind',
    'reinforce.packed',
    'reinforce.required',
    'reinforce.signature_gone',
    'reinforce.signature_hidden',
    'asset.too_large',
    'quota.reached',
    'licence.module',
  ],
})

export const redoReinforceTask = endpoint({
  method: 'POST',
  path: '/api/reinforce/tasks/redo/',
  summary: 'Re-reinforce the package of an ended task, with its policy as it is now',
  access: ['harden.redo'],
  body: z.object({ id }),
  response: z.object({ data: TaskSchema }),
  errors: [
    'data.missing',
    'task.exists',
    'reinforce.kind',
    'reinforce.packed',
    'reinforce.required',
    'reinforce.signature_gone',
    'reinforce.signature_hidden',
    'asset.too_large',
    'quota.reached',
    'licence.module',
  ],
})

export const cancelReinforceTasks = endpoint({
  method: 'POST',
  path: '/api/reinforce/tasks/cancel/',
  summary: 'Cancel tasks that wait or run; of the result nothing is kept',
  access: ['asset.harden'],
  body: z.object({ ids }),
  response: z.object({ stopped: z.number() }),
  errors: ['data.missing'],
})

export const deleteReinforceTasks = endpoint({
  method: 'POST',
  path: '/api/reinforce/tasks/delete/',
  summary: 'Delete reinforcement records; packages that became application files stay',
  access: ['harden.delete'],
  body: z.object({ ids }),
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})

export const reinforceTask = endpoint({
  method: 'GET',
  path: '/api/reinforce/tasks/detail/',
  summary: 'One task: its record, what is done so far, and its report once it has succeeded',
  access: ['harden.view'],
  query: z.object({ id }),
  response: z.object({
    data: TaskSchema,
    options: ReinforceOptionsSchema,
    schemes: z.array(scheme),
    /** Epoch ms at which each stage began, and steps of its work: dex files, libraries. */
    stages: z.array(TaskStageSchema),
    report: ReportSchema.nullable(),
  }),
  errors: ['data.missing'],
})

/** Of one answer: packages may have a line for each of their classes. */
export const MOST_LINES = 200

export const reinforceLines = endpoint({
  method: 'GET',
  path: '/api/reinforce/tasks/lines/',
  summary: 'What an option did and skipped, by file and class',
  access: ['harden.view'],
  query: z.object({
    id,
    option: OptionSchema,
    search: z.string().trim().max(200).default(''),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(MOST_LINES).default(50),
  }),
  response: z.object({ data: z.array(LineSchema), total: z.number() }),
  errors: ['data.missing'],
})

export const exportReinforceLines = endpoint({
  method: 'GET',
  path: '/api/reinforce/tasks/lines/export/',
  summary: 'Everything that was done and skipped, as CSV',
  access: ['harden.view'],
  navigation: true,
  bare: true,
  query: z.object({ id }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const downloadReinforced = endpoint({
  method: 'GET',
  path: '/api/reinforce/tasks/download/',
  summary: 'The reinforced package',
  access: ['harden.download'],
  navigation: true,
  bare: true,
  query: z.object({ id }),
  response: z.unknown(),
  errors: ['data.missing'],
})
