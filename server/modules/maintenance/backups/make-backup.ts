import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { MANIFEST_FILE, readManifest, verifyFiles, writeManifest } from '#storage/backup/backup-manifest.ts'
import { holdJournal } from '#storage/backup/copy-journal.ts'
import { copyRunningPostgres } from '#storage/backup/copy-postgres.ts'
import { copyDurably, copyTree, listFiles } from '#storage/backup/copy-tree.ts'
import type { DatabaseAddress } from '#storage/postgres/database.ts'
import type { Config } from '../../../config.ts'

const DAY_MS = 86_400_000
export const BACKUP_NAME = /^backup-\d{8}T\d{6}Z$/
/** Copied by means of their own, or of no use elsewhere: uploads are unfinished, logs and sockets belong to this run. */
const OWN_MEANS = new Set(['postgres', 'events', 'journal', 'run', 'uploads', 'updates', 'logs'])
/** Left by a restore, or by a backup that was killed. */
const LEFTOVER = /^(restoring|replaced-|\.backup-)/

/** The open stores of which a backup is made. `database` undefined: a server of its own (DATABASE_URL). */
export type BackupStores = {
  snapshot(folder: string): Promise<{ bytes: number }>
  database: DatabaseAddress | undefined
}
type BackupConfig = Pick<Config, 'dataFolder' | 'paths' | 'version' | 'databaseUrl'>

/** The folder for backups. Throws Error where it is inside the data folder. */
export function checkBackupFolder(dataFolder: string, folder: string): void {
  const inside = relative(dataFolder, folder)
  // What an update keeps is in no backup, so its backups may lie there.
  if (!inside.startsWith('..') && !isAbsolute(inside) && !inside.startsWith('updates/'))
    throw new Error('the folder must lie outside the data folder')
}

/**
 * Writes `folder`/backup-<UTC time>, while the stores are in use. Order: journal segments are held, the event store is copied, then
 * PostgreSQL, files and keys, and the journal last; so the copied journal holds everything that was acknowledged before the backup
 * began and is not in the copied store. Aborted or failed, it leaves nothing behind. Answers path, number of files and bytes.
 */
export async function makeBackup(
  config: BackupConfig,
  openStores: () => Promise<BackupStores & { close?(): Promise<void> }>,
  { folder, days, now, signal }: { folder: string; days: number; now: number; signal?: AbortSignal },
): Promise<{ path: string; files: number; bytes: number }> {
  checkBackupFolder(config.dataFolder, folder)
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const target = join(folder, `backup-${stamp}`)
  const draft = join(folder, `.backup-${stamp}.part`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (existsSync(target)) throw new Error(`${target} exists already`)
  await rm(draft, { recursive: true, force: true })
  const scratch = join(config.dataFolder, `.backup-journal-${randomBytes(4).toString('hex')}`)
  const journal = await holdJournal(config.paths.journal, scratch)
  const stores = await openStores().catch(async (error) => {
    await journal.close()
    throw error
  })
  try {
    await mkdir(join(draft, 'events'), { recursive: true, mode: 0o700 })
    await stores.snapshot(join(draft, 'events'))
    signal?.throwIfAborted()
    if (stores.database) await copyRunningPostgres(stores.database, config.paths.postgres, join(draft, 'postgres'))
    for (const name of await readdir(config.dataFolder)) {
      signal?.throwIfAborted()
      if (OWN_MEANS.has(name) || LEFTOVER.test(name)) continue
      const from = join(config.dataFolder, name)
      if ((await lstat(from)).isDirectory()) await copyTree(from, join(draft, name))
      else if ((await lstat(from)).isFile()) await copyDurably(from, join(draft, name))
    }
    await journal.finish(join(draft, 'journal'))
    signal?.throwIfAborted()
    const head = {
      version: config.version,
      createdAt: now,
      expiresAt: now + days * DAY_MS,
      metadata: !config.databaseUrl,
    }
    const { files } = await writeManifest(draft, head)
    await rename(draft, target)
    return { path: target, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await stores.close?.()
    await journal.close()
  }
}

/** Reads every file of a backup again and compares it with its SHA-256. Throws Error that names the first that differs. */
export async function verifyBackup(path: string): Promise<void> {
  await verifyFiles(path, await readManifest(path))
}

/** Bytes that a backup of now would take, and bytes that are free where it would be written. */
export async function backupRoom(config: BackupConfig, folder: string): Promise<{ needed: number; free: number }> {
  let needed = 0
  for (const name of await readdir(config.dataFolder)) {
    if (['run', 'uploads', 'updates', 'logs'].includes(name) || LEFTOVER.test(name)) continue
    const path = join(config.dataFolder, name)
    const found = await lstat(path)
    if (found.isDirectory()) for (const { size } of await listFiles(path)) needed += size
    else needed += found.size
  }
  const { bavail, bsize } = await statfs(folder)
  return { needed, free: bavail * bsize }
}

export type BackupFound = {
  name: string
  path: string
  createdAt: number
  expiresAt: number
  version: string
  files: number
  bytes: number
}

/** Finished backups of the folder, the newest first. A missing folder holds none; what cannot be read is left out. */
export async function listBackups(folder: string): Promise<BackupFound[]> {
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => BACKUP_NAME.test(name)) : []
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const manifest = await readManifest(path).catch(() => undefined) // being written or deleted: no backup
      if (!manifest) return []
      const { createdAt, expiresAt, version, files } = manifest
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      return [{ name, path, createdAt, expiresAt, version, files: files.length, bytes }]
    }),
  )
  return found.flat().sort((a, b) => b.createdAt - a.createdAt)
}

/**
 * Deletes backups past their time, those beyond the newest `keep`, and drafts of a backup that was killed. The newest one stays, whatever
 * its age, unless it has expired. Answers their names.
 */
export async function deleteOldBackups(
  folder: string,
  now: number,
  keep = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const deleted: string[] = []
  const backups = await listBackups(folder)
  for (const [index, { name, path, expiresAt }] of backups.entries()) {
    if (expiresAt > now && index < keep) continue
    await rm(path, { recursive: true })
    deleted.push(name)
  }
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!/^\.backup-.*\.part$/.test(name) || now - (await lstat(path)).mtimeMs <= DAY_MS) continue
    await rm(path, { recursive: true })
    deleted.push(name)
  }
  return deleted
}

/** Deletes one backup of the folder; false where no backup has this name. */
export async function deleteBackup(folder: string, name: string): Promise<boolean> {
  const path = join(folder, name)
  if (!BACKUP_NAME.test(name) || !existsSync(join(path, MANIFEST_FILE))) return false
  await rm(path, { recursive: true })
  return true
}
