import { pointsOf, SCORE_MAX, SCORE_RULES, type ScoreRule, USUAL_USERS } from '#contracts/device-score.ts'
import { RISK_TYPES } from '#contracts/vocabulary.ts'
import { baselineJoin, CONTRADICTION_BITS, TELLS_BUILD } from './baseline-sql.ts'
import { type Selection, whereSql } from './compile-query.ts'
import {
  type DeviceStore,
  LEAST_LISTED,
  type RuleHit,
  type ScoreAsk,
  type ScoredDevice,
  type ScorePage,
} from './device-port.ts'
import type { Dialect } from './dialect.ts'
import { IS_ATTACK } from './measures.ts'
import type { Scan, Select } from './select-rows.ts'

const CONTRADICTS = SCORE_RULES.find(({ counts }) => counts.of === 'contradictions') as ScoreRule
const USERS = SCORE_RULES.find(({ counts }) => counts.of === 'users') as ScoreRule
const INDEX = new Map(SCORE_RULES.map((rule, index) => [rule, index]))
/** Index of the rule by the code of its risk, for SQL. */
const RULE_OF_RISK = `CASE risk ${SCORE_RULES.flatMap((rule) => (rule.counts.of === 'risk' ? [`WHEN ${RISK_TYPES[rule.counts.risk].code} THEN ${INDEX.get(rule)}`] : [])).join(' ')} ELSE -1 END`

/**
 * Devices by score over the window, highest first. What is counted by device and rule is added up in one pass over the rows; users, whose
 * rule needs a pass of its own, are asked only of devices that it could lift to the wanted score. Those that are listed get every hit.
 */
export async function scoreDevices(
  ask: ScoreAsk,
  page: ScorePage,
  select: Select,
  scan: Scan,
  dialect: Dialect,
): ReturnType<DeviceStore['scores']> {
  const where = whereSql(selectionOf(ask), dialect)
  const wanted = Math.max(LEAST_LISTED, page.from)
  const scored = (await addUp(where, ask, scan, dialect)).filter(({ sum }) => sum >= wanted - USERS.cap)
  if (scored.length === 0) return { rows: [], total: 0 }
  const folk = await select(
    `SELECT device, count(DISTINCT uid) - ${USUAL_USERS} FROM events WHERE ${where} AND uid IS NOT NULL AND device IN (${scored.map(({ key }) => key).join(', ')}) GROUP BY device HAVING count(DISTINCT uid) > ${USUAL_USERS}`,
  )
  const more = new Map(folk.map(([key, count]) => [Number(key), pointsOf(USERS, Number(count))]))
  const ranked = scored
    .map(({ key, sum, at }) => ({ key, at, score: Math.min(SCORE_MAX, sum + (more.get(key) ?? 0)) }))
    .filter(({ score }) => score >= wanted)
    .sort((a, b) => b.score - a.score || b.at - a.at || a.key - b.key)
  const listed = ranked.slice(page.offset, page.offset + page.limit)
  if (listed.length === 0) return { rows: [], total: ranked.length }
  const these = `${where} AND device IN (${listed.map(({ key }) => key).join(', ')})`
  const hits = await hitsOf(these, ask, select, dialect)
  const rows = listed.map(({ key, score }): ScoredDevice => {
    const own = hits.get(key) ?? []
    const lastAt = own.reduce((last, hit) => Math.max(last, hit.lastAt), 0)
    return { device: dialect.keyText(key), score, lastAt, hits: own }
  })
  return { rows, total: ranked.length }
}

/** Rules that are counted by device, each with a column of its own. */
const COUNTED = SCORE_RULES.filter((rule) => rule.cap > 0 && rule.counts.of !== 'users')
/** Counts stop here: no rule gives more points for more. */
const MOST = 255
/** Keys that may come between the snapshot of the rows and the making of the table. */
const SPARE_KEYS = 1 << 16

type Sum = { key: number; sum: number; at: number }

/** The points of every device that has any, but for its users, and when it last gave a reason. */
async function addUp(where: string, ask: ScoreAsk, scan: Scan, dialect: Dialect): Promise<Sum[]> {
  const keys = dialect.keyCount() + SPARE_KEYS
  const counts = new Uint8Array(keys * COUNTED.length)
  const last = new Uint32Array(keys)
  const columnOf = new Uint8Array(256)
  for (const [index, { counts: what }] of COUNTED.entries())
    if (what.of === 'risk') columnOf[RISK_TYPES[what.risk].code] = index + 1
  // A time fits 32 bits; of spans longer than 49 days it is coarser.
  const { from, to } = ask.span
  const unit = Math.ceil((to - from) / 2 ** 32)
  const at = `CAST((occurred - ${dialect.lit(from)}) // ${unit} AS UINTEGER)`
  const risks = `SELECT device, CAST(risk AS UINTEGER), ${at} FROM events WHERE ${where} AND ${IS_ATTACK}`
  await scan(risks, 3, ([devices, codes, times], count) =>
    addRows(counts, last, devices as Uint32Array, codes as Uint32Array, times as Uint32Array, columnOf, count),
  )
  const join = baselineJoin(ask.baselines, dialect)
  const contradictions = COUNTED.indexOf(CONTRADICTS)
  if (join)
    await scan(
      `SELECT device, CAST(least(${MOST}, count(*)) AS UINTEGER), max(${at}) FROM events${join} WHERE ${where} AND ${TELLS_BUILD} AND ${CONTRADICTION_BITS} > 0 GROUP BY device`,
      3,
      ([devices = NONE, many = NONE, times = NONE], count) => {
        for (let row = 0; row < count; row++) {
          const key = devices[row] as number
          counts[key * COUNTED.length + contradictions] = many[row] as number
          last[key] = Math.max(last[key] as number, times[row] as number)
        }
      },
    )
  const points = COUNTED.map((rule) => Uint32Array.from({ length: MOST + 1 }, (_, count) => pointsOf(rule, count)))
  const sums: Sum[] = []
  for (let key = 0; key < keys; key++) {
    let sum = 0
    for (const [index, table] of points.entries())
      sum += table[counts[key * COUNTED.length + index] as number] as number
    if (sum > 0) sums.push({ key, sum, at: last[key] as number })
  }
  return sums
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

/** The hits of one device. */
export async function deviceHits(
  ask: ScoreAsk,
  device: string,
  select: Select,
  dialect: Dialect,
): ReturnType<DeviceStore['hits']> {
  const key = dialect.key(device)
  if (key === undefined) return []
  const hits = await hitsOf(`${whereSql(selectionOf(ask), dialect)} AND device = ${key}`, ask, select, dialect)
  return hits.get(Number(key)) ?? []
}

const selectionOf = ({ span, scope, filters, zone }: ScoreAsk): Selection => ({
  span,
  scope,
  filters,
  zone,
  basis: 'occurred',
})

/** CTE `hits`: one row a device and rule, but for the users: device k, rule r, count n, last time t. */
function hitsSql(where: string, { baselines }: ScoreAsk, dialect: Dialect): string {
  const join = baselineJoin(baselines, dialect)
  const risks = `SELECT device AS k, ${RULE_OF_RISK} AS r, count(*) AS n, max(occurred) AS t FROM events WHERE ${where} AND ${IS_ATTACK} GROUP BY device, risk`
  const builds = join
    ? ` UNION ALL SELECT device, ${INDEX.get(CONTRADICTS)}, count(*), max(occurred) FROM events${join} WHERE ${where} AND ${TELLS_BUILD} AND ${CONTRADICTION_BITS} > 0 GROUP BY device`
    : ''
  return `hits AS MATERIALIZED (SELECT k, r, n, t FROM (${risks}${builds}) h WHERE r >= 0)`
}

/** Every hit of the devices that `where` leaves, the heaviest rule first. */
async function hitsOf(where: string, ask: ScoreAsk, select: Select, dialect: Dialect): Promise<Map<number, RuleHit[]>> {
  const found = await select(
    `WITH ${hitsSql(where, ask, dialect)} SELECT k, r, n, t FROM hits UNION ALL SELECT device, ${INDEX.get(USERS)}, count(DISTINCT uid) - ${USUAL_USERS}, max(occurred) FROM events WHERE ${where} AND uid IS NOT NULL GROUP BY device HAVING count(DISTINCT uid) > ${USUAL_USERS}`,
  )
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
