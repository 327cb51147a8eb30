import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '#server/config.ts'
import {
  type BackupStores,
  checkBackupFolder,
  deleteOldBackups,
  makeBackup,
} from '#server/modules/maintenance/backups/make-backup.ts'
import { claimFolder } from '#server/supervisor/claim-folder.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { bundledAddress, startBundledPostgres } from '#storage/postgres/bundled.ts'
import { askServer } from './run-on-server.ts'
import { UsageError } from './usage-error.ts'

/**
 * `appwarden backup --to FOLDER [--keep-days 30]`: writes FOLDER/backup-<UTC time> (makeBackup), then deletes expired backups there. Works
 * while the server runs. Answers the exit code.
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
  try {
    checkBackupFolder(config.dataFolder, folder)
  } catch {
    throw new UsageError('--to must lie outside the data folder') // the same in the words of the command
  }
  const { path, files, bytes } = await makeBackup(config, () => openStores(config), { folder, days, now })
  print(`${path}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, kept for ${days} days`)
  if (config.databaseUrl)
    print(
      'Without PostgreSQL, since DATABASE_URL names a server of its own: back it up now with pg_dump --format=custom.',
    )
  for (const name of await deleteOldBackups(folder, now)) print(`${join(folder, name)}: expired, deleted`)
  return 0
}

/** A running server's stores, or our own while none runs. */
async function openStores(config: Config): Promise<BackupStores & { close(): Promise<void> }> {
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
