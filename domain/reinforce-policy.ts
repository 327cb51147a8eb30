import { z } from 'zod'
import { REINFORCE_OPTION_KEYS, type ReinforceOption } from './reinforce-options.ts'
import { isUrl } from './url-check.ts'

/** What a reinforcement policy says: which options are on, with their settings. Kept, exported and imported in this form. */

/** Package paths, class and method names, libraries; `*` within a part, `**` across parts, `!` in front excludes. */
const PatternSchema = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}\s]+$/u)
const patterns = z.array(PatternSchema).max(200).default([])
/** What the app does when a check finds something. */
export const REINFORCE_ACTIONS = {
  report: { zh: '只上报', en: 'Report only' },
  warn: { zh: '提示', en: 'Warn' },
  exit: { zh: '退出', en: 'Exit' },
} as const
export type ReinforceAction = keyof typeof REINFORCE_ACTIONS
const action = z.enum(Object.keys(REINFORCE_ACTIONS) as [ReinforceAction, ...ReinforceAction[]]).default('exit')
export const LOG_LEVELS = ['v', 'd', 'i', 'w', 'e', 'println'] as const
export const JS_STRENGTHS = ['low', 'medium', 'high'] as const
/** Without a connection the app goes on, or ends. */
export const RISK_FALLBACKS = ['open', 'closed'] as const

const on = z.boolean().default(false)
const plain = z.strictObject({ on }).prefault({})
const check = z.strictObject({ on, action }).prefault({})
const chosen = z.strictObject({ on, patterns }).prefault({})

/** Settings by option; what is absent is off and has its usual settings. */
export const ReinforceOptionsSchema = z.strictObject({
  dex_protection: plain,
  /** Methods: `com.example.pay.**`, `!**.R$*`. */
  dex_vmp: chosen,
  so_protection: plain,
  so_hiding: plain,
  /** Libraries that stay besides the known ones: `libpush*.so`. */
  third_party_so_ban: chosen,
  js_protection: z.strictObject({ on, strength: z.enum(JS_STRENGTHS).default('medium') }).prefault({}),
  log_removal: z
    .strictObject({ on, levels: z.array(z.enum(LOG_LEVELS)).max(LOG_LEVELS.length).default(['v', 'd', 'i']) })
    .prefault({}),
  anti_decompile: plain,
  signature_check: check,
  integrity_check: check,
  zip_check: check,
  manifest_protection: plain,
  shell_protection: plain,
  anti_debugging: check,
  anti_emulator: check,
  anti_xposed: check,
  anti_multi_open: check,
  proxy_check: check,
  memory_protection: check,
  core_library_protection: check,
  process_protection: plain,
  db_protection: plain,
  /** Files of the package: `assets/**`, `!assets/fonts/**`. */
  resource_protection: chosen,
  cer_protection: plain,
  anti_hijack: plain,
  /** Activities: `com.example.pay.*Activity`, `**` for all. */
  screenshot_prevention: chosen,
  multi_channel: plain,
  risk_control: z
    .strictObject({
      on,
      server: z.string().trim().max(2048).default(''),
      fallback: z.enum(RISK_FALLBACKS).default('open'),
    })
    .prefault({}),
} satisfies Record<ReinforceOption, z.ZodType>)
export type ReinforceOptions = z.infer<typeof ReinforceOptionsSchema>

/** ProGuard rules, a subset, one a line; names that they keep are not changed by any option. */
export const KeepRulesSchema = z
  .string()
  .max(100_000)
  .regex(/^[^\0]*$/)

export const REINFORCE_POLICY_FORMAT = 'appwarden.reinforce-policy'
export const REINFORCE_POLICY_VERSION = 1

/** A policy as a file, without its signature file, which belongs to one installation. */
export const ReinforcePolicyFileSchema = z.strictObject({
  format: z.literal(REINFORCE_POLICY_FORMAT),
  version: z.literal(REINFORCE_POLICY_VERSION),
  name: z.string().trim().min(1).max(64),
  /** One of the application types, '' for none. */
  industry: z.string().max(64).default(''),
  options: ReinforceOptionsSchema.prefault({}),
  keep_rules: KeepRulesSchema.default(''),
})
export type ReinforcePolicyFile = z.infer<typeof ReinforcePolicyFileSchema>

/** A setting that must be given while its option is on. */
export type MissingSetting = { option: ReinforceOption; field: 'patterns' | 'server' | 'levels'; wrong: boolean }

/** Options that are on without what they need; `wrong`: it is given, but is no address. */
export function missingSettings(options: ReinforceOptions): MissingSetting[] {
  const found: MissingSetting[] = []
  for (const option of ['dex_vmp', 'resource_protection', 'screenshot_prevention'] as const)
    if (options[option].on && !options[option].patterns.some((one) => !one.startsWith('!')))
      found.push({ option, field: 'patterns', wrong: false })
  if (options.log_removal.on && options.log_removal.levels.length === 0)
    found.push({ option: 'log_removal', field: 'levels', wrong: false })
  const { on: isOn, server } = options.risk_control
  if (isOn && !/^https?:/.test(server)) found.push({ option: 'risk_control', field: 'server', wrong: server !== '' })
  else if (isOn && !isUrl(server)) found.push({ option: 'risk_control', field: 'server', wrong: true })
  return found
}

/** Options that are on, in the order of the list. */
export function chosenOptions(options: ReinforceOptions): ReinforceOption[] {
  return REINFORCE_OPTION_KEYS.filter((key) => options[key].on)
}

/** Options whose switch or settings differ. */
export function changedOptions(before: ReinforceOptions, after: ReinforceOptions): ReinforceOption[] {
  return REINFORCE_OPTION_KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
}

/** Combinations that may be saved and should be known. */
export function conflictsOf(options: ReinforceOptions): { option: ReinforceOption; with: ReinforceOption }[] {
  const found: { option: ReinforceOption; with: ReinforceOption }[] = []
  const reports = CHECKS.filter((key) => options[key].on && options[key].action === 'report')
  if (reports[0] && !options.risk_control.on) found.push({ option: reports[0], with: 'risk_control' })
  if (options.so_hiding.on && !options.dex_protection.on) found.push({ option: 'so_hiding', with: 'dex_protection' })
  return found
}

/** Options that act at run time. */
export const CHECKS = [
  'signature_check',
  'integrity_check',
  'zip_check',
  'anti_debugging',
  'anti_emulator',
  'anti_xposed',
  'anti_multi_open',
  'proxy_check',
  'memory_protection',
  'core_library_protection',
] as const satisfies readonly ReinforceOption[]
