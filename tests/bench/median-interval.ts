/**
 * Median with a confidence interval of at least 95 % from order statistics (sign test): no assumption about the distribution.
 * Values: six or more; fewer give the whole range.
 */
export function medianInterval(values: readonly number[]): { median: number; low: number; high: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const n = sorted.length
  if (n === 0) return { median: Number.NaN, low: Number.NaN, high: Number.NaN }
  const middle = (n - 1) / 2
  const median = ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
  // The largest k whose two tails of the binomial distribution (n, 1/2) below k sum to at most 5 %.
  let tail = 0
  let term = 0.5 ** n
  let k = 0
  for (; k < n / 2; k++) {
    tail += term
    if (2 * tail > 0.05) break
    term = (term * (n - k)) / (k + 1)
  }
  const cut = Math.max(0, k - 1)
  return { median, low: sorted[cut] as number, high: sorted[n - 1 - cut] as number }
}
