import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * Which parts of the past are still to be sent, in the order in which they are worth having; remembered, so that a restart goes on where
 * it ended.
 */
export type HistoryPlan = {
  pending: HistoryPart[]
  /** Until when the fleet has reported, live or as history. */
  coveredTo: number
}
/** A span is sent whole, or as one tenth of its events first and the rest later. */
export type Density = 'whole' | 'coarse' | 'rest'
export type HistoryPart = [from: number, to: number, density: Density]
/**
 * `hours`: the newest ones; `day`: the rest of the last day, and what it is compared with; both whole. `coarse`: the days before thinly;
 * `days`: the rest of them.
 */
export const HISTORY_PHASES = ['hours', 'day', 'coarse', 'days'] as const
export type HistoryPhase = (typeof HISTORY_PHASES)[number]

/** Share of a span's events in its coarse part. */
export const COARSE_SHARE = 0.1
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What the last hour on a wall shows, and its hours before. */
const NEWEST_HOURS = 3
/** A day and the same hours of the day before: a change against a thin day would say nothing. */
const WHOLE_HOURS = 51

/**
 * The plan at `now`: what an earlier start left, and the time since then (phones went on while no collector ran). Without an earlier
 * one: `days` days. Spans older than that are dropped.
 */
export function makePlan(earlier: HistoryPlan | undefined, now: number, days: number): HistoryPlan {
  const oldest = now - days * DAY_MS
  const whole = now - WHOLE_HOURS * HOUR_MS
  const fresh = hours(Math.max(oldest, earlier?.coveredTo ?? oldest), now).flatMap(([from, to]): HistoryPart[] =>
    // What a stopped demo missed is sent whole as well: days beside it are.
    from >= whole || earlier
      ? [[from, to, 'whole']]
      : [
          [from, to, 'coarse'],
          [from, to, 'rest'],
        ],
  )
  const kept = (earlier?.pending ?? []).filter(([from]) => from >= oldest)
  const rank = (part: HistoryPart) => HISTORY_PHASES.indexOf(phaseOf(part, now))
  return { pending: [...fresh, ...kept].sort((a, b) => rank(a) - rank(b) || b[0] - a[0]), coveredTo: now }
}

export function phaseOf([, to, density]: HistoryPart, now: number): HistoryPhase {
  if (density === 'whole') return to > now - NEWEST_HOURS * HOUR_MS ? 'hours' : 'day'
  return density === 'coarse' ? 'coarse' : 'days'
}

export function readPlan(file: string): HistoryPlan | undefined {
  try {
    const plan = JSON.parse(readFileSync(file, 'utf8')) as HistoryPlan
    // A plan of an earlier version knows no densities: its spans were sent whole.
    return { ...plan, pending: plan.pending.map(([from, to, density = 'whole']) => [from, to, density]) }
  } catch {
    return undefined // first start, or the file was lost: the ids of history are the same again
  }
}

export function savePlan(file: string, plan: HistoryPlan): void {
  writeFileSync(`${file}.new`, JSON.stringify(plan), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** [from, to) cut at full hours. */
function hours(from: number, to: number): [from: number, to: number][] {
  const spans: [number, number][] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS)
    spans.push([at, end])
    at = end
  }
  return spans
}
