import { linesOf } from './phone-text.ts'

/** One line of `appops get`: what the application used, and how long ago. */
export interface UseLine {
  readonly op: string
  /** Milliseconds before the answer; null where it was never used. */
  readonly usedAgo: number | null
  readonly refusedAgo: number | null
}

const MOST_LINES = 2000

/** Reads `cmd appops get <package>`; the mode of the whole uid and what is not understood are left out. */
export function readUses(text: string): UseLine[] {
  const uses = new Map<string, UseLine>()
  for (const line of linesOf(text, MOST_LINES)) {
    const match = /^\s{0,8}([A-Z][A-Z0-9_]{1,60}): [a-z_]{1,30}(;.*)?$/.exec(line)
    if (!match) continue
    const [, op = '', rest = ''] = match
    const usedAgo = ago(/; time=([^;]{1,60}?) ago/.exec(rest)?.[1])
    const refusedAgo = ago(/; rejectTime=([^;]{1,60}?) ago/.exec(rest)?.[1])
    if (usedAgo !== null || refusedAgo !== null) uses.set(op, { op, usedAgo, refusedAgo })
  }
  return [...uses.values()]
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** `+1h2m3s456ms` as the system writes durations; null where the text is no duration, or lies in the future. */
function ago(text: string | undefined): number | null {
  if (text === '0') return 0
  if (!text || !/^\+(?:\d{1,6}(?:d|h|ms|m|s)){1,5}$/.test(text)) return null
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[dhms])/g)) total += Number(count) * (UNITS[unit!] ?? 0)
  return total
}
