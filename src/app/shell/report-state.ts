import { storedUntil } from '#src/shared/live/store-lag.ts'

/** What the bar below the header says about reports. Times are epoch ms. */
export type ReportState =
  | { kind: 'fresh' | 'old'; at: number }
  | { kind: 'none' }
  /** Events are accepted, but what arrived after `storedUntil` is not in the store yet. */
  | { kind: 'late'; lagMs: number; storedUntil: number }
  /** The store does not answer. */
  | { kind: 'away' }

const FRESH_MS = 300_000

/**
 * `newest`: the newest stored event and how far the store lags; null before the first answer. A store that lags says nothing about
 * when the newest event arrived, so neither does the bar.
 */
export function reportState(
  newest: { at: number | undefined; lagSeconds: number } | null,
  failed: boolean,
  now: number,
): ReportState | null {
  if (!newest) return failed ? { kind: 'away' } : null
  const until = storedUntil(newest.lagSeconds, now)
  if (until !== null) return { kind: 'late', lagMs: newest.lagSeconds * 1000, storedUntil: until }
  if (newest.at === undefined) return { kind: 'none' }
  return { kind: now - newest.at < FRESH_MS ? 'fresh' : 'old', at: newest.at }
}
