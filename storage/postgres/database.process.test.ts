import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPostgres } from '../../tests/support/test-postgres.ts'
import type { BundledPostgres } from './bundled.ts'
import { type DatabaseOptions, type MetaStore, openDatabase } from './database.ts'
import { isStatementTimeout } from './is-statement-timeout.ts'

let folder: string
let postgres: BundledPostgres
const opened: MetaStore[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-database-'))
  postgres = await startTestPostgres(join(folder, 'postgres'))
})
afterAll(async () => {
  for (const one of opened) await one.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function open(options: Omit<DatabaseOptions, 'migrate'>): Promise<MetaStore> {
  const meta = await openDatabase(postgres.address, { migrate: false, ...options })
  opened.push(meta)
  return meta
}
const sleepFor = (meta: Pick<MetaStore, 'db'>, seconds: number) => sql`select pg_sleep(${seconds})`.execute(meta.db)
const backend = async (meta: Pick<MetaStore, 'db'>) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(meta.db)
  return rows[0]?.pid as number
}

test('a statement ends at its limit, its connection is usable afterwards, and other connections work meanwhile', async () => {
  const meta = await open({ connections: 2, statementMs: 500 })
  const before = await backend(meta)
  const at = performance.now()
  const slow = sleepFor(meta, 20).then(
    () => 'an answer',
    (error: unknown) => error,
  )
  const others = await open({ connections: 1, statementMs: 500 })
  for (const one of [meta, others]) await backend(one)
  expect(performance.now() - at).toBeLessThan(500)
  const error = await slow
  expect(error).toMatchObject({ code: '57014' })
  expect(isStatementTimeout(error)).toBe(true)
  expect(performance.now() - at).toBeGreaterThan(450)
  expect(performance.now() - at).toBeLessThan(2000)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`.execute(meta.db)
  expect(rows).toEqual([{ n: 0 }])
  const after = [await backend(meta), await backend(meta)]
  expect(after).toContain(before)
})

test('a statement in a transaction that waits for a lock ends at its limit, and the transaction is rolled back', async () => {
  const meta = await open({ connections: 2, statementMs: 500 })
  const key = 4711
  await meta.db.transaction().execute(async (holder) => {
    await sql`select pg_advisory_xact_lock(${key})`.execute(holder)
    await expect(
      meta.db.transaction().execute(async (waiting) => {
        await sql`create table left_behind (id int)`.execute(waiting)
        await sql`select pg_advisory_xact_lock(${key})`.execute(waiting)
      }),
    ).rejects.toMatchObject({ code: '57014' })
  })
  const { rows } = await sql<{ found: boolean }>`select to_regclass('left_behind') is not null as found`.execute(
    meta.db,
  )
  expect(rows).toEqual([{ found: false }])
})

test('jobs and maintenance, which give no limit, may take longer', async () => {
  const meta = await open({ connections: 1 })
  await sleepFor(meta, 1)
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(meta.db)
  expect(rows).toEqual([{ statement_timeout: '0' }])
})

test('a PostgreSQL that does not answer at all ends the call 2 s after the limit, and its connection is closed', async () => {
  const meta = await open({ connections: 1, statementMs: 300 })
  const stuck = await backend(meta)
  process.kill(stuck, 'SIGSTOP')
  try {
    const at = performance.now()
    const error = await meta.db
      .transaction()
      .execute((tx) => sql`select 1`.execute(tx))
      .catch((reason: unknown) => reason)
    expect(isStatementTimeout(error), String(error)).toBe(true)
    expect(performance.now() - at).toBeLessThan(4000)
    expect(await backend(meta)).not.toBe(stuck)
  } finally {
    process.kill(stuck, 'SIGCONT')
  }
})

test('a connection that PostgreSQL ends while it is in use rejects the statement and nothing else', async () => {
  const meta = await open({ connections: 1, statementMs: 5000 })
  const pid = await backend(meta)
  const slow = sleepFor(meta, 20).then(
    () => 'an answer',
    (error: unknown) => error,
  )
  const other = await open({ connections: 1 })
  await sql`select pg_terminate_backend(${pid})`.execute(other.db)
  expect(await slow).toMatchObject({ code: '57P01' })
  expect(await backend(meta)).not.toBe(pid)
})

test('without a limit of statements too, a connection that does not become free is an error, and the pool works afterwards', async () => {
  const meta = await open({ connections: 1, connectionMs: 300 })
  const long = sleepFor(meta, 1)
  await expect(backend(meta)).rejects.toThrow('timeout exceeded when trying to connect')
  await long
  expect(await backend(meta)).toBeGreaterThan(0)
})
