import { sql } from 'kysely'
import type { JobNote } from '#contracts/jobs.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** The tables that an erasure deletes from or changes, and the samples of their values that ANALYZE keeps. */
const TABLES = [
  'installs',
  'device_verdicts',
  'device_verdict_changes',
  'policy_fetches',
  'case_entries',
  'saved_views',
  'jobs',
  'erasures',
  'pg_statistic',
] as const
/** Other users of a table are waited for, and wait for the copy, no longer than this. */
const LOCK_MS = 5000
/** What must stay free besides the copy of a table and the write-ahead log of it: a full disk would end PostgreSQL. */
const SPARE_BYTES = 64 * 1024 * 1024
const LOCK_NOT_AVAILABLE = '55P03'
const DISK_FULL = '53100'
const INSUFFICIENT_PRIVILEGE = '42501'

export type RewriteOptions = {
  /** Free bytes of the disk that PostgreSQL writes to; undefined where this machine does not know it (DATABASE_URL). */
  freeBytes?: (() => Promise<number>) | undefined
  /** Tables that an earlier call has rewritten. */
  rewritten?: readonly string[]
}
/** The tables that hold no old row any more, and why others could not be rewritten now. */
export type Rewritten = { tables: string[]; blocked?: Extract<JobNote, 'erase.locked' | 'erase.space'> }

/**
 * Removes deleted and replaced rows from PostgreSQL's files: a plain VACUUM leaves their bytes in the free space of a page, so the tables are
 * written again; then the write-ahead log of before is ended and removed. On a server of the operator (DATABASE_URL) only a superuser may
 * do the last, otherwise it is left to him. A table that another session holds locked, or for whose copy there is no space, is left for a
 * later call: nothing waits for long.
 */
export async function removeOldRows(
  meta: MetaStore,
  { freeBytes, rewritten = [] }: RewriteOptions = {},
): Promise<Rewritten> {
  return meta.db.connection().execute(async (connection) => {
    const run = (statement: string) => sql.raw(statement).execute(connection)
    const hasSpace = async (table: string) => {
      if (!freeBytes) return true
      const size = sql<{ bytes: string }>`select pg_total_relation_size(${table}::regclass) as bytes`
      const { rows } = await size.execute(connection)
      return (await freeBytes()) >= 2 * Number(rows[0]?.bytes ?? 0) + SPARE_BYTES
    }
    const done: Rewritten = { tables: [...rewritten] }
    await run(`SET lock_timeout = ${LOCK_MS}`)
    try {
      for (const table of TABLES) {
        if (done.tables.includes(table)) continue
        try {
          if (!(await hasSpace(table))) done.blocked = 'erase.space'
          else {
            await run(`VACUUM (FULL${table === 'pg_statistic' ? '' : ', ANALYZE'}) ${table}`)
            done.tables.push(table)
          }
        } catch (error) {
          const code = codeOf(error)
          if (code !== LOCK_NOT_AVAILABLE && code !== DISK_FULL) throw error
          done.blocked = code === DISK_FULL ? 'erase.space' : 'erase.locked'
        }
      }
      if (done.blocked) return done
      await run('SELECT pg_switch_wal()')
      await run('CHECKPOINT')
    } catch (error) {
      if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error
      log.warn({ err: error }, 'erasure: this account of PostgreSQL may not remove the write-ahead log of before')
    } finally {
      await run('RESET lock_timeout').catch(() => {}) // the connection is lost, and its settings with it
    }
    return done
  })
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}
