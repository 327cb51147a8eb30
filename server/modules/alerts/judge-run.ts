import { sql, type Transaction } from 'kysely'
import { isRunMeasure } from '#domain/alerts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { countInRuns, countInSpan, type EndedRun, runToJudge } from '../../query/run-figures.ts'
import { type AlertRow, tellAlert, tellOpened, writeTotal } from './alert-row.ts'
import { resolveAlerts } from './end-alerts.ts'
import { breaches, expectedOf } from './judge.ts'
import { recordIn } from './record-window.ts'
import type { RuleRow } from './rule-row.ts'

/**
 * Judges the rules about runs of monitoring for a run that has ended: the run is their window, and its application the value of their split. All
 * rules are judged in one transaction, which also marks the run as judged. So a run is judged once; where this fails, it is judged by none, and
 * the next run that is judged counts what it found.
 */
export async function judgeRun(meta: MetaStore, task: string, run: number, now: number): Promise<void> {
  const changed = await meta.db.transaction().execute(async (tx) => {
    // A task that is deleted meanwhile waits, or is gone here: it leaves no alert behind.
    await tx.selectFrom('monitor_tasks').select('id').where('id', '=', task).forUpdate().execute()
    const ended = await runToJudge(tx, task, run)
    if (!ended) return []
    // Locked, so that no rule says otherwise before its alert is written.
    const rules = await tx
      .selectFrom('alert_rules')
      .selectAll()
      .where('time_window', '=', 'run')
      .where('enabled', '=', true)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`(apps is null or ${ended.application} = any(apps))`)
      .orderBy('id')
      .forUpdate()
      .execute()
    const rows: AlertRow[] = []
    for (const rule of rules) rows.push(...(await judge(tx, rule, ended, now)))
    await tx
      .updateTable('monitor_runs')
      .set({ judged_at: now })
      .where('task_id', '=', task)
      .where('run', '=', run)
      .execute()
    return rows
  })
  for (const row of changed) {
    const whole = await withTotal(meta, row)
    await tellAlert(meta, whole)
    await tellOpened(meta, whole, now)
  }
}

async function judge(tx: Transaction<Database>, rule: RuleRow, ended: EndedRun, now: number): Promise<AlertRow[]> {
  const { measure, condition } = rule
  if (!isRunMeasure(measure)) return []
  const { task, application, from, end } = ended
  const key = String(application)
  const [value = 0] = await countInRuns(tx, measure, [ended])
  const expected = expectedOf(condition, undefined) ?? 0
  const hits = breaches(condition, value, expected) ? [{ key, value, expected, usual: null }] : []
  const run = { task, key, isOver: (alert: AlertRow) => isOver(tx, alert) }
  return recordIn(tx, rule, { from, end, step: 0, pass: 0, hits, run }, now)
}

/** Nothing of what the alert counted is there any more. It counted what its rule said when it was raised. */
async function isOver(tx: Transaction<Database>, alert: AlertRow): Promise<boolean> {
  const { measure, key } = alert
  return !isRunMeasure(measure) || (await countInSpan(tx, measure, Number(key), spanOf(alert))).open === 0
}

/**
 * Ends the alerts about runs of an application that count nothing any more: a task was deleted with its copies, and no run of it will say so.
 * The caller's transaction has deleted them.
 */
export async function endOverAlerts(tx: Transaction<Database>, application: number, now: number): Promise<void> {
  const open = await tx
    .selectFrom('alerts')
    .selectAll()
    .where('task_id', 'is not', null)
    .where('key', '=', String(application))
    .where('resolved_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const over: string[] = []
  for (const alert of open) if (await isOver(tx, alert)) over.push(alert.id)
  await resolveAlerts(tx, over, now)
}

/** Every copy of the alert once, however many runs it goes over. */
async function withTotal(meta: MetaStore, row: AlertRow): Promise<AlertRow> {
  if (!isRunMeasure(row.measure)) return row
  const { all } = await countInSpan(meta.db, row.measure, Number(row.key), spanOf(row))
  return writeTotal(meta, row, Math.max(all, row.value))
}

const spanOf = ({ first_end, window_ms, last_end }: AlertRow) => ({ from: first_end - window_ms, to: last_end })
