import { ALERT_WINDOWS, type AlertWindow } from '#domain/alerts.ts'

/**
 * When windows are judged (docs/areas/alerts.md). Windows end at whole multiples of their step. A window is closed once the store holds
 * everything that arrived before its end, and GRACE_MS more. It is judged then, and again LATE_MS[1] and LATE_MS[2] later for rows that
 * came late; after that it is final.
 */
export const GRACE_MS = 5000
export const LATE_MS = [0, 60_000, 600_000] as const
/** Windows of one rule and pass that one round judges at most: the rest waits for the next round. */
const ROUND_WINDOWS = 120
/** What was missed longer ago than this (a day of standstill) is not judged any more. */
export const CATCH_UP_MS = 86_400_000
/** How far a pass may seem ahead of the clock before the clock counts as set back. */
const BACK_MS = 180_000

/** Up to when everything that arrived is in the store: `now` was read before the store was asked. */
export function closedUpTo(now: number, store: { backlogEvents: number; lagSeconds: number }): number {
  return store.backlogEvents === 0 ? now : now - store.lagSeconds * 1000
}

/** The newest window end that is not after `at`. */
export function endAtOrBefore(at: number, window: AlertWindow): number {
  const { step } = ALERT_WINDOWS[window]
  return Math.floor(at / step) * step
}

export type Due = {
  /** Ends of windows to judge, oldest first. */
  ends: number[]
  /** What the pass has come to when these are judged; less than before where the clock was set back. */
  upto: number
}

/** The windows of a pass that came due since `upto`. */
export function dueWindows(window: AlertWindow, pass: number, upto: number, closedTo: number): Due {
  const { step } = ALERT_WINDOWS[window]
  const present = endAtOrBefore(closedTo, window)
  // Judged before, under a clock that was ahead: what ends from here on is judged again, and the unique key keeps it to one alert.
  if (upto - present > Math.max(BACK_MS, 2 * step)) return { ends: [], upto: present }
  const newest = endAtOrBefore(closedTo - GRACE_MS - (LATE_MS[pass] ?? 0), window)
  const first = Math.max(upto, endAtOrBefore(newest - CATCH_UP_MS, window)) + step
  const ends: number[] = []
  for (let end = first; end <= newest && ends.length < ROUND_WINDOWS; end += step) ends.push(end)
  return { ends, upto: ends.at(-1) ?? Math.max(upto, first - step) }
}

/** The window that runs now: it can breach before it ends, since a count only grows. */
export function runningEnd(window: AlertWindow, closedTo: number): number {
  return endAtOrBefore(closedTo, window) + ALERT_WINDOWS[window].step
}

/** Whether a breach of the window at `end` belongs to an alert with these ends: without a gap, or within the cool-down. */
export function continues(
  alert: { first_end: number; last_end: number },
  end: number,
  step: number,
  cooldownMs: number,
): boolean {
  const reach = Math.max(step, cooldownMs)
  return end >= alert.first_end - reach && end <= alert.last_end + reach
}
