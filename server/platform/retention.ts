import { sql } from 'kysely'
import type { Settings } from '#contracts/http/settings.ts'
import { NOTIFICATION_DAYS } from '#domain/notifications.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { retainAudit } from './audit/audit-trail.ts'
import { dropUnnamed } from './file-references.ts'

const DAY_MS = 86_400_000
/** No setting goes below six months for rows and logs (RET-01), nor above 30 days for personal data in full. */
const FLOOR_DAYS = 184
const PERSONAL_DAYS = 30
/** Results of exports are copies of data: they go after a week. Rows without a result go after a month. */
const RESULT_MS = 7 * DAY_MS
const JOB_MS = 30 * DAY_MS
const PRINT_DAYS = 30
const GIGABYTE = 1e9

/** When the file of a job that ended at `endedAt` (epoch ms) is deleted: reports are kept as the settings say, exports for a week. */
export function reportEnd(kind: string, endedAt: number, settings: Pick<Settings, 'report_days'>): number {
  return endedAt + (kind === 'report' ? settings.report_days * DAY_MS : RESULT_MS)
}

export type RetentionDeps = { meta: MetaStore; store: EventStore; files: FileStore }
export type RetentionResult = {
  deletedEvents: number
  truncatedEvents: number
  deletedLogs: number
  deletedAudit: number
}

/**
 * Deletes what is past its time: events, network log, audit log, and what expires by itself (tickets, verification codes, failures,
 * ended sessions, results of jobs). Safe to run at any time and twice.
 */
export async function applyRetention(deps: RetentionDeps, settings: Settings, now: number): Promise<RetentionResult> {
  const events = now - Math.max(FLOOR_DAYS, settings.event_days) * DAY_MS
  const logs = now - Math.max(FLOOR_DAYS, settings.log_days) * DAY_MS
  const personal = now - Math.min(PERSONAL_DAYS, settings.personal_days) * DAY_MS
  const { db } = deps.meta

  const deletedLogs = await db.deleteFrom('network_log').where('at', '<', logs).executeTakeFirst()
  await db.deleteFrom('alerts').where('last_end', '<', events).where('resolved_at', 'is not', null).execute()
  await db.deleteFrom('policy_fetches').where('fetched_at', '<', events).execute()
  await db
    .deleteFrom('notifications')
    .where('created_at', '<', now - NOTIFICATION_DAYS * DAY_MS)
    .execute()
  // Prints of files that are no copies, kept so that no run reads them again, and those of deleted packages.
  await sql`delete from package_prints print where made_at < ${now - PRINT_DAYS * DAY_MS}
    and not exists (select 1 from monitor_copies copy where copy.sha256 = print.sha256)
    and not exists (select 1 from app_files file where file.sha256 = print.sha256)`.execute(db)
  const deletedAudit = await retainAudit(deps.meta, logs)
  await db.deleteFrom('live_tickets').where('expires_at', '<', now).execute()
  await db.deleteFrom('verify_codes').where('expires_at', '<', now).execute()
  await db
    .deleteFrom('login_failures')
    .where('at', '<', now - DAY_MS)
    .execute()
  await db
    .deleteFrom('sessions')
    .where('ended_at', '<', now - DAY_MS)
    .execute()
  await db
    .deleteFrom('sessions')
    .where('last_input_at', '<', now - PERSONAL_DAYS * DAY_MS)
    .execute()
  await dropResults(deps, settings, now)

  const { deleted, truncated } = await deps.store.retain(events, personal)
  return {
    deletedEvents: deleted,
    truncatedEvents: truncated,
    deletedLogs: Number(deletedLogs.numDeletedRows),
    deletedAudit,
  }
}

/** Deletes results that are past their time, then the oldest reports until all fit into their room, and rows without a result after a month. */
async function dropResults(deps: RetentionDeps, settings: Settings, now: number): Promise<void> {
  const { db } = deps.meta
  const kept = await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'file', 'document', 'bytes', 'ended_at'])
    .where('ended_at', 'is not', null)
    .where('file', 'is not', null)
    .orderBy('ended_at', 'desc')
    .execute()
  let taken = 0
  for (const { id, kind, file, document, bytes, ended_at } of kept) {
    const isOver = reportEnd(kind, ended_at as number, settings) < now
    if (kind === 'report' && !isOver) taken += bytes
    if (!isOver && (kind !== 'report' || taken <= settings.report_gb * GIGABYTE)) continue
    await db.updateTable('jobs').set({ file: null, document: null }).where('id', '=', id).execute()
    await dropUnnamed(deps, [file, document])
  }
  await db
    .deleteFrom('jobs')
    .where('ended_at', '<', now - JOB_MS)
    .where('file', 'is', null)
    .execute()
}
