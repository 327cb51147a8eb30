import type { Filter, Scope, TimeBasis } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'

/** A query after the server resolved it: times are fixed, the caller's scope is in it. */
export type StoreQuery = {
  span: Span
  /** The span that `compare` asks for, or undefined. */
  compared?: Span
  basis: TimeBasis
  filters: readonly Filter[]
  scope: Scope
  /** IANA zone of the platform; day buckets start at its midnight. */
  zone: string
}
