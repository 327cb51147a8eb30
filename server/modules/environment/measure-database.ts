import { sql } from 'kysely'
import type { EnvironmentSnapshot } from '#contracts/http/environment.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

export type DatabaseReading = {
  queues: EnvironmentSnapshot['queues']
  /** Percent of the connections that PostgreSQL allows. */
  connections: number
  /** Size of the metadata store. */
  bytes: number
}

/** Work that waits, connections and size of the metadata store. Rejects while it is away. */
export async function measureDatabase({ db }: MetaStore, now: number): Promise<DatabaseReading> {
  const queues = await sql<{
    name: 'jobs' | 'detection' | 'deliveries'
    waiting: number
    running: number
    oldest: number | null
  }>`
    select 'jobs' as name, count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'running') as running, min(created_at) filter (where state = 'waiting') as oldest
      from jobs where state in ('waiting', 'running')
    union all select 'detection', count(*) filter (where state = 'waiting'), count(*) filter (where state = 'detecting'),
      min(created_at) filter (where state = 'waiting') from detection_tasks where state in ('waiting', 'detecting')
    union all select 'deliveries', count(*), 0, min(created_at) from alert_deliveries where state = 'waiting'`.execute(
    db,
  )
  const server = await sql<{ used: number; most: number; bytes: number }>`select
    (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
    current_setting('max_connections')::int8 as most, pg_database_size(current_database()) as bytes`.execute(db)
  const { used, most, bytes } = server.rows[0] as { used: number; most: number; bytes: number }
  return {
    queues: queues.rows.map(({ oldest, ...row }) => ({
      ...row,
      oldest: oldest === null ? null : Math.max(0, Math.round((now - oldest) / 1000)),
    })),
    connections: (used / most) * 100,
    bytes,
  }
}
