import type { DuckFile } from '../duckdb/duck-file.ts'
import type { Select } from '../duckdb/select.ts'
import { verifyTables } from '../duckdb/verify-tables.ts'

/** What can be wrong with rows that can all be read. */
export type TableFindings = {
  /** Events looked at. */
  rows: number
  /** Rows beyond the first with the same application and id. */
  duplicates: { count: number; examples: string[] }
  /** Devices and users of an application without the time at which they were first seen: they count as new again. */
  firstSeen: { count: number }
  /** Rows whose device or user has a number without a key: whom they belong to is lost. Arrival of the first and last, epoch ms. */
  keyless: { count: number; from: number | null; to: number | null }
}
export type MendedTables = 'duplicates' | 'firstSeen'

/** Rows of one pass over ids: bounds the memory of the search for duplicates. */
const PASS_ROWS = 1_000_000
const EXAMPLES = 5

/** Reads every block of every table, then looks for rows that contradict each other. Throws where a block is damaged. */
export async function examineTables(file: Pick<DuckFile, 'read'>): Promise<TableFindings> {
  await verifyTables(file)
  return file.read(async (select) => {
    const [[rows] = [0]] = await select('SELECT count(*) FROM events')
    const duplicates = await findDuplicates(select, Number(rows))
    const [[missing] = [0]] = await select(
      `SELECT ${SEEN.map((one) => `(SELECT count(*) FROM (${one.missing}))`).join(' + ')}`,
    )
    const [[count, from, to] = []] = await select(
      'SELECT count(*), min(received), max(received) FROM events WHERE (device > 0 AND device NOT IN (SELECT n FROM keys)) OR (uid > 0 AND uid NOT IN (SELECT n FROM keys))',
    )
    const time = (at: unknown) => (at === null || at === undefined ? null : Number(at))
    return {
      rows: Number(rows),
      duplicates,
      firstSeen: { count: Number(missing) },
      keyless: { count: Number(count), from: time(from), to: time(to) },
    }
  })
}

/** Removes later copies of an event, or writes the missing times from the rows. No other process may have the file open. */
export async function mendTables(
  file: Pick<DuckFile, 'write' | 'checkpoint'>,
  what: readonly MendedTables[],
): Promise<void> {
  await file.write(async (connection) => {
    if (what.includes('duplicates'))
      await connection.run(
        `DELETE FROM events WHERE rowid IN (SELECT rowid FROM (
           SELECT rowid, row_number() OVER (PARTITION BY app, id ORDER BY rowid) AS copy FROM events
           WHERE eh IN (SELECT eh FROM events GROUP BY eh HAVING count(*) > 1)) WHERE copy > 1)`,
      )
    if (what.includes('firstSeen'))
      for (const { table, missing } of SEEN) await connection.run(`INSERT INTO ${table} ${missing}`)
  })
  await file.checkpoint()
}

/** What the rows say and the table lacks, in the order of its columns. */
const SEEN = [
  ['device', 1],
  ['uid', 2],
].flatMap(([column, kind]) => [
  {
    table: 'first_seen',
    missing: `SELECT e.app, ${kind}, e.k, e.seen FROM (SELECT app, ${column} AS k, min(occurred) AS seen FROM events WHERE ${column} > 0 GROUP BY ALL) e
      ANTI JOIN first_seen f ON f.kind = ${kind} AND f.app = e.app AND f.k = e.k`,
  },
  {
    table: 'first_seen_anywhere',
    missing: `SELECT ${kind}, e.k, e.seen FROM (SELECT ${column} AS k, min(occurred) AS seen FROM events WHERE ${column} > 0 GROUP BY ALL) e
      ANTI JOIN first_seen_anywhere f ON f.kind = ${kind} AND f.k = e.k`,
  },
])

async function findDuplicates(select: Select, rows: number): Promise<TableFindings['duplicates']> {
  const passes = Math.max(1, Math.ceil(rows / PASS_ROWS))
  const examples: string[] = []
  let count = 0
  for (let pass = 0; pass < passes; pass++) {
    const twice = `SELECT app, id, count(*) AS copies FROM events WHERE eh % ${passes} = ${pass} GROUP BY app, id HAVING copies > 1`
    const [[copies] = [0]] = await select(`SELECT coalesce(sum(copies - 1), 0) FROM (${twice})`)
    if (Number(copies) === 0) continue
    count += Number(copies)
    for (const [id] of await select(`SELECT id::VARCHAR FROM (${twice}) ORDER BY 1 LIMIT ${EXAMPLES}`))
      if (examples.length < EXAMPLES) examples.push(String(id))
  }
  return { count, examples }
}
