import { sql } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'

/** A file of the file store that a record names. */
export type FileReference = { sha256: string; record: string; kind: 'kept' | 'result'; job?: string }

/** Every file that records name. `result`: of an export or report, which can be made again. */
export async function fileReferences({ db }: MetaStore): Promise<FileReference[]> {
  const rows = await sql<{ sha256: string; record: string; job: string | null }>`
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
    union all select document, 'document of ' || title, null from jobs where document is not null
    union all select file, kind || ' ' || title, id from jobs where file is not null`.execute(db)
  return rows.rows.map(({ sha256, record, job }) =>
    job === null ? { sha256, record, kind: 'kept' } : { sha256, record, kind: 'result', job },
  )
}

/** Rows of these hold hashes that are no files, and there are many of them. */
const NO_FILES = ['audit_log', 'audit_checkpoints', 'network_log', 'detection_log', 'detection_tasks', 'policy_fetches']

/**
 * Every text in the metadata that could be the name of a file, in whatever column it is: a record that fileReferences() does not know
 * must never make its file an orphan.
 */
export async function possibleReferences({ db }: MetaStore): Promise<Set<string>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${NO_FILES})`.execute(db)
  const names = new Set<string>()
  for (const { name } of tables.rows) {
    const found = await sql<{ word: string }>`
      select distinct found.words[1] as word
      from ${sql.table(name)} t, regexp_matches(t::text, '[0-9a-f]{64}', 'g') as found(words)`.execute(db)
    for (const { word } of found.rows) names.add(word)
  }
  return names
}
