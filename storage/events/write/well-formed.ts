import type { EventTuple, StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { fieldOf } from '../duckdb/event-table.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const KEY = /^[0-9a-f]{32}$/
const TEXTS = ['version', 'channel', 'os', 'model', 'brand', 'network', 'sdk', 'country', 'address', 'extra'] as const
const CODES = ['type', 'risk', 'level', 'action', 'platform', 'placeSource', 'placePrecision', 'flags'] as const
const NUMBERS = ['app', 'province', 'city', 'site'] as const
const TIMES = ['occurredAt', 'receivedAt', 'reportedAt'] as const

/**
 * The first field that cannot be stored, or undefined. The journal's writer makes none; damage or a newer version must not stop the
 * flusher, which would try the same block for ever.
 */
export function malformedField(tuple: EventTuple): keyof StoredEvent | undefined {
  const id = fieldOf(tuple, 'id')
  if (typeof id !== 'string' || !ID.test(id)) return 'id'
  const device = fieldOf(tuple, 'device')
  if (typeof device !== 'string' || !KEY.test(device)) return 'device'
  const user = fieldOf(tuple, 'user')
  if (user !== null && (typeof user !== 'string' || !KEY.test(user))) return 'user'
  for (const field of TEXTS) if (typeof fieldOf(tuple, field) !== 'string') return field
  for (const field of CODES) if (!isWhole(fieldOf(tuple, field), 0xff)) return field
  for (const field of NUMBERS) if (!isWhole(fieldOf(tuple, field), 0xffff_ffff)) return field
  for (const field of TIMES) {
    const at = fieldOf(tuple, field)
    if (!(Number.isFinite(at) && Math.abs(at as number) < 1e15) && !(field === 'reportedAt' && at === null))
      return field
  }
  for (const field of ['lon', 'lat'] as const) {
    const degrees = fieldOf(tuple, field)
    if (degrees !== null && !Number.isFinite(degrees)) return field
  }
  return undefined
}

function isWhole(value: unknown, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
}
