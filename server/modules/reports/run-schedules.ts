import type { Selectable } from 'kysely'
import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import { REPORT_NEEDS } from '#contracts/http/reports/make-report.ts'
import { SCHEDULE_LIMITS, type SchedulePause } from '#contracts/http/reports/schedules.ts'
import type { Settings } from '#contracts/http/settings.ts'
import { NO_EMPOWER, type PermissionItem } from '#contracts/permissions.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { ScheduleResult, ScheduleWhat } from '#storage/postgres/report-tables.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { type Account, accountOf } from '../../http/sessions.ts'
import type { AuditEntry } from '../../platform/audit/audit-trail.ts'
import { scopeOf } from '../../platform/scope.ts'
import { tasksOf } from '../detection/task-rows.ts'
import type { ReportSubject } from '../jobs/job-rows.ts'
import { nextRuns } from './cron-times.ts'
import { addMail } from './report-mails.ts'
import { requestReport } from './request-report.ts'

export type ScheduleRow = Selectable<Database['report_schedules']>
export type ScheduleDeps = {
  meta: MetaStore
  files: FileStore
  settings(): Settings
  now(): number
  audit(entry: AuditEntry): Promise<void>
}

/**
 * Runs every schedule that is due; answers how many. Its next time is written first and only where the row still has the time that was read,
 * so that a run is made once; what was missed while the platform was off is made up for by one run.
 */
export async function runSchedules(deps: ScheduleDeps): Promise<number> {
  const { db } = deps.meta
  const now = deps.now()
  const due = await db
    .selectFrom('report_schedules')
    .selectAll()
    .where('enabled', '=', true)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .execute()
  for (const schedule of due) {
    const [next = null] = nextRuns(schedule.cron, schedule.zone, now, 1)
    const taken = await db
      .updateTable('report_schedules')
      .set({ next_at: next })
      .where('id', '=', schedule.id)
      .where('enabled', '=', true)
      .where('next_at', '=', schedule.next_at)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 1n) await runOne(deps, schedule)
  }
  return due.length
}

/** One run: as its creator, with the rights of now. A creator without them pauses the schedule, which is in the row and the audit trail. */
export async function runOne(deps: ScheduleDeps, schedule: ScheduleRow): Promise<void> {
  const what = schedule.what as unknown as ScheduleWhat
  const { of = 'detection', range = '-7d' } = what
  const { account, pause } = await creatorOf(deps, schedule.user_id, REPORT_NEEDS[of])
  const entry = {
    account: account.username,
    role: account.role,
    action: 'report.schedule',
    target: schedule.name,
    address: '',
  }
  if (pause) {
    await deps.meta.db
      .updateTable('report_schedules')
      .set({ enabled: false, pause, next_at: null })
      .where('id', '=', schedule.id)
      .execute()
    await deps.audit({ ...entry, result: 'failed', detail: `paused: ${pause}`, changes: [] })
    return
  }
  const caller = { userId: account.id, auth: account.auth, scope: await scopeOf(deps.meta, account) }
  let reports = 0
  let problem: ErrorKey | '' = ''
  for (const app of what.apps)
    try {
      const { format, reader, language } = what
      const subject = await subjectOf(deps.meta, caller, of, app, range)
      const job = await requestReport(deps, caller, { ...subject, format, reader, language })
      reports++
      if (schedule.addresses.length > 0)
        await addMail(deps, { job: job.id, user: account.id, addresses: schedule.addresses, language })
    } catch (error) {
      problem = error instanceof ProductError ? error.key : 'server.internal'
      if (!(error instanceof ProductError)) log.error({ err: error }, `report schedule ${schedule.id} failed`)
    }
  const results = schedule.results as unknown as ScheduleResult[]
  const kept = [{ at: deps.now(), reports, problem }, ...results].slice(0, SCHEDULE_LIMITS.results)
  await deps.meta.db
    .updateTable('report_schedules')
    .set({ results: JSON.stringify(kept) })
    .where('id', '=', schedule.id)
    .execute()
  const detail = `${reports} of ${what.apps.length} ${problem}`.trim()
  await deps.audit({ ...entry, result: problem === '' ? 'ok' : problem, detail, changes: [] })
}

/** The creator of a schedule with the rights of now, and what they lack. */
async function creatorOf(
  { meta, now }: ScheduleDeps,
  id: number,
  needs: PermissionItem,
): Promise<{ account: Account; pause: SchedulePause | null }> {
  const row = await meta.db
    .selectFrom('users')
    .innerJoin('roles', 'roles.key', 'users.role')
    .select(['users.id', 'users.username', 'users.role', 'users.expires_at', 'users.must_change_password'])
    .select(['users.origin', 'users.disabled', 'roles.auth', 'roles.sees_all'])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()
  const account = accountOf(row, now())
  const pause = row.disabled
    ? 'disabled'
    : account.auth.includes(NO_EMPOWER)
      ? 'expired'
      : account.auth.includes(needs)
        ? null
        : 'permission'
  return { account, pause }
}

/** What is reported of an application. Throws detection.no_result where it was not detected. */
async function subjectOf(
  meta: MetaStore,
  caller: Parameters<typeof tasksOf>[1],
  of: NonNullable<ScheduleWhat['of']>,
  app: number,
  range: string,
): Promise<ReportSubject> {
  if (of === 'self_check') return { of, app }
  if (of === 'statistics') {
    const filters = [{ field: 'app' as const, op: 'is' as const, values: [String(app)] }]
    return { of, query: { range, timeBasis: 'occurred', compare: 'previous', filters } }
  }
  const task = await newestTask(meta, caller, app)
  if (task === undefined) throw new ProductError('detection.no_result')
  return { of, task }
}

/** The newest detected task of an application that the caller sees. */
async function newestTask(
  meta: MetaStore,
  caller: Parameters<typeof tasksOf>[1],
  app: number,
): Promise<string | undefined> {
  const row = await tasksOf(meta, caller)
    .select('task.id')
    .where('task.application_id', '=', app)
    .where('task.state', '=', 'detected')
    .orderBy('task.created_at', 'desc')
    .executeTakeFirst()
  return row?.id
}
