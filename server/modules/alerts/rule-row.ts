import type { Selectable } from 'kysely'
import { ALERT_WINDOWS, type AlertWindow, type Condition, isRunMeasure } from '#domain/alerts.ts'
import type { Filter, Measure, Scope } from '#domain/query.ts'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'

export type RuleRow = Selectable<AlertTables['alert_rules']>

/** A rule that counts events; the others count what runs of monitoring found (judge-run.ts). */
export type EventRule = RuleRow & { measure: Measure; time_window: AlertWindow }

/** What counting and judging need of a rule about events, saved or not. */
export type CountedRule = Pick<EventRule, 'measure' | 'by_field' | 'time_window' | 'apps'> & {
  filters: readonly Filter[]
  condition: Condition
}

export const countsEvents = (rule: RuleRow): rule is EventRule =>
  rule.time_window !== 'run' && !isRunMeasure(rule.measure)

export const scopeOfRule = ({ apps }: Pick<RuleRow, 'apps'>): Scope => ({ apps: apps ?? 'all' })
export const windowOf = ({ time_window }: Pick<EventRule, 'time_window'>) => ALERT_WINDOWS[time_window]

/** Whether all of these applications (null: the whole platform) lie in the scope: what a caller needs to see a rule or an alert. */
export function sees(scope: Scope, apps: readonly number[] | null): boolean {
  const { apps: mine } = scope
  return mine === 'all' || (apps?.every((app) => mine.includes(app)) ?? false)
}
