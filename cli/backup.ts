import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '#server/config.ts'
import { claimFolder } from '#server/supervisor/claim-folder.ts'
import { MANIFEST_FILE, readManifest, writeManifest } from '#storage/backup/backup-manifest.ts'
import { holdJournal } from '#storage/backup/copy-journal.ts'
import { copyRunningPostgres } from '#storage/backup/copy-postgres.ts'
import { copyDurably, copyTree } from '#storage/backup/copy-tree.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { bundledAddress, startBundledPostgres } from '#storage/postgres/bundled.ts'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import { askServer } from './run-on-server.ts'
import { UsageError } from './usage-error.ts'

const DAY_MS = 86_400_000
const NAME = /^backup-\d{8}T\d{6}Z$/
/** Copied by means of their own, or of no use elsewhere: uploads are unfinished, logs and sockets belong to this run. */
const OWN_MEANS = new Set(['postgres', 'events', 'journal', 'run', 'uploads', 'updates', 'logs'])
/** Left by a restore, or by a backup that was killed. */
const LEFTOVER = /^(restoring|replaced-|\.backup-)/

type StoreAccess = {
  snapshot(folder: string): Promise<{ bytes: number }>
  database: DatabaseAddress | undefined
  close(): Promise<void>
}

/**
 * `appwarden backup --to FOLDER [--keep-days 30]`: writes FOLDER/backup-<UTC time>, then deletes expired backups there. Works while the
 * server runs. Order: journal segments are held, the event store is copied, then PostgreSQL, files and keys, and the journal last; so the
 * copied journal holds everything that was acknowledged before the backup began and is not in the copied store. Answers the exit code.
 */
export async function backupCommand(
  args: string[],
  config: Config,
  now: number,
  print: (line: string) => void,
): Promise<number> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, 'keep-days': { type: 'string' } } })
  const days = Number(values['keep-days'] ?? 30)
  if (!values.to) throw new UsageError('backup --to FOLDER [--keep-days 30]')
  if (!Number.isInteger(days) || days < 1 || days > 3650) throw new UsageError('--keep-days must be 1 to 3650')
  const folder = resolve(values.to)
  const inside = relative(config.dataFolder, folder)
  // What an update keeps is in no backup, so its backups may lie there.
  if (!inside.startsWith('..') && !inside.startsWith('updates/'))
    throw new UsageError('--to must lie outside the data folder')
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const target = join(folder, `backup-${stamp}`)
  const draft = join(folder, `.backup-${stamp}.part`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (existsSync(target)) throw new Error(`${target} exists already`)
  await rm(draft, { recursive: true, force: true })
  const journal = await holdJournal(
    config.paths.journal,
    join(config.dataFolder, `.backup-journal-${randomBytes(4).toString('hex')}`),
  )
  const stores = await openStores(config).catch(async (error) => {
    await journal.close()
    throw error
  })
  try {
    await mkdir(join(draft, 'events'), { recursive: true, mode: 0o700 })
    await stores.snapshot(join(draft, 'events'))
    if (stores.database) await copyRunningPostgres(stores.database, config.paths.postgres, join(draft, 'postgres'))
    for (const name of await readdir(config.dataFolder)) {
      if (OWN_MEANS.has(name) || LEFTOVER.test(name)) continue
      const from = join(config.dataFolder, name)
      if ((await lstat(from)).isDirectory()) await copyTree(from, join(draft, name))
      else if ((await lstat(from)).isFile()) await copyDurably(from, join(draft, name))
    }
    await journal.finish(join(draft, 'journal'))
    const head = {
      version: config.version,
      createdAt: now,
      expiresAt: now + days * DAY_MS,
      metadata: !config.databaseUrl,
    }
    const { files } = await writeManifest(draft, head)
    await rename(draft, target)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    print(`${target}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, kept for ${days} days`)
    if (config.databaseUrl)
      print(
        'Without PostgreSQL, since DATABASE_URL names a server of its own: back it up now with pg_dump --format=custom.',
      )
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await stores.close()
    await journal.close()
  }
  for (const name of await deleteExpired(folder, now)) print(`${join(folder, name)}: expired, deleted`)
  return 0
}

/** A running server's stores, or our own while none runs. */
async function openStores(config: Config): Promise<StoreAccess> {
  if (await askServer(config.paths.adminSocket, { command: 'status', options: {} })) {
    const store = connectEventStore(config.paths.storeSocket)
    await store.ready(30_000)
    const database = config.databaseUrl ? undefined : bundledAddress(config.paths.postgres)
    return { snapshot: store.snapshot, database, close: () => store.close() }
  }
  const release = claimFolder(config.dataFolder)
  try {
    const postgres = config.databaseUrl ? undefined : await startBundledPostgres(config.paths.postgres)
    const store = await openDuckStore({ folder: config.paths.events })
    return {
      snapshot: store.snapshot,
      database: postgres?.address,
      async close() {
        await store.close()
        await postgres?.stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Names of the backups that were deleted: those past their time, and drafts of a backup that was killed. */
async function deleteExpired(folder: string, now: number): Promise<string[]> {
  const deleted: string[] = []
  for (const name of await readdir(folder)) {
    const at = join(folder, name)
    const expired = NAME.test(name) && existsSync(join(at, MANIFEST_FILE)) && (await readManifest(at)).expiresAt <= now
    const abandoned = /^\.backup-.*\.part$/.test(name) && now - (await lstat(at)).mtimeMs > DAY_MS
    if (!expired && !abandoned) continue
    await rm(at, { recursive: true })
    deleted.push(name)
  }
  return deleted
}
