import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Which spans of the past are still to be sent, newest first; remembered, so that a restart goes on where it ended. */
export type HistoryPlan = {
  pending: Span[]
  /** Until when the fleet has reported, live or as history. */
  coveredTo: number
}
type Span = [from: number, to: number]

const HOUR_MS = 3_600_000

/**
 * The plan at `now`: what an earlier start left, and the time since then (phones went on while no collector ran). Without an earlier
 * one: `days` days. Spans older than that are dropped.
 */
export function makePlan(earlier: HistoryPlan | undefined, now: number, days: number): HistoryPlan {
  const oldest = now - days * 24 * HOUR_MS
  const fresh = hours(Math.max(oldest, earlier?.coveredTo ?? oldest), now)
  const kept = (earlier?.pending ?? []).filter(([from]) => from >= oldest)
  return { pending: [...fresh, ...kept].sort((a, b) => b[0] - a[0]), coveredTo: now }
}

export function readPlan(file: string): HistoryPlan | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as HistoryPlan
  } catch {
    return undefined // first start, or the file was lost: the ids of history are the same again
  }
}

export function savePlan(file: string, plan: HistoryPlan): void {
  writeFileSync(`${file}.new`, JSON.stringify(plan), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** [from, to) cut at full hours. */
function hours(from: number, to: number): Span[] {
  const spans: Span[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS)
    spans.push([at, end])
    at = end
  }
  return spans
}
