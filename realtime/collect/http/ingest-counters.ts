import type { ErrorKey } from '#contracts/errors.ts'
import { QUARANTINE_REASONS, type QuarantineReason } from '#contracts/telemetry/stored-event.ts'

/** What the collector has done since it started. `rejected` is by field, `refused` (whole requests) by error key. */
export type IngestCounters = {
  batches: number
  accepted: number
  pending: number
  duplicates: number
  imported: number
  enrolled: number
  quarantined: Record<QuarantineReason, number>
  rejected: Record<string, number>
  refused: Partial<Record<ErrorKey, number>>
}

const RATE_SECONDS = 5

export function ingestCounters(now: () => number) {
  const totals: IngestCounters = {
    batches: 0,
    accepted: 0,
    pending: 0,
    duplicates: 0,
    imported: 0,
    enrolled: 0,
    quarantined: Object.fromEntries(Object.keys(QUARANTINE_REASONS).map((reason) => [reason, 0])) as Record<
      QuarantineReason,
      number
    >,
    rejected: {},
    refused: {},
  }
  /** Events taken in by second of the clock, as a ring. */
  const seconds = Array.from({ length: RATE_SECONDS + 1 }, () => ({ second: 0, events: 0 }))
  return {
    totals,
    /** Live events (imports are no rate). */
    took(events: number): void {
      const second = Math.floor(now() / 1000)
      const slot = seconds[second % seconds.length] as { second: number; events: number }
      if (slot.second !== second) Object.assign(slot, { second, events: 0 })
      slot.events += events
    },
    rejected(field: string): void {
      totals.rejected[field] = (totals.rejected[field] ?? 0) + 1
    },
    refused(key: ErrorKey): void {
      totals.refused[key] = (totals.refused[key] ?? 0) + 1
    },
    /** Mean of the last five whole seconds. */
    perSecond(): number {
      const current = Math.floor(now() / 1000)
      const recent = seconds.filter(({ second }) => second < current && second >= current - RATE_SECONDS)
      return recent.reduce((sum, { events }) => sum + events, 0) / RATE_SECONDS
    },
  }
}
export type Counters = ReturnType<typeof ingestCounters>
