import { sql } from 'kysely'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Removes screenshots that no task names any more: equal ones are one file. */
export async function dropPictures(
  { meta, files }: { meta: MetaStore; files: FileStore },
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const named = await meta.db
      .selectFrom('detection_tasks')
      .select('id')
      .where(sql<boolean>`${name} = any(pictures)`)
      .limit(1)
      .executeTakeFirst()
    if (!named) await files.remove(name)
  }
}
