import { sql } from 'kysely'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** A file of the file store that a record names. */
export type FileReference = { sha256: string; record: string; kind: 'kept' | 'result'; job?: string }

const REFERENCES = sql<{ sha256: string; record: string; job: string | null }>`
    select sha256, 'package ' || file_name as record, null as job from app_files
    union all select icon, 'icon of ' || file_name, null from app_files where icon is not null
    union all select file, 'symbols ' || version || ' ' || name, null from symbol_files
    union all select index_file, 'index of symbols ' || version, null from symbol_files where index_file is not null
    union all select result_file, 'detection result ' || name || ' ' || version, null from detection_tasks where result_file is not null
    union all select unnest(pictures), 'screenshot of ' || name || ' ' || version, null from detection_tasks
    union all select sha256, 'script ' || name, null from script_files
    union all select output, 'protected script ' || name, null from script_files where output is not null
    union all select map, 'source map of ' || name, null from script_files where map is not null
    union all select output, 'reinforced package ' || name || ' ' || version, null from reinforce_tasks where output is not null
    union all select sha256, 'copy ' || label || ' ' || version, null from monitor_copies
    union all select sha256, 'file ' || name || ' of a service request', null from service_attachments where sha256 is not null
    union all select sha256, 'image ' || name || ' of an own article', null from own_article_images
    union all select document, 'document of ' || title, null from jobs where document is not null
    union all select file, kind || ' ' || title, id from jobs where file is not null`

/** Every file that records name. `result`: of an export or report, which can be made again. */
export async function fileReferences({ db }: MetaStore): Promise<FileReference[]> {
  const rows = await REFERENCES.execute(db)
  return rows.rows.map(({ sha256, record, job }) =>
    job === null ? { sha256, record, kind: 'kept' } : { sha256, record, kind: 'result', job },
  )
}

/**
 * Removes those of these files that no record names any more, and answers their names. Equal files are one, of whatever part of the product:
 * what a market offers, or what a user attaches to a request, may be a package of an application too.
 */
export async function dropUnnamed(
  { meta, files }: { readonly meta: Pick<MetaStore, 'db'>; readonly files: FileStore },
  names: readonly (string | null)[],
): Promise<string[]> {
  const wanted = [...new Set(names.filter((name) => name !== null))]
  if (!wanted.length) return []
  const { rows } = await sql<{ sha256: string }>`
    select distinct sha256 from (${REFERENCES}) named where sha256 = any(${wanted})`.execute(meta.db)
  const named = new Set(rows.map(({ sha256 }) => sha256))
  const unnamed = wanted.filter((name) => !named.has(name))
  for (const name of unnamed) await files.remove(name)
  return unnamed
}
