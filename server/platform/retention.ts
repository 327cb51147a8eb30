import type { Settings } from '#contracts/http/settings.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { retainAudit } from './audit/audit-trail.ts'
import { dropFile } from './queue/drop-file.ts'

const DAY_MS = 86_400_000
/** No setting goes below six months for rows and logs (RET-01), nor above 30 days for personal data in full. */
const FLOOR_DAYS = 184
const PERSONAL_DAYS = 30
/** Results of finished jobs are copies of data: they go after a week, their rows after a month. */
const RESULT_MS = 7 * DAY_MS
const JOB_MS = 30 * DAY_MS

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
  await dropResults(deps, now)

  const { deleted, truncated } = await deps.store.retain(events, personal)
  return {
    deletedEvents: deleted,
    truncatedEvents: truncated,
    deletedLogs: Number(deletedLogs.numDeletedRows),
    deletedAudit,
  }
}

async function dropResults(deps: RetentionDeps, now: number): Promise<void> {
  const { db } = deps.meta
  const old = await db
    .selectFrom('jobs')
    .select(['id', 'file'])
    .where('ended_at', '<', now - RESULT_MS)
    .where('file', 'is not', null)
    .execute()
  for (const { id, file } of old) {
    await db.updateTable('jobs').set({ file: null }).where('id', '=', id).execute()
    if (file) await dropFile(deps, file)
  }
  await db
    .deleteFrom('jobs')
    .where('ended_at', '<', now - JOB_MS)
    .execute()
}
