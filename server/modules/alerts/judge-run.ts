import { isRunMeasure } from '#domain/alerts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { countInRun, countInSpan, type EndedRun, endedRuns } from '../../query/run-figures.ts'
import { type AlertRow, tellAlert, tellOpened, writeTotal } from './alert-row.ts'
import { breaches, expectedOf } from './judge.ts'
import { recordWindow } from './record-window.ts'
import type { RuleRow } from './rule-row.ts'

/** A rule that is saved while it is judged is judged once more. */
const MOST_TRIES = 3

/**
 * Judges the rules about runs of monitoring for a run that has ended: the run is their window, and its application the value of their split. The
 * same run again changes nothing, so the end of a run calls this before the run counts as ended for good.
 */
export async function judgeRun(meta: MetaStore, task: string, run: number, now: number): Promise<void> {
  const [ended] = await endedRuns(meta.db, { from: -1, to: Number.MAX_SAFE_INTEGER }, { task, run })
  if (!ended) return
  const rules = await meta.db
    .selectFrom('alert_rules')
    .select(['id', 'apps'])
    .where('time_window', '=', 'run')
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id, apps } of rules)
    if (apps === null || apps.includes(ended.application)) await judgeRule(meta, id, ended, now)
}

async function judgeRule(meta: MetaStore, id: string, ended: EndedRun, now: number): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const rule = await meta.db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst()
    if (!rule?.enabled || rule.deleted_at !== null) return
    const changed = await judge(meta, rule, ended, now)
    if (!changed) continue
    for (const row of changed) {
      const whole = await withTotal(meta, row)
      await tellAlert(meta, whole)
      await tellOpened(meta, whole, now)
    }
    return
  }
}

/** Undefined where the rule was changed meanwhile. */
async function judge(
  meta: MetaStore,
  rule: RuleRow,
  { application, from, end, ...run }: EndedRun,
  now: number,
): Promise<AlertRow[] | undefined> {
  const { measure, condition } = rule
  if (!isRunMeasure(measure)) return []
  const key = String(application)
  const value = await countInRun(meta.db, measure, run)
  const expected = expectedOf(condition, undefined) ?? 0
  const hits = breaches(condition, value, expected) ? [{ key, value, expected, usual: null }] : []
  const isOver = async (alert: AlertRow) => (await countInSpan(meta.db, measure, application, spanOf(alert))).open === 0
  return recordWindow(meta, rule, { from, end, step: 0, pass: 0, hits, run: { task: run.task, key, isOver } }, now)
}

/** Every copy of the alert once, however many runs it goes over. */
async function withTotal(meta: MetaStore, row: AlertRow): Promise<AlertRow> {
  if (!isRunMeasure(row.measure)) return row
  const { all } = await countInSpan(meta.db, row.measure, Number(row.key), spanOf(row))
  return writeTotal(meta, row, Math.max(all, row.value))
}

const spanOf = ({ first_end, window_ms, last_end }: AlertRow) => ({ from: first_end - window_ms, to: last_end })
