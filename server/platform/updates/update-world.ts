import { accessSync, constants, existsSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listFiles } from '#storage/backup/copy-tree.ts'
import { startBundledPostgres } from '#storage/postgres/bundled.ts'
import { canMigrateBack, migrateBack, migrationsRun } from '#storage/postgres/migrate-back.ts'
import type { Config } from '../../config.ts'
import { vendorKeyTexts } from '../licence/vendor-keys.ts'
import { copyPostgres, hasPostgresCopy, restorePostgres } from './data-copy.ts'
import { draftFolder, releaseFolder, switchTo, syncFolder } from './installation.ts'
import { runCommandLine, runUpdateTask } from './run-update-task.ts'
import { type JournalRecord, openUpdateJournal } from './update-journal.ts'
import { UpdateFailure, type UpdateWorld } from './update-machine.ts'
import type { PackageFacts, UpdateTask } from './update-tasks.ts'

/** What must stay free on a disk whatever an update writes. */
const SPARE_BYTES = 200e6
/** Of the data folder: not in a backup, or not copied. */
const NOT_COPIED = /^(logs|run|uploads|updates|restoring|replaced-[^/]*)\//

/** Checks a package of the uploads against this installation. */
export async function checkUploaded(config: Config, file: string): Promise<PackageFacts> {
  const answer = await runUpdateTask({
    task: 'check',
    file,
    version: config.version,
    keys: vendorKeyTexts(config.licenceKeys),
    externalDatabase: config.databaseUrl !== undefined,
  })
  if ('check' in answer) return answer.check
  const problem = 'failed' in answer ? { key: answer.failed, detail: answer.detail } : null
  return { problem, facts: null, signer: null, migrations: [] }
}

/** Where the bytes of an uploaded package lie. */
export function uploadedFile(config: Config, id: string): string {
  return join(config.paths.updates, 'uploads', id)
}

/** The packaged product as the steps of an update change it. `stop` ends every process of the product. */
export function openUpdateWorld(config: Config, home: string, stop: () => Promise<void>): UpdateWorld {
  const { paths } = config
  const journal = openUpdateJournal(paths.updates)
  const keys = vendorKeyTexts(config.licenceKeys)

  async function perform(task: UpdateTask): Promise<string> {
    const answer = await runUpdateTask(task)
    if ('done' in answer) return answer.done
    throw 'failed' in answer
      ? new UpdateFailure(answer.failed, answer.detail)
      : new UpdateFailure('internal', `no answer to ${task.task}`)
  }

  async function checkSpace(bytes: number): Promise<string> {
    const files = await listFiles(config.dataFolder)
    const data = files.reduce((sum, { path, size }) => sum + (NOT_COPIED.test(path) ? 0 : size), 0)
    const tables = files.reduce((sum, { path, size }) => sum + (path.startsWith('postgres/') ? size : 0), 0)
    const isOneDisk = statSync(home).dev === statSync(config.dataFolder).dev
    const needed: [string, number][] = isOneDisk
      ? [[home, bytes + data + tables]]
      : [
          [home, bytes],
          [config.dataFolder, data + tables],
        ]
    for (const [folder, size] of needed) {
      const { bavail, bsize } = statfsSync(folder)
      if (bavail * bsize < size + SPARE_BYTES)
        throw new UpdateFailure(
          'disk',
          `${folder}: ${megabytes(size + SPARE_BYTES)} needed, ${megabytes(bavail * bsize)} free`,
        )
    }
    return needed.map(([, size]) => megabytes(size)).join(' + ')
  }

  return {
    home,
    journal,
    version: config.version,
    now: Date.now,
    stop,
    async verify(record) {
      try {
        accessSync(join(home, 'releases'), constants.W_OK)
        accessSync(home, constants.W_OK)
      } catch {
        throw new UpdateFailure('read_only', home)
      }
      // Only the launcher can start the new version.
      if (process.env['APPWARDEN_LAUNCHER'] !== String(process.ppid)) throw new UpdateFailure('launcher', '')
      const { problem, facts } = await checkUploaded(config, uploadedFile(config, record.upload))
      if (problem || !facts) throw new UpdateFailure(problem?.key ?? 'internal', problem?.detail ?? '')
      if (facts.version !== record.to) throw new UpdateFailure('damaged', facts.version)
      return `SM2, ${facts.files} files, ${await checkSpace(facts.bytes)}`
    },
    unpack: (record) =>
      perform({
        task: 'unpack',
        file: uploadedFile(config, record.upload),
        folder: draftFolder(home, record.to),
        keys,
      }),
    place(version) {
      rmSync(releaseFolder(home, version), { recursive: true, force: true })
      renameSync(draftFolder(home, version), releaseFolder(home, version))
      syncFolder(join(home, 'releases'))
    },
    switchTo: (version) => switchTo(home, version),
    async backup() {
      const folder = join(paths.updates, 'backups')
      // Points of earlier updates end with this one, and their copies of erased data with them.
      for (const name of existsSync(folder) ? readdirSync(folder) : []) rmSync(join(folder, name), { recursive: true })
      const output = await runCommandLine(['backup', '--to', folder, '--keep-days', '30']).catch((error: Error) => {
        throw new UpdateFailure('backup', error.message)
      })
      return output.split('\n').at(0)?.split(': ').at(-1) ?? ''
    },
    async copyData(record) {
      const points = join(paths.updates, 'points')
      for (const name of existsSync(points) ? readdirSync(points) : [])
        if (name !== record.id) rmSync(join(points, name), { recursive: true })
      rmSync(join(paths.updates, 'replaced'), { recursive: true, force: true })
      if (config.databaseUrl) return ''
      await copyPostgres(paths.postgres, journal.pointFolder(record.id))
      return ''
    },
    undoData: (record) => undoData(config, home, journal.pointFolder(record.point), record),
  }
}

/** Undoes what migrations of the newer version changed. Done already, it changes nothing. */
async function undoData(config: Config, home: string, point: string, record: JournalRecord): Promise<string> {
  const { paths, databaseUrl } = config
  // A call before this one set the tables aside: the copy has to come into their place.
  const aside = join(paths.updates, 'replaced', record.id)
  if (!databaseUrl && existsSync(aside)) return restored()
  const postgres = databaseUrl ? undefined : await startBundledPostgres(paths.postgres)
  let stuck: string | undefined
  try {
    const address = postgres?.address ?? { connectionString: databaseUrl as string }
    const later = (await migrationsRun(address)).filter((name) => !record.migrations.includes(name))
    if (later.length === 0) return 'no migrations ran'
    stuck = await withoutThem(address, later)
  } finally {
    await postgres?.stop()
  }
  if (stuck === undefined) return 'migrations undone, every row kept'
  if (databaseUrl || !hasPostgresCopy(point)) throw new UpdateFailure('data', stuck)
  return restored()

  /** Undoes them with the code that knows them. Answers why it cannot. */
  async function withoutThem(address: object, later: string[]): Promise<string | undefined> {
    if (canMigrateBack(later))
      return migrateBack(address, record.migrations).then(
        () => undefined,
        (error: Error) => error.message,
      )
    const newer = record.kind === 'update' ? record.to : record.from
    if (newer === config.version) return `no way back from ${later.join(', ')}`
    const task: UpdateTask = { task: 'migrate-back', address, kept: record.migrations }
    const answer = await runUpdateTask(task, { home, version: newer })
    return 'failed' in answer ? answer.detail : undefined
  }

  async function restored(): Promise<string> {
    await restorePostgres(paths.postgres, point, aside)
    return `tables of the moment before the update; those of ${record.kind === 'update' ? record.to : record.from} are in ${aside}`
  }
}

/** Removes releases that no rollback leads to. */
export function removeOldReleases(home: string, kept: readonly string[]): void {
  for (const name of readdirSync(join(home, 'releases')))
    if (!kept.includes(name)) rmSync(join(home, 'releases', name), { recursive: true, force: true })
}

/** Ends the attempt where `work` takes longer. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = sleep(milliseconds, undefined, { signal: stop.signal }).then(() => {
    throw new UpdateFailure('health', `not well after ${milliseconds / 1000} s`)
  })
  late.catch(() => {}) // the work was faster
  try {
    return await Promise.race([work, late])
  } finally {
    stop.abort()
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
