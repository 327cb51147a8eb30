/** Rules of the platform licence: trial, validity, grace, modules and the clock. Times are epoch milliseconds. */

const DAY_MS = 86_400_000
/** Without a licence an installation is a trial with all functions for so long. */
export const TRIAL_DAYS = 90
/** What has ended goes on working for so long before creating is refused. */
export const GRACE_DAYS = 15
/** From so many days left on the reminder shows at sign-in. */
export const REMIND_DAYS = 30
/** A clock may be set back by this much (a wrong zone, a correction) without being taken as a roll-back. */
export const CLOCK_TOLERANCE_MS = DAY_MS

/** Modules that a licence may leave out, and the permission items that need them. Everything else belongs to every licence. */
export const LICENCE_MODULES = {
  detection: {
    zh: '安全检测',
    en: 'Security detection',
    items: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy', 'rule.edit'],
  },
  hardening: { zh: '加固', en: 'Hardening', items: ['asset.harden', 'harden.redo'] },
  monitoring: { zh: '渠道监测', en: 'Channel monitoring', items: ['asset.monitor', 'channel.manage'] },
  script: { zh: 'JS 保护', en: 'JS protection', items: ['script.protect'] },
  communication: { zh: '通信保护', en: 'Communication protection', items: ['communication.protect'] },
} as const satisfies Record<string, { zh: string; en: string; items: readonly string[] }>
export type LicenceModule = keyof typeof LICENCE_MODULES
export const MODULE_NAMES = Object.keys(LICENCE_MODULES) as LicenceModule[]

export type Machine = { product: string; macs: readonly string[] }
export type Terms = {
  product: string
  macs: readonly string[]
  issued_at: number
  not_before: number
  not_after: number
}

/** Why a licence whose signature is good is refused or no longer holds. */
export type LicenceProblem = 'other_product' | 'other_machine' | 'not_yet' | 'expired' | 'older' | 'applied'

/** Whether the licence is for this machine and installation, at any time. */
export function machineProblem(terms: Terms, machine: Machine): 'other_product' | 'other_machine' | null {
  if (terms.product !== machine.product) return 'other_product'
  return terms.macs.some((mac) => machine.macs.includes(mac)) ? null : 'other_machine'
}

/** Why a licence cannot be applied; null where it can. `current` is the one in force, which a newer one alone replaces. */
export function applyProblem(
  given: Terms & { id: string },
  { machine, now, current }: { machine: Machine; now: number; current: { id: string; issued_at: number } | null },
): LicenceProblem | null {
  const elsewhere = machineProblem(given, machine)
  if (elsewhere) return elsewhere
  if (now > given.not_after) return 'expired'
  if (now < given.not_before) return 'not_yet'
  if (current && given.id === current.id && given.issued_at === current.issued_at) return 'applied'
  return current && given.issued_at < current.issued_at ? 'older' : null
}

export type LicenceState = {
  /** `grace`: over, but everything goes on until `graceUntil`; `ended`: nothing new is created. */
  kind: 'trial' | 'licensed' | 'grace' | 'ended'
  problem: 'trial_over' | 'expired' | 'other_product' | 'other_machine' | null
  deadline: number
  /** Begun days until the deadline; 0 where it is past. */
  daysLeft: number
  /** When grace ends: of a state that has a problem, or will. */
  graceUntil: number
}

/**
 * What holds at `time`, the later of the clock and the highest time seen. `misfitSince`: since when the licence no longer fits the machine,
 * null where it does.
 */
export function judgeLicence(at: {
  terms: Terms | null
  installedAt: number
  time: number
  machine: Machine
  misfitSince: number | null
}): LicenceState {
  const { terms, installedAt, time, machine, misfitSince } = at
  const deadline = terms ? terms.not_after : installedAt + TRIAL_DAYS * DAY_MS
  const misfit = terms && machineProblem(terms, machine)
  const isOver = time > deadline
  const since = misfit ? Math.min(misfitSince ?? time, deadline) : deadline
  const graceUntil = since + GRACE_DAYS * DAY_MS
  const daysLeft = Math.max(0, Math.ceil((deadline - time) / DAY_MS))
  if (!misfit && !isOver) return { kind: terms ? 'licensed' : 'trial', problem: null, deadline, daysLeft, graceUntil }
  const problem = misfit || (terms ? 'expired' : 'trial_over')
  return { kind: time <= graceUntil ? 'grace' : 'ended', problem, deadline, daysLeft, graceUntil }
}

/** Whether the clock is behind the highest time seen by more than a correction explains. */
export function isClockBack(now: number, highest: number): boolean {
  return now < highest - CLOCK_TOLERANCE_MS
}

/** Of the modules that these permission items need, one that the licence leaves out where no other item of the list does without. */
export function missingModule(items: readonly string[], modules: readonly string[] | null): LicenceModule | null {
  if (modules === null || items.length === 0) return null
  const missing = items.map((item) =>
    MODULE_NAMES.find(
      (name) => (LICENCE_MODULES[name].items as readonly string[]).includes(item) && !modules.includes(name),
    ),
  )
  return missing.every((one) => one !== undefined) ? (missing[0] as LicenceModule) : null
}

/** What an installation sends to its vendor to get a licence: `AWR1/<product code>/<MACs without colons, comma separated>`. */
export function writeRequest({ product, macs }: Machine): string {
  return `AWR1/${product}/${macs.map((mac) => mac.replaceAll(':', '').toUpperCase()).join(',')}`
}

/** Undefined where the text is no request. The product code is in Crockford's base 32, which has no I, L, O and U. */
export function readRequest(text: string): Machine | undefined {
  const match = /^AWR1\/(AW(?:-[0-9A-HJKMNP-TV-Z]{4}){4})\/([0-9A-F]{12}(?:,[0-9A-F]{12}){0,31})$/.exec(
    text.replace(/\s+/g, '').toUpperCase(),
  )
  if (!match) return undefined
  const macs = (match[2] as string).split(',').map((mac) => (mac.match(/../g) as string[]).join(':').toLowerCase())
  return { product: match[1] as string, macs: [...new Set(macs)] }
}
