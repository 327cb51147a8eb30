/** One figure of a benchmark, printed as one JSON line. */
export type BenchLine = {
  name: string
  value: number
  unit: string
  /** What it is measured against in the same run, with its figure; null where there is no peer. */
  peer: string | null
  peer_value: number | null
  /** value / peer_value */
  ratio: number | null
  /** What must hold, in words: 'ratio >= 0.5', 'value < 100'; '' for a figure without a limit. */
  limit: string
  ok: boolean
  /** Percentiles, sizes and whatever helps to read the figure. */
  detail?: Record<string, number | string>
}

/** What a benchmark may take from the environment: BENCH_ROWS, BENCH_SECONDS. */
export type BenchOptions = { rows: number; seconds: number }

/** Rounded; the ratio is that of value and peer_value. */
export function line(
  name: string,
  value: number,
  unit: string,
  peer: string | null,
  peer_value: number | null,
  limit: string,
  ok: boolean,
): BenchLine {
  const ratio = peer_value ? Math.round((value / peer_value) * 100) / 100 : null
  return { name, value: Math.round(value * 10) / 10, unit, peer, peer_value, ratio, limit, ok }
}

/** Nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
