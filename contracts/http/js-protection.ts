import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** JS protection (JS-01): scripts are uploaded, measured, protected and downloaded. */

export const SCRIPT_STATES = {
  uploaded: { zh: '未加密', en: 'Not encrypted' },
  waiting: { zh: '排队中', en: 'Waiting' },
  encrypting: { zh: '加密中', en: 'Encrypting' },
  encrypted: { zh: '加密成功', en: 'Encrypted successfully' },
  failed: { zh: '加密失败', en: 'Encryption failed' },
  stopped: { zh: '已取消', en: 'Cancelled' },
} as const
export type ScriptState = keyof typeof SCRIPT_STATES
const StateSchema = z.enum(Object.keys(SCRIPT_STATES) as [ScriptState, ...ScriptState[]])

export const SCRIPT_PRESETS = {
  low: { zh: '低', en: 'Low' },
  medium: { zh: '中', en: 'Medium' },
  high: { zh: '高', en: 'High' },
} as const
export type ScriptPreset = keyof typeof SCRIPT_PRESETS
const PresetSchema = z.enum(Object.keys(SCRIPT_PRESETS) as [ScriptPreset, ...ScriptPreset[]])

/** What a file got: its preset, or a step below it. */
export const SCRIPT_STRENGTHS = {
  high: SCRIPT_PRESETS.high,
  medium: SCRIPT_PRESETS.medium,
  light: { zh: '中（精简）', en: 'Medium, light' },
  low: SCRIPT_PRESETS.low,
  names: { zh: '仅改名压缩', en: 'Names only' },
} as const
export type ScriptStrength = keyof typeof SCRIPT_STRENGTHS
const StrengthSchema = z.enum(Object.keys(SCRIPT_STRENGTHS) as [ScriptStrength, ...ScriptStrength[]])

export const SCRIPT_PARTS = {
  strings: { zh: '字符串入表', en: 'Strings in a table' },
  split: { zh: '字符串拆分', en: 'Strings split' },
  flow: { zh: '控制流平坦化', en: 'Control flow flattened' },
  dead: { zh: '注入死代码', en: 'Dead code' },
  numbers: { zh: '数字变表达式', en: 'Numbers as expressions' },
  keys: { zh: '对象键变换', en: 'Object keys' },
} as const
export type ScriptPart = keyof typeof SCRIPT_PARTS
const PartSchema = z.enum(Object.keys(SCRIPT_PARTS) as [ScriptPart, ...ScriptPart[]])
/** What each preset switches on. */
export const PRESET_PARTS: Readonly<Record<ScriptPreset, readonly ScriptPart[]>> = {
  low: ['strings'],
  medium: ['strings', 'split', 'flow', 'numbers', 'keys'],
  high: ['strings', 'split', 'flow', 'dead', 'numbers', 'keys'],
}

/** Why a file has less than was asked for, or its original. */
export const SCRIPT_REASONS = {
  size: { zh: '代码太大', en: 'too large' },
  time: { zh: '超出时间限制', en: 'over the time limit' },
  memory: { zh: '超出内存限制', en: 'over the memory limit' },
  parts: { zh: '部分单项不适用于该代码，已关闭', en: 'parts that do not fit this code were left out' },
  crash: { zh: '加密程序异常结束', en: 'the worker ended early' },
  syntax: { zh: '语法错误', en: 'syntax error' },
  typescript: { zh: '是 TypeScript 源码，请先编译', en: 'TypeScript source: compile it first' },
  jsx: { zh: '含 JSX，请先编译', en: 'holds JSX: compile it first' },
  newer: { zh: '语法过新，引擎不支持', en: 'syntax that the engine does not know yet' },
  'not-text': { zh: '不是 UTF-8 文本', en: 'not UTF-8 text' },
  hermes: { zh: 'Hermes 字节码，保持不变', en: 'Hermes bytecode, left alone' },
  'too-deep': { zh: '嵌套过深', en: 'nested too deeply' },
  'too-large': { zh: '超过最大限制', en: 'larger than the limit' },
  engine: { zh: '引擎无法变换', en: 'the engine cannot transform it' },
  output: { zh: '变换结果无法通过语法检查', en: 'the result is no valid script' },
  checksum: { zh: '压缩包内数据损坏', en: 'damaged in the archive' },
} as const
export type ScriptReason = keyof typeof SCRIPT_REASONS
const ReasonSchema = z.enum(Object.keys(SCRIPT_REASONS) as [ScriptReason, ...ScriptReason[]])

const id = z.uuid()
const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .refine((text) => !/[\p{Cc}\p{Cf}]/u.test(text))
const names = z.array(name).max(100)
const time = z.int().min(0).max(8.64e15).nullable()
/** A host name, or `.` and the domain whose hosts all count. */
const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^\.?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)

export const ScriptOptionsSchema = z.object({
  preset: PresetSchema,
  /** Only what differs from the preset. */
  parts: z.partialRecord(PartSchema, z.boolean()).default({}),
  /** Names and strings that stay as they are; `*` matches any characters. */
  reserved_names: names.default([]),
  reserved_strings: names.default([]),
  /** Kept apart from the code, for the traces of its errors. */
  source_map: z.boolean().default(false),
  /** Deterrents: each of the three is in code that an attacker may change. */
  domain_lock: z.array(host).max(50).default([]),
  self_defending: z.boolean().default(false),
  time_lock: z.object({ from: time, until: time }).nullable().default(null),
})
export type ScriptOptions = z.infer<typeof ScriptOptionsSchema>

const TrialSchema = z.object({
  /** Running time of the sample with this preset, as a multiple of that of the original; null where it was not measured. */
  slowdown: z.number().nullable(),
  /** Calls that gave the same result as in the original, of those that were made. */
  same: z.number(),
  calls: z.number(),
})
export const ScriptCostSchema = z.object({
  preset: PresetSchema,
  /** What the sample got. */
  strength: StrengthSchema.nullable(),
  /** Size of the protected sample as a multiple of the original. */
  size_factor: z.number().nullable(),
  /** What protecting all of it will take, from the time that the sample took. */
  seconds: z.number().nullable(),
  /** Files that are too large for this preset; null where not all were looked at. */
  steps: z.number().nullable(),
  trial: TrialSchema.nullable(),
})
export type ScriptCost = z.infer<typeof ScriptCostSchema>
const MeasureSchema = z.object({
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
  /** Scripts that were measured, and their bytes of all. */
  sample: z.array(z.string()),
  sample_bytes: z.number(),
  script_bytes: z.number(),
  costs: z.array(ScriptCostSchema),
  /** How often the sample ran, and why its time is not known. */
  runs: z.number(),
  untimed: z.enum(['', 'browser', 'short', 'time', 'await', 'isolation', 'error']),
  /** Where the measuring itself failed. */
  note: z.string(),
})
export type ScriptMeasure = z.infer<typeof MeasureSchema>
const FunctionSchema = z.object({
  name: z.string(),
  line: z.number(),
  file: z.string(),
  before: z.string(),
  /** Cut where it is very long; null where its place is not known. */
  after: z.partialRecord(PresetSchema, z.object({ code: z.string(), size: z.number() }).nullable()),
})
export type ScriptFunction = z.infer<typeof FunctionSchema>

export const ScriptOutcomeSchema = z.object({
  name: z.string(),
  size: z.number(),
  /** Bytes of the result; of a kept file, those of the original. */
  bytes: z.number(),
  outcome: z.enum(['protected', 'kept']),
  /** null: it keeps its original. */
  strength: StrengthSchema.nullable(),
  /** Why it has less than was asked for, or its original. */
  reason: ReasonSchema.nullable(),
  line: z.number(),
  column: z.number(),
  /** What the engine said, in English. */
  detail: z.string(),
  milliseconds: z.number(),
  /** Lines with a direct `eval` or a `with`, whose meaning may hang on names. */
  eval_lines: z.array(z.number()),
})
export type ScriptOutcome = z.infer<typeof ScriptOutcomeSchema>

const ScriptSchema = z.object({
  id: z.string(),
  appid: z.string(),
  app_name: z.string(),
  name: z.string(),
  kind: z.enum(['js', 'zip']),
  size: z.number(),
  /** Files in it, and scripts among them. */
  files: z.number(),
  scripts: z.number(),
  state: StateSchema,
  /** null until it was encrypted once. */
  options: ScriptOptionsSchema.nullable(),
  /** 0 to 1, and the script that is worked on. */
  progress: z.number(),
  current: z.string(),
  /** Scripts that are done. */
  done: z.number(),
  /** Of the last run: scripts with less than was asked for, and with their original. */
  stepped: z.number(),
  kept: z.number(),
  output_size: z.number().nullable(),
  has_map: z.boolean(),
  /** Why it failed, in the language of the request. */
  note: z.string(),
  operator: z.string(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
})
export type Script = z.infer<typeof ScriptSchema>

export const scripts = endpoint({
  method: 'GET',
  path: '/api/scripts/',
  summary: 'Uploaded scripts that the caller may see, newest first, with the number of each state',
  access: ['script.protect'],
  query: z.object({
    search: z.string().trim().max(100).default(''),
    state: StateSchema.or(z.literal('')).default(''),
    appid: z
      .string()
      .regex(/^\d{0,9}$/)
      .default(''),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: z.object({
    data: z.array(ScriptSchema),
    total: z.number(),
    /** Without regard to the filter state. */
    states: z.partialRecord(StateSchema, z.number()),
  }),
})

/** Outcomes that the detail names one by one: those with a reason first. */
export const MOST_OUTCOMES = 500

export const scriptDetail = endpoint({
  method: 'GET',
  path: '/api/scripts/detail/',
  summary: 'One script: what was measured before the run, its functions before and after, the outcome of each file',
  access: ['script.protect'],
  query: z.object({ id }),
  response: z.object({
    data: ScriptSchema,
    measure: MeasureSchema,
    functions: z.array(FunctionSchema),
    outcomes: z.array(ScriptOutcomeSchema),
  }),
  errors: ['data.missing'],
})

export const uploadScript = endpoint({
  method: 'POST',
  path: '/api/scripts/upload/',
  summary: 'Take a complete upload: one .js, .mjs or .cjs file, or a zip with such files. Measuring begins by itself',
  access: ['script.protect'],
  body: z.object({
    /** Id of the upload (/api/application/uploads/); '' is refused as 'Please upload JS file first'. */
    upload: z.string().max(64).default(''),
    appid: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional(),
  }),
  response: z.object({ data: ScriptSchema }),
  errors: ['script.none', 'script.format', 'script.archive', 'asset.incomplete', 'data.missing'],
})

export const measureScript = endpoint({
  method: 'POST',
  path: '/api/scripts/measure/',
  summary: 'Measure size and running time of each preset again',
  access: ['script.protect'],
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing', 'script.busy'],
})

export const protectScript = endpoint({
  method: 'POST',
  path: '/api/scripts/protect/',
  summary: 'Encrypt a script with these options, for the first time or again; the earlier result is replaced',
  access: ['script.protect'],
  body: z.object({ id: id.or(z.literal('')), options: ScriptOptionsSchema }),
  response: z.object({ data: ScriptSchema }),
  errors: ['script.none', 'data.missing', 'script.busy', 'script.lock'],
})

const ids = z.object({ ids: z.array(id).min(1).max(100) })
export const cancelScripts = endpoint({
  method: 'POST',
  path: '/api/scripts/cancel/',
  summary: 'Cancel scripts that wait or are being encrypted; those that ended stay as they are',
  access: ['script.protect'],
  body: ids,
  response: z.object({ stopped: z.number() }),
  errors: ['data.missing'],
})

export const deleteScripts = endpoint({
  method: 'POST',
  path: '/api/scripts/delete/',
  summary: 'Delete scripts with their originals and results, for good; running work is stopped',
  access: ['script.protect'],
  body: ids,
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})

export const downloadScript = endpoint({
  method: 'GET',
  path: '/api/scripts/download/',
  summary: 'The encrypted file, its source maps, or the original',
  access: ['script.protect'],
  navigation: true,
  bare: true,
  query: z.object({ id, part: z.enum(['code', 'map', 'source']).default('code') }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const downloadScriptLog = endpoint({
  method: 'GET',
  path: '/api/scripts/log/',
  summary: 'The outcome of every file, as text',
  access: ['script.protect'],
  navigation: true,
  bare: true,
  query: z.object({ id }),
  response: z.unknown(),
  errors: ['data.missing'],
})
