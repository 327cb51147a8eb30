import type { Selectable } from 'kysely'
import { ALERT_WINDOWS, type Condition } from '#domain/alerts.ts'
import type { Filter, Scope } from '#domain/query.ts'
import type { AlertTables } from '#storage/postgres/alert-tables.ts'

export type RuleRow = Selectable<AlertTables['alert_rules']>

/** What counting and judging need of a rule, saved or not. */
export type CountedRule = Pick<RuleRow, 'measure' | 'by_field' | 'time_window' | 'apps'> & {
  filters: readonly Filter[]
  condition: Condition
}

export const scopeOfRule = ({ apps }: Pick<RuleRow, 'apps'>): Scope => ({ apps: apps ?? 'all' })
export const windowOf = ({ time_window }: Pick<RuleRow, 'time_window'>) => ALERT_WINDOWS[time_window]

/** Whether all of these applications (null: the whole platform) lie in the scope: what a caller needs to see a rule or an alert. */
export function sees(scope: Scope, apps: readonly number[] | null): boolean {
  const { apps: mine } = scope
  return mine === 'all' || (apps?.every((app) => mine.includes(app)) ?? false)
}
