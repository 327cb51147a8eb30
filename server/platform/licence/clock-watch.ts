/** So long must the clock run evenly before its time is believed: what jumps ahead and is corrected soon leaves no trace. */
const STEADY_MS = 10 * 60_000
/** Between two looks the clock may drift from the machine's own seconds by this much. */
const DRIFT_MS = 60_000

/**
 * Follows the clock of the machine and answers the highest time that it can be believed to have shown. `monotonic`: milliseconds that no
 * setting of the clock changes.
 */
export function makeClockWatch(now: () => number, monotonic: () => number): { observe(): number } {
  let last = { wall: now(), steady: monotonic() }
  let since = last.steady
  return {
    /** The time that is believed now; 0 where the clock has not run evenly for long enough. */
    observe() {
      const at = { wall: now(), steady: monotonic() }
      if (Math.abs(at.wall - last.wall - (at.steady - last.steady)) > DRIFT_MS) since = at.steady
      last = at
      return at.steady - since >= STEADY_MS ? at.wall : 0
    },
  }
}
