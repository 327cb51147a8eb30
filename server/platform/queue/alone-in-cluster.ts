import { sql } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Holds the lock `name` of the cluster while `work` runs; false where another process holds it. */
export async function aloneInCluster(meta: MetaStore, name: string, work: () => Promise<unknown>): Promise<boolean> {
  return meta.db.connection().execute(async (connection) => {
    const taken = await sql<{ ok: boolean }>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as ok`.execute(
      connection,
    )
    if (!taken.rows[0]?.ok) return false
    try {
      await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`.execute(connection)
    }
    return true
  })
}
