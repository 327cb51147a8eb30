import { ProductError } from '#contracts/errors.ts'
import type { Query, Scope } from '#domain/query.ts'
import { comparedSpan, resolveRange } from '#domain/time-range.ts'
import type { StoreQuery } from '#storage/events/port.ts'

/** How far a client's `now` may lie ahead of ours. */
const AHEAD_MS = 60_000

/** The one `now` of an answer. Throws input.invalid when the caller's lies in the future. */
export function agreeOnNow(asked: number | undefined, now: number): number {
  if (asked !== undefined && (asked > now + AHEAD_MS || asked < 0))
    throw new ProductError('input.invalid', { detail: 'now' })
  return asked ?? now
}

/** Fixes the times of a query against `now` and puts the caller's scope into it. */
export function resolveQuery(query: Query, scope: Scope, now: number, zone: string): StoreQuery {
  const span = resolveRange(query.range, now, zone)
  return {
    span,
    ...(query.compare === 'none' ? {} : { compared: comparedSpan(span, query.compare, query.range) }),
    basis: query.timeBasis,
    filters: query.filters,
    scope,
    zone,
  }
}
