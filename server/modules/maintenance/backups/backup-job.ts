import { mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { log } from '#runtime/log.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { DatabaseAddress, MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../../../config.ts'
import type { AuditEntry } from '../../../platform/audit/audit-trail.ts'
import { changeRun, LIVE_RUNS, type RunRow } from '../run-rows.ts'
import { readPlan } from './backup-plan.ts'
import { backupRoom, deleteOldBackups, makeBackup, verifyBackup } from './make-backup.ts'

export type BackupJobDeps = {
  config: Pick<Config, 'dataFolder' | 'paths' | 'version' | 'databaseUrl'>
  meta: MetaStore
  database: DatabaseAddress
  store: Pick<EventStore, 'snapshot'>
  audit(entry: AuditEntry): Promise<void>
  now(): number
}
export type BackupResult = { name: string; files: number; bytes: number; deleted: string[] }

/** More than the files of now: PostgreSQL and journal grow meanwhile. */
const ROOM_FACTOR = 1.1
const ROOM_BYTES = 50 * 1024 * 1024

/** Makes the backup of a run: room, copy, verification of every hash, and only then deletion of old ones. What goes wrong ends it as failed. */
export async function runBackup(
  deps: BackupJobDeps,
  row: RunRow,
  signals: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { config, meta, now, store } = deps
  const { id } = row
  const signal = AbortSignal.any([signals.stop, signals.quit])
  const at = now()
  if (!(await changeRun(meta, id, LIVE_RUNS, { state: 'running', started_at: at, progress: 0 }))) return
  const step = (name: string, progress: number) => changeRun(meta, id, ['running'], { step: name, progress })
  let [result, error]: [BackupResult | undefined, string] = [undefined, '']
  try {
    const { folder, keep_days: days, keep_count: keep } = await readPlan(meta)
    if (folder === '') throw new Error('no folder for backups is set')
    await step('room', 0.05)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { needed, free } = await backupRoom(config, folder)
    const wanted = Math.ceil(needed * ROOM_FACTOR + ROOM_BYTES)
    if (free < wanted)
      throw new Error(`not enough space in ${folder}: ${megabytes(wanted)} needed, ${megabytes(free)} free`)
    await step('copy', 0.1)
    const database = config.databaseUrl ? undefined : deps.database
    const stores = async () => ({ snapshot: store.snapshot, database })
    const made = await makeBackup(config, stores, { folder, days, now: at, signal })
    await step('verify', 0.7)
    await verifyBackup(made.path)
    await step('delete', 0.95)
    const deleted = await deleteOldBackups(folder, now(), keep)
    result = { name: basename(made.path), files: made.files, bytes: made.bytes, deleted }
  } catch (err) {
    if (signals.quit.aborted) return // begun again by the next process
    if (!signals.stop.aborted) log.error({ err, run: id }, 'maintenance: the backup failed')
    error = (err as Error).message.slice(0, 500)
  }
  if (result) await changeRun(meta, id, LIVE_RUNS, { state: 'done', step: null, progress: 1, result, ended_at: now() })
  else await changeRun(meta, id, LIVE_RUNS, { state: 'failed', step: null, error, ended_at: now() })
  await deps.audit({
    ...{ account: row.account, role: '', action: 'maintenance.backup', target: result?.name ?? '' },
    ...{ result: result ? 'ok' : 'failed', address: '' },
    detail: result ? `${result.files} files, ${megabytes(result.bytes)}; deleted ${result.deleted.length}` : error,
  })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
