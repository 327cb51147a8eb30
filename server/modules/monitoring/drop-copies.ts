import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { endOverAlerts } from '../alerts/judge-run.ts'
import { changeTask } from './monitor-rows.ts'

interface DropDeps {
  readonly meta: MetaStore
  readonly files: FileStore
  now(): number
}

/** Deletes a task with its copies, listings and alerts of them, and the files that nothing else names with their prints. */
export async function dropTask(deps: DropDeps, id: string): Promise<void> {
  const { meta, now } = deps
  await changeTask(meta, id, ['monitoring'], { state: 'stopped', ended_at: now() })
  const copies = await meta.db.transaction().execute(async (tx) => {
    // Locked, so that a run that has not ended yet adds no copy in between.
    const task = await tx
      .selectFrom('monitor_tasks')
      .select('application_id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    const rows = await tx.selectFrom('monitor_copies').select('sha256').where('task_id', '=', id).execute()
    await tx.deleteFrom('monitor_tasks').where('id', '=', id).execute()
    if (task) await endOverAlerts(tx, task.application_id, now())
    return rows
  })
  const dropped = await dropUnnamed(
    deps,
    copies.map(({ sha256 }) => sha256),
  )
  if (dropped.length) await meta.db.deleteFrom('package_prints').where('sha256', 'in', dropped).execute()
}
