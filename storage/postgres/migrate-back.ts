import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type DatabaseAddress, MIGRATIONS } from './database.ts'

/** Names of the migrations that the database has run, in their order; none where it is new. */
export async function migrationsRun(address: DatabaseAddress): Promise<string[]> {
  return withDatabase(address, async (db) => {
    const { rows } = await sql<{ there: string | null }>`select to_regclass('kysely_migration')::text as there`.execute(
      db,
    )
    if (!rows[0]?.there) return []
    const run = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return run.rows.map(({ name }) => name)
  })
}

/** Whether each of these migrations is known here and has a way back. */
export function canMigrateBack(names: readonly string[]): boolean {
  return names.every((name) => MIGRATIONS[name]?.down !== undefined)
}

/**
 * Undoes every migration that is not in `kept`, newest first, in one transaction: all or none. Does nothing where none was run. Throws
 * Error where one is unknown here, has no way back or fails.
 */
export async function migrateBack(address: DatabaseAddress, kept: readonly string[]): Promise<string[]> {
  const later = (await migrationsRun(address)).filter((name) => !kept.includes(name))
  if (later.length === 0) return []
  if (!canMigrateBack(later)) throw new Error(`There is no way back from ${later.join(', ')}`)
  await withDatabase(address, async (db) => {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
    const { error } = await migrator.migrateTo(lastOf(kept))
    if (error) throw error
  })
  return later
}

function lastOf(names: readonly string[]): string {
  const last = [...names].sort().at(-1)
  if (last === undefined) throw new Error('An update keeps at least one migration')
  return last
}

async function withDatabase<T>(address: DatabaseAddress, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ ...address, max: 1 })
  pool.on('error', () => {}) // the server ended while the pool closed: what was asked was answered before
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
