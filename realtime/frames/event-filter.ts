import { pageOf } from '#contracts/telemetry/event-page.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { isNumeric, numberOf } from '#domain/dimension-values.ts'
import type { Dimension, Filter, Scope } from '#domain/query.ts'
import { zoneOffset } from '#domain/time-range.ts'
import { BLOCKED_FROM, EVENT_TYPES, ORIGINS, OUTCOMES, PLATFORMS, SURFACES } from '#domain/vocabulary.ts'

/** The query's filters over events in memory: the same events that the store's SQL would find. */
export type EventTest = (event: StoredEvent) => boolean

type FieldAccessor = (event: StoredEvent) => string | number

/** A value that no event can have: equal to no number, not even to itself. */
const NONE = Number.NaN

/** One closure a dimension rather than `event[name]`: the engine inlines a constant property, a computed one costs a look-up an event. */
const FIELD_ACCESSORS: Record<Exclude<Dimension, 'weekday' | 'hour'>, FieldAccessor> = {
  app: (e) => e.app,
  type: (e) => e.type,
  risk: (e) => e.risk,
  level: (e) => e.level,
  action: (e) => e.action,
  outcome: (e) => (e.action >= BLOCKED_FROM ? OUTCOMES.blocked.code : OUTCOMES.observed.code),
  platform: (e) => e.platform,
  country: (e) => e.country,
  province: (e) => e.province,
  city: (e) => e.city,
  place: (e) => e.placeSource,
  site: (e) => e.site,
  version: (e) => e.version,
  channel: (e) => e.channel,
  os: (e) => e.os,
  model: (e) => e.model,
  network: (e) => e.network,
  device: (e) => e.device,
  user: (e) => e.user ?? '',
  address: (e) => e.address,
  group: (e) => e.group,
  origin: (e) => (e.flags & EVENT_FLAGS.imported ? ORIGINS.imported.code : ORIGINS.live.code),
  surface: (e) => (isWeb(e) ? SURFACES.web.code : SURFACES.native.code),
  page: (e) => (isWeb(e) ? pageOf(e.extra) : ''),
}

function isWeb({ platform, type }: StoredEvent): boolean {
  return platform === PLATFORMS.web.code || type === EVENT_TYPES.web.code
}

const HOUR = 3_600_000
/** The epoch's first day was a Thursday. */
const EPOCH_WEEKDAY = 4

/** Weekday and hour of arrival in the zone; the zone's offset is looked up once a quarter of an hour, no zone changes it within one. */
function timeAccessor(field: 'weekday' | 'hour', zone: string): FieldAccessor {
  let [quarter, offset] = [Number.NaN, 0]
  const hourOf = ({ receivedAt }: StoredEvent) => {
    const now = Math.floor(receivedAt / 900_000)
    if (now !== quarter) [quarter, offset] = [now, zoneOffset(receivedAt, zone)]
    return Math.floor((receivedAt + offset) / HOUR)
  }
  return field === 'hour'
    ? (event) => hourOf(event) % 24
    : (event) => (Math.floor(hourOf(event) / 24) + EPOCH_WEEKDAY) % 7
}

/** Compiles filters and scope into one test; an event must pass all of them. Unknown words match nothing. `zone` is the platform's. */
export function matches(filters: readonly Filter[], scope: Scope, zone: string): EventTest {
  const tests = filters.map((filter) => testOf(filter, zone))
  if (scope.apps !== 'all') {
    const apps = new Set(scope.apps)
    tests.unshift((event) => apps.has(event.app))
  }
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  return (event) => {
    for (const test of tests) if (!test(event)) return false
    return true
  }
}

function testOf({ field, op, values }: Filter, zone: string): EventTest {
  const of = field === 'weekday' || field === 'hour' ? timeAccessor(field, zone) : FIELD_ACCESSORS[field]
  const wanted = values.map((text) => (isNumeric(field) ? (numberOf(field, text) ?? NONE) : text))
  const only = wanted[0]
  if (wanted.length === 1) return op === 'is' ? (event) => of(event) === only : (event) => of(event) !== only
  const set = new Set(wanted.filter((value) => !Number.isNaN(value)))
  return op === 'is' ? (event) => set.has(of(event)) : (event) => !set.has(of(event))
}
