import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import type { PackageFacts } from '#contracts/http/assets.ts'
import { cleanHashes, mayBeBaseline } from '#domain/baseline.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import type { FileRow } from './file-rows.ts'

/**
 * Makes the file the baseline that returns of its version are compared with (decision 26). A baseline of that version which another
 * file was pushed as is replaced; one that was written by hand is not: baseline.exists.
 */
export async function pushFile(deps: ServerDeps, caller: Caller, file: FileRow): Promise<void> {
  const { db } = deps.meta
  const { application_id, version, package_name, signers } = file
  // Its application may be deleted by now.
  const appid = file.application === null ? null : String(application_id)
  if (application_id === null || !mayBeBaseline({ ...file, appid })) throw new ProductError('asset.no_identity')
  const { facts } = await db.selectFrom('app_files').select('facts').where('id', '=', file.id).executeTakeFirstOrThrow()
  const values = {
    package_name,
    signers,
    hashes: JSON.stringify(cleanHashes((facts as PackageFacts).hashes)),
    by_user: caller.userId,
    updated_at: deps.now(),
  }
  await db.transaction().execute(async (tx) => {
    const existing = await tx
      .selectFrom('baselines')
      .selectAll()
      .where('application_id', '=', application_id)
      .where('version', '=', version)
      .forUpdate()
      .executeTakeFirst()
    if (existing) {
      const pushed = await tx.selectFrom('app_files').select('id').where('baseline_id', '=', existing.id).execute()
      if (pushed.length === 0) throw new ProductError('baseline.exists')
      await tx
        .updateTable('baselines')
        .set({ ...values, rev: existing.rev + 1 })
        .where('id', '=', existing.id)
        .execute()
      await tx.updateTable('app_files').set({ baseline_id: null }).where('baseline_id', '=', existing.id).execute()
      await tx.updateTable('app_files').set({ baseline_id: existing.id }).where('id', '=', file.id).execute()
      return
    }
    const id = randomUUID()
    await tx
      .insertInto('baselines')
      .values({ id, application_id, version, channels: [], note: '', rev: 1, ...values })
      .execute()
    await tx.updateTable('app_files').set({ baseline_id: id }).where('id', '=', file.id).execute()
  })
}

/** Takes the baseline back that this file was pushed as: its version counts as without one again. */
export async function takeBack(deps: ServerDeps, file: FileRow): Promise<void> {
  if (file.baseline_id !== null) await deps.meta.db.deleteFrom('baselines').where('id', '=', file.baseline_id).execute()
}
