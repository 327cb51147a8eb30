/** A lag below this is what a store always has, ms. */
const LATE_MS = 10_000

/** Until when the store has taken in what arrived (epoch ms, to the second); null while it keeps up. */
export function storedUntil(lagSeconds: number, now: number): number | null {
  const lag = lagSeconds * 1000
  return lag >= LATE_MS ? Math.floor((now - lag) / 1000) * 1000 : null
}
