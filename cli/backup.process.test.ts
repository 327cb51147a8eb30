import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BackupPlanSchema } from '#contracts/http/maintenance/backups.ts'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import { type Config, readConfig } from '#server/config.ts'
import { recordIn } from '#server/modules/erasures/erasure-ledger.ts'
import { runBackup } from '#server/modules/maintenance/backups/backup-job.ts'
import { nextBackup, scheduleBackup, writePlan } from '#server/modules/maintenance/backups/backup-plan.ts'
import {
  backupRoom,
  deleteOldBackups,
  listBackups,
  verifyBackup,
} from '#server/modules/maintenance/backups/make-backup.ts'
import { startProgram } from '#server/programs.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { startBundledPostgres } from '#storage/postgres/bundled.ts'
import { openDatabase } from '#storage/postgres/database.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { backupCommand } from './backup.ts'
import { restoreCommand } from './restore.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY = 86_400_000
const [KEPT, ERASED] = ['a'.repeat(32), 'b'.repeat(32)]
let root: string
let config: Config
let backup: string
let before: Awaited<ReturnType<typeof survey>>
const lines: string[] = []
const print = (line: string) => void lines.push(line)
const event = (device: string) => madeEvent({ receivedAt: NOW - 1000, id: crypto.randomUUID(), device })

/** Counts and hashes of everything that an installation holds. */
async function survey({ paths }: Config) {
  const postgres = await startBundledPostgres(paths.postgres)
  const meta = await openDatabase(postgres.address, { migrate: true, connections: 2 })
  const tables = (
    await sql<{
      name: string
    }>`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
      meta.db,
    )
  ).rows
  const metadata: Record<string, unknown> = {}
  for (const { name } of tables) {
    const query = sql<{
      rows: number
      hash: string
    }>`select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${sql.table(name)} t`
    metadata[name] = (await query.execute(meta.db)).rows[0]
  }
  await meta.close()
  await postgres.stop()
  const store = await openDuckStore({ folder: paths.events })
  const subjects = [...(await store.subjects())].sort()
  const { rows } = await store.status()
  await store.close()
  const hashes = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file.slice(folder.length), createHash('sha256').update(readFileSync(file)).digest('hex')]),
    )
  return {
    metadata,
    rows,
    subjects,
    files: hashes(paths.files),
    keys: hashes(paths.keys),
    journal: hashes(paths.journal),
  }
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'appwarden-backup-'))
  config = readConfig({ APPWARDEN_DATA: join(root, 'data 数据') }, '1.5.3')
  const { paths } = config
  const postgres = await startTestPostgres(paths.postgres)
  const meta = await openDatabase(postgres.address, { migrate: true, connections: 2 })
  await sql`insert into settings (key, value) values ('backup-test', '{"a": 1}')`.execute(meta.db)
  await meta.close()
  await postgres.stop()
  const store = await openDuckStore({ folder: paths.events })
  await store.load([
    ...Array.from({ length: 500 }, () => event(KEPT)),
    ...Array.from({ length: 20 }, () => event(ERASED)),
  ])
  await store.close()
  // Acknowledged and not stored yet: only the journal holds these.
  const journal = await openJournal(paths.journal, { maxBacklogBytes: 1e9 })
  await journal.append({ kind: 'batch', at: NOW, events: [KEPT, KEPT, ERASED].map((device) => toTuple(event(device))) })
  await journal.close()
  const files = await openLocalFiles(paths.files)
  await files.put(
    (async function* () {
      yield Buffer.from('a package')
    })(),
  )
  cpSync('package.json', join(paths.keys, 'kek'), { recursive: true })
  before = await survey(config)
  expect(await backupCommand(['--to', join(root, 'backups')], config, NOW, print)).toBe(0)
  backup = join(root, 'backups', readdirSync(join(root, 'backups'))[0] as string)
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('[C2] after the data folder is wiped, a restore brings back equal counts and hashes, and stores the rest of the journal', async () => {
  rmSync(config.dataFolder, { recursive: true })
  expect(await restoreCommand([backup], config, NOW + DAY, print)).toBe(0)
  const after = await survey(config)
  expect(after.rows).toBe(before.rows + 3)
  expect(after.metadata).toEqual(before.metadata)
  expect({ files: after.files, keys: after.keys, subjects: after.subjects }).toEqual({
    files: before.files,
    keys: before.keys,
    subjects: before.subjects,
  })
  expect(after.metadata['settings']).toMatchObject({ rows: expect.any(Number) })
}, 120_000)

test('[C2] a restore applies erasures made since the backup before it finishes, those of the journal included', async () => {
  await recordIn(config.paths.erasureLedger)({ kind: 'device', subject: ERASED, scope: { apps: 'all' } }, NOW + 1000)
  expect(readFileSync(config.paths.erasureLedger, 'utf8')).not.toContain(ERASED)
  lines.length = 0
  expect(await restoreCommand([backup], config, NOW + 2 * DAY, print)).toBe(0)
  expect(lines.join('\n')).toContain('1 subjects, 21 events')
  const after = await survey(config)
  expect(after.rows).toBe(502)
  expect(after.subjects).not.toContain(ERASED)
  // The ledger survives the restore: an older backup needs it again.
  expect(readFileSync(config.paths.erasureLedger, 'utf8')).toContain('"kind":"device"')
  expect(readdirSync(config.dataFolder).some((name) => name.startsWith('replaced-'))).toBe(true)
}, 120_000)

test('[MAINT-01] a scheduled backup is compared with its hashes, and comes back on an empty machine with equal counts and hashes', async () => {
  const folder = join(root, 'planned')
  const { paths } = config
  const postgres = await startBundledPostgres(paths.postgres)
  const meta = await openDatabase(postgres.address, { migrate: true, connections: 4 })
  const store = await openDuckStore({ folder: paths.events })
  const at = NOW + 3 * DAY
  const plan = BackupPlanSchema.parse({ enabled: true, time: '02:30', zone: 'Asia/Shanghai', folder, keep_count: 2 })
  await writePlan(meta, plan)
  expect(nextBackup(plan, at)).toBe(Date.UTC(2026, 10, 24, 18, 30))
  const due = Date.UTC(2026, 10, 24, 18, 30, 5)
  expect(await scheduleBackup(meta, due - 10_000, at)).toBe(false)
  expect(await scheduleBackup(meta, due, at)).toBe(true)
  expect(await scheduleBackup(meta, due + 1000, at)).toBe(false)
  const row = await meta.db.selectFrom('maintenance_runs').selectAll().executeTakeFirstOrThrow()
  const signal = new AbortController().signal
  await runBackup({ config, meta, database: postgres.address, store, audit: async () => {}, now: () => due }, row, {
    stop: signal,
    quit: signal,
  })
  const done = await meta.db.selectFrom('maintenance_runs').selectAll().executeTakeFirstOrThrow()
  expect([done.state, done.error]).toEqual(['done', ''])
  expect(done.result).toMatchObject({ name: 'backup-20261124T183005Z', deleted: [] })
  await store.close()
  await meta.close()
  await postgres.stop()

  const other = readConfig({ APPWARDEN_DATA: join(root, 'empty machine') }, '1.5.3')
  const [backupOfPlan] = await listBackups(folder)
  expect(await restoreCommand([backupOfPlan?.path as string], other, due, print)).toBe(0)
  const [there, here] = [await survey(other), await survey(config)]
  // The copy was made while the run itself was under way.
  for (const one of [there, here]) delete one.metadata['maintenance_runs']
  expect(there).toEqual(here)
  // Compared again later, with a file that has changed meanwhile.
  writeFileSync(join(backupOfPlan?.path as string, 'keys/kek'), 'other')
  await expect(verifyBackup(backupOfPlan?.path as string)).rejects.toThrow('keys/kek was changed')
  rmSync(folder, { recursive: true })
}, 240_000)

test('[MAINT-01] more backups than are kept go, the oldest first, and the room that one needs is known before it begins', async () => {
  const folder = join(root, 'kept')
  for (const [index, day] of [1, 2, 3].entries()) {
    cpSync(backup, join(folder, `backup-2026120${day}T000000Z`), { recursive: true })
    const manifest = join(folder, `backup-2026120${day}T000000Z`, 'backup.json')
    const text = JSON.parse(readFileSync(manifest, 'utf8')) as object
    writeFileSync(manifest, JSON.stringify({ ...text, createdAt: NOW + index, expiresAt: NOW + 90 * DAY }))
  }
  expect(await deleteOldBackups(folder, NOW, 2)).toEqual(['backup-20261201T000000Z'])
  expect((await listBackups(folder)).map(({ name }) => name)).toEqual([
    'backup-20261203T000000Z',
    'backup-20261202T000000Z',
  ])
  const { needed, free } = await backupRoom(config, folder)
  expect(needed).toBeGreaterThan(1e6)
  expect(free).toBeGreaterThan(0)
})

test('[C2] a restore that is killed at any step is finished by the same command', async () => {
  const wanted = await survey(config)
  expect(await backupCommand(['--to', join(root, 'today')], config, Date.now(), print)).toBe(0)
  const today = join(root, 'today', readdirSync(join(root, 'today'))[0] as string)
  const staging = join(config.dataFolder, 'restoring')
  // While files are copied, while PostgreSQL recovers, and in the middle of the swap, which takes milliseconds.
  for (const step of ['erasures.jsonl', 'postgres/data/postmaster.pid', '.ready'])
    await killAt(() => restoreProcess(today), join(staging, step))
  const last = restoreProcess(today)
  const [code] = await once(last, 'close')
  expect(code).toBe(0)
  expect(existsSync(staging)).toBe(false)
  const { rows, subjects, metadata, files, keys } = await survey(config)
  expect({ rows, subjects, metadata, files, keys }).toEqual({
    rows: wanted.rows,
    subjects: wanted.subjects,
    metadata: wanted.metadata,
    files: wanted.files,
    keys: wanted.keys,
  })
}, 400_000)

const TRIES = 5

/** Kills the process once the file is there; a process that was faster is started again. */
async function killAt(start: () => ReturnType<typeof startProgram>, file: string): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const child = start()
    const closed = once(child, 'close')
    while (!existsSync(file) && child.exitCode === null) await new Promise((wake) => setTimeout(wake, 1))
    child.kill('SIGKILL')
    await closed
    if (child.signalCode === 'SIGKILL') return
  }
  throw new Error(`the process ended ${TRIES} times before it could be killed at ${file}`)
}

function restoreProcess(from: string) {
  const env = { ...process.env, APPWARDEN_DATA: config.dataFolder }
  return startProgram('cli', ['restore', from], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

test('[C2] a damaged, an unfinished and an expired backup are refused and the data folder stays as it is', async () => {
  const names = readdirSync(config.dataFolder).sort()
  const damaged = join(root, 'damaged')
  cpSync(backup, damaged, { recursive: true })
  writeFileSync(join(damaged, 'keys/kek'), 'other')
  await expect(restoreCommand([damaged], config, NOW, print)).rejects.toThrow('keys/kek was changed')
  rmSync(join(damaged, 'backup.json'))
  await expect(restoreCommand([damaged], config, NOW, print)).rejects.toThrow('no finished backup')
  await expect(restoreCommand([backup], config, NOW + 31 * DAY, print)).rejects.toThrow('expired on 2026-12-21')
  expect(readdirSync(config.dataFolder).sort()).toEqual(names)
}, 60_000)

test('[C2] a backup deletes those of its folder that are past their own retention', async () => {
  expect(await backupCommand(['--to', join(root, 'backups'), '--keep-days', '5'], config, NOW + 31 * DAY, print)).toBe(
    0,
  )
  expect(existsSync(backup)).toBe(false)
  expect(readdirSync(join(root, 'backups'))).toEqual(['backup-20261222T120000Z'])
  expect(readdirSync(config.dataFolder).filter((name) => name.startsWith('.backup'))).toEqual([])
}, 120_000)
