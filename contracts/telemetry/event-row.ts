import type { EventRow } from '#domain/query.ts'
import {
  ACTIONS,
  EVENT_TYPES,
  LEVELS,
  PLACE_PRECISIONS,
  PLACE_SOURCES,
  PLATFORMS,
  RISK_TYPES,
} from '#domain/vocabulary.ts'
import { EVENT_FLAGS, type StoredEvent } from './stored-event.ts'

type Words = Record<string, { readonly code: number }>

/** Keys by code; '' where a code has no word. */
function keysByCode(words: Words): string[] {
  const keys: string[] = []
  for (const [key, { code }] of Object.entries(words)) keys[code] = key
  return Array.from(keys, (key) => key ?? '')
}
/** The words of each coded field by code. */
export const WORD_KEYS = {
  type: keysByCode(EVENT_TYPES),
  risk: keysByCode(RISK_TYPES),
  level: keysByCode(LEVELS),
  action: keysByCode(ACTIONS),
  platform: keysByCode(PLATFORMS),
  placeSource: keysByCode(PLACE_SOURCES),
  placePrecision: keysByCode(PLACE_PRECISIONS),
} as const

/** The event as lists, drawers, feeds and exports show it: codes as words, numbers of places, applications and sites as text. */
export function eventRow(e: StoredEvent): EventRow {
  return {
    id: e.id,
    app: String(e.app),
    type: WORD_KEYS.type[e.type] ?? '',
    risk: WORD_KEYS.risk[e.risk] ?? '',
    level: WORD_KEYS.level[e.level] ?? '',
    action: WORD_KEYS.action[e.action] ?? '',
    platform: WORD_KEYS.platform[e.platform] ?? '',
    occurredAt: e.occurredAt,
    receivedAt: e.receivedAt,
    reportedAt: e.reportedAt,
    device: e.device,
    user: e.user ?? '',
    version: e.version,
    channel: e.channel,
    os: e.os,
    model: e.model,
    brand: e.brand,
    network: e.network,
    sdk: e.sdk,
    country: e.country,
    province: e.province ? String(e.province) : '',
    city: e.city ? String(e.city) : '',
    placeSource: WORD_KEYS.placeSource[e.placeSource] ?? '',
    placePrecision: WORD_KEYS.placePrecision[e.placePrecision] ?? '',
    lon: e.lon,
    lat: e.lat,
    site: e.site ? String(e.site) : '',
    address: e.address,
    group: e.group,
    corrected: (e.flags & EVENT_FLAGS.corrected) !== 0,
    imported: (e.flags & EVENT_FLAGS.imported) !== 0,
    extra: e.extra ? (JSON.parse(e.extra) as Record<string, unknown>) : {},
  }
}
