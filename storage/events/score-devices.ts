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
import type { Select } from './select-rows.ts'

const CONTRADICTS = SCORE_RULES.find(({ counts }) => counts.of === 'contradictions') as ScoreRule
const USERS = SCORE_RULES.find(({ counts }) => counts.of === 'users') as ScoreRule
const INDEX = new Map(SCORE_RULES.map((rule, index) => [rule, index]))
/** Index of the rule by the code of its risk, for SQL. */
const RULE_OF_RISK = `CASE risk ${SCORE_RULES.flatMap((rule) => (rule.counts.of === 'risk' ? [`WHEN ${RISK_TYPES[rule.counts.risk].code} THEN ${INDEX.get(rule)}`] : [])).join(' ')} ELSE -1 END`

/**
 * Devices by score over the window, highest first. Rules that need a pass of their own (users) are asked only of devices that they could
 * lift to the wanted score; those that are listed get every hit.
 */
export async function scoreDevices(
  ask: ScoreAsk,
  page: ScorePage,
  select: Select,
  dialect: Dialect,
): ReturnType<DeviceStore['scores']> {
  const where = whereSql(selectionOf(ask), dialect)
  const wanted = Math.max(LEAST_LISTED, page.from)
  const ranked = await select(
    `WITH parts AS MATERIALIZED (${partsSql(where, ask, dialect)}),
     few AS (SELECT k FROM parts GROUP BY k HAVING sum(p) >= ${wanted - USERS.cap}),
     folk AS (SELECT device AS k, count(DISTINCT uid) - ${USUAL_USERS} AS n FROM events WHERE ${where} AND uid IS NOT NULL AND device IN (SELECT k FROM few) GROUP BY device HAVING count(DISTINCT uid) > ${USUAL_USERS}),
     scored AS (SELECT k, least(${SCORE_MAX}, sum(p))::INTEGER AS score, max(t) AS t FROM (
       SELECT k, p, t FROM parts WHERE k IN (SELECT k FROM few)
       UNION ALL SELECT k, ${pointsSql(USERS, 'n')}, 0 FROM folk) u GROUP BY k)
     SELECT k, score, t, ${dialect.groupCount} FROM scored WHERE score >= ${wanted} ORDER BY score DESC, t DESC, k LIMIT ${page.limit} OFFSET ${page.offset}`,
  )
  const keys = ranked.map((row) => Number(row[0]))
  const total = ranked.length > 0 ? Number(ranked[0]?.[3]) : 0
  if (keys.length === 0) return { rows: [], total }
  const hits = await hitsOf(`${where} AND device IN (${keys.join(', ')})`, ask, select, dialect)
  const rows = ranked.map((row): ScoredDevice => {
    const own = hits.get(Number(row[0])) ?? []
    const lastAt = own.reduce((last, hit) => Math.max(last, hit.lastAt), 0)
    return { device: dialect.keyText(row[0]), score: Number(row[1]), lastAt, hits: own }
  })
  return { rows, total }
}

const pointsSql = ({ points, more, cap }: ScoreRule, n: string) =>
  `CASE WHEN ${n} > 0 THEN least(${cap}, ${points} + ${more} * (${n} - 1)) ELSE 0 END`

/** Points p of devices k, and the last time t, but for the users: one row a device is far less to group than one a device and risk. */
function partsSql(where: string, { baselines }: ScoreAsk, dialect: Dialect): string {
  const sum = SCORE_RULES.flatMap((rule) =>
    rule.counts.of === 'risk' && rule.cap > 0
      ? [pointsSql(rule, dialect.countIf(`risk = ${RISK_TYPES[rule.counts.risk].code}`))]
      : [],
  ).join(' + ')
  const risks = `SELECT device AS k, ${sum} AS p, max(occurred) AS t FROM events WHERE ${where} AND ${IS_ATTACK} GROUP BY device`
  const join = baselineJoin(baselines, dialect)
  if (!join) return risks
  return `${risks} UNION ALL SELECT device, ${pointsSql(CONTRADICTS, 'count(*)')}, max(occurred) FROM events${join} WHERE ${where} AND ${TELLS_BUILD} AND ${CONTRADICTION_BITS} > 0 GROUP BY device`
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
