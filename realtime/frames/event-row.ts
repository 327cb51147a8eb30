import type { EventRow } from '#contracts/query.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import {
  ACTIONS,
  EVENT_TYPES,
  LEVELS,
  PLACE_PRECISIONS,
  PLACE_SOURCES,
  PLATFORMS,
  RISK_TYPES,
} from '#contracts/vocabulary.ts'

/** Keys of a word list by code; the empty text where there is none. */
function namesByCode(words: Record<string, { code: number }>): string[] {
  const names: string[] = []
  for (const [name, { code }] of Object.entries(words)) names[code] = name
  return Array.from(names, (name) => name ?? '')
}
const TYPE_NAMES = namesByCode(EVENT_TYPES)
export const RISK_NAMES = namesByCode(RISK_TYPES)
export const LEVEL_NAMES = namesByCode(LEVELS)
const ACTION_NAMES = namesByCode(ACTIONS)
const PLATFORM_NAMES = namesByCode(PLATFORMS)
const SOURCE_NAMES = namesByCode(PLACE_SOURCES)
const PRECISION_NAMES = namesByCode(PLACE_PRECISIONS)

/** The event as lists and feeds show it: words by key, identifiers as text, '' for what is unknown ('0': no site). */
export function toEventRow(e: StoredEvent): EventRow {
  return {
    id: e.id,
    app: String(e.app),
    type: TYPE_NAMES[e.type] ?? '',
    risk: RISK_NAMES[e.risk] ?? '',
    level: LEVEL_NAMES[e.level] ?? '',
    action: ACTION_NAMES[e.action] ?? '',
    platform: PLATFORM_NAMES[e.platform] ?? '',
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
    province: codeText(e.province),
    city: codeText(e.city),
    placeSource: SOURCE_NAMES[e.placeSource] ?? '',
    placePrecision: PRECISION_NAMES[e.placePrecision] ?? '',
    lon: e.lon,
    lat: e.lat,
    site: String(e.site),
    address: e.address,
    corrected: (e.flags & EVENT_FLAGS.corrected) !== 0,
    imported: (e.flags & EVENT_FLAGS.imported) !== 0,
    extra: readExtra(e.extra),
  }
}

/** Codes and identifiers as text; 0 means none. */
export function codeText(code: number): string {
  return code === 0 ? '' : String(code)
}

function readExtra(text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
