import { pageOf } from '#contracts/telemetry/event-page.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { Dimension, EventRow, Filter, Measure, Measures, Scope } from '#domain/query.ts'
import { type Span, zoneOffset } from '#domain/time-range.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import type { StoreQuery } from '#storage/events/port.ts'

/** The event store's answers as a reader of the contract would work them out by hand, over events in memory. */
export class NaiveStore {
  readonly events: readonly StoredEvent[]
  constructor(events: readonly StoredEvent[]) {
    this.events = events
  }

  rows(query: StoreQuery, and: readonly Filter[] = [], span: Span = query.span): StoredEvent[] {
    return this.events.filter((event) => {
      const at = timeOf(event, query)
      if (at < span.from || at >= span.to || !inScope(event, query.scope)) return false
      return [...query.filters, ...and].every((filter) => passes(event, filter, query))
    })
  }

  /** Measures of the rows; new = first occurrence over the query's applications inside `within`. */
  measures(
    query: StoreQuery,
    rows: readonly StoredEvent[],
    measures: readonly Measure[],
    and: readonly Filter[],
    within: Span,
  ): Measures {
    const apps = [...query.filters, ...and].filter(({ field }) => field === 'app')
    const known = this.events.filter(
      (event) => inScope(event, query.scope) && apps.every((filter) => passes(event, filter, query)),
    )
    const isNew = (field: 'device' | 'user', key: string) => {
      const first = Math.min(...known.filter((event) => event[field] === key).map(({ occurredAt }) => occurredAt))
      return first >= within.from && first < within.to
    }
    const attacks = rows.filter(({ type }) => type === EVENT_TYPES.risk.code)
    const ofType = (type: keyof typeof EVENT_TYPES) => rows.filter((row) => row.type === EVENT_TYPES[type].code).length
    const distinct = (some: readonly StoredEvent[], field: 'device' | 'user') =>
      [...new Set(some.map((row) => row[field]))].filter((key) => key !== null)
    const all: Record<Measure, () => number> = {
      events: () => rows.length,
      attacks: () => attacks.length,
      blocked: () => attacks.filter(({ action }) => action >= 3).length,
      observed: () => attacks.filter(({ action }) => action < 3).length,
      starts: () => ofType('start'),
      crashes: () => ofType('crash'),
      anrs: () => ofType('anr'),
      exceptions: () => ofType('exception'),
      devices: () => distinct(rows, 'device').length,
      users: () => distinct(rows, 'user').length,
      attackedDevices: () => distinct(attacks, 'device').length,
      attackedUsers: () => distinct(attacks, 'user').length,
      newDevices: () => distinct(rows, 'device').filter((key) => isNew('device', key)).length,
      newUsers: () => distinct(rows, 'user').filter((key) => isNew('user', key)).length,
    }
    return Object.fromEntries(measures.map((measure) => [measure, all[measure]()]))
  }
}

function inScope(event: StoredEvent, { apps }: Scope): boolean {
  return apps === 'all' || apps.includes(event.app)
}

function passes(event: StoredEvent, { field, op, values }: Filter, query: StoreQuery): boolean {
  return values.includes(keyOf(event, field, query)) === (op === 'is')
}

const FIELDS: Record<
  Exclude<Dimension, 'outcome' | 'place' | 'site' | 'surface' | 'page' | 'origin' | 'weekday' | 'hour'>,
  keyof EventRow
> = {
  app: 'app',
  type: 'type',
  risk: 'risk',
  level: 'level',
  action: 'action',
  platform: 'platform',
  country: 'country',
  province: 'province',
  city: 'city',
  version: 'version',
  channel: 'channel',
  os: 'os',
  model: 'model',
  network: 'network',
  device: 'device',
  user: 'user',
  address: 'address',
  group: 'group',
}

export function timeOf(event: StoredEvent, { basis }: Pick<StoreQuery, 'basis'>): number {
  return basis === 'received' ? event.receivedAt : event.occurredAt
}

/** The text that represents the event in a dimension. */
export function keyOf(event: StoredEvent, by: Dimension, query: Pick<StoreQuery, 'basis' | 'zone'>): string {
  if (by === 'weekday' || by === 'hour') {
    const at = timeOf(event, query)
    const local = new Date(at + zoneOffset(at, query.zone))
    return String(by === 'hour' ? local.getUTCHours() : local.getUTCDay())
  }
  if (by === 'origin') return event.flags & EVENT_FLAGS.imported ? 'imported' : 'live'
  if (by === 'page') return event.platform === 3 || event.type === 7 ? pageOf(event.extra) : ''
  if (by === 'surface') return event.platform === 3 || event.type === 7 ? 'web' : 'native'
  if (by === 'outcome') return event.action >= 3 ? 'blocked' : 'observed'
  if (by === 'place') return eventRow(event).placeSource
  if (by === 'site') return String(event.site)
  return eventRow(event)[FIELDS[by]] as string
}

export function groupBy<T, K>(list: readonly T[], key: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}
