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
