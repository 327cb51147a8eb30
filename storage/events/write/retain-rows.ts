import type { DuckDBConnection } from '@duckdb/node-api'
import type { DuckFile } from '../duckdb/duck-file.ts'
import { lit } from '../query/dialect.ts'
import { removeOldValues } from './remove-old-values.ts'

/** Rows that one transaction changes, about: keeps the memory of a large clean-up bounded. */
const SLICE_ROWS = 100_000

/**
 * Deletes what arrived before `before`; of what arrived before `personalBefore`, cuts addresses to /24 (IPv6: /48) and drops the raw
 * payload. Works in slices, so queries and the flusher go on meanwhile; interrupted, it goes on
 * where it was. Then what the file still holds of the old values is overwritten.
 */
export async function retainRows(
  file: DuckFile,
  before: number,
  personalBefore: number,
): Promise<{ deleted: number; truncated: number }> {
  let deleted = 0
  let truncated = 0
  for (const to of await slices(file, before, 'TRUE'))
    deleted += await file.write(
      async (connection) => (await connection.run(`DELETE FROM events WHERE received < ${lit(to)}`)).rowsChanged,
    )
  for (const to of await slices(file, personalBefore, 'reduced = 0'))
    truncated += await file.write((connection) => redactPersonalData(connection, to))
  await file.write((connection) =>
    connection.run(`UPDATE quarantine SET raw = '' WHERE received < ${lit(personalBefore)} AND raw <> ''`),
  )
  await file.write((connection) => connection.run(`DELETE FROM quarantine WHERE received < ${lit(before)}`))
  if (deleted + truncated > 0) await removeOldValues(file)
  return { deleted, truncated }
}

/** Times at which to cut the rows that arrived before `before` into slices, oldest first; the last one is `before`. */
async function slices(file: DuckFile, before: number, condition: string): Promise<number[]> {
  const hour = 3_600_000
  const rows = await file.read((select) =>
    select(
      `SELECT received // ${hour} AS b, count(*) FROM events WHERE received < ${lit(before)} AND ${condition} GROUP BY b ORDER BY b`,
    ),
  )
  const cuts: number[] = []
  let held = 0
  for (const [b, count] of rows) {
    held += Number(count)
    if (held < SLICE_ROWS) continue
    cuts.push(Math.min(before, (Number(b) + 1) * hour))
    held = 0
  }
  if (held > 0) cuts.push(before)
  return cuts
}

async function redactPersonalData(connection: DuckDBConnection, to: number): Promise<number> {
  const where = `received < ${lit(to)} AND reduced = 0`
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT address FROM events WHERE ${where} AND contains(address, ':')`,
  )
  await connection.run('CREATE OR REPLACE TEMP TABLE shorter (long VARCHAR, short VARCHAR)')
  const pairs = reader
    .getRowsJS()
    .map(([address]) => `(${lit(address as string)}, ${lit(shortenIpv6(address as string))})`)
  for (let from = 0; from < pairs.length; from += 5000)
    await connection.run(`INSERT INTO shorter VALUES ${pairs.slice(from, from + 5000).join(', ')}`)
  const short = `CASE WHEN contains(address, ':') THEN (SELECT short FROM shorter WHERE long = address) ELSE regexp_replace(address, '^(\\d+\\.\\d+\\.\\d+)\\.\\d+$', '\\1.0/24') END`
  const modelled = `CASE WHEN contains(extra, '"detail"') THEN coalesce(nullif(json_merge_patch(extra, '{"detail":null}')::VARCHAR, '{}'), '') ELSE extra END`
  const { rowsChanged } = await connection.run(
    `UPDATE events SET address = ${short}, extra = ${modelled}, reduced = 1 WHERE ${where}`,
  )
  return rowsChanged
}

/** The /48 of an IPv6 address, `2001:db8:1::/48`; an IPv4 address in IPv6 form to the /24 of it. */
export function shortenIpv6(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+)\.\d+$/i.exec(address)
  if (mapped) return `${mapped[1]}.0/24`
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right].slice(0, 3)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/48`
}
