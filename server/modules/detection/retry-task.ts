import { ProductError } from '#contracts/errors.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { checkKinds, identityOf, overQuota, QUEUE_QUOTA } from './create-tasks.ts'
import { engineVersion } from './engine-version.ts'
import { extrasDigest, scanExtras } from './scan-extras.ts'
import { changeTask, type ListedTask } from './task-rows.ts'

/**
 * Puts an ended task back in the queue: one that failed or was stopped, and a detected one that another engine or rule pack made. Its
 * strategy stays what it was. The caller needs the permission items of all its kinds. Throws task.exists where the same question waits, runs or is answered by another task.
 */
export async function retry(deps: ServerDeps, caller: Caller, row: ListedTask): Promise<void> {
  deps.licence.demandCreating()
  checkKinds(caller, row.kinds)
  const asked = { kinds: row.kinds, items: row.strategy.items, application: row.application_id }
  const extras = extrasDigest(await scanExtras(deps.meta, asked), row.kinds)
  const engine = engineVersion(extras)
  // What an application does on a phone differs from run to run.
  const outdated = row.state === 'detected' && (row.engine !== engine || row.kinds.includes('dynamic'))
  if (row.state !== 'failed' && row.state !== 'stopped' && !outdated) throw new ProductError('task.exists')
  if (row.file_id === null) throw new ProductError('data.missing')
  if (await overQuota(deps, caller)) throw new ProductError('quota.reached', { detail: String(QUEUE_QUOTA) })
  const now = deps.now()
  const identity = identityOf(
    { sha256: row.sha256, application_id: row.application_id, by_user: row.owner_id },
    row.kinds,
    row.application_type,
    row.strategy,
    extras,
    row.phone,
  )
  try {
    const waiting = await changeTask(deps.meta, row.id, [row.state], {
      state: 'waiting',
      stage: 'queued',
      progress: 0,
      note: '',
      note_detail: '',
      engine,
      identity,
      stages: JSON.stringify([{ stage: 'queued', from: now, to: null }]),
      isolation: [],
      attempt: 0,
      created_at: now,
      started_at: null,
      ended_at: null,
    })
    if (!waiting) throw new ProductError('task.exists')
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new ProductError('task.exists') // the index over living tasks
    throw error
  }
}
