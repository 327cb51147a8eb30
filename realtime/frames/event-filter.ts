import { pageOf } from '#contracts/telemetry/event-page.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { Dimension, Filter, Scope } from '#domain/query.ts'
import { zoneOffset } from '#domain/time-range.ts'
import {
  ACTIONS,
  BLOCKED_FROM,
  EVENT_TYPES,
  LEVELS,
  ORIGINS,
  OUTCOMES,
  PLACE_SOURCES,
  PLATFORMS,
  RISK_TYPES,
  SURFACES,
  WEEKDAYS,
} from '#domain/vocabulary.ts'

/** The query's filters over events in memory: the same events that the store's SQL would find. */
export type EventTest = (event: StoredEvent) => boolean

/** How one dimension is read off an event, and how its filter text becomes a value of the same kind. */
type Reading = { of(event: StoredEvent): string | number; parse(text: string): string | number }

/** A word that no event can have: equal to no number, not even to itself. */
const NONE = Number.NaN

/** The empty text means 'unknown' (code 0) in lists that have no word for 0. */
function word(words: Record<string, { code: number }>, of: Reading['of']): Reading {
  const unknown = Object.values(words).some((one) => one.code === 0) ? NONE : 0
  return {
    of,
    parse: (text) => (text === '' ? unknown : Object.hasOwn(words, text) ? (words[text]?.code ?? NONE) : NONE),
  }
}
/** Identifiers and administrative codes; `unknown` is the text for 0, if there is one. */
const digits = (of: Reading['of'], unknown?: string): Reading => ({
  of,
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : text === unknown ? 0 : NONE),
})
const text = (of: Reading['of']): Reading => ({ of, parse: (value) => value })

const READINGS: Record<Exclude<Dimension, 'weekday' | 'hour'>, Reading> = {
  app: digits((e) => e.app),
  type: word(EVENT_TYPES, (e) => e.type),
  risk: word(RISK_TYPES, (e) => e.risk),
  level: word(LEVELS, (e) => e.level),
  action: word(ACTIONS, (e) => e.action),
  outcome: word(OUTCOMES, (e) => (e.action >= BLOCKED_FROM ? OUTCOMES.blocked.code : OUTCOMES.observed.code)),
  platform: word(PLATFORMS, (e) => e.platform),
  country: text((e) => e.country),
  province: digits((e) => e.province, ''),
  city: digits((e) => e.city, ''),
  place: word(PLACE_SOURCES, (e) => e.placeSource),
  site: digits((e) => e.site),
  version: text((e) => e.version),
  channel: text((e) => e.channel),
  os: text((e) => e.os),
  model: text((e) => e.model),
  network: text((e) => e.network),
  device: text((e) => e.device),
  user: text((e) => e.user ?? ''),
  address: text((e) => e.address),
  group: text((e) => e.group),
  origin: word(ORIGINS, (e) => (e.flags & EVENT_FLAGS.imported ? ORIGINS.imported.code : ORIGINS.live.code)),
  surface: word(SURFACES, (e) => (isWeb(e) ? SURFACES.web.code : SURFACES.native.code)),
  page: text((e) => (isWeb(e) ? pageOf(e.extra) : '')),
}

function isWeb({ platform, type }: StoredEvent): boolean {
  return platform === PLATFORMS.web.code || type === EVENT_TYPES.web.code
}

const HOUR = 3_600_000
/** The epoch's first day was a Thursday. */
const EPOCH_WEEKDAY = 4

/** Weekday and hour of arrival in the zone; the zone's offset is looked up once a quarter of an hour, no zone changes it within one. */
function timeReading(field: 'weekday' | 'hour', zone: string): Reading {
  let [quarter, offset] = [Number.NaN, 0]
  const hourOf = ({ receivedAt }: StoredEvent) => {
    const now = Math.floor(receivedAt / 900_000)
    if (now !== quarter) [quarter, offset] = [now, zoneOffset(receivedAt, zone)]
    return Math.floor((receivedAt + offset) / HOUR)
  }
  return field === 'hour'
    ? digits((event) => hourOf(event) % 24)
    : word(WEEKDAYS, (event) => (Math.floor(hourOf(event) / 24) + EPOCH_WEEKDAY) % 7)
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
  const { of, parse } = field === 'weekday' || field === 'hour' ? timeReading(field, zone) : READINGS[field]
  const wanted = values.map(parse)
  const only = wanted[0]
  if (wanted.length === 1) return op === 'is' ? (event) => of(event) === only : (event) => of(event) !== only
  const set = new Set(wanted.filter((value) => !Number.isNaN(value)))
  return op === 'is' ? (event) => set.has(of(event)) : (event) => !set.has(of(event))
}
