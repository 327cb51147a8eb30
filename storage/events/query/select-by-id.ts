import { eventRow } from '#contracts/telemetry/event-row.ts'
import type { EventRow, Scope } from '#domain/query.ts'
import { eventHash } from '../duckdb/event-table.ts'
import type { Select } from '../duckdb/select.ts'
import { scopeSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { ROW_COLUMNS, readEvent } from './select-rows.ts'

const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Events with this id in the scope, newest first; none where the text is no id. Reads the column of hashes, other columns of hits alone. */
export async function selectById(
  id: string,
  scope: Scope,
  limit: number,
  select: Select,
  dialect: Dialect,
): Promise<EventRow[]> {
  if (!EVENT_ID.test(id)) return []
  const uuid = dialect.uuid(id.replaceAll('-', ''))
  const rows = await select(
    `SELECT ${ROW_COLUMNS} FROM events WHERE eh = ${eventHash(id)} AND id = ${uuid} AND ${scopeSql(scope, dialect)} ORDER BY received DESC LIMIT ${limit}`,
  )
  return rows.map((row) => eventRow(readEvent(row, dialect)))
}
