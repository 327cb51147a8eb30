import type { Selectable } from 'kysely'
import { ALERT_MEASURES, type Alert, type AlertState, isRunMeasure } from '#domain/alerts.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { notify } from '../../platform/notify.ts'

export type AlertRow = Selectable<AlertTables['alerts']>

/** The row in the form of the contract. */
export function toAlert(row: AlertRow): Alert {
  const state: AlertState = row.resolved_at !== null ? 'resolved' : row.ack_at !== null ? 'acknowledged' : 'firing'
  return {
    id: row.id,
    rule: { id: row.rule_id, name: row.rule_name },
    severity: row.severity,
    state,
    measure: row.measure,
    task: row.task_id,
    by: row.by_field,
    key: row.key,
    filters: row.filters,
    window_ms: row.window_ms,
    condition: row.condition,
    value: row.value,
    expected: row.expected,
    usual: row.usual,
    peak: row.peak,
    total: row.total,
    from: row.first_end - row.window_ms,
    to: row.last_end,
    raised_at: row.raised_at,
    resolved_at: row.resolved_at,
    acknowledged: row.ack_at === null ? null : { at: row.ack_at, by: row.ack_by ?? '', note: row.ack_note ?? '' },
    silenced: row.silenced,
    late: row.late,
    version: row.version,
  }
}

/** Notifies everyone who may see the alert: the relay checks its applications. Silenced alerts are not announced. */
export async function tellAlert(meta: MetaStore, row: AlertRow): Promise<void> {
  if (row.silenced) return
  await meta.notify(CHANNELS.alert, { alert: toAlert(row), apps: row.apps })
}

/** Stores a notification for everyone who may see a new alert. Silenced alerts are not announced. */
export async function tellOpened(meta: MetaStore, row: AlertRow, now: number): Promise<void> {
  if (row.silenced || row.resolved_at !== null || row.ack_at !== null) return
  const alert = toAlert(row)
  await notify(
    meta,
    {
      // Its page needs the one, its figure perhaps the other too.
      to: { may: isRunMeasure(row.measure) ? ['events.read', 'monitor.view'] : 'events.read', apps: row.apps },
      kind: 'alert',
      key: `alert:${row.id}`,
      state: row.severity === 'critical' || row.severity === 'high' ? 'bad' : 'warn',
      title: plainText((language) => `${LEVELS[row.severity][language]}${language === 'zh' ? '告警' : ' alert'}`),
      // Values of applications and places are named by the page: here they would be numbers.
      note: plainText(
        (language) =>
          `${alert.rule.name}${language === 'zh' ? '：' : ': '}${ALERT_MEASURES[alert.measure][language]} ${alert.value}`,
      ),
      path: `/awareness/alerts?alert=${row.id}`,
    },
    now,
  )
}

/** Writes the exact total of an alert, unless the alert was changed since it was read; the row with it. */
export async function writeTotal(meta: MetaStore, row: AlertRow, total: number): Promise<AlertRow> {
  if (total === row.total) return row
  await meta.db
    .updateTable('alerts')
    .set({ total })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .execute()
  return { ...row, total }
}

function plainText(make: (language: 'zh' | 'en') => string): { zh: string; en: string } {
  return { zh: make('zh'), en: make('en') }
}
