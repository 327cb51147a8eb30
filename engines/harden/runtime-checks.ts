/** Options that act at run time, by the kind that the runtime knows them by (engines/harden/runtime/checks.smali). */
export const RUNTIME_CHECKS = [
  'anti_debugging',
  'anti_emulator',
  'anti_xposed',
  'anti_multi_open',
  'proxy_check',
  'signature_check',
  'integrity_check',
  'memory_protection',
  'core_library_protection',
  // Last: it needs one of the others, or a loader.
  'shell_protection',
] as const
export type RuntimeCheck = (typeof RUNTIME_CHECKS)[number]

/** What a check does when it finds something, by the digit that the runtime knows it by. */
const ACTION_DIGITS = { report: 1, warn: 2, exit: 3 } as const
export type CheckAction = keyof typeof ACTION_DIGITS

export type WantedChecks = Partial<Record<RuntimeCheck, CheckAction>>

/** The part of the hook check that reads memory maps is a kind of its own, behind the others. */
const MAPS_OF: RuntimeCheck = 'anti_xposed'

/** A digit for each kind, 0 where it is off. */
export function actionDigits(checks: WantedChecks): string {
  return [...RUNTIME_CHECKS, MAPS_OF]
    .map((check) => checks[check])
    .map((action) => (action ? ACTION_DIGITS[action] : 0))
    .join('')
}
