import { ProductError } from '#contracts/errors.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { CONTRADICTION_KINDS, type Contradiction } from '#domain/baseline.ts'
import type { ContradictionRequest, ContradictionRow, ContradictionSummary, DeviceStore } from '../device-port.ts'
import type { Select } from '../duckdb/select.ts'
import { baselineJoin, bitsOf, CONTRADICTION_BITS, HAS_BUILD_FIELDS, kindsOf } from '../query/baseline-sql.ts'
import { bucketing } from '../query/buckets.ts'
import { whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { TIME_COLUMN } from '../query/dimensions.ts'
import { cursorOf, ROW_COLUMNS, readEvent } from '../query/select-rows.ts'

const LISTED = 100
const HOURLY_MS = 2 * 86_400_000

/** The returns of the query with what they contradict: rows of `events` and a column `bits` above 0. */
function contradictingSql(request: ContradictionRequest, columns: string, dialect: Dialect): string {
  const { kinds } = request
  const join = baselineJoin(request, dialect)
  const wanted = kinds.length > 0 ? `(bits & ${bitsOf(kinds)}) <> 0` : 'bits <> 0'
  const source = join
    ? `SELECT ${columns}, ${CONTRADICTION_BITS} AS bits FROM events${join} WHERE ${returnsSql(request, dialect)}`
    : `SELECT ${columns}, 0 AS bits FROM events WHERE FALSE`
  return `SELECT * FROM (${source}) r WHERE ${wanted}`
}

/** The returns of the query, whatever they contradict. */
function returnsSql({ query, signer }: ContradictionRequest, dialect: Dialect): string {
  const signed = signer === undefined ? '' : ` AND signer = ${dialect.lit(signer)}`
  return `${whereSql(query, dialect)} AND ${HAS_BUILD_FIELDS}${signed}`
}

/** Counts of contradicting returns: in all, by kind, version, channel and place, and over time. */
export async function summarizeContradictions(
  request: ContradictionRequest,
  select: Select,
  dialect: Dialect,
): Promise<ContradictionSummary> {
  const { query, baselines } = request
  const time = TIME_COLUMN[query.basis]
  const bucket = query.span.to - query.span.from <= HOURLY_MS ? 'hour' : 'day'
  const { sql, start, indexOf } = bucketing(bucket, query.span, query.zone, dialect)
  const found = contradictingSql(request, `${time} AS ts, app, version, channel, device, country, province`, dialect)
  // One pass over the rows leaves few groups; merging groups requires counting devices again.
  const cube = await select(
    `WITH r AS MATERIALIZED (${found})
     SELECT 0, NULL, NULL, bits, count(*), count(DISTINCT device) FROM r GROUP BY bits
     UNION ALL SELECT 1, app::VARCHAR, version, 0, count(*), count(DISTINCT device) FROM r GROUP BY app, version
     UNION ALL SELECT 2, channel, NULL, 0, count(*), count(DISTINCT device) FROM r GROUP BY channel
     UNION ALL SELECT 3, CAST(${sql('ts')} AS VARCHAR), NULL, 0, count(*), 0 FROM r GROUP BY ${sql('ts')}
     UNION ALL SELECT 4, NULL, NULL, 0, count(*), count(DISTINCT device) FROM r
     UNION ALL SELECT 5, country::VARCHAR, province::VARCHAR, 0, count(*), count(DISTINCT device) FROM r GROUP BY country, province`,
  )
  const versions = baselines.map(({ app, version }) => `(${dialect.lit(app)}, ${dialect.lit(version)})`).join(', ')
  const [reported] = await select(
    `SELECT count(*), ${versions ? dialect.countIf(`(app, version) IN (${versions})`) : '0'} FROM events WHERE ${returnsSql(request, dialect)}`,
  )
  const of = (group: number) => cube.filter((row) => Number(row[0]) === group)
  const kinds = Object.fromEntries(CONTRADICTION_KINDS.map((kind) => [kind, 0])) as Record<Contradiction, number>
  for (const row of of(0)) for (const kind of kindsOf(Number(row[3]))) kinds[kind] += Number(row[4])
  const byCount = (a: { count: number }, b: { count: number }) => b.count - a.count
  const counts = (row: readonly unknown[]) => ({ count: Number(row[4]), devices: Number(row[5]) })
  const perBucket = new Map(of(3).map((row) => [Number(row[1]), Number(row[4])]))
  const points: ContradictionSummary['points'] = []
  for (let index = indexOf(query.span.from); index <= indexOf(query.span.to - 1); index++)
    points.push({ start: start(index), count: perBucket.get(index) ?? 0 })
  const [all] = of(4)
  return {
    total: Number(all?.[4] ?? 0),
    devices: Number(all?.[5] ?? 0),
    compared: Number(reported?.[1] ?? 0),
    withoutBaseline: Number(reported?.[0] ?? 0) - Number(reported?.[1] ?? 0),
    kinds,
    versions: of(1)
      .map((row) => ({ app: String(row[1]), version: String(row[2]), ...counts(row) }))
      .sort(byCount)
      .slice(0, LISTED),
    channels: of(2)
      .map((row) => ({ channel: String(row[1]), ...counts(row) }))
      .sort(byCount)
      .slice(0, LISTED),
    places: of(5)
      .map((row) => ({ country: textOf(row[1]), province: textOf(row[2]), ...counts(row) }))
      .sort(byCount)
      .slice(0, LISTED),
    bucket,
    points,
  }
}

const textOf = (value: unknown): string =>
  value === null || value === undefined || String(value) === '0' ? '' : String(value)

/** One page of contradicting returns, newest first. */
export async function listContradictions(
  request: ContradictionRequest,
  { limit, cursor }: { limit: number; cursor?: string },
  select: Select,
  dialect: Dialect,
): ReturnType<DeviceStore['contradicting']> {
  const time = TIME_COLUMN[request.query.basis]
  const columns = `${ROW_COLUMNS}, id AS sort_id`
  const after = cursor === undefined ? '' : ` AND ${afterSql(cursor, time, dialect)}`
  const found = await select(
    `SELECT * EXCLUDE (sort_id) FROM (${contradictingSql(request, columns, dialect)}${after}) f ORDER BY ${time} DESC, sort_id DESC, app DESC LIMIT ${limit + 1}`,
  )
  const rows = found
    .slice(0, limit)
    .map((row): ContradictionRow => ({ row: eventRow(readEvent(row, dialect)), kinds: kindsOf(Number(row.at(-1))) }))
  const last = rows.at(-1)
  return { rows, ...(found.length > limit && last && { nextCursor: cursorOf(last.row, request.query.basis) }) }
}

function afterSql(cursor: string, time: string, dialect: Dialect): string {
  const match = /^(\d{1,15})\.(\d{1,9})\.([0-9a-f]{32})$/.exec(cursor)
  if (!match) throw new ProductError('input.invalid', { detail: 'cursor' })
  const [, at, app, id] = match as unknown as [string, string, string, string]
  const uuid = dialect.uuid(id)
  return `(${time} < ${at} OR (${time} = ${at} AND (sort_id < ${uuid} OR (sort_id = ${uuid} AND app < ${app}))))`
}
