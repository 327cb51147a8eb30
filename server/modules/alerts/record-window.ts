import { randomUUID } from 'node:crypto'
import { type Selectable, sql, type Transaction } from 'kysely'
import { alertFilters } from '#domain/alerts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { AlertRow } from './alert-row.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import type { Hit } from './judge-window.ts'
import type { RuleRow } from './rule-row.ts'
import { continues } from './windows.ts'

type Tx = Transaction<Database>
/** What became of one window. */
export type Judged = {
  /** Start and end of the window, and how far the ends of two adjacent ones lie apart. */
  from: number
  end: number
  step: number
  /** null is the look at a window that still runs. */
  pass: number | null
  hits: readonly Hit[]
  /** Of a run of monitoring: its task, the value that it says something about, and whether an alert of it is over by now. */
  run?: { task: string; key: string; isOver(alert: AlertRow): Promise<boolean> }
}

/**
 * Writes what a window's judging found, in one transaction: breaches, the alerts that they raise or continue, what is to be delivered, and
 * how far the pass has come. A process that dies in between leaves nothing half done; the same window again raises counts, never a second
 * alert. Answers the alerts that changed; undefined where the rule was changed meanwhile, so that this judgement is void.
 */
export async function recordWindow(
  meta: MetaStore,
  rule: RuleRow,
  judged: Judged,
  now: number,
): Promise<AlertRow[] | undefined> {
  return meta.db.transaction().execute(async (tx) => {
    // One writer a rule: another process that judges the same rule waits here.
    const current = await tx
      .selectFrom('alert_rules')
      .select(['version', 'enabled', 'deleted_at'])
      .where('id', '=', rule.id)
      .forUpdate()
      .executeTakeFirst()
    if (!current?.enabled || current.deleted_at !== null || current.version !== rule.version) return undefined
    const changed = await recordIn(tx, rule, judged, now)
    if (judged.pass !== null) await setProgress(tx, rule.id, judged.pass, judged.end)
    return changed
  })
}

/** The breaches and the alerts of them, in a transaction that holds the lock of the rule. Answers the alerts that changed. */
export async function recordIn(tx: Tx, rule: RuleRow, judged: Judged, now: number): Promise<AlertRow[]> {
  const changed = new Map<string, AlertRow>()
  for (const hit of judged.hits) {
    const row = await recordHit(tx, rule, judged, hit, now)
    if (row) changed.set(row.id, row)
  }
  if (judged.pass === 0) for (const row of await resolveEnded(tx, rule, judged, now)) changed.set(row.id, row)
  return [...changed.values()]
}

export async function setProgress(
  tx: Pick<Tx, 'insertInto'>,
  ruleId: string,
  pass: number,
  upto: number,
): Promise<void> {
  await tx
    .insertInto('alert_progress')
    .values({ rule_id: ruleId, pass, upto })
    .onConflict((conflict) => conflict.columns(['rule_id', 'pass']).doUpdateSet({ upto }))
    .execute()
}

async function recordHit(tx: Tx, rule: RuleRow, judged: Judged, hit: Hit, now: number): Promise<AlertRow | undefined> {
  const { end } = judged
  const known = await tx
    .selectFrom('alert_windows')
    .selectAll()
    .where('rule_id', '=', rule.id)
    .where('window_end', '=', end)
    .where('key', '=', hit.key)
    .executeTakeFirst()
  if (known) return known.value === hit.value ? undefined : growWindow(tx, known, hit)
  const alert = (await alertToContinue(tx, rule, hit.key, judged)) ?? (await raise(tx, rule, judged, hit, now))
  await tx
    .insertInto('alert_windows')
    .values({
      rule_id: rule.id,
      window_end: end,
      key: hit.key,
      alert_id: alert.id,
      value: hit.value,
      expected: hit.expected,
    })
    .execute()
  const newest = end >= alert.last_end
  // A breach of the present brings an alert back; one that is seen late, after the alert had ended, only counts.
  const again = alert.resolved_at !== null && judged.pass !== 1 && judged.pass !== 2
  if (again) await addStep(tx, alert.id, now, 'again', '', String(hit.value))
  return change(tx, alert, {
    first_end: Math.min(alert.first_end, end),
    last_end: Math.max(alert.last_end, end),
    peak: Math.max(alert.peak, hit.value),
    ...(newest && { value: hit.value, expected: hit.expected, usual: hit.usual }),
    ...(again && { resolved_at: null }),
  })
}

/** Rows that came late: the window's count, and the alert's where it is the newest window. Counts never fall. */
async function growWindow(
  tx: Tx,
  known: Selectable<Database['alert_windows']>,
  hit: Hit,
): Promise<AlertRow | undefined> {
  const value = Math.max(known.value, hit.value)
  if (value === known.value) return undefined
  await tx
    .updateTable('alert_windows')
    .set({ value })
    .where('rule_id', '=', known.rule_id)
    .where('window_end', '=', known.window_end)
    .where('key', '=', known.key)
    .execute()
  const alert = await tx.selectFrom('alerts').selectAll().where('id', '=', known.alert_id).executeTakeFirst()
  if (!alert) return undefined
  return change(tx, alert, {
    peak: Math.max(alert.peak, value),
    ...(known.window_end === alert.last_end && { value }),
  })
}

/** The newest alert of this rule and value that the window belongs to. */
async function alertToContinue(
  tx: Tx,
  rule: RuleRow,
  key: string,
  { end, step }: Judged,
): Promise<AlertRow | undefined> {
  const rows = await tx
    .selectFrom('alerts')
    .selectAll()
    .where('rule_id', '=', rule.id)
    .where('key', '=', key)
    .orderBy('last_end', 'desc')
    .limit(20)
    .execute()
  return rows.find((row) => continues(row, end, step, row.cooldown_ms))
}

async function raise(
  tx: Tx,
  rule: RuleRow,
  { from, end, pass, run }: Judged,
  hit: Hit,
  now: number,
): Promise<AlertRow> {
  const silence = await tx
    .selectFrom('alert_silences')
    .select('id')
    .where('rule_id', '=', rule.id)
    .where('until', '>', now)
    .where((where) => where.or([where('key', 'is', null), where('key', '=', hit.key)]))
    .executeTakeFirst()
  const late = pass === 1 || pass === 2
  const filters = alertFilters(
    { measure: rule.measure, filters: rule.filters, by: rule.by_field as null, apps: rule.apps?.map(String) ?? null },
    hit.key,
  )
  const alert = await tx
    .insertInto('alerts')
    .values({
      id: randomUUID(),
      rule_id: rule.id,
      rule_name: rule.name,
      severity: rule.severity,
      apps: rule.by_field === 'app' ? [Number(hit.key)] : rule.apps,
      measure: rule.measure,
      task_id: run?.task ?? null,
      by_field: rule.by_field,
      key: hit.key,
      filters: JSON.stringify(filters),
      window_ms: end - from,
      cooldown_ms: rule.cooldown_minutes * 60_000,
      condition: JSON.stringify(rule.condition),
      value: hit.value,
      expected: hit.expected,
      usual: hit.usual,
      peak: hit.value,
      total: hit.value,
      first_end: end,
      last_end: end,
      raised_at: now,
      resolved_at: late ? now : null,
      ack_at: null,
      ack_by: null,
      ack_note: null,
      silenced: silence !== undefined,
      late,
      version: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addStep(tx, alert.id, now, 'raised', '', String(hit.value))
  if (silence) await addStep(tx, alert.id, now, 'silenced', '', '')
  else await enqueueDeliveries(tx, rule.channels, { alert_id: alert.id }, 'firing', now)
  return alert
}

/**
 * Alerts of the rule whose last breach is older than this window are over: it did not breach for them. A run says so of its own application
 * alone, once nothing of what the alert counted is there any more.
 */
async function resolveEnded(tx: Tx, rule: RuleRow, { end, run }: Judged, now: number): Promise<AlertRow[]> {
  const open = await tx
    .selectFrom('alerts')
    .selectAll()
    .where('rule_id', '=', rule.id)
    .where('resolved_at', 'is', null)
    .where('last_end', '<', end)
    .$if(run !== undefined, (query) => query.where('key', '=', run!.key))
    .execute()
  const over: string[] = []
  for (const alert of open) if (!run || (await run.isOver(alert))) over.push(alert.id)
  if (over.length === 0) return []
  const rows = await tx
    .updateTable('alerts')
    .set({ resolved_at: now, version: sql`version + 1` })
    .where('id', 'in', over)
    .where('resolved_at', 'is', null)
    .returningAll()
    .execute()
  for (const row of rows) {
    await addStep(tx, row.id, now, 'resolved', '', '')
    if (!row.silenced) await enqueueDeliveries(tx, rule.channels, { alert_id: row.id }, 'resolved', now)
  }
  return rows
}

async function change(
  tx: Tx,
  alert: AlertRow,
  set: Partial<Pick<AlertRow, 'first_end' | 'last_end' | 'peak' | 'value' | 'expected' | 'usual' | 'resolved_at'>>,
): Promise<AlertRow> {
  return tx
    .updateTable('alerts')
    .set({ ...set, version: sql`version + 1` })
    .where('id', '=', alert.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function addStep(
  tx: Tx,
  alertId: string,
  at: number,
  step: Database['alert_steps']['step'],
  by: string,
  note: string,
): Promise<void> {
  await tx.insertInto('alert_steps').values({ alert_id: alertId, at, step, by_user: by, note }).execute()
}
