import { ScriptOptionsSchema } from '#contracts/http/js-protection.ts'

/** Lines that hold something, each once. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

/** The first line that is no domain. */
export function wrongDomain(text: string): string | undefined {
  const { domain_lock } = ScriptOptionsSchema.shape
  return linesOf(text).find((line) => !domain_lock.safeParse([line]).success)
}

/** A moment as a field of date and time shows it, in the platform's zone; '' for none. */
export function localTime(at: number | null, zone: string): string {
  if (at === null) return ''
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return parts.format(at).replace(' ', 'T')
}

/** The moment that a field means; null for none. */
export function timeOf(text: string, zone: string): number | null {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN
  if (Number.isNaN(asUtc)) return null
  // The zone's offset at that moment: what it shows for it, less what was meant; once more where a clock change lies between.
  let at = asUtc
  for (let turn = 0; turn < 2; turn++) at -= Date.parse(`${localTime(at, zone)}:00Z`) - asUtc
  return at
}
