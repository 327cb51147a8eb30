import { sql } from 'kysely'
import type { Settings } from '#contracts/http/settings.ts'
import { limitStates } from '#domain/service-requests.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import { notify } from '../../platform/notify.ts'
import { requestName } from './request-rows.ts'
import { serviceSideOf } from './tell-sides.ts'

const DAY_MS = 86_400_000
/** Files of one round; the rest follows in the next. */
const MOST_FILES = 500
const MOST_LATE = 200

export type LookAfterDeps = {
  meta: MetaStore
  files: FileStore
  settings(): Pick<Settings, 'service_days'>
  now(): number
  audit(entry: AuditEntry): Promise<void>
}

/**
 * Notifies the service side once of each limit that was missed; deletes files that were not sent within a day, and those of requests that were
 * closed `service_days` ago. Answers how many files were deleted.
 */
export async function lookAfterRequests(deps: LookAfterDeps): Promise<number> {
  const { db } = deps.meta
  const now = deps.now()
  // First: a file that cannot be deleted must not keep limits from being watched.
  await notifyLate(deps, now)
  const unsent = await db
    .deleteFrom('service_attachments')
    .where('request_id', 'is', null)
    .where('created_at', '<', now - DAY_MS)
    .returning('sha256')
    .execute()
  for (const { sha256 } of unsent) if (sha256 !== null) await deps.files.remove(sha256)
  const over = await db
    .selectFrom('service_attachments')
    .innerJoin('service_requests', 'service_requests.id', 'service_attachments.request_id')
    .select(['service_attachments.id', 'service_attachments.request_id', 'sha256'])
    .where('sha256', 'is not', null)
    .where('service_requests.closed_at', '<', now - deps.settings().service_days * DAY_MS)
    .limit(MOST_FILES)
    .execute()
  for (const { id, sha256 } of over) {
    // The file first: a row that names a file which is gone is found again in the next round.
    await deps.files.remove(sha256 as string)
    await db.updateTable('service_attachments').set({ sha256: null }).where('id', '=', id).execute()
  }
  for (const request of new Set(over.map(({ request_id }) => request_id as number))) {
    const count = over.filter(({ request_id }) => request_id === request).length
    await deps.audit({
      ...{ account: 'system', role: '', action: 'service.retain', target: requestName(request), result: 'ok' },
      ...{ address: '', detail: `${count} files`, changes: [] },
    })
  }
  return unsent.length + over.length
}

async function notifyLate({ meta }: LookAfterDeps, now: number): Promise<void> {
  const rows = await meta.db
    .selectFrom('service_requests')
    .selectAll()
    .where('state', 'not in', ['solved', 'closed'])
    // An answered request passes the limit of its first answer as well, and would take the place of one that is late.
    .where((where) =>
      where.or([
        where.and([where('first_reply_at', 'is', null), where('reply_due', '<', now)]),
        where('solve_due', '<', now),
      ]),
    )
    // What was missed last comes first: beyond MOST_LATE are those that earlier rounds have notified.
    .orderBy(sql`case when solve_due < ${now} then solve_due else reply_due end`, 'desc')
    .limit(MOST_LATE)
    .execute()
  for (const row of rows) {
    const states = limitStates(row, now)
    const late = states.solve === 'late' ? 'solve' : states.reply === 'late' ? 'reply' : undefined
    if (!late) continue
    const name = requestName(row.id)
    await notify(
      meta,
      {
        to: serviceSideOf(row),
        kind: 'service',
        // A limit that was set again may be missed again.
        key: `service:late:${row.id}:${late}:${late === 'solve' ? row.solve_due : row.reply_due}`,
        state: 'bad',
        title:
          late === 'solve'
            ? { zh: `${name} 已超过解决时限`, en: `${name} has missed its solution limit` }
            : { zh: `${name} 已超过首次回复时限`, en: `${name} has missed its first answer limit` },
        note: { zh: row.subject, en: row.subject },
        path: `/service?id=${row.id}`,
        facts: { request: row.id, state: row.state, urgency: row.urgency },
      },
      now,
    )
  }
}
