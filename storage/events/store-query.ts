import type { Filter, Scope, TimeBasis } from '#contracts/query.ts'
import type { Span } from '#contracts/time-range.ts'

/** A query after the server resolved it: times are fixed, the caller's scope is in it. */
export type StoreQuery = {
  span: Span
  /** The span that `compare` asks for, or undefined. */
  compared?: Span
  basis: TimeBasis
  filters: readonly Filter[]
  scope: Scope
  /** IANA zone of the platform: where day buckets begin. */
  zone: string
}
