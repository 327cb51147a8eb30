import { sql } from 'kysely'
import type { exportTasks } from '#contracts/http/detection/tasks.ts'
import type { BodyOf } from '#contracts/http/endpoint.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { LISTED, tasksOf } from './task-rows.ts'

type TaskFilters = BodyOf<typeof exportTasks>['list']
type Select = ReturnType<typeof tasksButState>

/** Tasks that pass every filter but the state. */
export function tasksButState(
  { meta }: { meta: MetaStore },
  caller: Pick<Caller, 'scope' | 'userId'>,
  query: TaskFilters,
) {
  let select = tasksOf(meta, caller)
  const words = query.search.replace(/[\\%_]/g, '\\$&')
  if (words !== '')
    select = select.where((where) =>
      where.or(
        (['task.name', 'task.package_id', 'task.version', 'applications.name'] as const).map((column) =>
          where(column, 'ilike', `%${words}%`),
        ),
      ),
    )
  if (query.kind !== '') select = select.where(sql<boolean>`${query.kind} = any(task.kinds)`)
  if (query.gate !== '') select = select.where('task.gate', '=', query.gate).where('task.state', '=', 'detected')
  if (query.appid !== '') select = select.where('task.application_id', '=', Number(query.appid) || 0)
  if (query.file !== '') select = select.where('task.file_id', '=', Number(query.file) || 0)
  if (query.from !== undefined) select = select.where('task.created_at', '>=', query.from)
  if (query.to !== undefined) select = select.where('task.created_at', '<', query.to)
  return select
}

/** Those of a state; '' keeps all. */
export function ofState(select: Select, state: TaskFilters['state']): Select {
  return state === '' ? select : select.where('task.state', '=', state)
}

/** Whole rows in the order asked for; those without a score behind the others. */
export function inOrder(select: Select, { sort, order }: Pick<TaskFilters, 'sort' | 'order'>) {
  const columns = { created: 'task.created_at', score: 'task.score', name: 'task.name' } as const
  return select
    .selectAll('task')
    .select(LISTED)
    .orderBy(columns[sort], (by) => (order === 'asc' ? by.asc() : by.desc()).nullsLast())
    .orderBy('task.id')
}
