import type { EventRow, Measures, Query } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { type Subject, subjectFilter, TRAIL_EVENTS, type Trail } from '#domain/trail.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { refuseAddress } from '../../query/personal.ts'
import { agreeOnNow, resolveQuery } from '../../query/resolve-query.ts'
import { type FoldedStop, foldTrail } from './fold-trail.ts'

export type Question = { query: Query; subject: Subject; now?: number | undefined }
export type ReadTrail = { now: number; span: Span; stops: FoldedStop[]; trail: Trail }

/** The store's query for a subject, with the caller's scope. Throws permission.missing where it would tell an address. */
type Deps = Pick<ServerDeps, 'store' | 'settings' | 'now'>

export function subjectQuery(deps: Deps, caller: Caller, { query, subject, now }: Question) {
  const filters = [...query.filters, subjectFilter(subject)]
  refuseAddress(caller, filters)
  const at = agreeOnNow(now, deps.now())
  return {
    now: at,
    query: resolveQuery(
      { ...query, compare: 'none', timeBasis: 'occurred', filters },
      caller.scope,
      at,
      deps.settings().zone,
    ),
  }
}

/** The trail as analysts read it, and the rows behind each stop. */
export async function readTrail(deps: Deps, caller: Caller, question: Question): Promise<ReadTrail> {
  const { now, query } = subjectQuery(deps, caller, question)
  const [total, rows] = await Promise.all([
    deps.store.answer(query, { kind: 'total', measures: ['events', 'attacks', 'starts', 'devices', 'users'], and: [] }),
    deps.store.answer(query, { kind: 'rows', limit: TRAIL_EVENTS + 1, order: 'desc', and: [] }),
  ])
  const counts: Measures = total.kind === 'total' ? total.row : {}
  const events = whole(rows.kind === 'rows' ? rows.rows : [])
  const stops = foldTrail(events, question.subject.kind)
  const newest = stops.at(-1)?.rows.at(-1)
  const trail: Trail = {
    events: counts.events ?? 0,
    attacks: counts.attacks ?? 0,
    starts: counts.starts ?? 0,
    devices: counts.devices ?? 0,
    users: counts.users ?? 0,
    apps: new Set(events.map(({ app }) => app)).size,
    shown: events.length,
    newest: newest ? factsOf(newest) : null,
    stops: stops.map(({ rows: _rows, ...stop }) => stop),
    km: stops.reduce((sum, { move }) => sum + (move?.km ?? 0), 0),
  }
  return { now, span: query.span, stops, trail }
}

/** Newest events without the oldest millisecond, where older events of it may have been cut off: steps stay exact. */
function whole(rows: EventRow[]): EventRow[] {
  if (rows.length <= TRAIL_EVENTS) return rows
  const cut = rows.at(-1)?.occurredAt
  const kept = rows.filter(({ occurredAt }) => occurredAt !== cut)
  return kept.length > 0 ? kept : rows
}

function factsOf({ brand, model, os, platform, app, version, device, user }: EventRow): NonNullable<Trail['newest']> {
  return { brand, model, os, platform, app, version, device, user }
}
