import { log } from '#runtime/log.ts'
import type { ServerDeps } from '../../http/module.ts'
import { judgeTask, keepResult } from './judge-task.ts'
import { readResult } from './result-file.ts'
import { suppressionsFor } from './suppression-rows.ts'
import type { TaskRow } from './task-rows.ts'

/** Recalculates the figures of all detected tasks of a package after its suppressions changed. */
export async function rejudge(
  deps: ServerDeps,
  subject: Pick<TaskRow, 'application_id' | 'owner_id' | 'package_id' | 'platform'>,
): Promise<void> {
  const suppressions = await suppressionsFor(deps, subject)
  const tasks = await deps.meta.db
    .selectFrom('detection_tasks')
    .selectAll()
    .where('package_id', '=', subject.package_id)
    .where('platform', '=', subject.platform)
    .where('application_id', subject.application_id === null ? 'is' : '=', subject.application_id)
    .where('state', '=', 'detected')
    .where('result_file', 'is not', null)
    .orderBy('ended_at', 'desc')
    .execute()
  for (const task of tasks) {
    if (subject.application_id === null && task.owner_id !== subject.owner_id) continue
    const result = await readResult(deps, task).catch((err: unknown) => {
      // Its figures stay as they are.
      log.warn({ err, task: task.id }, 'detection: the result of a task cannot be judged again')
      return undefined
    })
    if (!result) continue
    const judged = judgeTask(task, result, suppressions, deps.now())
    await keepResult(deps.meta, { id: task.id, from: 'detected' }, result, judged)
  }
}

/** Suppressions whose time is over no longer count: figures of their packages are recalculated. */
export async function expireSuppressions(deps: ServerDeps): Promise<void> {
  const over = await deps.meta.db
    .updateTable('detection_suppressions')
    .set({ ended: true })
    .where('until', '<=', deps.now())
    .where('ended', '=', false)
    .returning(['application_id', 'owner_id', 'package_id', 'platform'])
    .execute()
  for (const subject of over) await rejudge(deps, subject)
}
