import { sql } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'

/** Locks of one store that are held at once: each has a connection of the pool, and its work needs another one. */
const MOST_HELD = 4

/** Of each store: how many locks are held or being asked for, and who waits for a place. */
const held = new WeakMap<MetaStore, { count: number; waiting: (() => void)[] }>()

/**
 * Holds the lock `name` of the cluster while `work` runs; false where another process holds it. Works beyond MOST_HELD wait for their turn:
 * were all connections given to locks, no work could ask for one.
 */
export async function aloneInCluster(meta: MetaStore, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const places = held.get(meta) ?? { count: 0, waiting: [] }
  held.set(meta, places)
  if (places.count >= MOST_HELD) await new Promise<void>((free) => places.waiting.push(free))
  else places.count++
  try {
    return await withLock(meta, name, work)
  } finally {
    const next = places.waiting.shift()
    if (next) next()
    else places.count--
  }
}

function withLock(meta: MetaStore, name: string, work: () => Promise<unknown>): Promise<boolean> {
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
