import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Language } from '#contracts/errors.ts'
import { MAIL_LIMITS } from '#contracts/http/reports/sharing.ts'
import type { Settings } from '#contracts/http/settings.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import { platformName, readOwnText } from '../../platform/platform-info/own-texts.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { readMailServer, sendMail } from '../alerts/send-mail.ts'
import { LIVE_STATES } from '../jobs/job-rows.ts'
import { mediaType } from '../jobs/send-file.ts'

/** How long after each failed attempt the next one follows; after the last it has failed. */
const RETRY_MS = [30_000, 120_000, 600_000, 1_800_000] as const
/** A process that takes a mail has this long for it; if it dies, another one takes the mail after that. */
const LEASE_MS = 120_000
const AT_ONCE = 4
/** Of what a mail server said. */
const ANSWER_LENGTH = 300

const TEXTS = {
  zh: { subject: '报告', text: (title: string, by: string) => `${by} 向您发送了报告“${title}”，见附件。` },
  en: {
    subject: 'Report',
    text: (title: string, by: string) => `${by} sends you the report "${title}", see the attachment.`,
  },
}

export type ReportMailDeps = {
  meta: MetaStore
  files: FileStore
  now(): number
  settings(): Settings
  smtpUrl: string | undefined
  audit(entry: AuditEntry): Promise<void>
  /** A certificate authority trusted in addition to the system's. */
  ca?: string
}

/** Sends every mail that is due, a few at a time; answers how many were tried. The attempt is counted before it is made. */
export async function sendReportMails(deps: ReportMailDeps): Promise<number> {
  const at = deps.now()
  const rows = await deps.meta.db
    .updateTable('report_mails')
    .set({ attempts: sql`attempts + 1`, next_at: at + LEASE_MS })
    .where('id', 'in', (where) =>
      where
        .selectFrom('report_mails')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', at)
        // A report that is still being written: its mail waits.
        .where('job_id', 'in', (jobs) => jobs.selectFrom('jobs').select('id').where('state', 'not in', LIVE_STATES))
        .orderBy('next_at')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'attempts'])
    .execute()
  await Promise.all(rows.map(({ id, attempts }) => send(deps, id, attempts)))
  return rows.length
}

async function send(deps: ReportMailDeps, id: string, attempts: number): Promise<void> {
  const { db } = deps.meta
  const row = await db
    .selectFrom('report_mails')
    .innerJoin('jobs', 'jobs.id', 'report_mails.job_id')
    .innerJoin('users', 'users.id', 'report_mails.user_id')
    .select([
      'report_mails.addresses',
      'report_mails.language',
      'jobs.title',
      'jobs.file',
      'jobs.file_name',
      'jobs.bytes',
    ])
    .select(['users.username', 'users.role', 'users.disabled'])
    .where('report_mails.id', '=', id)
    .executeTakeFirst()
  if (!row) return
  let problem = ''
  let answer = ''
  /** What another attempt would not change. */
  let final = false
  try {
    const refusal = row.disabled
      ? 'the account of the sender is disabled'
      : !row.file
        ? 'there is no file: it was not written, or deleted'
        : row.bytes > MAIL_LIMITS.bytes && 'the file is larger than an attachment may be'
    if (refusal || !row.file) {
      final = true
      throw new Error(refusal || '')
    }
    const file = await deps.files.open(row.file)
    const name = row.file_name ?? 'report'
    answer = await sendMail(
      readMailServer(deps.smtpUrl ?? ''),
      {
        to: row.addresses,
        subject: `${TEXTS[row.language as Language].subject}: ${row.title}`,
        text: await textOf(deps, row.title, row.username, row.language as Language),
        id,
        attachment: { name, type: mediaType(name), content: await buffer(file.stream()) },
      },
      deps.ca,
    )
  } catch (error) {
    problem = (error as Error).message || String(error)
  }
  const now = deps.now()
  const wait = RETRY_MS[attempts - 1]
  const failed = problem !== '' && (final || wait === undefined)
  const state = problem === '' ? 'sent' : failed ? 'failed' : 'waiting'
  await db
    .updateTable('report_mails')
    .set({
      state,
      answer: (problem || answer).slice(0, ANSWER_LENGTH),
      next_at: state === 'waiting' && wait !== undefined ? now + wait : null,
      sent_at: problem === '' ? now : null,
    })
    .where('id', '=', id)
    .execute()
  if (state === 'waiting') return
  await deps.audit({
    ...{ account: row.username, role: row.role, action: 'report.mail', target: row.title, address: '' },
    result: state === 'sent' ? 'ok' : 'failed',
    detail: `${row.addresses.join(', ')} ${problem}`.trim().slice(0, 1000),
    changes: [],
  })
}

/** The platform's own text (its template file), or ours. */
async function textOf(
  { meta, settings, now }: ReportMailDeps,
  subject: string,
  author: string,
  language: Language,
): Promise<string> {
  const current = settings()
  const platform = platformName(current, language)
  const date = zonedTime(now(), current.zone).slice(0, 10)
  const own = await readOwnText(meta, 'report_mail', { platform, subject, author, date })
  return own ?? TEXTS[language].text(subject, author)
}
