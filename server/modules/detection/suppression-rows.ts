import type { Selectable } from 'kysely'
import type { Text } from '#contracts/detection/scan-result.ts'
import type { Suppression } from '#contracts/http/detection/result.ts'
import type { IsSuppressed } from '#engines/detect/result/judge-result.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import type { TaskRow } from './task-rows.ts'

type SuppressionRow = Selectable<Database['detection_suppressions']>
export type ListedSuppression = SuppressionRow & {
  app_name: string | null
  by_name: string | null
  approver_name: string | null
}
type Subject = Pick<TaskRow, 'application_id' | 'owner_id' | 'package_id' | 'platform'>

export function selectSuppressions({ meta }: Pick<ServerDeps, 'meta'>) {
  return meta.db
    .selectFrom('detection_suppressions as one')
    .leftJoin('applications', 'applications.id', 'one.application_id')
    .leftJoin('users as asker', 'asker.id', 'one.by_user')
    .leftJoin('users as approver', 'approver.id', 'one.approver_id')
    .selectAll('one')
    .select(['applications.name as app_name', 'asker.username as by_name', 'approver.username as approver_name'])
}

/** Those that the caller may see: of his applications, and of packages without one that he uploaded. */
export function suppressionsOf(deps: Pick<ServerDeps, 'meta'>, caller: Pick<Caller, 'scope' | 'userId'>) {
  const { apps } = caller.scope
  const select = selectSuppressions(deps)
  if (apps === 'all') return select
  return select.where((where) =>
    where.or([
      where('one.application_id', '=', where.fn.any(where.val([...apps]))),
      where.and([where('one.application_id', 'is', null), where('one.owner_id', '=', caller.userId)]),
    ]),
  )
}

/** Suppressions of the package that a task examined, whatever its version. */
export function suppressionsFor(deps: Pick<ServerDeps, 'meta'>, task: Subject): Promise<ListedSuppression[]> {
  const select = selectSuppressions(deps)
    .where('one.package_id', '=', task.package_id)
    .where('one.platform', '=', task.platform)
  return (
    task.application_id === null
      ? select.where('one.application_id', 'is', null).where('one.owner_id', '=', task.owner_id)
      : select.where('one.application_id', '=', task.application_id)
  ).execute()
}

export function suppressionState(row: Pick<SuppressionRow, 'approver_id' | 'approved_at' | 'until'>, now: number) {
  if (row.until !== null && row.until <= now) return 'expired' as const
  return row.approved_at === null ? ('pending' as const) : ('active' as const)
}

/** Those that count now, by item and fingerprint. */
export function suppressionCheck(rows: readonly ListedSuppression[], now: number): IsSuppressed {
  const active = new Set(
    rows.filter((row) => suppressionState(row, now) === 'active').map((row) => `${row.item} ${row.fingerprint}`),
  )
  return (item, fingerprint) => active.has(`${item} ${fingerprint ?? ''}`)
}

export function toSuppression(row: ListedSuppression, now: number, nameOf: (item: string) => Text): Suppression {
  return {
    id: row.id,
    appid: row.application_id === null ? '' : String(row.application_id),
    app_name: row.app_name ?? '',
    package_id: row.package_id,
    item: row.item,
    item_name: nameOf(row.item),
    fingerprint: row.fingerprint === '' ? null : row.fingerprint,
    reason: row.reason,
    until: row.until,
    state: suppressionState(row, now),
    by: row.by_name ?? '',
    approver: row.approved_at === null ? null : (row.approver_name ?? ''),
    created_at: row.created_at,
    approved_at: row.approved_at,
    task: row.task_id,
  }
}
