import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import {
  type BackupRun,
  backups,
  deleteBackups,
  saveBackupPlan,
  startBackup,
} from '#contracts/http/maintenance/backups.ts'
import type { Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import type { BackupResult } from './backups/backup-job.ts'
import { nextBackup, readPlan, writePlan } from './backups/backup-plan.ts'
import { checkBackupFolder, deleteBackup, listBackups } from './backups/make-backup.ts'
import { createRun, type RunRow, type RunState } from './run-rows.ts'

const SHOWN = 20

/** Backups: plan and list; the jobs process makes them. */
export const maintenanceBackupsModule: Module = (mount, { config, meta, now }) => {
  mount(backups, async () => {
    const plan = await readPlan(meta)
    const rows = await meta.db
      .selectFrom('maintenance_runs')
      .selectAll()
      .where('kind', '=', 'backup')
      .orderBy('created_at', 'desc')
      .limit(SHOWN)
      .execute()
    const runs = rows.map(toBackupRun)
    const verified = new Set(runs.flatMap(({ name, state }) => (state === 'done' && name ? [name] : [])))
    let [free, problem]: [number | null, string] = [null, '']
    let found: Awaited<ReturnType<typeof listBackups>> = []
    if (plan.folder !== '')
      try {
        const { bavail, bsize } = await statfs(plan.folder)
        free = bavail * bsize
        found = await listBackups(plan.folder)
      } catch (error) {
        problem = (error as Error).message // shown where the backups would be
      }
    return {
      data: {
        plan,
        ...{ next_at: nextBackup(plan, now()), runs, free, problem },
        backups: found.map(({ createdAt, expiresAt, ...one }) => ({
          ...one,
          created_at: createdAt,
          expires_at: expiresAt,
          verified: verified.has(one.name),
        })),
        external_database: config.databaseUrl !== undefined,
        command: `APPWARDEN_DATA=${config.dataFolder} npx appwarden`,
      },
    }
  })

  mount(saveBackupPlan, async ({ body, audit }) => {
    const before = await readPlan(meta)
    audit(body.folder, '', changesBetween(before, body))
    if (body.folder !== '') await tryFolder(body.folder)
    else if (body.enabled) throw new ProductError('maintenance.folder', { reason: '' })
    await writePlan(meta, body)
    return { data: body }
  })

  mount(startBackup, async ({ caller, audit }) => {
    const { folder } = await readPlan(meta)
    audit(folder)
    if (folder === '') throw new ProductError('maintenance.folder', { reason: '' })
    const account = caller.username
    const row = await createRun(meta, { kind: 'backup', input: {}, account, not: ['backup', 'repair'] }, now())
    if (!row) throw new ProductError('task.exists')
    return { data: toBackupRun(row) }
  })

  mount(deleteBackups, async ({ body, audit }) => {
    const { folder } = await readPlan(meta)
    audit(body.name, folder)
    if (folder === '' || !(await deleteBackup(folder, body.name))) throw new ProductError('data.missing')
    return {}
  })

  /** Makes the folder, whose parent must exist, and writes into it. Throws maintenance.folder with the reason. */
  async function tryFolder(folder: string): Promise<void> {
    try {
      if (!isAbsolute(folder)) throw new Error('the path must be absolute')
      checkBackupFolder(config.dataFolder, folder)
      // Not recursive: below a system folder that refuses, such as /proc, that never ends (a loop of the runtime).
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await rm(await mkdtemp(join(folder, '.appwarden-')), { recursive: true })
    } catch (error) {
      throw new ProductError('maintenance.folder', { reason: (error as Error).message })
    }
  }
}

function toBackupRun(row: RunRow): BackupRun {
  const { id, step, error, account, created_at, started_at, ended_at } = row
  const result = row.result as BackupResult | null
  return {
    ...{ id, step, error, created_at, started_at, ended_at },
    state: row.state as RunState,
    by: account,
    name: result?.name ?? null,
    files: result?.files ?? 0,
    bytes: result?.bytes ?? 0,
  }
}
