import type { LevelCounts, MinuteBar } from '#contracts/live/messages.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import type { EventRow, Filter, Scope } from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'
import { BLOCKED_FROM, EVENT_TYPES, LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import type { Select } from '../duckdb/select.ts'
import type { WallSeed } from '../port.ts'
import { scopeSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { filterSql, MAPPINGS } from '../query/dimensions.ts'
import { ROW_COLUMNS, readEvent } from '../query/select-rows.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const ONLINE_MS = 5 * MINUTE
const FEED_ROWS = 20
const TOPS = ['risk', 'province', 'city', 'country', 'app', 'device', 'version', 'site'] as const
const IS_ATTACK = `type = ${EVENT_TYPES.risk.code}`
const IS_LIVE = `(flags & ${EVENT_FLAGS.imported}) = 0`

/** Where each journal's rows end, as seen by the transaction of `select`. */
export async function selectPositions(select: Select): Promise<Record<string, number>> {
  const rows = await select('SELECT journal, position FROM positions')
  return Object.fromEntries(rows.map(([journal, position]) => [journal as string, Number(position)]))
}

/** Counts by arrival; all selects see the same rows, so the counts correspond exactly to the positions. */
export async function seedWall(
  filters: readonly Filter[],
  scope: Scope,
  now: number,
  zone: string,
  select: Select,
  dialect: Dialect,
): Promise<WallSeed> {
  const today = startOfDay(now, zone)
  const yesterday = startOfDay(today - 1, zone)
  const clock = { basis: 'received', span: { from: yesterday, to: now + DAY }, zone } as const
  const these = [scopeSql(scope, dialect), ...filters.map((filter) => filterSql(filter, clock, dialect))]
    .filter((one) => one !== 'TRUE')
    .map((one) => ` AND ${one}`)
    .join('')
  const since = (from: number) => `received >= ${dialect.lit(from)}${these}`
  const attacksToday = `${since(today)} AND ${IS_ATTACK}`
  const levelColumns = LEVELS_BY_SEVERITY.map((level) => dialect.countIf(`level = ${LEVELS[level].code}`)).join(', ')

  const [totals = []] = await select(
    `SELECT count(*), ${dialect.countIf(IS_ATTACK)}, ${dialect.countIf(`${IS_ATTACK} AND action >= ${BLOCKED_FROM}`)}, ${dialect.countIf(`${IS_ATTACK} AND place = 0`)} FROM events WHERE ${since(today)}`,
  )
  const [levels = []] = await select(`SELECT ${levelColumns} FROM events WHERE ${attacksToday}`)
  const [[attacksYesterday] = [0]] = await select(
    `SELECT count(*) FROM events WHERE ${since(yesterday)} AND received < ${dialect.lit(yesterday + now - today)} AND ${IS_ATTACK}`,
  )
  const counts = {} as WallSeed['counts']
  for (const by of TOPS) {
    const { column, text } = MAPPINGS[by]
    const rows = await select(`SELECT ${column} AS k, count(*) FROM events WHERE ${attacksToday} GROUP BY k`)
    counts[by] = rows.map(([key, count]) => [text(key, dialect), Number(count)])
  }
  const users = await select(`SELECT DISTINCT uid FROM events WHERE ${attacksToday} AND uid IS NOT NULL`)
  const online = await select(
    `SELECT device, max(received) FROM events WHERE ${since(now - ONLINE_MS)} AND ${IS_LIVE} GROUP BY device`,
  )
  const minutes = await select(
    `SELECT ${dialect.bucket('received', MINUTE)} AS b, ${levelColumns} FROM events WHERE ${since(now - DAY)} AND ${IS_ATTACK} GROUP BY b ORDER BY b`,
  )
  return {
    positions: await selectPositions(select),
    eventsToday: Number(totals[0]),
    attacksToday: Number(totals[1]),
    blockedToday: Number(totals[2]),
    noPlace: Number(totals[3]),
    attacksYesterday: Number(attacksYesterday),
    levels: Object.fromEntries(LEVELS_BY_SEVERITY.map((level, index) => [level, Number(levels[index])])) as LevelCounts,
    counts,
    attackedUsers: users.map(([user]) => dialect.keyText(user)),
    online: online.map(([device, at]) => [dialect.keyText(device), Number(at)]),
    minutes: minutes.map(([b, ...counts]) => [Number(b) * MINUTE, ...counts.map(Number)] as MinuteBar),
    feed: await feedRows(`${these} AND ${IS_ATTACK} AND ${IS_LIVE}`, now, select, dialect),
  }
}

/** The newest attacks; looked for in the last day first, since the whole store would have to be sorted otherwise. */
async function feedRows(conditions: string, now: number, select: Select, dialect: Dialect): Promise<EventRow[]> {
  for (const from of [now - DAY, 0]) {
    const rows = await select(
      `SELECT ${ROW_COLUMNS} FROM events WHERE received >= ${dialect.lit(from)}${conditions} ORDER BY received DESC, id DESC LIMIT ${FEED_ROWS}`,
    )
    if (rows.length === FEED_ROWS || from === 0) return rows.map((row) => eventRow(readEvent(row, dialect)))
  }
  return []
}
