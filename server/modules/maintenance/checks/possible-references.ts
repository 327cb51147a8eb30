import { sql } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'

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
