const DAY_MS = 86_400_000
/** How long before its expiry a token is marked. */
const NOTICE_DAYS = 30

/** The days to name in the notice of a token that expires at `at` (both times in epoch ms): 1 to 30, or undefined for no notice. */
export function noticeDays(at: number, now: number): number | undefined {
  const days = Math.ceil((at - now) / DAY_MS)
  return days > 0 && days <= NOTICE_DAYS ? days : undefined
}
