import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Language, ProductError } from '#contracts/errors.ts'
import { MAIL_LIMITS, type ReportMail } from '#contracts/http/reports/sharing.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { JobRow } from '../jobs/job-rows.ts'

type MailRow = Selectable<Database['report_mails']>

/** Queues a mail with the file of a finished job. Throws report.mail_size and quota.reached; data.missing without a file. */
export async function queueMail(
  { meta, now }: { meta: MetaStore; now(): number },
  job: Pick<JobRow, 'id' | 'state' | 'file' | 'bytes'>,
  { user, addresses, language }: { user: number; addresses: string[]; language: Language },
): Promise<string> {
  if (job.state !== 'done' || !job.file) throw new ProductError('data.missing')
  if (job.bytes > MAIL_LIMITS.bytes) throw new ProductError('report.mail_size')
  const { waiting } = await meta.db
    .selectFrom('report_mails')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('user_id', '=', user)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  if (Number(waiting) >= MAIL_LIMITS.waiting)
    throw new ProductError('quota.reached', { detail: String(MAIL_LIMITS.waiting) })
  return await addMail({ meta, now }, { job: job.id, user, addresses, language })
}

/** A mail that goes out as soon as the report is written. */
export async function addMail(
  { meta, now }: { meta: MetaStore; now(): number },
  { job, user, addresses, language }: { job: string; user: number; addresses: string[]; language: Language },
): Promise<string> {
  const id = randomUUID()
  const at = now()
  await meta.db
    .insertInto('report_mails')
    .values({
      id,
      job_id: job,
      user_id: user,
      addresses,
      language,
      state: 'waiting',
      created_at: at,
      next_at: at,
      sent_at: null,
    })
    .execute()
  return id
}

/** Puts a failed mail of a report back into the queue. Throws data.missing where it is not one. */
export async function retryMail(
  { meta, now }: { meta: MetaStore; now(): number },
  job: string,
  id: string,
): Promise<void> {
  const changed = await meta.db
    .updateTable('report_mails')
    .set({ state: 'waiting', attempts: 0, next_at: now() })
    .where('id', '=', id)
    .where('job_id', '=', job)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  if (changed.numUpdatedRows !== 1n) throw new ProductError('data.missing')
}

/** The mails of a report, newest first. */
export async function mailsOf({ meta }: { meta: MetaStore }, job: string): Promise<ReportMail[]> {
  const rows = await meta.db
    .selectFrom('report_mails')
    .innerJoin('users', 'users.id', 'report_mails.user_id')
    .selectAll('report_mails')
    .select('users.username')
    .where('job_id', '=', job)
    .orderBy('report_mails.created_at', 'desc')
    .orderBy('report_mails.id')
    .limit(50)
    .execute()
  return rows.map(toMail)
}

function toMail(row: MailRow & { username: string }): ReportMail {
  const { id, addresses, attempts, answer, created_at, next_at, sent_at } = row
  const state = row.state as ReportMail['state']
  return { id, by: row.username, addresses, state, attempts, answer, created_at, next_at, sent_at }
}
