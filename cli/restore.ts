import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#server/config.ts'
import { readLedgers, reapplyErasures } from '#server/modules/erasures/erasure-ledger.ts'
import { claimFolder } from '#server/supervisor/claim-folder.ts'
import { MANIFEST_FILE, readManifest, verifyFiles } from '#storage/backup/backup-manifest.ts'
import { copyTree } from '#storage/backup/copy-tree.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { startBundledPostgres } from '#storage/postgres/bundled.ts'
import { openDatabase } from '#storage/postgres/database.ts'
import { UsageError } from './usage-error.ts'

/** Where the backup is made ready, inside the data folder: the swap afterwards is a rename for each entry. */
const STAGING = 'restoring'
/** Written once the staging folder is complete: an interrupted swap is then continued. */
const READY = '.ready'
/** An erasure may have been under way when the backup began. */
const MARGIN_MS = 600_000
/** The journal's rest is not stored any further. */
const STALLED_MS = 60_000

/**
 * `appwarden restore BACKUP`: verifies every file, makes the stores ready beside the present ones (PostgreSQL recovers, the journal's rest
 * is stored, erasures made since the backup are applied again) and only then swaps them in. The replaced data is kept in
 * `replaced-<time>`. Interrupted at any moment, the same command continues. Answers the exit code.
 */
export async function restoreCommand(
  args: string[],
  config: Config,
  now: number,
  print: (line: string) => void,
): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
  const [given] = positionals
  if (!given || positionals.length > 1) throw new UsageError('restore BACKUP')
  const backup = resolve(given)
  const manifest = await readManifest(backup)
  if (manifest.expiresAt <= now)
    throw new Error(
      `${backup} expired on ${new Date(manifest.expiresAt).toISOString()}: personal data may not be kept longer`,
    )
  if (manifest.metadata === Boolean(config.databaseUrl))
    throw new Error(
      manifest.metadata
        ? 'The backup holds PostgreSQL: unset DATABASE_URL'
        : 'The backup was made with DATABASE_URL: restore that server with pg_restore first, then set DATABASE_URL',
    )
  const release = claimFolder(config.dataFolder)
  try {
    const staging = join(config.dataFolder, STAGING)
    if (existsSync(join(staging, READY))) print('Continuing an interrupted restore.')
    else {
      await verifyFiles(backup, manifest)
      print(`${manifest.files.length} files verified`)
      await rm(staging, { recursive: true, force: true })
      await copyTree(backup, staging, (path) => path === MANIFEST_FILE)
      const since = manifest.createdAt - MARGIN_MS
      const ledgers = [
        config.paths.erasureLedger,
        join(config.dataFolder, 'erasures.jsonl'),
        join(staging, 'erasures.jsonl'),
      ]
      const entries = await readLedgers(ledgers)
      const { rows, found } = await prepare(
        config,
        staging,
        entries.filter(({ at }) => at >= since),
      )
      print(
        `${rows} events; erasures since the backup applied again: ${found.subjects} subjects, ${found.events} events`,
      )
      // The next restore of an older backup needs all of them.
      const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      await writeFile(join(staging, 'erasures.jsonl'), text, { mode: 0o600 })
      await writeFile(join(staging, READY), new Date(now).toISOString(), { mode: 0o600 })
    }
    const aside = await swap(config.dataFolder, staging, now)
    print(`Restored the state of ${new Date(manifest.createdAt).toISOString()}. Start the server.`)
    print(
      `What was there before: ${aside}. Delete it when it is not needed: it still holds what was erased since the backup.`,
    )
    return 0
  } finally {
    release()
  }
}

/** Opens the staged stores once as a server would, stores the rest of the journal and erases. */
async function prepare(config: Config, staging: string, entries: Awaited<ReturnType<typeof readLedgers>>) {
  const { paths } = readConfig({ ...process.env, APPWARDEN_DATA: staging }, config.version)
  const postgres = config.databaseUrl ? undefined : await startBundledPostgres(paths.postgres)
  try {
    const meta = await openDatabase(postgres?.address ?? { connectionString: config.databaseUrl as string }, {
      migrate: true,
      connections: 2,
    })
    const journal = await openJournal(paths.journal, { maxBacklogBytes: Number.MAX_SAFE_INTEGER })
    const store = await openDuckStore({ folder: paths.events })
    try {
      store.follow(journalReader(journal))
      const end = journal.durable()
      let reached = -1
      for (let progressAt = Date.now(); reached < end; await sleep(100)) {
        const position = (await store.status()).positions[journal.name] ?? 0
        if (position > reached) progressAt = Date.now()
        reached = Math.max(reached, position)
        if (Date.now() - progressAt > STALLED_MS)
          throw new Error(`The journal of the backup cannot be stored beyond position ${reached} of ${end}`)
      }
      const found = await reapplyErasures({ meta, store, keys: await store.subjects() }, entries)
      const { rows } = await store.status()
      return { rows, found }
    } finally {
      await store.close()
      await journal.close()
      await meta.close()
    }
  } finally {
    await postgres?.stop()
  }
}

/** Moves present entries aside and staged ones in. Each step is a rename, so that a second run continues where the first one ended. */
async function swap(dataFolder: string, staging: string, now: number): Promise<string> {
  const aside = join(dataFolder, `replaced-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const staged = (await readdir(staging)).filter((name) => name !== READY)
  for (const name of [...staged, 'uploads']) {
    const present = join(dataFolder, name)
    if (existsSync(present)) await rename(present, join(aside, name))
    if (staged.includes(name)) await rename(join(staging, name), present)
  }
  await rm(staging, { recursive: true })
  return aside
}
