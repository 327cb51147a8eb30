import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type LogFile, listLogFiles } from '#runtime/log-files.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { LIVE } from '../detection/task-rows.ts'

/** Log files whose last line is older than `before` (epoch ms), so that every line of them is. */
export function oldLogFiles(folder: string, before: number): LogFile[] {
  return listLogFiles(folder).filter(({ changedAt, bytes }) => changedAt < before && bytes > 0)
}

/**
 * Removes these files. One that its process has open is emptied in place: lines are appended (O_APPEND), so that the next one is its
 * first. Answers what was removed.
 */
export async function removeLogFiles(
  folder: string,
  files: readonly LogFile[],
): Promise<{ files: number; bytes: number }> {
  let [count, bytes] = [0, 0]
  for (const file of files) {
    const path = join(folder, file.name)
    if (file.isRotated) await rm(path, { force: true })
    else await truncate(path)
    count++
    bytes += file.bytes
  }
  return { files: count, bytes }
}

/** Lines that ended detections left in the job log; those before a time (epoch ms) where one is given. */
export async function countJobLines({ db }: MetaStore, before?: number) {
  const row = await db
    .selectFrom('detection_log')
    .innerJoin('detection_tasks', 'detection_tasks.id', 'detection_log.task_id')
    .select([
      ({ fn }) => fn.countAll<string>().as('lines'),
      sql<string>`coalesce(sum(octet_length(zh) + octet_length(en)), 0)`.as('bytes'),
      ({ fn }) => fn.min('detection_log.at').as('first'),
    ])
    .where('state', 'not in', LIVE)
    .$if(before !== undefined, (query) => query.where('at', '<', Number(before)))
    .executeTakeFirstOrThrow()
  return {
    lines: Number(row.lines),
    bytes: Number(row.bytes),
    first_at: row.first === null ? null : Number(row.first),
  }
}

/** Removes lines of ended detections that are older than `before`. */
export async function removeJobLines({ db }: MetaStore, before: number): Promise<number> {
  const ended = db.selectFrom('detection_tasks').select('id').where('state', 'not in', LIVE)
  const { numDeletedRows } = await db
    .deleteFrom('detection_log')
    .where('at', '<', before)
    .where('task_id', 'in', ended)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
