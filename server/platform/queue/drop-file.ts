import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Removes a result that no job names any more: equal results are one file. */
export async function dropFile({ meta, files }: { meta: MetaStore; files: FileStore }, sha256: string): Promise<void> {
  const named = await meta.db
    .selectFrom('jobs')
    .select('id')
    .where((where) => where.or([where('file', '=', sha256), where('document', '=', sha256)]))
    .limit(1)
    .executeTakeFirst()
  if (!named) await files.remove(sha256)
}
