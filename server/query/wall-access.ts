import { ProductError } from '#contracts/errors.ts'
import type { Dimension, EventRow, Filter, Part } from '#domain/query.ts'
import { IDENTIFYING_FIELDS, wallRow } from '#domain/wall-row.ts'
import type { Caller } from '../http/module.ts'

/** Dimensions that a wall may group by: none of them identifies a device, a user or a request. */
const WALL_DIMENSIONS: ReadonlySet<Dimension> = new Set([
  'app',
  'type',
  'risk',
  'level',
  'action',
  'outcome',
  'platform',
  'country',
  'province',
  'city',
  'place',
  'site',
  'version',
  'weekday',
  'hour',
])
const WALL_PARTS: ReadonlySet<Part['kind']> = new Set(['total', 'series', 'top', 'heat', 'change'])

/**
 * Refuses a query that would give a display token more than its wall shows: single events, devices or users, as an answer or by a
 * filter. Throws ProductError permission.missing. Every other caller passes.
 */
export function refuseOnWall(caller: Pick<Caller, 'kind'>, filters: readonly Filter[], part?: Part): void {
  if (caller.kind !== 'display') return
  const identifies = [...filters, ...(part?.and ?? [])].some(({ field }) => IDENTIFYING_FIELDS.has(field))
  const by = part && 'by' in part ? part.by : undefined
  const unseen = part && (!WALL_PARTS.has(part.kind) || (by && !WALL_DIMENSIONS.has(by)))
  if (identifies || unseen) throw new ProductError('permission.missing', { permission: 'wall' })
}

/** A sampled event as the caller may see it: of a display token only what the wall's feed shows. */
export function rowFor(caller: Pick<Caller, 'kind'>, row: EventRow): EventRow {
  return caller.kind === 'display' ? wallRow(row) : row
}
