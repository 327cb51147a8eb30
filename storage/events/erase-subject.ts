import { scopeSql } from './compile-query.ts'
import type { EraseAsk, Erased } from './device-port.ts'
import type { Dialect } from './dialect.ts'
import type { DuckFile } from './duck-file.ts'
import type { RowWriter } from './row-writer.ts'

/**
 * Deletes what the store holds of one device or user within the scope: its rows, what of it stands in quarantine, and when it was first
 * seen. Once no row of any application has the key, the key goes too. Of rows that name the subject beside others (a user's rows stand
 * under devices), the whole row goes: half an event is none.
 */
export async function eraseSubject(
  file: DuckFile,
  writer: RowWriter,
  { kind, subject, scope }: EraseAsk,
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
    if (number === undefined) return { gone: false }
    erased.events = await run(`DELETE FROM events WHERE ${column} = ${number} AND ${inScope}`)
    const itself = `kind = ${kind === 'device' ? 1 : 2} AND k = ${number}`
    await run(`DELETE FROM first_seen WHERE ${itself} AND ${inScope}`)
    await run(`DELETE FROM first_seen_anywhere WHERE ${itself}`)
    await run(
      `INSERT INTO first_seen_anywhere SELECT kind, k, min(seen) FROM first_seen WHERE ${itself} GROUP BY kind, k`,
    )
    const left = await connection.runAndReadAll(
      `SELECT 1 FROM events WHERE device = ${number} OR uid = ${number} LIMIT 1`,
    )
    if (left.getRowsJS().length > 0) return { gone: false }
    await run(`DELETE FROM first_seen WHERE k = ${number}`)
    await run(`DELETE FROM first_seen_anywhere WHERE k = ${number}`)
    await run(`DELETE FROM keys WHERE n = ${number}`)
    return { gone: true }
  })
  await file.checkpoint()
  return erased
}
