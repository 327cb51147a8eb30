import { FormatError } from '../bytes/format-error.ts'
import type { HardenText } from './harden-texts.ts'
import { RUNTIME_CHECKS } from './runtime-checks.ts'

/** Options of a reinforcement policy that this engine performs, wholly or in part. */
export const HARDEN_OPTIONS = [
  'dex_protection',
  'dex_vmp',
  'so_protection',
  'third_party_so_ban',
  'js_protection',
  'log_removal',
  'anti_decompile',
  'zip_check',
  'manifest_protection',
  'anti_hijack',
  'screenshot_prevention',
  'db_protection',
  'resource_protection',
  'cer_protection',
  ...RUNTIME_CHECKS,
  'multi_channel',
  'risk_control',
] as const
export type HardenOption = (typeof HARDEN_OPTIONS)[number]

/** Why a package is not reinforced; the keys are those of `hardenPackage`. */
export const refusal = (key: string, message: string): FormatError => new FormatError('harden', key, -1, message)

/** Something that was done, or was not and why; `count` calls, texts, classes or files, as `text` says. */
export interface HardenLine {
  readonly option: HardenOption
  /** `absent`: a part of the option that this version does not have. */
  readonly outcome: 'applied' | 'skipped' | 'absent'
  /** Entry of the package. */
  readonly file: string
  /** Class, activity, component or attribute; '' for the whole file. */
  readonly place: string
  /** What was done, or the reason why it was not. */
  readonly text: HardenText
  /** Replaces `{detail}` in it. */
  readonly detail: string
  readonly count: number
}

/** Collects what every option did, so that the report lists everything that was changed or skipped. */
export class HardenLog {
  readonly lines: HardenLine[] = []

  applied(option: HardenOption, file: string, place: string, text: HardenText, count = 1, detail = ''): void {
    if (count > 0) this.lines.push({ option, outcome: 'applied', file, place, text, detail, count })
  }

  skipped(option: HardenOption, file: string, place: string, text: HardenText, count = 1, detail = ''): void {
    if (count > 0) this.lines.push({ option, outcome: 'skipped', file, place, text, detail, count })
  }

  absent(option: HardenOption, text: HardenText): void {
    this.lines.push({ option, outcome: 'absent', file: '', place: '', text, detail: '', count: 1 })
  }
}
