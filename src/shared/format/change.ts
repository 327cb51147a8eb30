/** From this many times on the earlier value is no basis: a start of recording, or a handful of events, and the factor says nothing. */
const NO_BASIS_TIMES = 100

/** Whether a change against `before` says something; where it does not, the value is new. */
export function hasBasis(now: number, before: number): boolean {
  return before > 0 && now < before * NO_BASIS_TIMES
}
