import { sql } from 'kysely'
import type { Conclusion, SelfCheckClause } from '#contracts/http/self-check/checks.ts'
import { PRIVACY_ITEMS, type PrivacyItem } from '#engines/detect/catalogue/privacy-data.ts'
import type { PrivacyResult } from '#engines/detect/result/scan-result.ts'
import type { ServerDeps } from '../../http/module.ts'
import { readResult } from '../detection/result-file.ts'

type Answer = NonNullable<SelfCheckClause['answer']>
/** The jobs process has these too. */
type Deps = Pick<ServerDeps, 'meta' | 'files'>
type Machine = SelfCheckClause['machine']

/**
 * What a person's answer and the package say together. A person decides; where the package shows the contrary, that is said, for such a
 * contradiction is what an inspector looks for. Without an answer the package decides what it can.
 */
export function conclude(
  item: Pick<PrivacyItem, 'good'>,
  answer: Pick<Answer, 'value'> | null,
  machine: Machine,
): Conclusion {
  if (!answer) return machine === null ? 'open' : BY_MACHINE[machine.verdict]
  if (answer.value !== 'na' && answer.value !== item.good) return 'violate'
  if (machine?.verdict === 'fail') return 'conflict'
  return answer.value === 'na' ? 'not_applicable' : 'conform'
}

const BY_MACHINE: Record<NonNullable<Machine>['verdict'], Conclusion> = {
  fail: 'violate',
  pass: 'conform',
  not_applicable: 'not_applicable',
  not_assessed: 'open',
  manual: 'open',
}

export type Basis = { id: string; name: string; version: string; at: number }

/** The newest privacy detection of each application. */
export async function newestDetections({ meta }: Deps, apps: readonly number[]): Promise<Map<number, Basis>> {
  const rows = await meta.db
    .selectFrom('detection_tasks')
    .distinctOn('application_id')
    .select(['application_id', 'id', 'name', 'version', 'ended_at', 'created_at'])
    .where((where) => where('application_id', '=', where.fn.any(where.val([...apps]))))
    .where('state', '=', 'detected')
    .where('result_file', 'is not', null)
    .where(sql<boolean>`'privacy' = any(kinds)`)
    .orderBy('application_id')
    .orderBy('ended_at', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.application_id!,
      { id: row.id, name: row.name, version: row.version, at: row.ended_at ?? row.created_at },
    ]),
  )
}

/** Every clause of the questionnaire as it is for an application. */
export async function readClauses(
  deps: Deps,
  app: number,
): Promise<{ clauses: SelfCheckClause[]; basis: Basis | null }> {
  const basis = (await newestDetections(deps, [app])).get(app) ?? null
  const [answers, machine] = await Promise.all([
    readAnswers(deps, app),
    basis ? readMachine(deps, basis.id) : new Map<string, PrivacyResult>(),
  ])
  const clauses = PRIVACY_ITEMS.map((item): SelfCheckClause => {
    const answer = answers.get(item.id) ?? null
    const result = machine.get(item.id)
    const said = result ? { verdict: result.verdict, reason: result.reason, chains: result.chains.length } : null
    return {
      id: item.id,
      source: item.source,
      clause: item.clause,
      level: item.level,
      name: { zh: item.zh, en: item.en },
      question: { zh: item.questionZh, en: item.questionEn },
      good: item.good,
      methods: [...item.methods],
      answer,
      machine: said,
      conclusion: conclude(item, answer, said),
    }
  })
  return { clauses, basis }
}

async function readAnswers({ meta }: Deps, app: number): Promise<Map<string, Answer>> {
  const rows = await meta.db
    .selectFrom('self_check_answers as answer')
    .leftJoin('users', 'users.id', 'answer.by_user')
    .select(['answer.item', 'answer.value', 'answer.note', 'answer.rev', 'answer.at', 'users.username'])
    .where('application_id', '=', app)
    .execute()
  return new Map(
    rows.map(({ item, value, note, rev, at, username }) => [item, { value, note, rev, at, by: username ?? '' }]),
  )
}

async function readMachine(deps: Deps, task: string): Promise<Map<string, PrivacyResult>> {
  const row = await deps.meta.db
    .selectFrom('detection_tasks')
    .select(['state', 'result_file'])
    .where('id', '=', task)
    .executeTakeFirst()
  if (!row) return new Map()
  const { privacy } = await readResult(deps, row)
  return new Map(privacy.map((one) => [one.id, one]))
}

export function countConclusions(clauses: readonly SelfCheckClause[]): Record<Conclusion, number> {
  const counts = { violate: 0, conflict: 0, open: 0, conform: 0, not_applicable: 0 }
  for (const { conclusion } of clauses) counts[conclusion]++
  return counts
}
