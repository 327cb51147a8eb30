import type { JSONColumnType } from 'kysely'
import type { EnvironmentSnapshot } from '#contracts/http/environment.ts'
import type { Metric, Watched } from '#domain/environment.ts'

/** Of one metric in a span: how many samples knew it, their sum and the highest. */
export type Stat = [count: number, sum: number, highest: number]
export type Stats = Partial<Record<Metric, Stat>>

/** Tables of environment monitoring (migration 0042). Times in epoch ms. */
export type EnvironmentTables = {
  /** What each node measured last. */
  environment_nodes: { node: string; first_at: number; at: number; snapshot: JSONColumnType<EnvironmentSnapshot> }
  /** One row a span of `step` seconds that begins at `at`; no row: nothing was measured. */
  environment_samples: { node: string; step: number; at: number; stats: JSONColumnType<Stats> }
  environment_alerts: {
    id: string
    node: string
    metric: Watched
    opened_at: number
    closed_at: number | null
    value: number
    peak: number
    limit_value: number
  }
}
