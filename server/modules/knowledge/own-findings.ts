import type { FindingLevel } from '#contracts/detection/kinds.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { tasksOf } from '../detection/task-rows.ts'

export type OwnFinding = {
  task: string
  name: string
  version: string
  item: string
  level: FindingLevel
  ended_at: number | null
}

/** Packages whose newest detection is looked at. */
const MOST_PACKAGES = 500
const MOST_FINDINGS = 100

/** The newest detection of each package that the caller sees; null where the caller may see none. */
async function newestTasks({ meta }: Pick<ServerDeps, 'meta'>, caller: Caller) {
  if (!caller.auth.includes('detect.view')) return null
  return await tasksOf(meta, caller)
    .where('task.state', '=', 'detected')
    .select(['task.id', 'task.name', 'task.version', 'task.ended_at'])
    .distinctOn(['task.package_id', 'task.platform'])
    .orderBy('task.package_id')
    .orderBy('task.platform')
    .orderBy('task.created_at', 'desc')
    .limit(MOST_PACKAGES)
    .execute()
}

/** What fails of these items, unless it is suppressed: the newest detections first. */
export async function ownFindings(
  deps: Pick<ServerDeps, 'meta'>,
  caller: Caller,
  items: readonly string[],
): Promise<OwnFinding[] | null> {
  const tasks = await newestTasks(deps, caller)
  if (tasks === null) return null
  if (tasks.length === 0 || items.length === 0) return []
  const byId = new Map(tasks.map((one) => [one.id, one]))
  const rows = await deps.meta.db
    .selectFrom('detection_failures')
    .select(['task_id', 'item', 'level'])
    .where('task_id', 'in', [...byId.keys()])
    .where('item', 'in', items)
    .where('muted', '=', false)
    .execute()
  return rows
    .flatMap(({ task_id, item, level }) => {
      const task = byId.get(task_id)
      return task
        ? [{ task: task_id, name: task.name, version: task.version, ended_at: task.ended_at, item, level }]
        : []
    })
    .toSorted((a, b) => (b.ended_at ?? 0) - (a.ended_at ?? 0) || (a.item < b.item ? -1 : 1))
    .slice(0, MOST_FINDINGS)
}

/** Items that fail in the newest detections; null where the caller may see none. */
export async function failedItems(deps: Pick<ServerDeps, 'meta'>, caller: Caller): Promise<Set<string> | null> {
  const tasks = await newestTasks(deps, caller)
  if (tasks === null) return null
  if (tasks.length === 0) return new Set()
  const rows = await deps.meta.db
    .selectFrom('detection_failures')
    .select('item')
    .distinct()
    .where(
      'task_id',
      'in',
      tasks.map(({ id }) => id),
    )
    .where('muted', '=', false)
    .execute()
  return new Set(rows.map(({ item }) => item))
}
