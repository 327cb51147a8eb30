import { ProductError } from '#contracts/errors.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { Dimension, EventRow } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import type { Select } from '../duckdb/select.ts'
import { type Selection, whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { TIME_COLUMN } from './dimensions.ts'

/** Columns of a select that readEvent understands, in its order. */
export const ROW_COLUMNS =
  'CAST(id AS VARCHAR), app, type, risk, level, action, platform, occurred, received, reported, device, uid, version, channel, os, model, brand, network, sdk, country, province, city, place, fineness, lon, lat, site, flags, address, extra, grp'

/** A selected row; numbers may come as bigint. */
export function readEvent(r: readonly unknown[], dialect: Dialect): StoredEvent {
  const n = (index: number) => Number(r[index])
  const s = (index: number) => r[index] as string
  const maybe = (index: number) => (r[index] === null ? null : Number(r[index]))
  return {
    id: s(0),
    app: n(1),
    type: n(2),
    risk: n(3),
    level: n(4),
    action: n(5),
    platform: n(6),
    occurredAt: n(7),
    receivedAt: n(8),
    reportedAt: maybe(9),
    device: dialect.keyText(r[10]),
    user: r[11] === null ? null : dialect.keyText(r[11]),
    version: s(12),
    channel: s(13),
    os: s(14),
    model: s(15),
    brand: s(16),
    network: s(17),
    sdk: s(18),
    country: s(19),
    province: n(20),
    city: n(21),
    placeSource: n(22),
    placePrecision: n(23),
    lon: maybe(24),
    lat: maybe(25),
    site: n(26),
    flags: n(27),
    address: s(28),
    extra: s(29),
    group: s(30),
  }
}

/**
 * A page is searched in the most recent part of the span first, then in wider ones: sorting the whole span for 50 rows takes far longer.
 */
const SHARES = [512, 64, 8, 1]
/** Filters on these fields match so few rows that all of them are sorted at once. */
const RARE: readonly Dimension[] = ['device', 'user', 'address', 'group']

export function isRare(filters: Selection['filters']): boolean {
  return filters.some(({ field, op }) => op === 'is' && RARE.includes(field))
}

/**
 * Rows in the order of (time, id, app), which is unique, so pages neither overlap nor skip rows. `whole`: the span holds few rows more than
 * the page.
 */
export async function selectRows(
  selection: Selection,
  page: { limit: number; order: 'asc' | 'desc'; cursor?: string; whole?: true },
  select: Select,
  dialect: Dialect,
): Promise<EventRow[]> {
  const time = TIME_COLUMN[selection.basis]
  const direction = page.order === 'desc' ? 'DESC' : 'ASC'
  const cursor = page.cursor === undefined ? undefined : readCursor(page.cursor, page.order, time, dialect)
  const { from, to } = restOf(selection.span, page.order, cursor?.at)
  let rows: unknown[][] = []
  for (const share of page.whole || isRare(selection.filters) ? [1] : SHARES) {
    const width = Math.ceil((to - from) / share)
    const span = page.order === 'desc' ? { from: to - width, to } : { from, to: from + width }
    const where = whereSql({ ...selection, span }, dialect)
    rows = await select(
      `SELECT ${ROW_COLUMNS} FROM events WHERE ${where}${cursor ? ` AND ${cursor.condition}` : ''} ORDER BY ${time} ${direction}, id ${direction}, app ${direction} LIMIT ${page.limit}`,
    )
    if (rows.length === page.limit) break
  }
  return rows.map((row) => eventRow(readEvent(row, dialect)))
}

/** The rest of the span from the cursor's time on. */
function restOf({ from, to }: Span, order: 'asc' | 'desc', at: number | undefined): Span {
  if (at === undefined) return { from, to }
  return order === 'desc'
    ? { from, to: Math.max(from, Math.min(to, at + 1)) }
    : { from: Math.min(to, Math.max(from, at)), to }
}

export function cursorOf(row: EventRow, basis: Selection['basis']): string {
  return `${basis === 'received' ? row.receivedAt : row.occurredAt}.${row.app}.${row.id.replaceAll('-', '')}`
}

/** The cursor's time, and the condition of the rows after it. */
function readCursor(cursor: string, order: 'asc' | 'desc', time: string, dialect: Dialect) {
  const match = /^(\d{1,15})\.(\d{1,9})\.([0-9a-f]{32})$/.exec(cursor)
  if (!match) throw new ProductError('input.invalid', { detail: 'cursor' })
  const [, at, app, id] = match as unknown as [string, string, string, string]
  const than = order === 'desc' ? '<' : '>'
  const uuid = dialect.uuid(id)
  const condition = `(${time} ${than} ${at} OR id ${than} ${uuid} OR (id = ${uuid} AND app ${than} ${app}))`
  return { at: Number(at), condition }
}
