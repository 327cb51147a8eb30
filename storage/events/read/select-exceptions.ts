import { eventRow } from '#contracts/telemetry/event-row.ts'
import type { EventRow, Scope } from '#domain/query.ts'
import type { Select } from '../duckdb/select.ts'
import { type Alias, EXCEPTION_GROUPS, type ExceptionGroupRow, type ExceptionVersion } from '../exception-port.ts'
import type { StoreQuery } from '../port.ts'
import { scopeSql, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { ROW_COLUMNS, readEvent } from '../query/select-rows.ts'

/** The table of events with its fingerprints as groups `g`, reduced to what the condition picks. */
function groupedEvents(columns: string, where: string, aliases: readonly Alias[], dialect: Dialect): string {
  if (aliases.length === 0) return `SELECT grp AS g, ${columns} FROM events WHERE ${where}`
  const pairs = aliases.map(([from, to]) => `(${dialect.lit(from)}, ${dialect.lit(to)})`).join(', ')
  return `SELECT coalesce(canonical, grp) AS g, ${columns} FROM events LEFT JOIN (VALUES ${pairs}) a(raw, canonical) ON raw = grp WHERE ${where}`
}

export async function selectExceptionGroups(
  query: StoreQuery,
  aliases: readonly Alias[],
  select: Select,
  dialect: Dialect,
): Promise<ExceptionGroupRow[]> {
  const time = TIME_COLUMN[query.basis]
  const source = (where: string, columns: string) => groupedEvents(columns, where, aliases, dialect)
  const where = whereSql(query, dialect)
  const { sql, read } = await versionsOf(where, select, dialect)
  const rows = await select(
    `SELECT app, g, count(*) AS c, ${sql}, min(${time}), max(${time}), count(DISTINCT device), count(DISTINCT uid) FROM (${source(where, `app, device, uid, version, ${time}`)}) e GROUP BY app, g ORDER BY c DESC, g, app LIMIT ${EXCEPTION_GROUPS}`,
  )
  if (rows.length === 0) return []
  // Kinds and applications narrow what 'ever' looks at; every other filter is about the span alone.
  const lasting = query.filters.filter(({ field }) => field === 'type' || field === 'app')
  const always = { ...query, span: { from: 0, to: Number.MAX_SAFE_INTEGER }, filters: lasting }
  const ever = await select(
    `SELECT app, g, min(${time}), max(${time}), arg_min(version, ${time}), arg_max(version, ${time}), count(*) FROM (${source(whereSql(always, dialect), `app, version, ${time}`)}) e GROUP BY app, g`,
  )
  const known = new Map(ever.map((row) => [`${row[0]}/${row[1]}`, row]))
  return rows.map((row) => {
    const all = known.get(`${row[0]}/${row[1]}`) as unknown[]
    return {
      app: Number(row[0]),
      group: row[1] as string,
      events: Number(row[2]),
      devices: Number(row[6]),
      users: Number(row[7]),
      versions: read(row[3]),
      firstAt: Number(row[4]),
      lastAt: Number(row[5]),
      ever: {
        firstAt: Number(all[2]),
        lastAt: Number(all[3]),
        firstVersion: all[4] as string,
        lastVersion: all[5] as string,
        events: Number(all[6]),
      },
    }
  })
}

/** Up to this many versions are encoded as bits of a number; more come as lists, which is slower. */
const VERSION_BITS = 62

/** An aggregate of the versions of a group's rows, and how to read it. */
async function versionsOf(where: string, select: Select, dialect: Dialect) {
  const found = await select(
    `SELECT DISTINCT version FROM events WHERE ${where} ORDER BY version LIMIT ${VERSION_BITS + 1}`,
  )
  if (found.length > VERSION_BITS)
    return { sql: 'list_sort(list(DISTINCT version))', read: (value: unknown) => value as string[] }
  const versions = found.map(([version]) => version as string)
  const list = versions.map((version) => dialect.lit(version)).join(', ')
  const sql = `bit_or(CAST(1 AS UBIGINT) << (list_position([${list}]::VARCHAR[], version) - 1))`
  const read = (value: unknown) => versions.filter((_, index) => (BigInt(value as bigint) >> BigInt(index)) & 1n)
  return { sql, read }
}

export async function selectExceptionVersions(
  scope: Scope,
  fingerprints: readonly string[],
  aliases: readonly Alias[],
  since: number,
  select: Select,
  dialect: Dialect,
): Promise<ExceptionVersion[]> {
  if (fingerprints.length === 0) return []
  const where = `${ofThese(scope, fingerprints, dialect)} AND occurred >= ${dialect.lit(since)}`
  const rows = await select(
    `SELECT g, version, count(*), min(occurred), max(occurred) FROM (${groupedEvents('version, occurred', where, aliases, dialect)}) e GROUP BY g, version`,
  )
  return rows.map(([group, version, events, firstAt, lastAt]) => ({
    group: group as string,
    version: version as string,
    events: Number(events),
    firstAt: Number(firstAt),
    lastAt: Number(lastAt),
  }))
}

/** Two steps: whole rows are read for the newest ones only. */
export async function selectExceptionSamples(
  scope: Scope,
  fingerprints: readonly string[],
  select: Select,
  dialect: Dialect,
): Promise<EventRow[]> {
  if (fingerprints.length === 0) return []
  const newest = await select(
    `SELECT newest.eh, newest.id::VARCHAR FROM (SELECT arg_max({'eh': eh, 'id': id}, (occurred, id)) AS newest FROM events WHERE ${ofThese(scope, fingerprints, dialect)} GROUP BY grp) n`,
  )
  if (newest.length === 0) return []
  const hashes = newest.map(([hash]) => dialect.lit(Number(hash))).join(', ')
  const ids = newest.map(([, id]) => dialect.uuid(String(id).replaceAll('-', ''))).join(', ')
  const rows = await select(
    `SELECT ${ROW_COLUMNS} FROM events WHERE eh IN (${hashes}) AND id IN (${ids}) AND ${ofThese(scope, fingerprints, dialect)}`,
  )
  return rows.map((row) => eventRow(readEvent(row, dialect)))
}

function ofThese(scope: Scope, fingerprints: readonly string[], dialect: Dialect): string {
  return `grp IN (${fingerprints.map((one) => dialect.lit(one)).join(', ')}) AND ${scopeSql(scope, dialect)}`
}
