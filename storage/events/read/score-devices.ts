import { pointsOf, SCORE_MAX, SCORE_RULES, type ScoreRule, USUAL_USERS } from '#domain/device-score.ts'
import type { Span } from '#domain/time-range.ts'
import { RISK_TYPES } from '#domain/vocabulary.ts'
import type { AggregateReader } from '../cache/aggregate-cache.ts'
import { wholeDays } from '../cache/span-pieces.ts'
import {
  type DeviceStore,
  MIN_LISTED_SCORE,
  type RuleHit,
  type ScoredDevice,
  type ScorePage,
  type ScoreRequest,
} from '../device-port.ts'
import type { Scan, Select } from '../duckdb/select.ts'
import { baselineJoin, CONTRADICTION_BITS, HAS_BUILD_FIELDS } from '../query/baseline-sql.ts'
import { filtersSql, type Selection, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { IS_ATTACK } from '../query/measures.ts'

const CONTRADICTS = SCORE_RULES.find(({ counts }) => counts.of === 'contradictions') as ScoreRule
const USERS = SCORE_RULES.find(({ counts }) => counts.of === 'users') as ScoreRule
const INDEX = new Map(SCORE_RULES.map((rule, index) => [rule, index]))
/** Index of the rule by the code of its risk, for SQL. */
const RULE_OF_RISK = `CASE risk ${SCORE_RULES.flatMap((rule) => (rule.counts.of === 'risk' ? [`WHEN ${RISK_TYPES[rule.counts.risk].code} THEN ${INDEX.get(rule)}`] : [])).join(' ')} ELSE -1 END`

/**
 * Devices by score over the window, highest first. Counts by device and rule are accumulated in one pass over the rows; the rule about
 * users needs a query of its own, limited to devices that it could lift to the wanted score. Listed devices get all of their hits.
 */
export async function scoreDevices(
  request: ScoreRequest,
  page: ScorePage,
  select: Select,
  scan: Scan,
  dialect: Dialect,
  reader?: AggregateReader,
): ReturnType<DeviceStore['scores']> {
  const where = whereSql(selectionOf(request), dialect)
  const wanted = Math.max(MIN_LISTED_SCORE, page.from)
  const scored = (await sumPoints(request, scan, dialect, reader)).filter(({ sum }) => sum >= wanted - USERS.cap)
  if (scored.length === 0) return { rows: [], total: 0 }
  const many = reader && (await devicesWithManyUsers(scan, dialect, reader))
  const lifted = many ? scored.filter(({ key }) => many.has(key)) : scored
  const extraUsers =
    lifted.length === 0
      ? []
      : await select(
          `SELECT device, count(DISTINCT uid) - ${USUAL_USERS} FROM events WHERE ${where} AND uid IS NOT NULL AND device IN (${lifted.map(({ key }) => key).join(', ')}) GROUP BY device HAVING count(DISTINCT uid) > ${USUAL_USERS}`,
        )
  const more = new Map(extraUsers.map(([key, count]) => [Number(key), pointsOf(USERS, Number(count))]))
  const ranked = scored
    .map(({ key, sum, at }) => ({ key, at, score: Math.min(SCORE_MAX, sum + (more.get(key) ?? 0)) }))
    .filter(({ score }) => score >= wanted)
    .sort((a, b) => b.score - a.score || b.at - a.at || a.key - b.key)
  const listed = ranked.slice(page.offset, page.offset + page.limit)
  if (listed.length === 0) return { rows: [], total: ranked.length }
  const these = `${where} AND device IN (${listed.map(({ key }) => key).join(', ')})`
  const withUsers = listed.some(({ key }) => more.has(key))
  const hits = await hitsOf(these, request, select, dialect, withUsers)
  const rows = listed.map(({ key, score }): ScoredDevice => {
    const own = hits.get(key) ?? []
    const lastAt = own.reduce((last, hit) => Math.max(last, hit.lastAt), 0)
    return { device: dialect.keyText(key), score, lastAt, hits: own }
  })
  return { rows, total: ranked.length }
}

/** Rules that are counted by device, each with a column of its own. */
const COUNTED = SCORE_RULES.filter((rule) => rule.cap > 0 && rule.counts.of !== 'users')
/** Counts saturate here: no rule gives more points for more. */
const MOST = 255
/** Keys that may be added between the snapshot of the rows and the allocation of the table. */
const SPARE_KEYS = 1 << 16

type Sum = { key: number; sum: number; at: number }

/** Counts of each rule by device, and the last time a rule matched (epoch seconds). */
class Tally {
  readonly counts: Uint8Array
  readonly last: Uint32Array
  readonly keys: number

  constructor(keys: number) {
    this.keys = keys
    this.counts = new Uint8Array(keys * COUNTED.length)
    this.last = new Uint32Array(keys)
  }

  /** A copy with room for this many keys. */
  copy(keys: number): Tally {
    const copy = new Tally(Math.max(keys, this.keys))
    copy.counts.set(this.counts)
    copy.last.set(this.last)
    return copy
  }

  get bytes(): number {
    return this.counts.byteLength + this.last.byteLength
  }
}

/**
 * The points of every device without the rule about users. Counts over the whole days of the window are cached; its ends and rows appended
 * since are added.
 */
async function sumPoints(
  request: ScoreRequest,
  scan: Scan,
  dialect: Dialect,
  reader?: AggregateReader,
): Promise<Sum[]> {
  const selection = selectionOf(request)
  const keys = dialect.keyCount() + SPARE_KEYS
  const days = wholeDays(request.span, request.zone)
  const name = `score ${filtersSql(selection, dialect).join(' AND ')} ${baselineJoin(request, dialect)}`
  const known = days && (await reader?.prepare<Tally>([name]))
  const [entry] = known?.entries ?? []
  let tally = new Tally(keys)
  const add = (span: Span, more: string) => addSpan(tally, { ...selection, span }, more, request, scan, dialect)
  if (known && entry && days) {
    const piece = `${days.from} ${days.to}`
    const whole = entry.get(piece)
    if (whole) tally = whole.copy(keys)
    else {
      await add(days, known.before)
      // Only today's window is queried again.
      entry.replaceWith(piece, tally, tally.bytes)
      known.evict()
      tally = tally.copy(keys)
    }
    await add({ from: request.span.from, to: days.from }, '')
    await add({ from: days.to, to: request.span.to }, '')
    if (known.since) await add(days, known.since)
  } else await add(request.span, '')
  return sumsOf(tally)
}

async function addSpan(
  tally: Tally,
  selection: Selection,
  more: string,
  request: ScoreRequest,
  scan: Scan,
  dialect: Dialect,
): Promise<void> {
  const { counts, last } = tally
  const columnOf = new Uint8Array(256)
  for (const [index, { counts: what }] of COUNTED.entries())
    if (what.of === 'risk') columnOf[RISK_TYPES[what.risk].code] = index + 1
  const where = `${whereSql(selection, dialect)}${more}`
  const at = `CAST(greatest(0, occurred // 1000) AS UINTEGER)`
  const risks = `SELECT device, CAST(risk AS UINTEGER), ${at} FROM events WHERE ${where} AND ${IS_ATTACK}`
  await scan(risks, 3, ([devices, codes, times], count) =>
    addRows(counts, last, devices as Uint32Array, codes as Uint32Array, times as Uint32Array, columnOf, count),
  )
  const join = baselineJoin(request, dialect)
  if (!join) return
  const contradictions = COUNTED.indexOf(CONTRADICTS)
  await scan(
    `SELECT device, CAST(least(${MOST}, count(*)) AS UINTEGER), max(${at}) FROM events${join} WHERE ${where} AND ${HAS_BUILD_FIELDS} AND ${CONTRADICTION_BITS} > 0 GROUP BY device`,
    3,
    ([devices = NONE, many = NONE, times = NONE], count) => {
      for (let row = 0; row < count; row++) {
        const key = devices[row] as number
        const slot = key * COUNTED.length + contradictions
        counts[slot] = Math.min(MOST, (counts[slot] as number) + (many[row] as number))
        last[key] = Math.max(last[key] as number, times[row] as number)
      }
    },
  )
}

function sumsOf({ counts, last, keys }: Tally): Sum[] {
  const points = COUNTED.map((rule) => Uint32Array.from({ length: MOST + 1 }, (_, count) => pointsOf(rule, count)))
  const sums: Sum[] = []
  for (let key = 0; key < keys; key++) {
    if (last[key] === 0) continue
    let sum = 0
    for (const [index, table] of points.entries())
      sum += table[counts[key * COUNTED.length + index] as number] as number
    if (sum > 0) sums.push({ key, sum, at: last[key] as number })
  }
  return sums
}

/** Devices with more users than usual over all time: few, and only they can have them in the window. */
type UsersPerDevice = { first: Uint32Array; second: Uint32Array; many: Set<number> }

async function devicesWithManyUsers(
  scan: Scan,
  dialect: Dialect,
  reader: AggregateReader,
): Promise<ReadonlySet<number>> {
  const state = await reader.incremental<UsersPerDevice>('usersPerDevice', async (known, since) => {
    const keys = dialect.keyCount() + SPARE_KEYS
    const grown = known && known.first.length >= dialect.keyCount() ? known : growUsersPerDevice(known, keys)
    await scan(`SELECT device, uid FROM events WHERE uid IS NOT NULL${since}`, 2, ([devices, users], count) =>
      addUsers(grown, devices as Uint32Array, users as Uint32Array, count),
    )
    return { value: grown, bytes: grown.first.byteLength * 2 + grown.many.size * 40 }
  })
  return state.many
}

function growUsersPerDevice(known: UsersPerDevice | undefined, keys: number): UsersPerDevice {
  const state: UsersPerDevice = {
    first: new Uint32Array(keys),
    second: new Uint32Array(keys),
    many: known?.many ?? new Set(),
  }
  if (known) {
    state.first.set(known.first)
    state.second.set(known.second)
  }
  return state
}

function addUsers(
  { first, second, many }: UsersPerDevice,
  devices: Uint32Array,
  users: Uint32Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const [device, user] = [devices[row] as number, users[row] as number]
    const known = first[device]
    if (known === user) continue
    if (known === 0) first[device] = user
    else if (second[device] === 0) second[device] = user
    else if (second[device] !== user) many.add(device)
  }
}

const NONE = new Uint32Array(0)

function addRows(
  counts: Uint8Array,
  last: Uint32Array,
  devices: Uint32Array,
  codes: Uint32Array,
  times: Uint32Array,
  columnOf: Uint8Array,
  count: number,
): void {
  for (let row = 0; row < count; row++) {
    const key = devices[row] as number
    const time = times[row] as number
    if (time > (last[key] as number)) last[key] = time
    const column = columnOf[codes[row] as number] as number
    if (column === 0) continue
    const at = key * COUNTED.length + column - 1
    const before = counts[at] as number
    if (before < MOST) counts[at] = before + 1
  }
}

/** The hits of one device; cached until rows of it are appended. */
export async function deviceHits(
  request: ScoreRequest,
  device: string,
  select: Select,
  dialect: Dialect,
  reader?: AggregateReader,
): ReturnType<DeviceStore['hits']> {
  const key = dialect.key(device)
  if (key === undefined) return []
  const selection = selectionOf(request)
  const about = `device = ${key}`
  const read = async () => {
    const hits = await hitsOf(`${whereSql(selection, dialect)} AND ${about}`, request, select, dialect)
    return { hits: hits.get(Number(key)) ?? [], about }
  }
  const name = ['hits', about, ...filtersSql(selection, dialect), baselineJoin(request, dialect)].join(' ')
  const { hits } = reader
    ? await reader.cachedUntilChanged(name, { time: 'occurred', ...request.span }, read)
    : await read()
  return hits
}

const selectionOf = ({ span, scope, filters, zone }: ScoreRequest): Selection => ({
  span,
  scope,
  filters,
  zone,
  basis: 'occurred',
})

/** CTE `hits`: one row a device and rule, but for the users: device k, rule r, count n, last time t. */
function hitsSql(where: string, request: ScoreRequest, dialect: Dialect): string {
  const join = baselineJoin(request, dialect)
  const risks = `SELECT device AS k, ${RULE_OF_RISK} AS r, count(*) AS n, max(occurred) AS t FROM events WHERE ${where} AND ${IS_ATTACK} GROUP BY device, risk`
  const builds = join
    ? ` UNION ALL SELECT device, ${INDEX.get(CONTRADICTS)}, count(*), max(occurred) FROM events${join} WHERE ${where} AND ${HAS_BUILD_FIELDS} AND ${CONTRADICTION_BITS} > 0 GROUP BY device`
    : ''
  return `hits AS MATERIALIZED (SELECT k, r, n, t FROM (${risks}${builds}) h WHERE r >= 0)`
}

/** Every hit of the devices that `where` leaves, the heaviest rule first. */
async function hitsOf(
  where: string,
  request: ScoreRequest,
  select: Select,
  dialect: Dialect,
  withUsers = true,
): Promise<Map<number, RuleHit[]>> {
  const users = withUsers
    ? ` UNION ALL SELECT device, ${INDEX.get(USERS)}, count(DISTINCT uid) - ${USUAL_USERS}, max(occurred) FROM events WHERE ${where} AND uid IS NOT NULL GROUP BY device HAVING count(DISTINCT uid) > ${USUAL_USERS}`
    : ''
  const found = await select(`WITH ${hitsSql(where, request, dialect)} SELECT k, r, n, t FROM hits${users}`)
  const hits = new Map<number, RuleHit[]>()
  for (const [key, index, n, at] of found) {
    const rule = SCORE_RULES[Number(index)] as ScoreRule
    const count = Number(n)
    const own = hits.get(Number(key)) ?? []
    own.push({ rule: rule.id, count, points: pointsOf(rule, count), lastAt: Number(at) })
    hits.set(Number(key), own)
  }
  for (const own of hits.values()) own.sort((a, b) => b.points - a.points || b.lastAt - a.lastAt)
  return hits
}
