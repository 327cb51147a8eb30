import type { Kysely } from 'kysely'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { productKey } from '#engines/vulnlib/affected-range.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { readResult } from './result-file.ts'

/** Rows of one statement: a result has up to 5,000 dependencies. */
const PART = 1000
/** Results that are opened in one call. */
const RESULTS = 20

/** Writes the components of a result, so that the vulnerability library can be compared with them. */
export async function keepComponents(
  db: Kysely<Database>,
  task: string,
  { dependencies }: Pick<ScanResult, 'dependencies'>,
): Promise<void> {
  await db.deleteFrom('detection_components').where('task_id', '=', task).execute()
  const rows = dependencies.map(({ group, name, version, vulnerabilities }, place) => ({
    ...{ task_id: task, place, product: productKey(name), group_name: group, name, version },
    vulnerabilities: [...vulnerabilities],
  }))
  for (let at = 0; at < rows.length; at += PART)
    await db
      .insertInto('detection_components')
      .values(rows.slice(at, at + PART))
      .execute()
}

/** Results of versions that kept no components, a few in each call, the newest first. */
export async function keepMissingComponents(deps: { meta: MetaStore; files: FileStore }): Promise<void> {
  const { db } = deps.meta
  const tasks = await db
    .selectFrom('detection_tasks')
    .select(['id', 'state', 'result_file'])
    .where('state', '=', 'detected')
    .where('components_kept', '=', false)
    .orderBy('ended_at', 'desc')
    .limit(RESULTS)
    .execute()
  for (const task of tasks) {
    const result = await readResult(deps, task).catch((err: unknown) => {
      // It would not open the next time either: the package counts as one without components.
      log.warn({ err, task: task.id }, 'detection: the components of a task cannot be read')
      return undefined
    })
    await db.transaction().execute(async (tx) => {
      // Deleted, or detected again, meanwhile: then somebody else has written them.
      const row = await tx
        .updateTable('detection_tasks')
        .set({ components_kept: true })
        .where('id', '=', task.id)
        .where('components_kept', '=', false)
        .returning('id')
        .executeTakeFirst()
      if (row && result) await keepComponents(tx, task.id, result)
    })
  }
}
