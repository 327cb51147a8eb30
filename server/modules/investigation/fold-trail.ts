import type { EventRow } from '#domain/query.ts'
import {
  distanceKm,
  IMPOSSIBLE_KMH,
  PAUSE_MS,
  PRECISION_KM,
  SHORTEST_GAP_MS,
  type SubjectKind,
  type TrailMove,
  type TrailPlace,
  type TrailStep,
  type TrailStop,
} from '#domain/trail.ts'
import { truncateAddress } from '#domain/truncate-address.ts'

/** A stop with the rows it was folded from. */
export type FoldedStop = TrailStop & { rows: EventRow[] }

/**
 * Folds events into stops and steps. Whatever order they come in, equal sets fold equally: events of the same millisecond are ordered by
 * kind and stand at one stop, so that the kind and the first and last time of a step name exactly its events.
 */
export function foldTrail(events: readonly EventRow[], subject: SubjectKind): FoldedStop[] {
  const stops: FoldedStop[] = []
  let before: EventRow | undefined
  for (const row of [...events].sort(byTime(subject))) {
    let stop = stops.at(-1)
    const sameTime = before?.occurredAt === row.occurredAt
    if (!stop || !(sameTime || samePlace(stop.place, row))) {
      stop = { ...emptyStop(row), number: stops.length + 1, move: stop ? moveBetween(stop, row) : null }
      stops.push(stop)
    } else stop.place = finer(stop.place, row)
    addRow(stop, row, before, subject)
    before = row
  }
  for (const stop of stops) nameNetworks(stop)
  // Places grow finer while a stop is read: movements are judged once all of them are known.
  for (const [index, stop] of stops.entries()) {
    const last = stops[index - 1]
    if (last) stop.move = moveBetween(last, stop.rows[0] as EventRow, stop.place)
  }
  return stops
}

function byTime(subject: SubjectKind) {
  const rank = (row: EventRow) => `${row.app}\0${row.type}\0${row.risk}\0${counterpart(row, subject)}\0${row.id}`
  return (a: EventRow, b: EventRow) => a.occurredAt - b.occurredAt || (rank(a) < rank(b) ? -1 : 1)
}

/** Steps of a device are its own; those of a user or address say which device. */
function counterpart(row: EventRow, subject: SubjectKind): string {
  return subject === 'device' ? '' : row.device
}

function emptyStop(row: EventRow): FoldedStop {
  const place = placeOf(row)
  const { occurredAt: from } = row
  const counts = { events: 0, attacks: 0, networks: [], networkCount: 0 }
  return { number: 0, place, from, to: from, ...counts, move: null, steps: [], rows: [] }
}

function addRow(stop: FoldedStop, row: EventRow, before: EventRow | undefined, subject: SubjectKind): void {
  const attack = row.type === 'risk' ? 1 : 0
  const blocked = row.action === 'exit' || row.action === 'block' ? 1 : 0
  const pause = stop.rows.length > 0 && before ? row.occurredAt - before.occurredAt : 0
  stop.rows.push(row)
  stop.to = row.occurredAt
  stop.events++
  stop.attacks += attack
  const step = stop.steps.at(-1)
  const device = counterpart(row, subject)
  if (step && pause <= PAUSE_MS && isKind(step, row, device)) {
    step.to = row.occurredAt
    step.count++
    step.blocked += blocked
    return
  }
  const { type, risk, level, app, occurredAt: from, id: first } = row
  const long = pause > PAUSE_MS ? pause : 0
  stop.steps.push({ type, risk, level, app, device, from, to: from, count: 1, blocked, first, pause: long })
}

function isKind(step: TrailStep, row: EventRow, device: string): boolean {
  return step.type === row.type && step.risk === row.risk && step.app === row.app && step.device === device
}

function placeOf({ country, province, city, lon, lat, placeSource, placePrecision }: EventRow): TrailPlace {
  return { country, province, city, lon, lat, placeSource, placePrecision }
}

const FINENESS = { none: 0, country: 1, province: 2, city: 3 } as const
const finenessOf = ({ placePrecision }: Pick<TrailPlace, 'placePrecision'>): number =>
  FINENESS[placePrecision as keyof typeof FINENESS] ?? 0

/** Nothing that both know differs: an event without a place, or with its country alone, shows no movement. */
function samePlace(a: TrailPlace, b: TrailPlace): boolean {
  const known = Math.min(finenessOf(a), finenessOf(b))
  if (known >= 1 && a.country !== b.country) return false
  if (known >= 2 && a.province !== b.province) return false
  return known < 3 || a.city === b.city
}

function finer(place: TrailPlace, row: EventRow): TrailPlace {
  return finenessOf(row) > finenessOf(place) ? placeOf(row) : place
}

function moveBetween(from: FoldedStop, row: EventRow, to: TrailPlace = row): TrailMove | null {
  const a = pointOf(from.place)
  const b = pointOf(to)
  if (!a || !b) return null
  const ms = row.occurredAt - from.to
  const km = distanceKm(a, b)
  const hours = Math.max(ms, SHORTEST_GAP_MS) / 3_600_000
  const judged = finenessOf(from.place) >= 2 && finenessOf(to) >= 2
  const least = Math.max(0, km - radiusKm(from.place) - radiusKm(to))
  return { km, ms, kmh: km / hours, judged, impossible: judged && least / hours > IMPOSSIBLE_KMH }
}

function pointOf({ lon, lat }: TrailPlace): { lon: number; lat: number } | null {
  return lon === null || lat === null ? null : { lon, lat }
}

function radiusKm(place: TrailPlace): number {
  return place.placePrecision === 'city' ? PRECISION_KM.city : PRECISION_KM.province
}

function nameNetworks(stop: FoldedStop): void {
  const counts = new Map<string, number>()
  for (const { address } of stop.rows) {
    const network = truncateAddress(address)
    if (network) counts.set(network, (counts.get(network) ?? 0) + 1)
  }
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  stop.networks = ranked.slice(0, 3).map(([network]) => network)
  stop.networkCount = ranked.length
}
