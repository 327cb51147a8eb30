import { sql } from 'kysely'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** The tables that an erasure deletes from or changes. */
const TABLES = [
  'installs',
  'device_verdicts',
  'device_verdict_changes',
  'policy_fetches',
  'case_entries',
  'saved_views',
  'jobs',
  'erasures',
] as const
/** Other users of a table are waited for, and wait for the copy, no longer than this. */
const LOCK_MS = 5000
const ATTEMPTS = 10
const LOCK_NOT_AVAILABLE = '55P03'
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Removes deleted and replaced rows from PostgreSQL's files: a plain VACUUM leaves their bytes in the free space of a page, so the tables are
 * written again, with the samples of values that ANALYZE keeps; then the write-ahead log of before is ended and removed. On a server of the
 * operator (DATABASE_URL) only a superuser may do the last two, otherwise they are left to him. Throws where a table stays locked.
 */
export async function removeOldRows(meta: MetaStore, sleep: (milliseconds: number) => Promise<void>): Promise<void> {
  await meta.db.connection().execute(async (connection) => {
    const run = (statement: string) => sql.raw(statement).execute(connection)
    await run(`SET lock_timeout = ${LOCK_MS}`)
    try {
      for (const table of TABLES) await patiently(() => run(`VACUUM (FULL, ANALYZE) ${table}`), sleep)
      await patiently(() => run('VACUUM (FULL) pg_statistic'), sleep)
      await run('SELECT pg_switch_wal()')
      await run('CHECKPOINT')
    } catch (error) {
      if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error
      log.warn({ err: error }, 'erasure: this account of PostgreSQL may not remove the write-ahead log of before')
    } finally {
      await run('RESET lock_timeout')
    }
  })
}

async function patiently(task: () => Promise<unknown>, sleep: (milliseconds: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await task()
      return
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error
      await sleep(LOCK_MS)
    }
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}
