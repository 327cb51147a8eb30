import type { Erased, EraseRequest } from '../device-port.ts'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { scopeSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { removeOldValues } from './remove-old-values.ts'
import type { RowWriter } from './row-writer.ts'

/**
 * Deletes what the store holds of one device or user within the scope: its rows, its quarantined events, and when it was first
 * seen. Once no row of any application has the key, the key goes too. Of rows that name the subject beside others (a user's rows are stored
 * under devices), the whole row is deleted: half an event is not an event. When those others were first seen is then what is left of them.
 */
export async function eraseSubject(
  file: DuckFile,
  writer: RowWriter,
  { kind, subject, scope }: EraseRequest,
  dialect: Dialect,
): Promise<Erased> {
  if (!/^[0-9a-f]{32}$/.test(subject)) throw new RangeError(`not a key: ${subject}`)
  const inScope = scopeSql(scope, dialect)
  const column = kind === 'device' ? 'device' : 'uid'
  const erased: Erased = { events: 0, quarantined: 0 }
  await writer.forgetKey(kind, subject, async (connection, number) => {
    const run = async (sql: string) => (await connection.run(sql)).rowsChanged
    const text = dialect.lit(subject)
    erased.quarantined = await run(
      `DELETE FROM quarantine WHERE (device = ${text} OR contains(raw, ${text})) AND ${inScope}`,
    )
    if (number === undefined) return { gone: false, others: [] }
    const itself = `${column} = ${number} AND ${inScope}`
    const other = kind === 'device' ? 'uid' : 'device'
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT ${other} FROM events WHERE ${itself} AND ${other} IS NOT NULL`,
    )
    const others = found.getRowsJS().map(([key]) => Number(key))
    // A deleted row keeps its values in the file, a changed column is rewritten.
    await run(`UPDATE events SET address = '', extra = '' WHERE ${itself}`)
    erased.events = await run(`DELETE FROM events WHERE ${itself}`)
    // Rows of others went along: when those were first seen is what their own rows still tell.
    for (const [part, keys] of [
      [column, [number]],
      [other, others],
    ] as const) {
      if (keys.length === 0) continue
      const code = part === 'device' ? 1 : 2
      const these = `kind = ${code} AND k IN (${keys.join(', ')})`
      await run(`DELETE FROM first_seen WHERE ${these} AND ${inScope}`)
      await run(
        `INSERT INTO first_seen SELECT app, ${code}, ${part}, min(occurred) FROM events WHERE ${part} IN (${keys.join(', ')}) AND ${inScope} GROUP BY app, ${part}`,
      )
      await run(`DELETE FROM first_seen_anywhere WHERE ${these}`)
      await run(
        `INSERT INTO first_seen_anywhere SELECT kind, k, min(seen) FROM first_seen WHERE ${these} GROUP BY kind, k`,
      )
    }
    const left = await connection.runAndReadAll(
      `SELECT 1 FROM events WHERE device = ${number} OR uid = ${number} LIMIT 1`,
    )
    if (left.getRowsJS().length > 0) return { gone: false, others }
    await run(`DELETE FROM first_seen WHERE k = ${number}`)
    await run(`DELETE FROM first_seen_anywhere WHERE k = ${number}`)
    await run(`UPDATE keys SET a = 0, b = 0, c = 0, d = 0 WHERE n = ${number}`)
    await run(`DELETE FROM keys WHERE n = ${number}`)
    return { gone: true, others }
  })
  await removeOldValues(file)
  return erased
}
